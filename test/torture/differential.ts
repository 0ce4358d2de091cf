/**
 * Random problems against Debian's svm-train and liblinear-train and scikit-learn, at the same tolerance: the value reached
 * here is not worse, nothing hangs, and limits are kept. Values of either side are recomputed by the naive loops where the
 * peer returns its solution, and taken as printed where it does not.
 */
import { Worker } from 'node:worker_threads'
import type { SolveResult } from '../../src/solvers.ts'
import { type CaseOptions, tryCases } from './cases.ts'
import { findPeers, type Peer, type PeerResult } from './peers.ts'
import { caseRandom, familyNames, logUniform, pick, randomPoints } from './random-data.ts'
import {
  describeMachine,
  isLinear,
  type MachineType,
  machineMakers,
  randomKernel,
} from './random-machines.ts'
import type { SolveOptions } from './solve-machine.ts'
import { type Machine, measureTruly } from './true-measures.ts'

/** What {@link tortureByPeers} takes. */
export interface DifferentialOptions extends CaseOptions {
  readonly maxRows?: number
  /** Also try limits and aborts, which takes a clock. Default true. */
  readonly withLimits?: boolean
}

/** What was counted. */
export interface DifferentialCounts {
  problems: number
  findings: number
  /** Comparisons of values, by peer. */
  readonly compared: Record<string, number>
  /** How they ended: better here, the same to 1e-6, worse here; beyond what is possible (a peer's rounding). */
  readonly outcomes: Record<string, number>
  /** Where a peer found no value in its time, by peer; what was asked of ours all the same. */
  readonly withoutValue: Record<string, number>
  /** Runs with a limit, by kind. */
  readonly limits: Record<string, number>
  /** The largest time by which a limit was overrun, in seconds. */
  latest: number
  readonly stops: Record<string, number>
}

/** Relative difference of values that counts as none. */
const sameValue = 1e-6
const tolerance = 1e-6
/** Seconds of the processor that a peer may take before it is given up. */
const patience = 3
/** Seconds by the clock after its time limit at which a run of ours counts as hung, on a machine that may be busy. */
const hungAfter = 60
/** Ours may take ten times a peer's time and this many seconds. */
const allowance = 5
/** Seconds by which a limit may be overrun. */
const mostOverrun = 0.2
/** A machine that is busy with other things may be late: a limit counts as overrun after so many tries. */
const tries = 3
const types = Object.keys(machineMakers) as MachineType[]

/** Compares random problems with what the peers on this machine make of them. */
export async function tortureByPeers(options: DifferentialOptions): Promise<DifferentialCounts> {
  const { seed, maxRows = 2000, withLimits = true } = options
  const { peers } = findPeers()
  const solver = new WatchedSolver()
  const counts: DifferentialCounts = {
    problems: 0,
    findings: 0,
    compared: {},
    outcomes: {},
    withoutValue: {},
    limits: {},
    latest: 0,
    stops: {},
  }
  try {
    await tryCases('differential', options, async ({ index, find }) => {
      const one = randomComparison(seed, index, maxRows, peers)
      counts.problems++
      const report = (what: string) => {
        counts.findings++
        find(`${one.title}: ${what}`)
      }
      await compare(one, solver, counts, report)
      if (withLimits) await tryLimit(one, solver, counts, report)
    })
  } finally {
    for (const peer of peers) peer.end()
    await solver.end()
  }
  return counts
}

interface Comparison {
  readonly title: string
  readonly machine: Machine
  readonly options: SolveOptions
  /** Undefined where none on this machine knows the type. */
  readonly peer: Peer | undefined
  readonly limit: Limit | undefined
}

type Limit = { readonly kind: 'maxIter' | 'timeLimit' | 'abort'; readonly value: number }

export function randomComparison(
  seed: number,
  index: number,
  maxRows: number,
  peers: readonly Peer[],
): Comparison {
  const random = caseRandom(seed, index)
  const type = pick(random, types)
  const family = pick(random, familyNames)
  const rows = Math.round(logUniform(random, 20, maxRows))
  const points = randomPoints(random, family, rows, 1 + random.int(10))
  const kernel = isLinear(type) ? ({ kind: 'linear' } as const) : randomKernel(random, points)
  const C = logUniform(random, 1e-3, 1e3)
  const factors = new Float64Array(rows).fill(1)
  const plain = machineMakers[type](random, { points, kernel, C, factors })
  const machine = random.uniform() < 0.3 ? withClassWeights(plain, pick(random, [0.1, 3, 10])) : plain
  const options = {
    sparse: family === 'text' || random.uniform() < 0.25,
    tol: tolerance,
    seed: 1,
    threads: 1,
    ...(isLinear(type) && { maxIter: 1_000_000 }),
  }
  const choices = peers.filter((peer) => peer.knows(machine))
  const peer = choices.length > 0 ? pick(random, choices) : undefined
  const limit = random.uniform() < 0.5 ? randomLimit(random) : undefined
  const where = `${family} ${rows} x ${points.cols} ${options.sparse ? 'sparse' : 'dense'}`
  const title = `${type} ${JSON.stringify(kernel)} C ${C.toPrecision(3)} ${describeMachine(machine)} on ${where}`
  return { title, machine, options, peer, limit }
}

/** The price of the first class (or of −1) multiplied. */
function withClassWeights(machine: Machine, weight: number): Machine {
  if (machine.task !== 'svc' && machine.task !== 'crammer-singer') return machine
  const chosen = machine.task === 'svc' ? -1 : 0
  return {
    ...machine,
    bounds: machine.bounds.map((bound, i) => (machine.y[i] === chosen ? weight * bound : bound)),
  }
}

function randomLimit(random: Parameters<typeof logUniform>[0]): Limit {
  const kind = pick(random, ['maxIter', 'timeLimit', 'abort'] as const)
  const value = kind === 'maxIter' ? random.int(1000) : logUniform(random, 0.005, 0.5)
  return { kind, value }
}

async function compare(
  { machine, options, peer }: Comparison,
  solver: WatchedSolver,
  counts: DifferentialCounts,
  report: (what: string) => void,
): Promise<void> {
  if (!peer) return
  const theirs = await peer.solve(machine, { tol: tolerance, patience })
  const limit = 10 * theirs.seconds + allowance
  // Where the peer gives up there is nothing to reach: ours is to end when it is told to. Elsewhere its processor time counts,
  // as the machine may be busy with other things.
  const timeLimit = theirs.value === undefined ? 1 : 4 * limit
  const run = await solver.run(machine, { ...options, timeLimit }, timeLimit + hungAfter)
  if ('hung' in run)
    return report(`${peer.name} ends after ${theirs.seconds} s, ours not within ${run.hung} s`)
  if ('error' in run) return report(`threw ${run.error}`)
  add(counts.stops, run.result.certificate.stopReason)
  if (theirs.value === undefined) return add(counts.withoutValue, `${peer.name}: ${theirs.without}`)
  add(counts.compared, peer.name)
  const outcome = isConvex(machine)
    ? judge(machine, run.result, peer, theirs, report)
    : 'not convex: both end'
  add(counts.outcomes, outcome)
  const seconds = Math.min(run.seconds, run.cpuSeconds)
  if (seconds > limit && outcome !== impossible && outcome !== better) {
    report(`${peer.name} takes ${theirs.seconds} s, ours ${seconds} s: ${run.result.certificate.stopReason}`)
  }
}

function isConvex(machine: Machine): boolean {
  return machine.task === 'crammer-singer' || machine.kernel.kind !== 'sigmoid'
}

const better = 'better here'
const impossible = 'a peer prints less than is possible'

function judge(
  machine: Machine,
  result: SolveResult,
  peer: Peer,
  theirs: PeerResult,
  report: (what: string) => void,
): string {
  const { primal, dual } = measureTruly(machine, result)
  const which = peer.compares(machine)
  const ours = which === 'dual' ? dual : primal
  const value = theirs.value as number
  const rounding = (theirs.error ?? 0) + ours.error
  const allowed = sameValue * Math.max(Math.abs(value), Math.abs(ours.value)) + rounding
  if (ours.value - value < -allowed) return better
  if (ours.value - value <= allowed) return 'the same'
  // No dual value is below −primal, nor a primal one below −dual: what is printed below that is rounding.
  const gap = primal.value + dual.value
  const worse = Math.min(ours.value - value, gap)
  if (worse <= allowed) return impossible
  // The tolerance leaves as much as it times Σ|α| open, on either side.
  const open = result.certificate.tol * result.alpha.reduce((sum, a) => sum + Math.abs(a), 0)
  if (worse <= allowed + open) return 'within what the tolerance leaves open'
  const { stopReason, maxViolation } = result.certificate
  report(
    `${stopReason} (violation ${maxViolation}) at ${which} ${ours.value}, ${peer.name} at ${value}: ` +
      `worse by ${worse}, ${worse / Math.abs(value)} of it; gap ${gap}`,
  )
  return 'worse here'
}

async function tryLimit(
  { machine, options, limit }: Comparison,
  solver: WatchedSolver,
  counts: DifferentialCounts,
  report: (what: string) => void,
): Promise<void> {
  if (!limit) return
  const { kind, value } = limit
  add(counts.limits, kind)
  const hard = { ...options, tol: 1e-12, ...(kind !== 'abort' && { [kind]: value }) }
  let overrun = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && overrun > mostOverrun; left--) {
    const run = await solver.run(machine, hard, 30, kind === 'abort' ? value : undefined)
    if ('hung' in run) return report(`${kind} ${value}: still running after ${run.hung} s`)
    if ('error' in run) return report(`${kind} ${value}: threw ${run.error}`)
    const { iterations, stopReason } = run.result.certificate
    if (kind === 'maxIter') {
      if (iterations > value) report(`maxIter ${value}: ${iterations} iterations, ${stopReason}`)
      return
    }
    // Time that the machine gave to others is not ours.
    overrun = Math.min(
      overrun,
      ...(kind === 'timeLimit'
        ? [run.seconds - value, run.cpuSeconds - value]
        : [run.afterAbort ?? 0, run.cpuAfterAbort ?? 0]),
    )
  }
  counts.latest = Math.max(counts.latest, overrun)
  if (overrun > mostOverrun) report(`${kind} ${value} s is overrun by ${overrun} s, ${tries} times`)
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

type Run =
  | {
      readonly result: SolveResult
      readonly seconds: number
      readonly cpuSeconds: number
      readonly afterAbort?: number
      readonly cpuAfterAbort?: number
    }
  | { readonly error: string }
  | { readonly hung: number }

/** Solves on a thread that is ended, and made anew, when a run does not end. */
class WatchedSolver {
  private worker: Worker | undefined

  async run(machine: Machine, options: SolveOptions, patience: number, abortAfter?: number): Promise<Run> {
    this.worker ??= await startWorker()
    const { worker } = this
    const answer = new Promise<Run>((resolve) => {
      const timer = setTimeout(() => done({ hung: patience }), 1000 * patience)
      const failed = (error: Error) => done({ error: `the thread ended: ${error.message}` })
      const done = (run: Run) => {
        clearTimeout(timer)
        worker.off('message', done)
        worker.off('error', failed)
        resolve(run)
      }
      worker.on('message', done)
      worker.on('error', failed)
    })
    worker.postMessage({ machine, options, abortAfter })
    const run = await answer
    if ('hung' in run || ('error' in run && run.error.startsWith('the thread'))) await this.end()
    return run
  }

  async end(): Promise<void> {
    await this.worker?.terminate()
    this.worker = undefined
  }
}

function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('./solver-worker.js', import.meta.url))
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker))
    worker.once('error', reject)
  })
}
