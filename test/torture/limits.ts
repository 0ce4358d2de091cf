/**
 * Limits and signals: every solver is stopped at its yields and by small limits. What it returns must be a feasible point with
 * a certificate that says so, no worse than what it has shown before; and limits must hold.
 *
 * A clock that runs 10 ms a look makes every solver yield wherever it can, the same on any machine.
 */
import { performance } from 'node:perf_hooks'
import { cpuUsage } from 'node:process'
import { inOneGo } from '../../src/base/pieces.ts'
import { Certifier } from '../../src/certify/certifier.ts'
import type { Random } from '../../src/index.node.ts'
import { makeCrammerSinger, makeLinearSvr } from '../../src/problems/linear-problem.ts'
import { allowedGap, type Goal } from '../../src/solve/driver/goal.ts'
import {
  type RunOptions,
  type SolveResult,
  type Solver,
  sdca,
  smo,
  solvers,
  solveSync,
} from '../../src/solvers.ts'
import { solveLinearSync } from '../solve-linear.ts'
import { Stopper, withFastClock } from '../suites/stopping.ts'
import { type CaseOptions, countOne, tryCases } from './cases.ts'
import { familyNames, logUniform, pick, randomFactors, randomPoints, randomSigns } from './random-data.ts'
import {
  describeMachine,
  isLinear,
  type MachineType,
  machineMakers,
  randomKernel,
  singleMachine,
} from './random-machines.ts'
import type { Finding } from './report.ts'
import { problemOf, samplesOf } from './solve-machine.ts'
import { type Machine, measureTruly } from './true-measures.ts'

/** What {@link tortureLimits} takes. */
export interface LimitsOptions extends CaseOptions {
  /** Measure by how much time limits are overrun. */
  readonly timed?: boolean
}

/** What was done, and found. */
export interface LimitsCounts {
  readonly problems: number
  /** Runs stopped at a yield, and by a limit. */
  readonly stops: number
  readonly limits: number
  /** Yields of the run that had most. */
  readonly mostYields: number
  /** Seconds by which a time limit was overrun at most. */
  readonly latest: number
  readonly findings: readonly Finding[]
  readonly by: { readonly solver: Record<string, number>; readonly end: Record<string, number> }
}

/** Seconds that solving may overrun a limit by. */
const MOST_LATE = 0.2
/** The first yields at which each problem is stopped, and how many others. */
const FIRST_STOPS = 4
const OTHER_STOPS = 6
/** Iterations of the whole run, in the solver's unit. */
const MOST_ITERATIONS = { pair: 3000, epoch: 60, round: 60, step: 60 }
const SMALL_LIMITS = [0, 1, 2, 7]

/** See the header of the file. */
export async function tortureLimits(options: LimitsOptions): Promise<LimitsCounts> {
  const by = { solver: {} as Record<string, number>, end: {} as Record<string, number> }
  const counts = { problems: 0, stops: 0, limits: 0, mostYields: 0, latest: 0 }
  const findings = await tryCases('limits', options, async ({ random, ...one }) => {
    const subject = randomSubject(random, 4 + random.int(pick(random, [12, 40, 150])))
    const find = (what: string) => one.find(`${subject.title}: ${what}`)
    counts.problems++
    countOne(by.solver, subject.solver)
    const look = (name: string, options: RunOptions) => {
      const result = withFastClock(() => subject.solve(options))
      countOne(by.end, result.certificate.stopReason)
      for (const fault of faultsOf(subject, result)) find(`${name}: ${fault}`)
      return result
    }
    const { maxIter } = subject
    const whole = new Stopper(Number.POSITIVE_INFINITY)
    const traced = look('whole run', { maxIter, signal: whole.signal, trace: { every: 1 } })
    for (const fault of worseThanTraced(subject, traced)) find(fault)
    counts.mostYields = Math.max(counts.mostYields, whole.looks)
    const others = Array.from({ length: OTHER_STOPS }, () => random.int(whole.looks + 1))
    for (const at of new Set([...Array(FIRST_STOPS).keys(), ...others])) {
      const stopper = new Stopper(at)
      const { certificate } = look(`stopped at yield ${at}`, { maxIter, signal: stopper.signal })
      counts.stops++
      if (stopper.looks > at + 1)
        find(`went on for ${stopper.looks - at - 1} yields after its signal at ${at}`)
      if (certificate.iterations > maxIter) find(`${certificate.iterations} iterations of ${maxIter}`)
    }
    for (const limit of SMALL_LIMITS) {
      const { certificate } = look(`maxIter ${limit}`, { maxIter: limit })
      counts.limits++
      if (certificate.iterations > limit) find(`${certificate.iterations} iterations, maxIter ${limit}`)
    }
    look('timeLimit 0', { maxIter, timeLimit: 0 })
    counts.limits++
    if (!options.timed) return
    const late = lateness(randomSubject(random, 2000 + random.int(2000)), pick(random, [0, 0.05, 0.3]))
    counts.latest = Math.max(counts.latest, late)
    counts.limits++
    if (late > MOST_LATE) find(`${late.toFixed(3)} s late on thousands of samples`)
    // Let signals of the process have their turn.
    await new Promise((resolve) => setImmediate(resolve))
  })
  return { ...counts, findings, by }
}

/** A machine, and how it is solved. */
interface Subject {
  readonly title: string
  readonly machine: Machine
  readonly solver: string
  /** Whether it keeps the best model by primal value; others never raise the dual. */
  readonly keepsBest: boolean
  readonly maxIter: number
  /** What `tol` bounds. */
  readonly goal: Goal
  readonly tol: number
  solve(options: RunOptions): SolveResult
  /** Computes the certificate of a result once more, where that takes a kernel row for each support vector. */
  certify?(result: SolveResult): void
}

function randomSubject(random: Random, rows: number): Subject {
  const family = pick(random, familyNames)
  const points = randomPoints(random, family, rows, 1 + random.int(5))
  const type = pick(random, [...(Object.keys(machineMakers) as MachineType[]), 'any', 'any', 'any'] as const)
  const kernel = isLinear(type) ? { kind: 'linear' as const } : randomKernel(random, points)
  const C = logUniform(random, 1e-2, 1e4)
  const ground = { points, kernel, C, factors: randomFactors(random, rows) }
  const solver = pick(
    random,
    Object.values(solvers).filter((one) => kernel.kind === 'linear' || !one.linearOnly),
  ) as Solver
  const machine =
    type === 'any'
      ? singleMachine(ground, { y: randomSigns(random, points), bias: pick(random, solver.biasForms) })
      : machineMakers[type](random, ground)
  const seed = random.int(1000)
  const tol = pick(random, [1e-3, 1e-6])
  const samples = samplesOf(points, random.uniform() < 0.3)
  const run = (options: RunOptions): RunOptions => ({ threads: 1, seed, tol, ...options })
  const describe = (name: string) =>
    `${name} ${describeMachine(machine)} tol ${tol} on ${family} of ${rows} rows`
  const linear = { machine, keepsBest: true, maxIter: MOST_ITERATIONS.epoch, goal: 'both' as const, tol }
  if (machine.task === 'crammer-singer') {
    const { y, classes, constant, bounds } = machine
    const problem = makeCrammerSinger({ samples, y, classes, constant, C: bounds })
    const name = 'crammer-singer'
    return {
      ...linear,
      goal: 'gap' as const,
      title: describe(name),
      solver: name,
      solve: (options) => solveLinearSync(problem, run(options)),
    }
  }
  if (machine.task === 'svr' && machine.bias !== 'free') {
    const { y, bounds, epsilon, squared, bias, scaling } = machine
    const loss = squared ? 'squared-epsilon-insensitive' : 'epsilon-insensitive'
    const constant = bias === 'none' ? 0 : scaling
    const problem = makeLinearSvr({ samples, z: y, C: bounds, epsilon, loss, constant })
    const name = 'svr-descent'
    return {
      ...linear,
      title: describe(name),
      solver: name,
      solve: (options) => solveLinearSync(problem, run(options)),
    }
  }
  const own = (type === 'any' ? solver : machine.bias === 'free' ? smo : sdca) as Solver
  const problem = problemOf(machine, samples)
  return {
    title: describe(`${own.name} ${machine.task} ${JSON.stringify(kernel)} C ${C.toPrecision(3)}`),
    machine,
    solver: own.name,
    keepsBest: own.unit === 'epoch',
    maxIter: MOST_ITERATIONS[own.unit],
    goal: own.goal,
    tol,
    solve: (options) => solveSync(problem, own, {}, run(options)),
    certify: (result) =>
      inOneGo(new Certifier(problem, { threads: 1, all: false, seed, tol }).examine(result)),
  }
}

/** What is wrong with a point that was returned. */
function faultsOf({ machine, goal, tol }: Subject, result: SolveResult): string[] {
  const { primal, dual, gap, maxViolation, stopReason } = result.certificate
  const faults: string[] = []
  const truth = measureTruly(machine, result)
  if (!result.alpha.every(Number.isFinite)) faults.push('dual variables that are not numbers')
  if (result.beta && !result.beta.every(Number.isFinite)) faults.push('coefficients that are not numbers')
  if (!Number.isFinite(result.bias)) faults.push(`bias ${result.bias}`)
  if (truth.outside > 0) faults.push(`a dual variable is ${truth.outside} outside its box`)
  if (truth.imbalance > 1e-9) faults.push(`a sum is off by ${truth.imbalance} of its terms`)
  if ([primal, dual, gap, maxViolation].some(Number.isNaN)) faults.push('a certificate of NaN')
  if (stopReason === 'converged' && goal === 'both' && gap > allowedGap(goal, tol, primal) * (1 + 1e-6))
    faults.push(`converged with a gap of ${gap / primal} of the primal value at tol ${tol}`)
  return faults
}

/** A run that has not reached its goal must not return less than it has shown. */
function worseThanTraced({ keepsBest }: Subject, { certificate, trace }: SolveResult): string[] {
  if (certificate.stopReason === 'converged' || certificate.stopReason === 'unbounded' || !keepsBest)
    return []
  const lowest = trace.reduce((least, { primal }) => Math.min(least, primal), Number.POSITIVE_INFINITY)
  const rounding = 1e-9 * Math.abs(lowest)
  return certificate.primal > lowest + rounding
    ? [`primal ${certificate.primal} after a trace that had ${lowest}`]
    : []
}

/**
 * Seconds by which solving has overrun a time limit, of this thread's own work. The certificate comes after the limit, and
 * takes what it takes: a kernel row for each support vector.
 */
function lateness(subject: Subject, limit: number): number {
  const { result, seconds } = timed(() => subject.solve({ timeLimit: limit, threads: 1 }))
  return seconds - limit - timed(() => subject.certify?.(result)).seconds
}

/** What `work` returns, and the seconds it took: by the clock, or of the processor where others had that too. */
function timed<R>(work: () => R): { readonly result: R; readonly seconds: number } {
  const started = performance.now()
  const before = cpuUsage()
  const result = work()
  const { user, system } = cpuUsage(before)
  return { result, seconds: Math.min(performance.now() - started, (user + system) / 1000) / 1000 }
}
