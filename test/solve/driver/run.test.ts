/** The driver, with solvers and a clock made for the purpose. */
import { describe, expect, test, vi } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { toMatrix } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import type { AnyKernel } from '../../../src/kernels/kernel.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { makeNuSvrProblem, makeOneClassProblem } from '../../../src/problems/kernel-problem.ts'
import { makeProblem, type SvmProblem } from '../../../src/problems/problem.ts'
import {
  type AnySolver,
  MonitoredRun,
  type Progress,
  solve,
  solveSync,
} from '../../../src/solve/driver/run.ts'
import type { Solver, SolverContext, SolverEnd, SolverState } from '../../../src/solve/driver/solver.ts'
import { traceToCsv } from '../../../src/solve/driver/trace.ts'
import { smo } from '../../../src/solve/methods/smo.ts'
import { smoMvp } from '../../../src/solve/methods/smo-mvp.ts'
import { useFakeClock } from '../../suites/fake-clock.ts'
import { watchedKernel } from '../../suites/watched-kernel.ts'

const clock = useFakeClock()

const { samples, labels } = makeDataset([[-1], [1]], [-1, 1])

/** x = ±1: the optimum is α = ½ for both. */
function twoPoints(kernel: AnyKernel = linear(), C = 1): SvmProblem {
  return makeProblem({ samples, kernel, y: labels as Float64Array, C })
}

/** A linear kernel, not known as such, whose every row takes a second. */
function slowKernel(): AnyKernel {
  return watchedKernel(linear(), () => {
    clock.now += 1000
  })
}

interface Fake {
  /** Milliseconds an iteration takes. */
  cost?: number
  /** Iterations between two yields of its own accord. */
  rhythm?: number
  /** Iterations after which it ends by itself. */
  length?: number
  end?: SolverEnd
  /** The largest α both samples get, reached in equal steps. */
  target?: number
  /** Sees the context at every yield. */
  watch?: (context: SolverContext) => void
}

function fakeSolver({ cost = 1, rhythm = 1, length = 100, end = {}, target = 0.25, watch }: Fake): Solver {
  return {
    name: 'fake',
    title: '',
    source: '',
    tasks: ['svc'],
    biasForms: ['free'],
    unit: 'pair',
    goal: 'violation',
    defaults: { tol: 1e-3, maxIter: () => Number.POSITIVE_INFINITY },
    options: {},
    *run(_problem, context) {
      const state: SolverState = { iteration: 0, alpha: new Float64Array(2), bias: 0, violation: 7 }
      yield state
      while (state.iteration < length) {
        watch?.(context)
        clock.now += cost
        state.iteration++
        state.alpha.fill((target * state.iteration) / length)
        if (state.iteration % rhythm === 0 || state.iteration >= context.pauseAt) yield state
      }
      return end
    },
  }
}

describe('stop reasons', () => {
  test('the iteration limit acts exactly, whatever the rhythm of the solver', () => {
    for (const maxIter of [0, 1, 33, 99]) {
      const { certificate } = solveSync(twoPoints(), fakeSolver({ rhythm: 50 }), {}, { maxIter })
      expect(certificate).toMatchObject({ stopReason: 'iteration-limit', iterations: maxIter })
    }
  })

  test('the time limit counts the seconds of solving', () => {
    const { certificate } = solveSync(twoPoints(), fakeSolver({ cost: 100 }), {}, { timeLimit: 1 })
    expect(certificate).toMatchObject({ stopReason: 'time-limit', iterations: 10, seconds: 1 })
  })

  test('a signal stops at the next yield and keeps what was reached', () => {
    const controller = new AbortController()
    const onProgress = ({ iteration }: Progress) => {
      if (iteration >= 20) controller.abort()
    }
    const options = { onProgress, signal: controller.signal }
    const result = solveSync(twoPoints(), fakeSolver({ cost: 100 }), {}, options)
    expect(result.certificate).toMatchObject({ stopReason: 'aborted', iterations: 21 })
    expect(result.alpha[0]).toBeCloseTo((0.25 * 21) / 100, 15)
  })

  test('a solver that ends before the goal has stalled', () => {
    const { certificate } = solveSync(twoPoints(), fakeSolver({ target: 0.25 }))
    expect(certificate).toMatchObject({ stopReason: 'stalled', iterations: 100 })
    expect(certificate.maxViolation).toBeCloseTo(1, 12)
  })

  test('converged is a matter of the point, not of the solver or the limit', () => {
    expect(solveSync(twoPoints(), fakeSolver({ target: 0.5 })).certificate.stopReason).toBe('converged')
    const limited = solveSync(twoPoints(), fakeSolver({ target: 0.5 }), {}, { maxIter: 100 })
    expect(limited.certificate.stopReason).toBe('converged')
    const tight = solveSync(twoPoints(), fakeSolver({ target: 0.5 - 1e-6 }), {}, { tol: 1e-6 })
    expect(tight.certificate.stopReason).toBe('stalled')
  })

  test('a solver may say that there is no bound', () => {
    const { certificate } = solveSync(twoPoints(), fakeSolver({ end: { unbounded: true } }))
    expect(certificate.stopReason).toBe('unbounded')
  })
})

describe('trace', () => {
  test('points land on the multiples, the start and the end', () => {
    const { trace } = solveSync(twoPoints(), fakeSolver({ rhythm: 64 }), {}, { trace: { every: 30 } })
    expect(trace.map((point) => point.iteration)).toEqual([0, 30, 60, 90, 100])
    expect(trace.map((point) => point.dual)).toEqual(
      [...trace].map((point) => point.dual).sort((a, b) => b - a),
    )
  })

  test('seconds are those of solving: measuring takes none, though each kernel row takes a second', () => {
    const fake = fakeSolver({ cost: 100, length: 10 })
    const { trace, certificate } = solveSync(twoPoints(slowKernel()), fake, {}, { trace: { every: 1 } })
    expect(clock.now).toBeGreaterThan(20_000)
    expect(trace.map((point) => point.seconds)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((k) => k / 10))
    expect(certificate.seconds).toBe(1)
  })

  test('snapshots are copies; without them a point has none', () => {
    const fake = fakeSolver({ length: 2 })
    const kept = solveSync(twoPoints(), fake, {}, { trace: { every: 1, snapshots: true } })
    expect(kept.trace.map((point) => point.alpha?.[0])).toEqual([0, 0.125, 0.25])
    const plain = solveSync(twoPoints(), fake, {}, { trace: { every: 1 } })
    expect(plain.trace[1]).not.toHaveProperty('alpha')
    expect(plain.trace[1]).not.toHaveProperty('bias')
  })

  test('the solver is told when it will be looked at next', () => {
    const seen: number[] = []
    const fake = fakeSolver({ length: 9, watch: ({ pauseAt }) => seen.push(pauseAt) })
    solveSync(twoPoints(), fake, {}, { maxIter: 8, trace: { every: 3 } })
    expect(seen).toEqual([3, 3, 3, 6, 6, 6, 8, 8])
  })

  test('as CSV', () => {
    const { trace } = solveSync(twoPoints(), fakeSolver({ length: 2 }), {}, { trace: { every: 2 } })
    expect(traceToCsv(trace)).toBe(
      'iteration,seconds,primal,dual,gap,violation,supportVectors\n' +
        '0,0,2,0,2,2,0\n' +
        '2,0.002,1.125,-0.375,0.75,1,2\n',
    )
  })
})

describe('progress', () => {
  test('about ten times a second, by the clock of solving', () => {
    const heard: Progress[] = []
    const fake = fakeSolver({ cost: 30 })
    solveSync(twoPoints(), fake, {}, { onProgress: (progress) => heard.push(progress) })
    expect(heard[0]).toEqual({ solver: 'fake', iteration: 4, seconds: 0.12, violation: 7, tol: 1e-3 })
    for (let k = 1; k < heard.length; k++) expect(heard[k].iteration - heard[k - 1].iteration).toBe(4)
    expect(heard.length).toBe(25)
  })

  test('none before a tenth of a second', () => {
    const onProgress = vi.fn()
    solveSync(twoPoints(), fakeSolver({ cost: 0.9 }), {}, { onProgress })
    expect(onProgress).not.toHaveBeenCalled()
  })
})

test('solve lets other tasks run between slices', async () => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks++
    if (ticks === 3) controller.abort()
  }, 0)
  const controller = new AbortController()
  const fake = fakeSolver({ cost: 20, length: Number.POSITIVE_INFINITY, target: 0 })
  const { certificate } = await solve(twoPoints(), fake, {}, { signal: controller.signal })
  clearInterval(timer)
  expect(certificate.stopReason).toBe('aborted')
  expect(ticks).toBeGreaterThanOrEqual(3)
})

describe('refuses', () => {
  const cases: [string, () => unknown, string][] = [
    [
      'an unknown option',
      () => solveSync(twoPoints(), smoMvp, { speed: 9 } as object),
      'smo-mvp: option must be',
    ],
    [
      'a tolerance of 0',
      () => solveSync(twoPoints(), smoMvp, {}, { tol: 0 }),
      'smo-mvp: tol must be > 0, got 0',
    ],
    [
      'half an iteration',
      () => solveSync(twoPoints(), smoMvp, {}, { maxIter: 0.5 }),
      'smo-mvp: maxIter must be a whole number >= 0, got 0.5',
    ],
    [
      'negative time',
      () => solveSync(twoPoints(), smoMvp, {}, { timeLimit: -1 }),
      'smo-mvp: timeLimit must be >= 0, got -1',
    ],
    [
      'an empty interval of the trace',
      () => solveSync(twoPoints(), smoMvp, {}, { trace: { every: 0 } }),
      'smo-mvp: trace.every must be a whole number >= 1, got 0',
    ],
    [
      'a form of the bias the solver cannot handle',
      () => solveSync({ ...twoPoints(), bias: 'none' }, smoMvp),
      'smo-mvp: bias must be one of free, got "none"',
    ],
    [
      'a loss the solver cannot handle',
      () => solveSync({ ...twoPoints(), loss: 'squared-hinge' }, smoMvp),
      'smo-mvp: loss must be hinge, got "squared-hinge"',
    ],
    [
      'a kernel for a linear solver',
      () => solveSync(twoPoints(rbf({ gamma: 1 })), { ...smoMvp, linearOnly: true }),
      'smo-mvp: kernel must be linear, got "rbf"',
    ],
  ]
  test.each(cases)('%s', (_, run, message) => {
    expect(run).toThrow(message)
  })
})

test('a certificate is computed in pieces: a run that was stopped lets others work, too', () => {
  const random = new Random(5)
  const rows = Array.from({ length: 5000 }, () => [random.normal(), random.normal(), random.normal()])
  const samples = toMatrix(rows)
  // The start of a one-class machine has nearly all samples as support vectors.
  const problem = makeOneClassProblem({ samples, kernel: rbf({ gamma: 1 }), nu: 0.9 })
  const run = new MonitoredRun(problem, smo as AnySolver, {}, { signal: AbortSignal.abort(), threads: 1 })
  let pieces = 0
  const work = run.toEnd()
  let next = work.next()
  for (; !next.done; next = work.next()) pieces++
  expect(next.value.certificate.stopReason).toBe('aborted')
  expect(next.value.certificate.supportVectors).toBe(4500)
  expect(pieces).toBeGreaterThanOrEqual(2)
})

test('a run that loses every digit ends where it began, which is better', () => {
  // Kernel values are about 1e33 here: no sum of a gradient has a digit that counts.
  const random = new Random(1)
  const value = (k: number) => (k % 2 ? 10_000 : random.normal())
  const rows = Array.from({ length: 34 }, () => Array.from({ length: 8 }, (_, k) => value(k)))
  const z = Float64Array.from(rows, () => random.uniform())
  const kernel = polynomial({ gamma: 1, coef0: 1, degree: 4 })
  const problem = makeNuSvrProblem({ samples: toMatrix(rows), kernel, z, C: 647, nu: 1 })
  const start = solveSync(problem, smo, {}, { maxIter: 0 })
  const { alpha, certificate } = solveSync(problem, smo, {}, { tol: 1e-6 })
  expect(certificate.stopReason).toBe('stalled')
  expect(certificate.primal).toBe(start.certificate.primal)
  expect([...alpha]).toEqual([...start.alpha])
})
