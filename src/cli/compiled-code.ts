/**
 * Runs the files of the bundled command from code that an earlier run has compiled. Half of the time that a short command takes
 * is the compiler's: svm-train on 270 samples takes 0.14 s of CPU without, and 0.09 s with it. What a run has compiled is kept in
 * the user's cache folder, a file per file of the bundle and command, since each command uses other functions of a file.
 * It can go at any time, and a run that cannot read or write it only takes longer.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder } from './options/cache-folder.ts'

/** A shorter file is compiled in half a millisecond, as long as it takes to read what was kept of it. */
const SHORT_FILE = 8_192
/** What is older is of another version as a rule; if not, it is made again. */
const KEPT_DAYS = 30

/** The exports of a file, by name. */
type Exports = Record<string, unknown>
type FileFunction = (
  require: (id: string) => unknown,
  module: { exports: Exports },
  exports: Exports,
  filename: string,
  dirname: string,
  importModule: ImportModule,
) => void

/** What `import` does in the file that starts a command: Node warns of it in code that was compiled before. */
type ImportModule = (name: string) => Promise<unknown>

/**
 * Runs a file of a folder, and those that it requires from there; others by `requireOther`. `command` names the run: it decides
 * which functions are used.
 */
export function runCompiled(
  folder: string,
  file: string,
  command: string,
  requireOther: (id: string) => unknown,
  importModule: ImportModule,
): void {
  // The variable is that of Node's own cache, which Node 20 does not have yet.
  const store = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFolder('code')
  const loaded = new Map<string, { exports: Exports }>()
  const compiled: [path: string, script: Script][] = []

  function load(name: string): Exports {
    const earlier = loaded.get(name)
    if (earlier) return earlier.exports
    const module = { exports: {} }
    loaded.set(name, module)
    const filename = join(folder, name)
    const require = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id))
    const run = compile(name, filename).runInThisContext() as FileFunction
    run(require, module, module.exports, filename, folder, importModule)
    return module.exports
  }

  function compile(name: string, filename: string): Script {
    // They are in ASCII (scripts/bundle-command.js).
    const text = readFileSync(filename, 'latin1')
    const isKept = store !== undefined && text.length > SHORT_FILE
    // Names of files have a hash of their content. V8 refuses code of other versions, flags and processors.
    const path = isKept ? join(store, `${name}-${command}-${process.version}-${process.arch}`) : undefined
    const cachedData = path === undefined ? undefined : keptCode(path)
    const script = new Script(
      `(function (require, module, exports, __filename, __dirname, importModule) {${text}\n})`,
      { filename, cachedData },
    )
    if (path !== undefined && (!cachedData || script.cachedDataRejected)) compiled.push([path, script])
    return script
  }

  // At the end, when it is known which functions the command uses: one that has failed has not used them.
  process.once('exit', (code) => {
    if (store && code === 0 && compiled.length > 0) keepCode(store, compiled)
  })
  load(file)
}

/**
 * What was kept, if it is whole: V8 would run what it finds there. It is kept twice, since comparing the two takes a tenth of a
 * millisecond, where Node would need two to load a checksum.
 */
function keptCode(path: string): Buffer | undefined {
  try {
    const kept = readFileSync(path)
    const half = kept.length / 2
    const code = kept.subarray(0, half)
    return half > 0 && code.equals(kept.subarray(half)) ? code : undefined
  } catch {
    return undefined
  }
}

function keepCode(store: string, compiled: readonly (readonly [path: string, script: Script])[]): void {
  try {
    mkdirSync(store, { recursive: true, mode: 0o700 })
    removeOld(store)
    for (const [path, script] of compiled) {
      const code = script.createCachedData()
      const beside = `${path}.${process.pid}.tmp`
      writeFileSync(beside, Buffer.concat([code, code]))
      renameSync(beside, path)
    }
  } catch {
    // A full disk, a folder that is not ours: the next run compiles again.
  }
}

function removeOld(store: string): void {
  const oldest = Date.now() - KEPT_DAYS * 24 * 3600 * 1000
  for (const name of readdirSync(store)) {
    const path = join(store, name)
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true })
  }
}
