/**
 * Runs solvers one after the other on the same data, so that none takes the other's processor. Short runs are repeated, all
 * solvers in turn, until their order is settled: what else the machine does meanwhile then falls on all of them.
 */

import type { SolverName } from '../../src/index.browser.ts'
import type { TracePoint } from '../../src/solvers.ts'
import {
  type RunOptions,
  type SolveResult,
  type Solver,
  type SvmProblem,
  solve,
  solvers,
} from '../../src/solvers.ts'
import { isSettled, medianOf } from '../race/order.ts'
import type { Settings } from '../state/lab-state.ts'
import { nodesOf } from './grid.ts'
import { kernelGridOf, planeMatrix } from './kernel-grid.ts'
import type { Jobs, PlaneData, Race, RaceRun } from './messages.ts'
import { planeProblem } from './watched-problem.ts'

/** Points of each trace. */
const TRACE_POINTS = 150
/** Nobody should have to wait longer for one solver. */
const TIME_LIMIT_SECONDS = 4
/** An order is believed after so many rounds at the earliest, and not looked for after so many, or so long. */
const FEWEST_ROUNDS = 5
const MOST_ROUNDS = 25
const REPEAT_SECONDS = 2.5

/** See the header of the file. */
export async function race(
  { data, settings, solvers: names, grid }: Jobs['race']['ask'],
  signal: AbortSignal,
  say: (solver: SolverName) => void,
): Promise<Race> {
  const runners: Runner[] = []
  for (const name of names) {
    say(name)
    const runner = new Runner(name, data, settings, signal)
    await runner.warmUp()
    runners.push(runner)
  }
  const until = performance.now() + 1000 * REPEAT_SECONDS
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    for (const runner of runners) {
      say(runner.name)
      await runner.run()
    }
    const isDone = round >= FEWEST_ROUNDS && isSettled(runners.map(({ times }) => times))
    if (isDone || performance.now() > until) break
  }
  const runs = runners.map((runner) => runner.outcome())
  const { kernel, samples } = planeProblem(data, { ...settings, solver: names[0] })
  return { runs, kernelGrid: kernelGridOf(kernel, samples, planeMatrix(nodesOf(grid))), grid }
}

/** One solver, run again and again. */
class Runner {
  readonly name: SolverName
  private readonly problem: SvmProblem
  private readonly solver: Solver<object>
  private readonly options: RunOptions
  private every = 1
  private readonly results: SolveResult[] = []

  constructor(name: SolverName, data: PlaneData, settings: Settings, signal: AbortSignal) {
    this.name = name
    this.problem = planeProblem(data, { ...settings, solver: name })
    this.solver = solvers[name] as Solver<object>
    const { goal, defaults } = this.solver
    // Solvers that stop by the gap mean something else by the same tolerance: they keep at least their own.
    const tol = goal === 'gap' ? Math.max(settings.tol, defaults.tol) : settings.tol
    this.options = { tol, seed: settings.seed, timeLimit: TIME_LIMIT_SECONDS, signal }
  }

  /** Seconds of all runs, ascending. */
  get times(): number[] {
    return this.results.map(({ certificate }) => certificate.seconds).sort((a, b) => a - b)
  }

  /** The first run waits for code to be compiled, and shows how many points a trace will have. */
  async warmUp(): Promise<void> {
    const { certificate } = await solve(this.problem, this.solver, {}, this.options)
    this.every = Math.max(1, Math.ceil(certificate.iterations / TRACE_POINTS))
  }

  async run(): Promise<void> {
    const trace = { every: this.every, snapshots: true }
    this.results.push(await solve(this.problem, this.solver, {}, { ...this.options, trace }))
  }

  /** The run in the middle. */
  outcome(): RaceRun {
    const { times, problem } = this
    const middle = medianOf(times)
    const result = this.results.find(({ certificate }) => certificate.seconds === middle) as SolveResult
    const count = problem.y.length
    const coefficients = new Float64Array(result.trace.length * count)
    const bias = new Float64Array(result.trace.length)
    result.trace.forEach(({ alpha, beta, bias: own = 0 }, k) => {
      coefficients.set(beta ?? (alpha as Float64Array).map((a, i) => a * problem.y[i]), k * count)
      bias[k] = own
    })
    const trace = result.trace.map(({ alpha: _a, beta: _b, ...point }): TracePoint => point)
    return { solver: this.name, times, certificate: result.certificate, trace, coefficients, bias }
  }
}
