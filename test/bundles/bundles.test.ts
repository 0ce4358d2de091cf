/**
 * The package in programs that bundlers have made of it, and in other runtimes: importing it works, fits and searches run on
 * threads, the results are those of Node. esbuild is always there; `node scripts/install-bundlers.js` fetches the others.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../architecture/module-graph.ts'
import { codeBlocks } from '../markdown.ts'

const tools = join(repository, '.hyperplane/bundlers')
const installed =
  existsSync(join(tools, 'installed.json')) &&
  readFileSync(join(tools, 'installed.json'), 'utf8') ===
    readFileSync(join(repository, 'test/bundles/package.json'), 'utf8')
// With CI=true what is missing fails.
const skip = !installed && process.env.CI !== 'true'
if (skip) console.warn('skipped: bundlers and runtimes; node scripts/install-bundlers.js installs them')

/** On the disk of the repository, so that packages can be linked. */
let project: string
beforeAll(async () => {
  mkdirSync(join(repository, '.hyperplane'), { recursive: true })
  project = mkdtempSync(join(repository, '.hyperplane/project-'))
  const own = join(project, 'node_modules/hyperplane')
  mkdirSync(own, { recursive: true })
  await cp(join(repository, 'package.json'), join(own, 'package.json'))
  const isLab = (path: string) => path.includes('dist/lab')
  await cp(join(repository, 'dist'), join(own, 'dist'), { recursive: true, filter: (path) => !isLab(path) })
  for (const name of readdirSync(join(repository, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    await symlink(join(repository, 'node_modules', name), join(project, 'node_modules', name))
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await cp(join(repository, 'test/bundles/program.js'), join(project, 'program.js'))
})
afterAll(() => rmSync(project, { recursive: true }))

function run(command: string, words: readonly string[], cwd = project): string {
  const env = { ...process.env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' }
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, env, encoding: 'utf8' })
  expect(status, stderr + stdout).toBe(0)
  return stdout
}

const result = { bias: '0.12442', bestParams: { C: 1000 } }
const printed = { ...result, same: true, warnings: [] }
const runsIn = (command: string, ...words: string[]) =>
  expect(JSON.parse(run(command, words))).toEqual(printed)
const tool = (path: string) => join(tools, 'node_modules', path)
/** The executable in the one package of a scope: of this platform. */
const executable = (scope: string, path: string) => tool(join(scope, readdirSync(tool(scope))[0], path))

describe('a program of the package', () => {
  it('runs in Node', () => runsIn(process.execPath, 'program.js'))

  it.each([
    ['esm', 'bundle.mjs'],
    ['cjs', 'bundle.cjs'],
  ] as const)('runs after esbuild, format %s', async (format, name) => {
    const outfile = join(project, 'esbuild', name)
    const { warnings } = await build({
      ...{ entryPoints: [join(project, 'program.js')], outfile, format },
      ...{ bundle: true, platform: 'node', logLevel: 'silent' },
    })
    expect(warnings).toEqual([])
    runsIn(process.execPath, outfile)
  })

  it.skipIf(skip)('runs after webpack, target node', () => {
    const script = `
      import webpack from ${JSON.stringify(tool('webpack/lib/index.js'))}
      const output = { path: ${JSON.stringify(join(project, 'webpack'))}, filename: 'bundle.cjs' }
      const optimization = { minimize: false }
      webpack({ mode: 'production', target: 'node', entry: './program.js', output, optimization }, (error, stats) => {
        console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }))
      })`
    expect(run(process.execPath, ['--input-type=module', '-e', script]).trim()).toBe('')
    runsIn(process.execPath, 'webpack/bundle.cjs')
  })

  it.skipIf(skip)('runs after Rollup', () => {
    const script = `
      import { rollup } from ${JSON.stringify(tool('rollup/dist/es/rollup.js'))}
      import resolve from ${JSON.stringify(tool('@rollup/plugin-node-resolve/dist/es/index.js'))}
      import commonjs from ${JSON.stringify(tool('@rollup/plugin-commonjs/dist/es/index.js'))}
      const plugins = [resolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs()]
      const onwarn = ({ message }) => console.log(message)
      const bundle = await rollup({ input: 'program.js', plugins, onwarn })
      await bundle.write({ dir: 'rollup', entryFileNames: 'bundle.mjs' })`
    expect(run(process.execPath, ['--input-type=module', '-e', script])).toBe('')
    runsIn(process.execPath, 'rollup/bundle.mjs')
  })

  it.skipIf(skip)('runs in Bun, and as an executable that bun build --compile made', () => {
    const bun = executable('@oven', 'bin/bun')
    runsIn(bun, 'program.js')
    run(bun, ['build', '--compile', 'program.js', '--outfile', 'bun/program'])
    runsIn(join(project, 'bun/program'))
  })

  it.skipIf(skip)('runs in Deno', () => runsIn(executable('@deno', 'deno'), 'run', '-A', 'program.js'))

  it.skipIf(skip)('serves with Fastify, as the guide says', async () => {
    const guide = readFileSync(join(repository, 'docs/guide/bundling.md'), 'utf8')
    const [block] = codeBlocks(guide).filter(({ code }) => code.includes("from 'fastify'"))
    await writeFile(join(project, 'server.js'), block.code)
    await symlink(tool('fastify'), join(project, 'node_modules/fastify'))
    run(process.execPath, [
      '--input-type=module',
      '-e',
      `import { SVC, writeModel } from 'hyperplane'
      const rows = [{ age: 20, plan: 'free', left: 1 }, { age: 70, plan: 'pro', left: 0 }]
      await writeModel('churn.json', await new SVC().fit(rows, 'left'))`,
    ])
    const server = spawn(process.execPath, ['server.js'], {
      cwd: project,
      env: { ...process.env, PORT: '0' },
    })
    try {
      const url = await new Promise<string>((resolve) => {
        server.stdout.on('data', (text) => resolve(String(text).trim()))
      })
      const headers = { 'content-type': 'application/json' }
      const ask = (rows: unknown) =>
        fetch(`${url}/predict`, { method: 'POST', headers, body: JSON.stringify({ rows }) })
      const answer = await ask([
        { plan: 'free', age: 25 },
        { plan: 'trial', age: null },
      ])
      expect(await answer.json()).toMatchObject({ labels: [1, expect.any(Number)] })
      const refused = await ask([{ plan: 'free', age: 'old' }])
      expect(refused.status).toBe(400)
      expect(await refused.json()).toEqual({ error: 'row 1, column "age" must be a number, got "old"' })
    } finally {
      server.kill()
    }
  })

  it.skipIf(skip)(
    'serves as a route of Next.js',
    async () => {
      // Next.js takes nothing from outside its project: the package and what it needs are put into the folder of the tools.
      const site = join(tools, 'site')
      rmSync(site, { recursive: true, force: true })
      mkdirSync(join(site, 'app/fit'), { recursive: true })
      run('cp', ['-al', join(tools, 'node_modules'), join(site, 'node_modules')])
      run('cp', ['-r', join(project, 'node_modules/hyperplane'), join(site, 'node_modules/hyperplane')])
      for (const name of readdirSync(join(repository, 'node_modules'))) {
        const [from, to] = [join(repository, 'node_modules', name), join(site, 'node_modules', name)]
        if (!name.startsWith('.') && name !== 'hyperplane' && !existsSync(to)) run('cp', ['-al', from, to])
      }
      await writeFile(join(site, 'package.json'), '{ "private": true, "type": "module" }')
      await writeFile(
        join(site, 'app/layout.js'),
        'export default ({ children }) => <html><body>{children}</body></html>',
      )
      await cp(join(repository, 'test/bundles/route.js'), join(site, 'app/fit/route.js'))
      run('node_modules/.bin/next', ['build'], site)
      const port = await freePort()
      const server = spawn('node_modules/.bin/next', ['start', '-p', String(port)], { cwd: site })
      try {
        await new Promise<void>((resolve) => {
          server.stdout.on('data', (text) => String(text).includes('Ready') && resolve())
        })
        expect(await (await fetch(`http://localhost:${port}/fit`)).json()).toEqual(result)
      } finally {
        server.kill()
      }
    },
    300_000,
  )
})

describe('where threads cannot be started', () => {
  const forbidding = (what: string) => `
    import threads from 'node:worker_threads'
    import { syncBuiltinESMExports } from 'node:module'
    const { Worker } = threads
    threads.Worker = class extends Worker {
      constructor(script, options) { ${what} }
    }
    syncBuiltinESMExports()`

  it.each([
    ['the constructor throws', "throw new Error('no threads')"],
    ['the script fails', "super('throw new Error()', { eval: true })"],
    ['the thread ends', "super('process.exit(3)', { eval: true })"],
  ])('fits go on in slices, and it is said once: %s', async (_, what) => {
    await writeFile(join(project, 'forbid.js'), forbidding(what))
    const { warnings, ...rest } = JSON.parse(
      run(process.execPath, ['--no-warnings', '--import', './forbid.js', 'program.js']),
    )
    expect(rest).toEqual({ ...result, same: true })
    expect(warnings).toEqual(['HYPERPLANE_NO_THREADS'])
  })
})

describe('what is loaded', () => {
  const minified = async (entry: string) => {
    const { outputFiles } = await build({
      ...{ entryPoints: [join(repository, 'dist', entry)], format: 'esm' },
      ...{ bundle: true, minify: true, write: false, logLevel: 'silent' },
    })
    return outputFiles[0].contents.length
  }

  it('with hyperplane/predict: less than 150 kB, with its part of the engine', async () => {
    expect(await minified('predict.js')).toBeLessThan(150_000)
  })

  it('with hyperplane/predict-plain: less than 60 kB', async () => {
    expect(await minified('predict-plain.js')).toBeLessThan(60_000)
  })

  it('with hyperplane in Node: a few files, and no package', () => {
    const folder = join(repository, 'dist/node')
    const loaded = new Set(['index.js'])
    const packages: string[] = []
    for (const name of loaded) {
      const code = readFileSync(join(folder, name), 'utf8')
      for (const [, from] of code.matchAll(/\bimport ?(?:[\w$*{}, ]*from ?)?["']([^"']+)["']/g)) {
        if (from.startsWith('./')) loaded.add(from.slice(2))
        else if (!from.startsWith('node:')) packages.push(from)
      }
    }
    expect(loaded.size).toBeLessThanOrEqual(6)
    expect(loaded.size).toBeGreaterThan(2)
    expect(packages).toEqual([])
  })

  it('when the package is installed: at most 90 packages', () => {
    const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
    const names = Object.keys(packages[''].dependencies).map((name) => `node_modules/${name}`)
    const all = new Set(names)
    for (const path of all) {
      for (const name of Object.keys(packages[path].dependencies ?? {})) {
        const inside = `${path}/node_modules/${name}`
        all.add(inside in packages ? inside : `node_modules/${name}`)
      }
    }
    expect(all.size).toBeGreaterThan(names.length)
    expect(all.size).toBeLessThanOrEqual(90)
    const kilobytes = (paths: string[]) =>
      Number(run('du', ['-skc', ...paths], repository).match(/(\d+)\s+total/)?.[1])
    expect(kilobytes([...all, 'dist', 'docs'])).toBeLessThan(35_000)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
