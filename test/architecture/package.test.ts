import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForBrowser } from './browser-bundle.ts'
import { repository } from './module-graph.ts'

/** What a user may import, and the file behind it in a browser. */
const { exports: exported } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const subpaths = Object.keys(exported).filter((name) => name !== './package.json')
const nameOf = (subpath: string) => join('hyperplane', subpath)
const browserFiles = subpaths
  .filter((subpath) => !['./node', './shards', './distributed'].includes(subpath))
  .map((subpath) => (exported[subpath].default.default ?? exported[subpath].default).slice(2))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperplane-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function complaints(pkgDir: string): Promise<(string | undefined)[]> {
  const { messages, pkg } = await publint({ pkgDir, pack: 'npm', strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

describe('the package', () => {
  it('has nothing that publint complains about', async () => {
    expect(existsSync(join(repository, 'dist/index.js')), 'npm run build comes first').toBe(true)
    expect(await complaints(repository)).toEqual([])
  })

  it('is locked to packages of the public registry', () => {
    const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
    const hosts = Object.values<{ resolved?: string; link?: boolean }>(packages)
      .filter(({ resolved, link }) => resolved !== undefined && !link)
      .map(({ resolved }) => new URL(resolved ?? '').host)
    expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([])
  })

  it('would be complained about if an entry were missing', async () => {
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', exports: './gone.js' }),
    )
    expect((await complaints(folder)).join()).toContain('gone.js')
  })
})

describe('the packed package', () => {
  const project = () => join(folder, 'user')
  const run = (command: string, ...parameters: string[]) => {
    const { stdout, stderr, status } = spawnSync(command, parameters, { cwd: project(), encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    return stdout
  }

  beforeAll(async () => {
    await mkdir(join(project(), 'node_modules/hyperplane'), { recursive: true })
    run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', project(), repository)
    run('tar', '-xzf', 'hyperplane-0.1.0.tgz', '--strip-components=1', '-C', 'node_modules/hyperplane')
    for (const name of readdirSync(join(repository, 'node_modules')).filter(
      (entry) => !entry.startsWith('.'),
    ))
      await symlink(join(repository, 'node_modules', name), join(project(), 'node_modules', name))
  })

  it.each(subpaths)('can be imported in Node: %s', (subpath) => {
    const code = `import * as names from '${nameOf(subpath)}'; console.log(Object.keys(names).length)`
    expect(Number(run(process.execPath, '--input-type=module', '-e', code))).toBeGreaterThanOrEqual(5)
  })

  it('is one library, whatever it is imported through', () => {
    const code = `
      import { accuracy, generate, rbf, toMatrix } from 'hyperplane'
      import * as node from 'hyperplane/node'
      import { kernelValue, rbf as same } from 'hyperplane/kernels'
      import { accuracy as rate } from 'hyperplane/metrics'
      import { makeProblem, measure, smo, solveSync } from 'hyperplane/solvers'
      const { samples, labels } = generate('moons', { n: 60, seed: 1 })
      const problem = makeProblem({ samples: toMatrix(samples), kernel: same({ gamma: 1 }), y: labels, C: 1 })
      const { alpha, bias } = solveSync(problem, smo)
      const { gap } = measure(problem, { alpha, bias })
      console.log(rbf === same && rbf === node.rbf && accuracy === rate, gap < 0.1, kernelValue(rbf({ gamma: 1 }), [1], [1]))`
    expect(run(process.execPath, '--input-type=module', '-e', code)).toBe('true true 1\n')
  })

  /** What the compiler says of a program of a strict project that checks its libraries. */
  async function compile(
    name: string,
    code: string,
    settings: object,
    compiler = join(repository, 'node_modules/typescript/bin/tsc'),
  ): Promise<string> {
    const compilerOptions = {
      ...{ target: 'es2022', lib: ['es2023', 'dom'], noEmit: true },
      // All declarations are checked but those of the language and of pages.
      ...{ skipDefaultLibCheck: true },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ types: ['node'], typeRoots: [join(repository, 'node_modules/@types')] },
      ...settings,
    }
    await writeFile(join(project(), 'package.json'), '{ "type": "module" }')
    await writeFile(join(project(), name), code)
    await writeFile(join(project(), 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }))
    return spawnSync(process.execPath, [compiler, '-p', project()], { encoding: 'utf8' }).stdout
  }

  const everything = [
    ...subpaths.map((subpath, i) => `import * as entry${i} from '${nameOf(subpath)}'`),
    `export const entries = [${subpaths.map((_, i) => `entry${i}`)}]`,
  ].join('\n')

  it.each([
    ['node16', {}],
    ['bundler', { module: 'esnext', customConditions: ['node'] }],
  ])('has declarations for Node: moduleResolution %s', async (moduleResolution, settings) => {
    const code = `
      import { generate, rbf, SVC } from 'hyperplane'
      import { readModel } from 'hyperplane/node'
      import { threadExecutor } from 'hyperplane/selection'
      ${everything}
      const model = await new SVC({ kernel: rbf({ sigma: 1 }) }).fit(generate('moons'), { trace: { every: 5 } })
      const gap: number = model.certificate.gap
      const first = model.trace[0]?.violation
      const same: Promise<{ predict(rows: number[][]): Float64Array | readonly string[] }> = readModel('m.json')
      export { first, gap, same, threadExecutor }
    `
    expect(await compile('program.ts', code, { module: 'node16', moduleResolution, ...settings })).toBe('')
  })

  /** What predictions are, from the labels on; the oldest compiler that is supported reads it, too. */
  const typed = `
    import { crossValidate, type Dataset, generate, type Label, LinearSVC, type LinearSvcModel, makeDataset, makeSampleSet, OneClassSVM } from 'hyperplane'
    import { parseModel, rbf, readModel, SVC, type SvcModel, SVR, type SvrModel, tune } from 'hyperplane'
    import { custom } from 'hyperplane/kernels'
    import { collectTable, makeTable } from 'hyperplane/tables'
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
    /** Compiles where a value has exactly this type. */
    function is<A>() {
      return <B>(value: B, ...wrong: Same<A, B> extends true ? [] : [expected: A]) => [value, wrong]
    }
    const rows = [[0], [1]]
    const words = makeDataset(rows, ['no', 'yes'])
    const numbers = generate('moons')
    const ownKernel = custom(function equal(a: string, b: string) {
      return Number(a === b)
    })
    declare const either: Label[]
    declare const estimator: SVC | LinearSVC
    declare const data: Dataset
    interface Person {
      readonly age: number | null
      readonly left: 'yes' | 'no'
    }
    declare const people: Person[]
    declare function person(): AsyncGenerator<Person>

    is<string[]>()((await new SVC().fit(words)).predict(rows))
    is<string[]>()(new LinearSVC().fitSync(words).predict(rows))
    is<string[]>()((await new SVC().fit({ samples: words.samples, labels: ['a', 'b'] })).predict(rows))
    is<string[]>()(new SVC({ kernel: ownKernel }).fitSync(makeSampleSet(['tea', 'cup'], ['a', 'b'])).predict(['tee']))
    is<string[]>()((await new SVC().fit(rows, ['a', 'b'])).predict(rows))
    is<string[]>()(new LinearSVC().fitSync(rows, ['a', 'b'] as const).predict(rows))
    is<readonly string[]>()((await new SVC().fit(words)).classes)
    is<Float64Array>()((await new SVC().fit(numbers)).predict(rows))
    is<Float64Array>()(new LinearSVC().fitSync({ ...words, labels: new Float64Array(2) }).predict(rows))
    is<Float64Array>()((await new SVC().fit(rows, [0, 1])).predict(rows))
    is<Float64Array>()(new SVC().fitSync(rows, new Float32Array(2)).predict(rows))
    is<Float64Array>()(new SVC().fitSync(rows, { dataSync: () => [0, 1] }).predict(rows))
    is<Float64Array>()((await new SVR().fit(numbers)).predict(rows))
    is<Float64Array>()((await new OneClassSVM().fit({ samples: rows })).predict(rows))
    is<string[] | Float64Array>()((await new SVC().fit(rows, either)).predict(rows))
    is<string[] | Float64Array>()((await new SVC().fit([{ a: 1, b: 'no' }], 'b')).predict(rows))

    is<string[]>()((await estimator.fit(words)).predict(rows))
    is<Float64Array>()((await estimator.fit(rows, [0, 1])).predict(rows))
    is<Float64Array>()(estimator.fitSync(numbers).predict(rows))

    is<SvcModel<never, string> | undefined>()((await tune(new SVC({ kernel: rbf() }), words)).model)
    is<LinearSvcModel<number> | undefined>()((await tune(({ C }) => new LinearSVC({ C: Number(C) }), numbers)).model)
    is<SvrModel | undefined>()((await tune(new SVR(), numbers)).model)
    is<string[] | undefined>()((await tune(estimator, words)).model?.predict(rows))

    is<string[]>()((await readModel<string>('m.json')).predict(rows))
    is<Float64Array>()((await readModel<number>('m.json')).predict(rows))
    is<string[] | Float64Array>()((await readModel('m.json')).predict(rows))
    is<string[]>()(parseModel<string>('').predict(rows))
    is<string[] | Float64Array>()(parseModel('').predict(rows))

    // A data set whose labels are not known, in a function of one's own.
    is<string[] | Float64Array>()((await new SVC().fit(data)).predict(rows))
    is<string[] | Float64Array>()((await new LinearSVC().fit(data)).predict(rows))
    is<Float64Array>()((await new SVR().fit(data)).predict(rows))
    await crossValidate({ fit: (part) => new SVC().fit(part) }, data)
    await crossValidate(new SVC({ kernel: ownKernel }), makeSampleSet(['tea', 'cup'], ['a', 'b']))
    // @ts-expect-error: the kernel is over vectors
    await new SVC().fit(makeSampleSet(['tea', 'cup'], ['a', 'b']))

    // Records of an interface, which has no index signature.
    is<string[] | Float64Array>()((await new SVC().fit(people, 'left')).predict(people))
    is<string[]>()((await new SVC().fit(people, ['a', 'b'])).predict([{ age: 1 }]))
    is<number>()(makeTable(people, { label: 'left' }).labels.length)
    is<number>()((await collectTable(person(), { label: 'left' })).labels.length)
    // @ts-expect-error: lists of texts are not records
    await new SVC().fit([['a'], ['b']], ['a', 'b'])

    // @ts-expect-error: these are texts
    is<Float64Array>()(new SVC().fitSync(words).predict(rows))
    // @ts-expect-error: a claim that is not exact fails
    is<string[] | Float64Array>()(new SVC().fitSync(words).predict(rows))
  `

  it('knows what is predicted from what the labels are', async () => {
    expect(await compile('types.ts', typed, { module: 'node16', moduleResolution: 'node16' })).toBe('')
  })

  const lowest = join(repository, '.hyperplane/bundlers/node_modules/typescript/bin/tsc')
  it.skipIf(!existsSync(lowest) && process.env.CI !== 'true')('is read by TypeScript 5.4', async () => {
    expect(spawnSync(process.execPath, [lowest, '--version'], { encoding: 'utf8' }).stdout).toContain('5.4.')
    const settings = { module: 'node16', moduleResolution: 'node16' }
    expect(await compile('lowest.ts', `${typed}\n${everything}`, settings, lowest)).toBe('')
  })

  it('has declarations for pages, where there are no files', async () => {
    const code = `
      ${everything}
      // @ts-expect-error
      export { readModel } from 'hyperplane'
    `
    expect(await compile('page.ts', code, { module: 'esnext', moduleResolution: 'bundler' })).toBe('')
  })
})

describe('a bundle for browsers', () => {
  it.each(browserFiles)('of %s asks for no Node module, in its packages neither', async (entry) => {
    const { modules, missing } = await bundleForBrowser(join(repository, entry))
    expect(modules).toContain(join(repository, entry))
    expect(missing).toEqual([])
  })

  it('of predict.js holds no solver and no estimator', async () => {
    const { modules } = await bundleForBrowser(join(repository, 'dist/predict.js'))
    expect(modules.filter((path) => /\/dist\/(solve|estimators|parallel)\//.test(path))).toEqual([])
    expect(modules.some((path) => path.includes('/dist/models/'))).toBe(true)
  })

  it('would be found to ask for one', async () => {
    const entry = join(folder, 'entry.js')
    await writeFile(join(folder, 'reader.js'), "export { readFile } from 'node:fs/promises'\nimport 'zlib'\n")
    await writeFile(entry, "export const read = () => import('./reader.js')\n")
    const { missing } = await bundleForBrowser(entry)
    expect(missing).toEqual([
      `${join(folder, 'reader.js')} → node:fs/promises`,
      `${join(folder, 'reader.js')} → zlib`,
    ])
  })
})
