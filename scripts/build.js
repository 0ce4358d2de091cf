// Builds the package into dist/: AssemblyScript to WebAssembly (kept as text in src/engine/memory/engine-binaries.ts, so
// that Node, browsers and bundlers load it alike), TypeScript to ESM and declarations, the library for Node and the command
// to bundles, the API
// reference to docs/api/, and the Lab (web/) with docs/ to static files in dist/lab/. AssemblyScript finds the structures that
// it shares with TypeScript in assembly/structures.ts, which is made of src/engine/memory/structures.ts.
// With --if-changed, as npm's `prepare`, it leaves a dist/ alone that was made of the same sources: `npx hyperplane` in a
// clone runs `prepare` before the command.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { editsBetween } from './binary-edits.js'
import { bundleCommand } from './bundle-command.js'
import { bundleLibrary } from './bundle-library.js'
import { pruneDeclarations } from './prune-declarations.js'
import { writeReference } from './reference/reference.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const builds = {
  relaxed: { entry: 'index', features: ['--enable', 'simd', '--enable', 'relaxed-simd'] },
  simd: { entry: 'index', features: ['--enable', 'simd'] },
  scalar: { entry: 'index', features: ['--disable', 'simd'] },
  prediction: { entry: 'prediction', features: ['--enable', 'simd'] },
}

const folder = `${root}.hyperplane/`
const target = `${root}src/engine/memory/engine-binaries.ts`
const sharedStructures = `${root}assembly/structures.ts`
/** Reports what dist/ was made of. Gone while a build is under way: half a build is never taken for a whole one. */
const stamp = `${folder}sources.sha256`
const commands = Object.values(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).bin)

const sources = fingerprint()
if (!process.argv.includes('--if-changed') || !isBuilt()) {
  rmSync(stamp, { force: true })
  await writeStructures()
  buildEngine()
  rmSync(`${root}dist`, { recursive: true, force: true })
  run('typescript/bin/tsc', ['-p', `${root}tsconfig.build.json`])
  await bundleLibrary(root)
  await bundleCommand(root)
  pruneDeclarations(root)
  for (const command of commands) chmodSync(`${root}${command}`, 0o755)
  await writeReference(root)
  await build({ configFile: `${root}web/vite.config.ts` })
  writeFileSync(stamp, sources)
}

function isBuilt() {
  const made = [
    target,
    `${root}dist/lab/index.html`,
    `${root}dist/node/index.js`,
    `${root}docs/api/README.md`,
    ...commands.map((command) => root + command),
  ]
  return (
    existsSync(stamp) && readFileSync(stamp, 'utf8') === sources && made.every((file) => existsSync(file))
  )
}

/** Of everything that a build reads: sources, settings, and the versions of the compilers. */
function fingerprint() {
  const inFolders = ['assembly', 'src', 'web', 'docs'].flatMap((name) =>
    readdirSync(root + name, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .filter(
        (file) =>
          /\.(ts|tsx|css|html|svg|md|json)$/.test(file) &&
          ![target, sharedStructures].includes(file) &&
          !file.startsWith(`${root}docs/api/`),
      ),
  )
  const settings = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/binary-edits.js',
    'scripts/build.js',
    'scripts/bundle-command.js',
    'scripts/bundle-library.js',
    'scripts/prune-declarations.js',
    'scripts/reference/reference.js',
  ]
  const hash = createHash('sha256')
  for (const file of [...inFolders.sort(), ...settings.map((name) => root + name)]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Offsets of all fields, and the numbers beside them, as constants of AssemblyScript. */
async function writeStructures() {
  const bundle = await rolldown({ input: `${root}src/engine/memory/structures.ts` })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const table = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
  const { FORMS, KERNEL_KINDS, JOB_KINDS, PATH_STATUSES, ADVANCE_ENDS, structures, layOut, ...numbers } =
    table
  const constant = (name, type, value) =>
    `export const ${name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace('-', '_')
      .toUpperCase()}: ${type} = ${value}`
  const lines = [
    '// Made by scripts/build.js from src/engine/memory/structures.ts, which says what all this is; not kept in the repository.',
    ...Object.entries(numbers).map(([name, value]) =>
      constant(name, name.endsWith('_BYTES') ? 'usize' : 'i32', value),
    ),
    ...Object.entries({ ...FORMS, ...KERNEL_KINDS, ...PATH_STATUSES }).map(([name, value]) =>
      constant(name, 'u32', value),
    ),
    ...Object.entries(ADVANCE_ENDS).map(([name, value]) => constant(name, 'i32', value)),
    ...Object.entries(JOB_KINDS).map(([name, value]) => constant(`KIND_${name}`, 'u32', value)),
    ...Object.entries(structures).flatMap(([structure, fields]) => {
      const { offsets, bytes } = layOut(fields)
      return Object.entries({ ...offsets, bytes }).map(([field, at]) =>
        constant(`${structure}_${field}`, 'usize', at),
      )
    }),
  ]
  writeFileSync(sharedStructures, `${lines.join('\n')}\n`)
}

function buildEngine() {
  mkdirSync(folder, { recursive: true })
  const binaries = Object.entries(builds).map(([name, { entry, features }]) => {
    const file = `${folder}${name}.wasm`
    const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536']
    const plain = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'threads']
    run('assemblyscript/bin/asc.js', [
      `${root}assembly/${entry}.ts`,
      '-o',
      file,
      ...plain,
      ...memory,
      ...features,
    ])
    return [name, readFileSync(file)]
  })
  const { relaxed, ...others } = Object.fromEntries(binaries)
  const text = [
    '// Made by scripts/build.js from assembly/; not kept in the repository.',
    ...Object.entries(others).map(
      ([name, bytes]) =>
        `/** The build ${name} as base64. */\nexport const ${name} = '${bytes.toString('base64')}'`,
    ),
    '/** What makes the build relaxed of the build simd; see scripts/binary-edits.js. */',
    `export const relaxedEdits: readonly (readonly number[])[] = ${JSON.stringify(editsBetween(others.simd, relaxed))}`,
    '',
  ].join('\n')
  writeFileSync(target, text)
}

function run(script, parameters) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...parameters], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
