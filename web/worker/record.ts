/**
 * Records a run, so that it can be played, paused and scrubbed. The run is made twice, which the seed makes the same:
 * once to count its steps, then to keep as many of them as memory allows: all of the first ones, where most happens, then
 * one in so many. A frame holds the coefficients β after a step, the bias, and what the solver said of the step.
 */
import {
  generalDualOf,
  type ModelStep,
  type Problem,
  type RunOptions,
  type SmoStep,
  type SolveResult,
  type Solver,
  solve,
  solvers,
} from '../../src/solvers.ts'
import { kernelGridOf } from './kernel-grid.ts'
import {
  type Jobs,
  moveFields,
  type Recording,
  type ShrunkSet,
  stepFields,
  WATCHED_ADDED,
} from './messages.ts'
import { otherRuns } from './other-runs.ts'
import { WatchedPoint } from './watched-point.ts'
import { biasOfSum, watchedProblem } from './watched-problem.ts'

/** Coefficients kept in all: 16 MB. */
const MOST_COEFFICIENTS = 2e6
/** Points of the trace. */
const TRACE_POINTS = 400
/** A run is cut off after this many iterations; it says so. */
const MOST_ITERATIONS = 200_000

/** See the header of the file. */
export async function record(
  { data, settings, grid }: Jobs['record']['ask'],
  signal: AbortSignal,
  say: (share: number) => void,
): Promise<Recording> {
  const watched = watchedProblem(data, settings, grid)
  const { problem, nodes, kind, bound } = watched
  // The other problems have one solver.
  const name = settings.problem === 'svc' ? settings.solver : 'smo'
  const solver = solvers[name] as Solver<object, Problem>
  const isPair = solver.biasForms.includes('free')
  const count = data.classes.length
  const maxIter = Math.min(MOST_ITERATIONS, solver.defaults.maxIter(count))
  const options: RunOptions = { tol: settings.tol, seed: settings.seed, maxIter, signal, threads: 1 }
  let steps = 0
  const tally = () => {
    steps++
  }
  const own = name === 'working-set' ? { added: WATCHED_ADDED } : {}
  const first = await solve(problem, solver, own, { ...options, ...listen(isPair, tally) })
  say(0.3)
  const film = new Film(problem, count, isPair, steps, Math.floor(MOST_COEFFICIENTS / count))
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
    ...(name === 'working-set' && { sets: film.sets }),
    ...(name === 'pegasos' && { others: await otherRuns(watched, settings, grid, steps, signal) }),
    kind,
    bound,
    samples: count,
    steps,
    trace: second.trace,
    certificate: second.certificate,
    kernelGrid: kernelGridOf(problem.kernel, problem.samples, nodes),
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
  private readonly shrunk: ShrunkSet[] = []
  private frames = 0
  private steps = 0
  private readonly count: number
  /** Steps up to here are all kept, of those beyond one in `stride`. */
  private readonly dense: number
  private readonly stride: number
  private readonly stepAt: Uint32Array
  private readonly problem: Problem
  private readonly coefficients: Float64Array
  private readonly bias: Float64Array
  private readonly fields: readonly string[]
  private readonly said: Float64Array
  private readonly point: WatchedPoint | undefined
  private readonly up: Float64Array
  private readonly low: Float64Array
  private readonly scale: Float64Array

  /** For a run of so many steps, of which at most `room` are kept. */
  constructor(problem: Problem, count: number, isPair: boolean, steps: number, room: number) {
    this.problem = problem
    this.count = count
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
    this.scale = new Float64Array(isPair ? capacity : 0)
    this.point = isPair ? new WatchedPoint(generalDualOf(problem)) : undefined
    this.keep()
  }

  hear(step: SmoStep | ModelStep): void {
    if ('i' in step) {
      this.point?.move(step)
      if (step.workingSet && this.sets.length < step.iteration)
        this.sets[step.iteration - 1] = step.workingSet.slice()
    }
    if (step.active) this.noteActive(step.active)
    const late = ++this.steps - this.dense
    if (late <= 0 || late % this.stride === 0) this.keep(step)
  }

  /** Adds the result itself, unless the last frame is there already. */
  end({ alpha, beta, bias }: SolveResult): void {
    const { problem } = this
    const final = beta ?? ('y' in problem ? alpha.map((a, i) => a * problem.y[i]) : alpha)
    const last = this.coefficients.subarray((this.frames - 1) * this.count, this.frames * this.count)
    if (final.some((c, i) => c !== last[i])) {
      // The numbers of the last step also describe the end: a primal solver returns its best model, not its last.
      const width = this.fields.length
      const at = this.frames * width
      this.said.copyWithin(at, at - width, at)
      if (this.point) {
        this.up[this.frames] = this.up[this.frames - 1]
        this.low[this.frames] = this.low[this.frames - 1]
        this.scale[this.frames] = this.scale[this.frames - 1]
      }
      this.coefficients.set(final, this.frames * this.count)
      this.stepAt[this.frames] = this.steps
      this.frames++
    }
    this.bias[this.frames - 1] = bias
  }

  cut(): Omit<
    Recording,
    'kind' | 'bound' | 'samples' | 'steps' | 'trace' | 'certificate' | 'kernelGrid' | 'grid'
  > {
    const { frames, count, point, problem, shrunk } = this
    const bounds = { up: this.up.slice(0, frames), low: this.low.slice(0, frames) }
    const said = this.said.slice(0, frames * this.fields.length)
    return {
      frames,
      stepAt: this.stepAt.slice(0, frames),
      coefficients: this.coefficients.slice(0, frames * count),
      bias: this.bias.slice(0, frames),
      ...(point ? { pairs: said } : { moves: said }),
      ...(shrunk.length > 0 && { shrunk }),
      // With two groups there are two intervals, and the model is drawn divided by ρ.
      ...(problem.task === 'nu-svc' && { scale: this.scale.slice(0, frames) }),
      ...(point && problem.task !== 'nu-svc' && { bounds }),
    }
  }

  /** Keeps the samples that are shrunk away from the next frame on, where they are others than before. */
  private noteActive(active: Uint32Array): void {
    const { shrunk, frames, count } = this
    const last = shrunk.at(-1)
    const before = last?.samples.length ?? 0
    if (before === 0 && active.length === count) return
    const isActive = new Uint8Array(count)
    for (const i of active) isActive[i] = 1
    if (count - active.length === before && (last?.samples.every((i) => isActive[i] === 0) ?? true)) return
    const samples = Uint32Array.from(isActive.keys()).filter((i) => isActive[i] === 0)
    if (last?.from === frames) shrunk.pop()
    shrunk.push({ from: frames, samples })
  }

  private keep(step?: SmoStep | ModelStep): void {
    const { frames: frame, count, point, problem, fields, said } = this
    this.stepAt[frame] = this.steps
    const to = this.coefficients.subarray(frame * count, (frame + 1) * count)
    if (point) {
      to.set(point.beta)
      const { bias, up, low, scale } = point.measure()
      this.bias[frame] = bias
      this.up[frame] = up
      this.low[frame] = low
      this.scale[frame] = scale
    } else if (step && 'coefficients' in step) {
      const { coefficients, scale } = step
      let sum = 0
      for (let i = 0; i < count; i++) {
        to[i] = scale * coefficients[i]
        sum += to[i]
      }
      this.bias[frame] = biasOfSum(problem, sum)
    }
    if (step) {
      fields.forEach((field, k) => {
        said[frame * fields.length + k] = step[field as keyof typeof step] as number
      })
    }
    this.frames++
  }
}
