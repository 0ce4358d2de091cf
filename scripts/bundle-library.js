// Puts the library that Node loads into a few files, dist/node/: importing it reads ten files, not three hundred. The scripts of
// its threads are in there as texts, so that the library works wherever a bundler puts it: a text has no place that could be
// lost, and runs under Node, Bun and Deno as well as in a single executable file.
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The entries by the names that their files have in dist/. */
const entries = {
  index: 'index.node',
  selection: 'selection.node',
  solvers: 'solvers',
  formats: 'formats',
  tables: 'tables',
  predict: 'predict',
  'predict-plain': 'predict-plain',
  kernels: 'kernels',
  metrics: 'metrics',
  calibration: 'calibration',
  plots: 'plots',
  shards: 'shards.node',
  distributed: 'distributed.node',
  // The thread of a worker reads files, whose readers are packages of their own: it is started by the name of its file.
  'job-thread.node': 'distributed/job-thread.node',
}

/** Entries that name no platform, and are set up for Node here: on the threads and in the memory of the machine. */
const onPlatform = ['solvers', 'formats']

/** What is loaded with each of these is one file; a module goes with the first that needs it. */
const loadedTogether = ['predict-plain', 'predict', 'index']

const keepNames = { class: true, function: false }
/** Names of classes stay: fingerprints and errors have them. */
export const minify = { compress: { keepNames }, mangle: { keepNames }, codegen: true }

/** Makes dist/node/ from what the compiler has put into dist/. */
export async function bundleLibrary(root) {
  const dist = `${root}dist/`
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const external = Object.keys({ ...dependencies, ...peerDependencies }).map(
    (name) => new RegExp(`^${name}(/|$)`),
  )
  const helper = await scriptText(`${dist}engine/threads/thread.node.js`, [])
  const threads = replacing(
    `${dist}engine/threads/thread-script.node.js`,
    `export const threadScript = ${JSON.stringify(helper)}`,
  )
  const workers = await scriptText('hyperplane:workers', [
    threads,
    virtual(
      'hyperplane:workers',
      `import { workerData } from 'node:worker_threads'
       if (workerData.work === 'fits') import('${dist}parallel/fit-worker.node.js')
       else import('${dist}parallel/cell-worker.node.js')`,
    ),
  ])
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [
        name,
        onPlatform.includes(name) ? `hyperplane:${name}` : `${dist}${file}.js`,
      ]),
    ),
    external,
    platform: 'node',
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
    plugins: [
      threads,
      ...onPlatform.map((name) =>
        virtual(
          `hyperplane:${name}`,
          `import '${dist}parallel/platform.node.js'\nexport * from '${dist}${name}.js'`,
        ),
      ),
      virtual('hyperplane:worker-text', `export const text = ${JSON.stringify(workers)}`),
      replacing(
        `${dist}parallel/worker-scripts.node.js`,
        `const script = () => import('hyperplane:worker-text').then(({ text }) => text)
         export { script as fitScript, script as cellScript }`,
      ),
    ],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  const groups = loadedTogether.map((name, rank) => {
    const modules = modulesBehind(output, name)
    return { name: `for-${name}`, test: (id) => modules.has(id), priority: loadedTogether.length - rank }
  })
  rmSync(`${dist}node`, { recursive: true, force: true })
  await bundle.write({
    dir: `${dist}node`,
    format: 'esm',
    comments: false,
    minify,
    codeSplitting: { groups, includeDependenciesRecursively: false },
  })
  await bundle.close()
}

/**
 * The text of a script with all that it imports. It names Node's modules through `process`: whether a text is run as a module or
 * not, and so whether it may `require`, differs from runtime to runtime.
 */
async function scriptText(input, plugins) {
  const bundle = await rolldown({ input, plugins, external: /^node:/, platform: 'node', logLevel: 'warn' })
  const { output } = await bundle.generate({
    format: 'iife',
    globals: (id) => `process.getBuiltinModule(${JSON.stringify(id)})`,
    comments: false,
    minify,
    codeSplitting: false,
  })
  await bundle.close()
  return output[0].code
}

/** A plugin that gives a module this code. */
export function replacing(id, code) {
  return { name: `replacing ${id}`, load: (asked) => (asked === id ? code : null) }
}

/** A plugin for a module that is in no file. */
function virtual(id, code) {
  return {
    ...replacing(id, code),
    name: id,
    resolveId: (asked) => (asked === id ? id : null),
  }
}

/** The modules that are loaded with a file, those that files are named after left out. */
export function modulesBehind(output, name) {
  const files = new Map(output.map((file) => [file.fileName, file]))
  const reached = new Set([output.find((file) => file.name === name).fileName])
  for (const fileName of reached) {
    for (const imported of files.get(fileName).imports) if (files.has(imported)) reached.add(imported)
  }
  const entries = new Set(output.map((file) => file.facadeModuleId))
  const modules = [...reached].flatMap((fileName) => files.get(fileName).moduleIds)
  return new Set(modules.filter((id) => !entries.has(id)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleLibrary(fileURLToPath(new URL('..', import.meta.url)))
}
