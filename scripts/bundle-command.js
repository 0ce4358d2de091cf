// Puts the command into a few files: loading two hundred small ones takes longer than many a command itself.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { rolldown } from 'rolldown'
import { minify, modulesBehind, replacing } from './bundle-library.js'

/** Packages that are always needed and come in many files. All others stay outside and are loaded when needed. */
const inside = ['commander']

/**
 * What is loaded with each of these is one file: many small ones take twice as long. A module goes with the first that
 * needs it, so that a thread does not load the whole command. What two of them need is its own file where one starts
 * with little: `main` starts a thread before it loads the rest.
 */
const loadedTogether = ['thread.node', 'main+svm-train', 'svm-train', 'main', 'fit-worker.node', 'train']

/** Other characters as escapes: a text of ASCII alone takes half the memory, and is read without being decoded. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * What short commands do without. Node loads most of its modules when they are first used, which takes a millisecond or two each
 * for threads, streams and promises of files; those of this list are there anyway. So is a clock, but for `performance`.
 */
const loadedByNode = ['buffer', 'events', 'fs', 'path', 'timers', 'url', 'util']
const nodeModule = new RegExp(`=(require\\("node:(?!(?:${loadedByNode.join('|')})")[\\w/]+"\\))`, 'g')
const performanceNow = /(?<![\w$.])performance\.now\(\)/g

/**
 * A file as a script: in ASCII, strict, as modules are, and importing by a function that who runs it from compiled code gives, since Node
 * warns of `import` there. Where a thread loads the file, it is Node's own.
 */
function asScript(text) {
  const helpers = [
    [/(?<![\w$.])import\((?=["'`])/g, 'importModule(', 'importModule=importModule||(name=>import(name))'],
    [
      nodeModule,
      '=whenUsed(()=>$1)',
      'whenUsed=load=>{let own;return new Proxy({},{get:(_,name)=>(own??=load())[name]})}',
    ],
    [performanceNow, 'clock()', 'clock=()=>{let[s,ns]=process.hrtime();return 1e3*s+ns/1e6}'],
  ]
  let script = inAscii(text.replace(/^#!.*\n/, ''))
  for (const [found, replacement, helper] of helpers) {
    const changed = script.replace(found, replacement)
    if (changed !== script) script = `var ${helper};${changed}`
  }
  return `'use strict';${script}`
}

/**
 * Replaces dist/cli/ by a bundle of the command, and of the threads that it starts. Its files are scripts, not modules: only
 * scripts can be run from code that was compiled before (src/cli/compiled-code.ts).
 */
export async function bundleCommand(root) {
  const dist = `${root}dist/`
  const { bin, dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const commands = Object.values(bin).map((file) => basename(file, '.js'))
  const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !inside.includes(name),
  )
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(commands.map((name) => [name, `${dist}cli/${name}.js`])),
      'compiled-code': `${dist}cli/compiled-code.js`,
      // A thread is started by the name of its file, which is looked for beside the file that starts it.
      'fit-worker.node': `${dist}parallel/fit-worker.node.js`,
      'job-thread.node': `${dist}distributed/job-thread.node.js`,
      'thread.node': `${dist}engine/threads/thread.node.js`,
    },
    external: outside.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [
      replacing(
        `${dist}engine/memory/all-builds.js`,
        readFileSync(`${dist}engine/memory/build-files.node.js`, 'utf8'),
      ),
    ],
    platform: 'node',
    // What is imported from outside and not used is not loaded.
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  const groups = loadedTogether.map((name, rank) => {
    const sets = name.split('+').map((one) => modulesBehind(output, one))
    const test = (id) => sets.every((modules) => modules.has(id))
    return { name: `for-${name}`, test, priority: loadedTogether.length - rank }
  })
  const { output: files } = await bundle.write({
    dir: `${dist}bundle`,
    format: 'cjs',
    entryFileNames: ({ name }) => (commands.includes(name) ? `${name}-[hash].js` : '[name].js'),
    // A third of the text, which every start would read.
    comments: false,
    // Half of what is left.
    minify,
    codeSplitting: { groups, includeDependenciesRecursively: false },
  })
  await bundle.close()
  rmSync(`${dist}cli`, { recursive: true })
  renameSync(`${dist}bundle`, `${dist}cli`)
  writeFileSync(`${dist}cli/package.json`, '{ "type": "commonjs" }\n')
  for (const { fileName } of files) {
    const file = `${dist}cli/${fileName}`
    writeFileSync(file, asScript(readFileSync(file, 'utf8')))
  }
  const { simd, scalar } = await import(`${dist}engine/memory/engine-binaries.js`)
  const { relaxedBuild } = await import(`${dist}engine/memory/relaxed-build.js`)
  writeFileSync(`${dist}cli/relaxed.wasm`, relaxedBuild())
  writeFileSync(`${dist}cli/simd.wasm`, Buffer.from(simd, 'base64'))
  writeFileSync(`${dist}cli/scalar.wasm`, Buffer.from(scalar, 'base64'))
  for (const command of commands) {
    const { fileName } = files.find((file) => file.isEntry && file.name === command)
    // Subcommands are short words; anything else that is said first is none.
    const run =
      command === 'main'
        ? "/^[a-z][a-z-]{0,20}$/.exec(process.argv[2])?.[0] ?? 'main'"
        : JSON.stringify(command)
    writeFileSync(
      `${dist}cli/${command}.js`,
      `#!/usr/bin/env node
require('./compiled-code.js').runCompiled(__dirname, '${fileName}', ${run}, require, (name) => import(name))
`,
    )
  }
  writeFileSync(
    `${dist}cli/LICENSES.txt`,
    inside.map((name) => licence(`${root}node_modules/${name}/`)).join('\n'),
  )
}

/** The licence of a package: it asks to be kept with copies. */
function licence(folder) {
  const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name} ${version}\n\n${readFileSync(folder + file, 'utf8').trim()}\n`
}
