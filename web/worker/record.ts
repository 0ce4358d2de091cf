/**
 * Records a run, so that it can be played, paused and scrubbed. The run is made twice, which the seed makes the same:
 * once to count its steps, then to keep as many of them as memory allows: all of the first ones, where most happens, then
 * one in so many. A frame holds the coefficients β after a step, the bias, and what the solver said of the step.
 */
import { kernelFromSpec, kernelMatrix } from '../../src/kernels.ts'
import {
  type ModelStep,
  makeProblem,
  type RunOptions,
  type SmoStep,
  type SolveResult,
  type Solver,
  type SvmProblem,
  solve,
  solvers,
} from '../../src/solvers.ts'
import type { Settings } from '../state/lab-state.ts'
import { kernelGridOf, planeMatrix } from './kernel-grid.ts'
import {
  type Jobs,
  moveFields,
  type PlaneData,
  type Recording,
  stepFields,
  WATCHED_ADDED,
} from './messages.ts'

/** Coefficients kept in all: 16 MB. */
const MOST_COEFFICIENTS = 2e6
/** Points of the trace. */
const TRACE_POINTS = 400
/** A run is cut off after so many iterations; it says so. */
const MOST_ITERATIONS = 200_000

/** The two-class problem on the plane, in the form of the bias that the solver can handle. */
export function planeProblem({ xy, classes }: PlaneData, { kernel, C, solver }: Settings): SvmProblem {
  const found = [...new Set(classes)].sort()
  if (found.length !== 2) throw new Error('a single run needs exactly two classes')
  const { biasForms } = solvers[solver]
  return makeProblem({
    samples: planeMatrix(xy),
    kernel: kernelFromSpec(kernel),
    y: Float64Array.from(classes, (c) => (c === found[1] ? 1 : -1)),
    C,
    bias: biasForms.includes('free') ? 'free' : biasForms[0],
  })
}

/** See the head of the file. */
export async function record(
  { data, settings, grid }: Jobs['record']['ask'],
  signal: AbortSignal,
  say: (share: number) => void,
): Promise<Recording> {
  const problem = planeProblem(data, settings)
  const solver = solvers[settings.solver] as Solver<object>
  const isPair = solver.biasForms.includes('free')
  const count = problem.y.length
  const maxIter = Math.min(MOST_ITERATIONS, solver.defaults.maxIter(count))
  const options: RunOptions = { tol: settings.tol, seed: settings.seed, maxIter, signal, threads: 1 }
  let steps = 0
  const tally = () => {
    steps++
  }
  const own = settings.solver === 'working-set' ? { added: WATCHED_ADDED } : {}
  const first = await solve(problem, solver, own, { ...options, ...listen(isPair, tally) })
  say(0.3)
  const film = new Film(problem, isPair, steps, Math.floor(MOST_COEFFICIENTS / count))
  const every = Math.max(1, Math.ceil(first.certificate.iterations / TRACE_POINTS))
  const second = await solve(problem, solver, own, {
    ...options,
    trace: { every },
    ...listen(isPair, (step) => film.hear(step)),
  })
  say(0.8)
  film.end(second)
  return {
    ...film.cut(),
    ...(settings.solver === 'working-set' && { sets: film.sets }),
    samples: count,
    steps,
    trace: second.trace,
    certificate: second.certificate,
    kernelGrid: kernelGridOf(problem.kernel, data.xy, grid),
    grid,
  }
}

function listen(isPair: boolean, hear: (step: SmoStep | ModelStep) => void): RunOptions {
  return isPair ? { onStep: hear } : { onModelStep: hear }
}

/** The frames as they come. */
class Film {
  /** The working set of each round, in their order, for solvers that have one. */
  readonly sets: Uint32Array[] = []
  private frames = 0
  private steps = 0
  private readonly count: number
  /** Steps up to here are all kept, of those beyond one in `stride`. */
  private readonly dense: number
  private readonly stride: number
  private readonly stepAt: Uint32Array
  private readonly problem: SvmProblem
  private readonly coefficients: Float64Array
  private readonly bias: Float64Array
  private readonly fields: readonly string[]
  private readonly said: Float64Array
  private readonly point: PairPoint | undefined
  private readonly up: Float64Array
  private readonly low: Float64Array

  /** For a run of so many steps, of which at most `room` are kept. */
  constructor(problem: SvmProblem, isPair: boolean, steps: number, room: number) {
    this.problem = problem
    this.count = problem.y.length
    this.dense = steps <= room ? steps : Math.floor(room / 2)
    this.stride = Math.max(1, Math.ceil((steps - this.dense) / (room - this.dense || 1)))
    // The start, the end, and what is kept in between.
    const capacity = this.dense + Math.ceil((steps - this.dense) / this.stride) + 2
    this.stepAt = new Uint32Array(capacity)
    this.fields = isPair ? stepFields : moveFields
    this.coefficients = new Float64Array(capacity * this.count)
    this.bias = new Float64Array(capacity)
    this.said = new Float64Array(capacity * this.fields.length).fill(Number.NaN)
    this.up = new Float64Array(isPair ? capacity : 0)
    this.low = new Float64Array(isPair ? capacity : 0)
    this.point = isPair ? new PairPoint(problem) : undefined
    this.keep()
  }

  hear(step: SmoStep | ModelStep): void {
    if ('i' in step) {
      this.point?.move(step)
      if (step.workingSet && this.sets.length < step.iteration)
        this.sets[step.iteration - 1] = step.workingSet.slice()
    }
    const late = ++this.steps - this.dense
    if (late <= 0 || late % this.stride === 0) this.keep(step)
  }

  /** Adds the result itself, unless the last frame is there already. */
  end({ alpha, beta, bias }: SolveResult): void {
    const { problem } = this
    const final = beta ?? alpha.map((a, i) => a * problem.y[i])
    const last = this.coefficients.subarray((this.frames - 1) * this.count, this.frames * this.count)
    if (final.some((c, i) => c !== last[i])) {
      // The numbers of the last step also describe the end: a primal solver returns its best model, not its last.
      const width = this.fields.length
      const at = this.frames * width
      this.said.copyWithin(at, at - width, at)
      if (this.point) {
        this.up[this.frames] = this.up[this.frames - 1]
        this.low[this.frames] = this.low[this.frames - 1]
      }
      this.coefficients.set(final, this.frames * this.count)
      this.stepAt[this.frames] = this.steps
      this.frames++
    }
    this.bias[this.frames - 1] = bias
  }

  cut(): Pick<Recording, 'frames' | 'stepAt' | 'coefficients' | 'bias' | 'bounds' | 'pairs' | 'moves'> {
    const { frames, count, point } = this
    const said = this.said.slice(0, frames * this.fields.length)
    return {
      frames,
      stepAt: this.stepAt.slice(0, frames),
      coefficients: this.coefficients.slice(0, frames * count),
      bias: this.bias.slice(0, frames),
      ...(point
        ? { pairs: said, bounds: { up: this.up.slice(0, frames), low: this.low.slice(0, frames) } }
        : { moves: said }),
    }
  }

  private keep(step?: SmoStep | ModelStep): void {
    const { frames: frame, count, point, problem, fields, said } = this
    this.stepAt[frame] = this.steps
    const to = this.coefficients.subarray(frame * count, (frame + 1) * count)
    if (point) {
      point.copy(to)
      const { bias, up, low } = point.interval()
      this.bias[frame] = bias
      this.up[frame] = up
      this.low[frame] = low
    } else if (step && 'coefficients' in step) {
      const { coefficients, scale } = step
      let sum = 0
      for (let i = 0; i < count; i++) {
        to[i] = scale * coefficients[i]
        sum += to[i]
      }
      this.bias[frame] = problem.bias === 'regularised' ? sum * problem.interceptScaling ** 2 : 0
    }
    if (step) {
      fields.forEach((field, k) => {
        said[frame * fields.length + k] = step[field as keyof typeof step] as number
      })
    }
    this.frames++
  }
}

/** α and f_i = Σ_j α_j y_j K_ij − y_i, moved by the steps that are heard. */
class PairPoint {
  private readonly problem: SvmProblem
  private readonly alpha: Float64Array
  private readonly f: Float64Array
  private readonly kernel: Float64Array

  constructor(problem: SvmProblem) {
    this.problem = problem
    this.alpha = new Float64Array(problem.y.length)
    this.f = problem.y.map((label) => -label)
    this.kernel = kernelMatrix<unknown>(problem.kernel, problem.samples).values
  }

  move({ i, j, alphaI, alphaJ }: SmoStep): void {
    const { alpha, f, kernel, problem } = this
    const n = f.length
    const a = problem.y[i] * (alphaI - alpha[i])
    const b = problem.y[j] * (alphaJ - alpha[j])
    alpha[i] = alphaI
    alpha[j] = alphaJ
    for (let k = 0; k < n; k++) f[k] += a * kernel[i * n + k] + b * kernel[j * n + k]
  }

  copy(to: Float64Array): void {
    const { y } = this.problem
    for (let i = 0; i < to.length; i++) to[i] = this.alpha[i] * y[i]
  }

  /** b_up, b_low, and the bias: minus the mean of f over the free samples, else minus the midpoint. */
  interval(): { bias: number; up: number; low: number } {
    const { alpha, f } = this
    const { y, C } = this.problem
    let [up, low, sum, free] = [Infinity, -Infinity, 0, 0]
    for (let i = 0; i < f.length; i++) {
      const canRise = alpha[i] < C[i]
      const canFall = alpha[i] > 0
      if (canRise && canFall) {
        sum += f[i]
        free++
      }
      if (y[i] > 0 ? canRise : canFall) up = Math.min(up, f[i])
      if (y[i] > 0 ? canFall : canRise) low = Math.max(low, f[i])
    }
    return { up, low, bias: free > 0 ? -sum / free : -(up + low) / 2 }
  }
}
