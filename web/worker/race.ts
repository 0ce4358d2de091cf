/** Runs solvers one after the other on the same data, so that none takes the other's processor. */

import type { SolverName, TracePoint } from '../../src/index.browser.ts'
import { type Solver, solve, solvers } from '../../src/solvers.ts'
import type { Settings } from '../state/lab-state.ts'
import { kernelGridOf } from './kernel-grid.ts'
import type { Jobs, PlaneData, Race, RaceRun } from './messages.ts'
import { planeProblem } from './record.ts'

/** Points of each trace. */
const TRACE_POINTS = 150
/** Nobody should have to wait longer for one solver. */
const TIME_LIMIT_SECONDS = 4
const SHORT_SECONDS = 0.1

/** See the head of the file. */
export async function race(
  { data, settings, solvers: names, grid }: Jobs['race']['ask'],
  signal: AbortSignal,
  say: (solver: SolverName) => void,
): Promise<Race> {
  const runs: RaceRun[] = []
  for (const name of names) {
    say(name)
    runs.push(await runOne(name, data, settings, signal))
  }
  const { kernel } = planeProblem(data, { ...settings, solver: names[0] })
  return { runs, kernelGrid: kernelGridOf(kernel, data.xy, grid), grid }
}

async function runOne(
  name: SolverName,
  data: PlaneData,
  settings: Settings,
  signal: AbortSignal,
): Promise<RaceRun> {
  const problem = planeProblem(data, { ...settings, solver: name })
  const solver = solvers[name] as Solver<object>
  // Solvers that stop by the gap mean something else by the same tolerance: they keep at least their own.
  const tol = solver.goal === 'gap' ? Math.max(settings.tol, solver.defaults.tol) : settings.tol
  const options = { tol, timeLimit: TIME_LIMIT_SECONDS, signal }
  // The first run waits for code to be compiled and shows how long the second one will be.
  const { certificate } = await solve(problem, solver, {}, options)
  const every = Math.max(1, Math.ceil(certificate.iterations / TRACE_POINTS))
  let result = await solve(problem, solver, {}, { ...options, trace: { every, snapshots: true } })
  // Other programs get in the way of short runs: the quickest of a few counts.
  for (let again = 0; again < 4 && result.certificate.seconds < SHORT_SECONDS; again++) {
    const next = await solve(problem, solver, {}, { ...options, trace: { every, snapshots: true } })
    if (next.certificate.seconds < result.certificate.seconds) result = next
  }
  const count = problem.y.length
  const coefficients = new Float64Array(result.trace.length * count)
  const bias = new Float64Array(result.trace.length)
  result.trace.forEach(({ alpha, beta, bias: own = 0 }, k) => {
    coefficients.set(beta ?? (alpha as Float64Array).map((a, i) => a * problem.y[i]), k * count)
    bias[k] = own
  })
  const trace = result.trace.map(({ alpha: _a, beta: _b, ...point }): TracePoint => point)
  return { solver: name, certificate: result.certificate, trace, coefficients, bias }
}
