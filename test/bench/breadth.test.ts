/** The benchmarks of breadth and the sweep: what they run, their verdicts, and one small run from start to end. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** The benchmark is plain JavaScript: its modules come without types. */
const load = (name: string) => import(/* @vite-ignore */ join(repository, 'bench', name))

type Flags = Record<string, number>
interface Problem {
  readonly name: string
  readonly family: string
  readonly data: string
  readonly flags: Flags
  readonly model?: Flags
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperplane-breadth-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the problems of breadth', async () => {
  const { kernelOf, problems, sources, typeOf } = await load('breadth-problems.js')
  const trained = problems.map(({ flags, model }: Problem) => model ?? flags)

  it('are at least 30, of all types, kernels and tasks, from data that exist', () => {
    expect(problems.length).toBeGreaterThanOrEqual(30)
    expect(new Set(problems.map(({ name }: Problem) => name)).size).toBe(problems.length)
    expect(new Set(trained.map(typeOf)).size).toBe(5)
    expect(new Set(trained.map(kernelOf)).size).toBe(4)
    for (const task of ['v', 'b'])
      expect(problems.filter(({ flags }: Problem) => flags[task]).length).toBeGreaterThan(2)
    expect(problems.filter(({ model }: Problem) => model).length).toBeGreaterThan(2)
    const used = new Set(problems.map(({ data }: Problem) => data))
    expect(Object.keys(sources).filter((name) => !used.has(name))).toEqual([])
    expect([...used].filter((name) => !(sources as object)[name as never])).toEqual([])
  })

  it('have C from 0.1 to 1000', () => {
    const costs = trained.map(({ c = 1 }: Flags) => c)
    expect(Math.min(...costs)).toBe(0.1)
    expect(Math.max(...costs)).toBe(1000)
  })
})

describe('both sides', async () => {
  const { samePredictions, sameScore, side, trainingWords, words } = await load('drop-in.js')

  it('get the same flags, tolerance and cache', () => {
    const args = trainingWords({ path: 'data' }, { s: 3, c: 10, w1: 2 }, 'model')
    expect(args.join(' ')).toBe('-m 1000 -e 0.001 -s 3 -c 10 -w1 2 data model')
    expect(trainingWords({ path: 'data' }, { v: 5 }, 'model').at(-1)).toBe('data')
    expect(words({ t: 0, g: 1e-3 })).toEqual(['-t', '0', '-g', '0.001'])
    const [peer, ours] = [side({ folder: '/usr/bin' }), side({ threads: 1 })].map((of) =>
      of('svm-train', args),
    )
    expect(peer).toMatchObject({ command: '/usr/bin/svm-train', args })
    expect(ours.args.slice(1)).toEqual(args)
    expect(ours.args[0]).toMatch(/dist.cli.svm-train\.js$/)
    expect(ours.env).toEqual({ HYPERPLANE_THREADS: '1' })
  })

  it('are the same where scores of the same folds are', () => {
    const accuracy = (value: number) => `obj = -1\nCross Validation Accuracy = ${value}%\n`
    const error = (value: number) => `Cross Validation Mean squared error = ${value}\n`
    expect(sameScore(accuracy(95.1), accuracy(95)).same).toBe(true)
    expect(sameScore(accuracy(94.7), accuracy(95)).same).toBe(false)
    expect(sameScore(error(2.01), error(2)).same).toBe(true)
    expect(sameScore(error(2.03), error(2)).same).toBe(false)
    expect(sameScore('', accuracy(95)).same).toBe(false)
  })

  it('are the same where predictions are, to six digits', () => {
    const file = (name: string, lines: string[]) => {
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
      return join(folder, name)
    }
    const many = Array.from({ length: 1000 }, () => '1 0.25 0.75')
    const theirs = file('theirs', many)
    expect(samePredictions(file('a', [...many.slice(1), '1 0.250001 0.749999']), theirs)).toMatchObject({
      differing: 0,
      same: true,
    })
    expect(samePredictions(file('b', [...many.slice(3), '2 1 0', '2 1 0', '2 1 0']), theirs).same).toBe(false)
    expect(samePredictions(file('c', many.slice(1)), theirs).same).toBe(false)
  })
})

describe('the goals of breadth', async () => {
  const { judgeBreadth } = await load('breadth-goals.js')
  const problem = (name: string, family: string, libsvm: number, ours: number, more = {}) => ({
    name,
    family,
    flags: {},
    tools: { hyperplane: { best: ours }, libsvm: { best: libsvm } },
    same: true,
    certified: true,
    ...more,
  })
  const good = [
    problem('a', 'two-classes', 20, 1),
    problem('b', 'cross-validation', 16, 1),
    problem('c', 'probabilities', 10, 1),
  ]
  const verdict = (list: object[], complete: boolean, words: string) => {
    const goal = judgeBreadth({ problems: list }, complete).find((line: { goal: string }) =>
      line.goal.includes(words),
    )
    expect(goal, words).toBeDefined()
    return goal.reached
  }

  it('are reached by a complete run that is good enough, and open after a part of one', () => {
    const reached = (complete: boolean) =>
      judgeBreadth({ problems: good }, complete).map((line: { reached?: boolean }) => line.reached)
    expect(reached(true).every((value: boolean) => value === true)).toBe(true)
    expect(reached(false).every((value?: boolean) => value === undefined)).toBe(true)
  })

  it('are missed by one problem that is slow, different or not proven', () => {
    const withOne = (more: object) => [...good, more]
    expect(verdict(withOne(problem('d', 'regression', 5, 1)), true, 'every family')).toBe(false)
    expect(verdict(withOne(problem('d', 'two-classes', 0.31, 0.11)), true, 'below 3x')).toBe(false)
    expect(verdict(withOne(problem('d', 'two-classes', 0.29, 0.11)), true, 'below 3x')).toBe(true)
    expect(verdict(withOne(problem('d', 'two-classes', 0.16, 0.17)), true, 'slower')).toBe(false)
    expect(verdict(withOne(problem('d', 'two-classes', 20, 1, { same: false })), true, 'same optimum')).toBe(
      false,
    )
    expect(verdict(withOne(problem('d', 'two-classes', 20, 1, { certified: false })), true, 'proven')).toBe(
      false,
    )
    const failed = problem('d', 'two-classes', 20, 1, { tools: { hyperplane: { failure: 'no' } } })
    expect(verdict(withOne(failed), true, 'to its end')).toBe(false)
  })
})

describe('the sweep', async () => {
  const { smallestLike, sweepProblem } = await load('sweep-problems.js')
  const { excessTime, faultsOf } = await load('sweep-verdict.js')
  const start = { seconds: 0.2, mainSeconds: 0.1 }
  const sides = (ours: object, libsvm: object) => ({ hyperplane: ours, libsvm })
  const took = (seconds: number, mainSeconds = seconds) => ({ seconds, mainSeconds })

  it('draws the same problems of all types within the ranges', () => {
    const drawn = Array.from({ length: 200 }, (_, k) => sweepProblem(k))
    const again = Array.from({ length: 200 }, (_, k) => sweepProblem(k))
    expect(again.map(({ recipe, flags }) => ({ recipe, flags }))).toEqual(
      drawn.map(({ recipe, flags }) => ({ recipe, flags })),
    )
    for (const s of [0, 1, 2, 3, 4]) expect(drawn.filter(({ flags }) => flags.s === s)).toHaveLength(40)
    for (const t of [0, 1, 2, 3]) expect(drawn.some(({ flags }) => flags.t === t)).toBe(true)
    const span = (list: number[]) => [Math.min(...list), Math.max(...list)]
    const [fewest, most] = span(drawn.map(({ n }) => n))
    expect(fewest).toBeGreaterThanOrEqual(200)
    expect(most).toBeLessThanOrEqual(5000)
    const [smallest, largest] = span(drawn.flatMap(({ flags }) => flags.c ?? []))
    expect(smallest).toBeGreaterThanOrEqual(2 ** -5)
    expect(smallest).toBeLessThan(1)
    expect(largest).toBeLessThanOrEqual(2 ** 15 + 5)
    expect(largest).toBeGreaterThan(1000)
    const { samples, labels } = drawn[0].make()
    expect([samples.rows, samples.cols]).toEqual([drawn[0].n, drawn[0].features])
    expect(new Set(labels).size).toBe(drawn[0].classes)
    const regression = smallestLike(drawn[3])
    const many = smallestLike(drawn.find(({ classes }) => classes > 2))
    expect(regression.make().samples.rows).toBe(200)
    expect(regression.flags).toMatchObject({ s: 3, t: drawn[3].flags.t })
    expect(new Set(many.make().labels).size).toBe(3)
  })

  it('lists what is slower by both clocks beyond start-up', () => {
    expect(excessTime(sides(took(1.3, 2), took(1)), start)).toBeCloseTo(0.05, 12)
    expect(faultsOf(sides(took(1.24, 2), took(1)), start, { certified: true })).toEqual([])
    expect(faultsOf(sides(took(1.3, 2), took(1)), start, { certified: true })).toHaveLength(1)
    // A busy machine, and no more work.
    expect(faultsOf(sides(took(9, 1.1), took(1)), start, { certified: true })).toEqual([])
  })

  it('lists what does not end, or ends elsewhere, where LIBSVM does', () => {
    const late = { failure: 'longer than 20 s' }
    expect(faultsOf(sides(late, took(1)), start, {})).toHaveLength(1)
    expect(faultsOf(sides(late, late), start, {})).toEqual([])
    expect(faultsOf(sides(took(1), took(1)), start, { certified: false })).toEqual([
      'not within the tolerance',
    ])
    expect(faultsOf(sides(took(1), late), start, { certified: false })).toEqual([])
  })
})

describe('a run of breadth', () => {
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [join(repository, 'bench/breadth.js'), '--no-peers', ...words])

  it('of one problem without peers leaves results, a report and a figure', async () => {
    const { stdout } = await run('--only', 'bands-36', '--runs', '1', '--out', folder)
    expect(stdout).toContain('many-classes bands-36: hyperplane ')
    const results = JSON.parse(readFileSync(join(folder, 'breadth.json'), 'utf8'))
    const [{ rows, cols, tools, certified, maxViolation }] = results.problems
    expect([rows, cols]).toEqual([4435, 36])
    expect(tools.hyperplane.best).toBeGreaterThan(0)
    expect(certified).toBe(true)
    expect(maxViolation).toBeLessThanOrEqual(1e-3 * (1 + 1e-6))
    const text = readFileSync(join(folder, 'breadth.md'), 'utf8')
    expect(text).toMatch(/\| bands-36 +\| 4,435 x 36 +\|/)
    expect(JSON.stringify(results) + text).not.toContain(repository)
    const parser = new SaxesParser()
    expect(() => parser.write(readFileSync(join(folder, 'breadth.svg'), 'utf8')).close()).not.toThrow()
  })

  it('refuses what it does not know', async () => {
    await expect(run('--only', 'iris')).rejects.toThrow('there is no problem iris')
    await expect(run('--family', 'three')).rejects.toThrow('there is no family three')
    await expect(run('--runs', '0')).rejects.toThrow('--runs must be a number above 0, got 0')
  })
})
