import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from './module-graph.ts'

const folder = join(repository, 'dist/cli')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))

describe('the bundle of the command', () => {
  it('has the files of the threads that it starts beside the files that start them', () => {
    const started = scripts.flatMap((name) =>
      [...read(name).matchAll(/new URL\(["'`]\.\/([\w.-]+\.js)["'`], ?require\(["'`]url/g)].map(
        ([, file]) => file,
      ),
    )
    expect([...new Set(started)].sort()).toEqual([
      'fit-worker.node.js',
      'job-thread.node.js',
      'thread.node.js',
    ])
    for (const file of started) expect(existsSync(join(folder, file)), file).toBe(true)
  })

  it('has commander inside, with its licence; other packages are loaded when needed', () => {
    const imported = scripts.flatMap((name) =>
      [...read(name).matchAll(/\b(?:require|import)\(["'`]([^"'`]+)["'`]\)/g)].map(([, from]) => from),
    )
    const packages = imported.filter((from) => !/^(\.|node:)/.test(from))
    expect(packages).toContain('hyparquet-compressors')
    for (const name of ['commander']) {
      expect(packages).not.toContain(name)
      expect(read('LICENSES.txt')).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
    // Only what no command uses may be missing.
    expect(packages).not.toContain('ml-matrix')
  })

  it('has the engine beside it, as the builds that the library has as texts', async () => {
    const builds = await import(join(repository, 'dist/engine/memory/engine-binaries.js'))
    for (const build of ['simd', 'scalar']) {
      const file = readFileSync(join(folder, `${build}.wasm`))
      expect(file.toString('base64') === builds[build], build).toBe(true)
    }
    // As the compiler wrote it: the library has only its differences from another build.
    const compiled = readFileSync(join(repository, '.hyperplane/relaxed.wasm'))
    expect(readFileSync(join(folder, 'relaxed.wasm')).equals(compiled)).toBe(true)
    expect(scripts.filter((name) => read(name).includes(builds.simd.slice(0, 40)))).toEqual([])
  })

  it('has Node load only what it uses, and has no other clock than that of the process', () => {
    for (const name of scripts) {
      expect(read(name), name).not.toMatch(/[^>]require\("node:(worker_threads|fs\/promises|stream|zlib)"\)/)
      expect(read(name), name).not.toMatch(/\bperformance\.now/)
    }
  })

  it('starts fast: training loads few files, helper threads next to nothing', () => {
    const started = /runCompiled\(__dirname, '(main-[\w-]+\.js)'/.exec(read('main.js'))?.[1] ?? ''
    const chosen = /=> ?require\(["'`]\.\/(train-[\w-]+\.js)["'`]\)/.exec(read(started))?.[1] ?? ''
    const training = loadedWith(started, chosen)
    // What starts the helper thread is its own file, so that the thread starts before the rest is loaded.
    expect(training.length).toBeLessThanOrEqual(8)
    expect(loadedWith('thread.node.js').map(read).join('').length).toBeLessThan(5000)
  })
})

/** The files of the bundle that are loaded with some of them. */
function loadedWith(...names: string[]): string[] {
  const loaded = new Set(names)
  for (const name of loaded) {
    // What follows an arrow is loaded when it is requested.
    for (const [, from] of read(name).matchAll(/(?<!=> ?)\brequire\(["'`]\.\/([\w.-]+\.js)["'`]\)/g))
      loaded.add(from)
  }
  return [...loaded]
}
