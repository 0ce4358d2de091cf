/** The benchmark's own sums and verdicts, and one small run of it from start to end. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Matrix, makeDataset, rbf, SVC, toDense } from '../../src/index.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** The benchmark is plain JavaScript: its modules come without types. */
const load = (name: string) => import(/* @vite-ignore */ join(repository, 'bench', name))

const tool = (best: number, more = {}) => ({ best, peakBytes: 1e8, ...more })
const trained = (name: string, peer: number, ours: number, more = {}) => ({
  name,
  dataBytes: 1e6,
  tools: { hyperplane: tool(ours), 'hyperplane-1': tool(2 * ours), 'svm-train': tool(peer) },
  ...more,
})

describe('sums', async () => {
  const { geometricMean, logLogSlope, median } = await load('statistics.js')

  it('take the mean of ratios and the middle of times', () => {
    expect(geometricMean([2, 8])).toBeCloseTo(4, 12)
    expect(geometricMean([])).toBeNaN()
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it('find the power by which time grows', () => {
    const points = [10, 30, 100].map((n) => [n, 0.5 * n ** 1.7])
    expect(logLogSlope(points)).toBeCloseTo(1.7, 12)
  })
})

describe('output of tools', async () => {
  const { readLibsvm, trainingTools } = await load('tools.js')

  it('of svm-train is read', () => {
    const output = [
      '..*',
      'optimization finished, #iter = 162',
      'nu = 0.431029',
      'obj = -100.877288, rho = 0.424462',
      'nSV = 132, nBSV = 107',
      'Total nSV = 132',
    ].join('\n')
    expect(readLibsvm(output)).toEqual({ objective: -100.877288, supportVectors: 132, iterations: 162 })
    expect(readLibsvm('').objective).toBeNaN()
    // Several pairs of classes are added up.
    const twice = readLibsvm(`${output}\n${output}`)
    expect(twice).toEqual({ objective: -201.754576, supportVectors: 264, iterations: 324 })
  })

  it('is asked for with the same tolerance and cache by all', () => {
    const peers = {
      libsvm: { folder: '/bin', openMp: true },
      sklearn: { python: 'python3' },
      libsvmJs: {},
      mlSvm: {},
    }
    const set = { path: 'data', kernel: 'rbf', C: 10, gamma: 0.5, rows: 100, cols: 10 }
    const tools = trainingTools(peers)
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([
        'hyperplane',
        'svm-train',
        'sklearn-dense',
        'sklearn-sparse',
        'libsvm-js',
        'ml-svm',
      ]),
    )
    for (const { name, command, refuses } of tools) {
      expect(refuses(set), name).toBeUndefined()
      const { args } = command(set, 'model')
      for (const value of ['0.001', '1000', '10', '0.5']) expect(args, name).toContain(value)
    }
  })
})

describe('the functions of a model', async () => {
  const { pairsOf } = await load('pairs.js')
  const rows = [0, 1, 2, 3, 4, 5].map((i) => [i, (i * i) % 5])

  it.each([[['a', 'b']], [['a', 'b', 'c']]])('of classes %s are those that it decides by', (names) => {
    const kernel = rbf({ gamma: 0.5 })
    const labels = rows.map((_, i) => names[i % names.length])
    const model = new SVC({ C: 10, kernel }).fitSync(makeDataset(rows, labels))
    const values = model.decisionFunction(rows, { decisionFunctionShape: 'ovo' })
    const pairs = pairsOf(model)
    const vectors = toDense(model.supportVectors as Matrix)
    const k = (x: number[], s: number) =>
      Math.exp(-0.5 * x.reduce((sum, v, j) => sum + (v - vectors.values[s * vectors.cols + j]) ** 2, 0))
    rows.forEach((x, i) => {
      for (const [p, { vectors: list, coefficients, bias }] of pairs.entries()) {
        const sum = list.reduce(
          (total: number, s: number, v: number) => total + coefficients[v] * k(x, s),
          bias,
        )
        expect(values[i * pairs.length + p]).toBeCloseTo(sum, 5)
      }
      // Its own class is on the side that should be the positive one.
      const own = names.indexOf(labels[i])
      pairs.forEach(({ pair, positive }: { pair: number[]; positive: number }, p: number) => {
        if (pair.includes(own)) expect(values[i * pairs.length + p] > 0).toBe(own === positive)
      })
    })
  })
})

describe('goals', async () => {
  const { judge } = await load('goals.js')
  const { dataSets } = await load('data-sets.js')
  const judged: string[] = dataSets
    .filter((set: { judged?: boolean }) => set.judged)
    .map((set: { name: string }) => set.name)
  const certified = { maxViolation: 9e-4, error: 1e-9, reached: true }
  const complete = judged.map((name) =>
    trained(name, 40, 2, { loss: -1e-8, fair: true, certified, sameBits: true }),
  )
  const verdict = (results: object, words: string) => {
    const goal = judge(results).find((line: { goal: string }) => line.goal.includes(words))
    expect(goal, words).toBeDefined()
    return goal.reached
  }

  it('are reached when all numbers are good enough', () => {
    const small = { fitSyncMilliseconds: { median: 4 }, coldStartSeconds: { best: 0.3 } }
    const predicting = ['mnist', 'a9a'].map((name) => ({
      name,
      tools: { hyperplane: tool(1), 'svm-predict': tool(20) },
      labels: 10,
      differing: 1,
      decided: 0,
    }))
    const training = complete.map((set) =>
      set.name === 'mnist' ? { ...set, tools: { ...set.tools, 'sklearn-dense': tool(12) } } : set,
    )
    training.push(trained('mnist10', 10, 1))
    const goals = judge({ training, predicting, small })
    expect(goals.filter(({ reached }: { reached?: boolean }) => reached !== true)).toEqual([])
    expect(goals).toHaveLength(17)
  })

  it('are missed when one set is too slow, worse or not what it claims', () => {
    const change = (more: object) => ({ training: [...complete.slice(1), { ...complete[0], ...more }] })
    expect(verdict(change({ tools: trained('', 11.9, 2).tools }), 'no set below')).toBe(false)
    expect(verdict(change({ tools: trained('', 39, 2).tools }), `training ${judged[0]}`)).toBe(false)
    expect(verdict(change({ loss: 2e-6, fair: false }), 'no worse')).toBe(false)
    expect(verdict(change({ certified: { ...certified, reached: false } }), 'violation')).toBe(false)
    expect(verdict(change({ certified: { ...certified, error: 1e-5 } }), 'primal and dual')).toBe(false)
    expect(verdict(change({ sameBits: false }), 'bit for bit')).toBe(false)
    const hungry = { ...complete[0].tools, hyperplane: tool(2, { peakBytes: 1.3e9 }) }
    expect(verdict(change({ tools: hungry }), 'peak memory')).toBe(false)
  })

  it('stay open when sets are missing', () => {
    const some = { training: complete.slice(1) }
    expect(verdict(some, 'geometric mean at least 15x')).toBeUndefined()
    expect(verdict(some, 'no set below')).toBeUndefined()
    expect(verdict(some, 'no worse')).toBeUndefined()
    expect(verdict({}, 'fitSync')).toBeUndefined()
    expect(verdict(some, 'mnist10')).toBeUndefined()
    expect(verdict({ training: [trained('mnist10', 9.9, 1)] }, 'mnist10')).toBe(false)
  })
})

describe('the tables of the README', async () => {
  const { tables, withTable } = await load('readme-table.js')

  it('replace what is between their markers', () => {
    const text = 'a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n'
    const replaced = withTable(text, '| $1 |')
    expect(replaced).toBe('a\n<!-- bench -->\n\n| $1 |\n\n<!-- /bench -->\nb\n')
    expect(withTable(replaced, '| $1 |')).toBe(replaced)
    expect(() => withTable('a', '')).toThrow('no <!-- bench -->')
    expect(() => withTable(text, '', 'breadth')).toThrow('no <!-- breadth -->')
  })

  it('are those that the last complete runs give; without one there is none', () => {
    const readme = readFileSync(join(repository, 'README.md'), 'utf8')
    const found = tables()
    for (const [name, table] of Object.entries(found)) expect(withTable(readme, table, name)).toBe(readme)
    for (const name of ['bench', 'breadth'].filter((block) => !found[block])) {
      expect(readme).toContain(`<!-- ${name} -->\n<!-- /${name} -->`)
    }
  })
})

describe('a run', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hyperplane-bench-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('of one small set without peers leaves results, a report and a figure', async () => {
    const words = ['--only', 'blobs-270', '--no-peers', '--runs', '1', '--out', folder]
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(repository, 'bench/run.js'),
      ...words,
    ])
    expect(stdout).toContain('train blobs-270: hyperplane ')
    const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
    const [{ name, rows, cols, tools, excess, certified }] = results.training
    expect({ name, rows, cols }).toEqual({ name: 'blobs-270', rows: 270, cols: 13 })
    expect(tools.hyperplane.best).toBeGreaterThan(0)
    expect(Math.abs(excess.hyperplane)).toBeLessThan(1e-6)
    expect(certified).toMatchObject({ reached: true })
    expect(results.small.fitSyncMilliseconds.median).toBeGreaterThan(0)
    const text = readFileSync(join(folder, 'results.md'), 'utf8')
    expect(text).toMatch(/^\| blobs-270 +\| 270 x 13 +\|/m)
    expect(text).not.toContain(repository)
    expect(JSON.stringify(results)).not.toContain(repository)
    const parser = new SaxesParser()
    expect(() => parser.write(readFileSync(join(folder, 'training.svg'), 'utf8')).close()).not.toThrow()
  })

  it('refuses what it does not know', async () => {
    const run = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(repository, 'bench/run.js'), '--no-peers', ...words])
    await expect(run('--only', 'iris')).rejects.toThrow('there is no data set iris')
    await expect(run('--runs', '0')).rejects.toThrow('--runs must be a number above 0, got 0')
    await expect(run('--data', '/nowhere')).rejects.toThrow('does not exist')
  })
})
