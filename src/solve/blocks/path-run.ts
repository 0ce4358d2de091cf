/**
 * The dual of a small problem over its whole kernel matrix, solved from start to end within the engine
 * (assembly/paths/path.ts): what
 * {@link smo} tries first where the matrix is small. Of short runs, most is what lies between the steps; here that is nothing.
 *
 * Rows      all of them, in f32, each value made once. The certificate is made of them too, where f32 is enough for it.
 * Result    does not depend on the number of threads. It is examined like that of any run; what is not proven to be solved is
 *           a point to continue from for ./smo-blocks.ts.
 */
import { countUp } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import { type Matrix, rowsBetween } from '../../data/matrix/matrix.ts'
import { CPaths } from '../../engine/jobs/c-paths.ts'
import type { PathInput, PathResult } from '../../engine/jobs/path-input.ts'
import { type EngineKernel, uploadKernel } from '../../engine/matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../../engine/matrix/engine-matrix.ts'
import { rowsInOrder } from '../../engine/matrix/place-rows.ts'
import { type Engine, giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { AllRows } from '../../engine/rows/all-rows.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import type { FoundPoint } from '../driver/found-point.ts'
import { showing } from '../driver/pieces.ts'
import type { SolverContext } from '../driver/solver.ts'
import { generalBias } from '../dual/general-bias.ts'
import type { GeneralRun } from '../dual/general-run.ts'
import { MOST_AT_ONCE } from './block-size.ts'
import { type Examiner, isSettled, threadsFor } from './smo-blocks.ts'

/**
 * Samples, at most: where others would make the whole matrix too, whatever memory there is. It all takes less than 80 MB. Measured
 * beyond: of 4,000 samples many have no use for most of it (a third more CPU time for ν-SVR, half as much again for two classes
 * with few support vectors).
 */
const MOST_SAMPLES = MOST_AT_ONCE
/** What moves of pairs may have rounded off a sum, relative to it. */
const SUM_ROUNDING = 1e-10
/**
 * Of the tolerance: what a path comes down to, so that the error of f32 values is not what decides. Tried
 * (assembly/paths/path.ts): 0.25 and 0.8 took as long.
 */
const GOAL = 0.5

/**
 * Pair steps, per sample and at least, after which a path is left where it is: rows of f32 may not say enough to get further, while the
 * active set of ./smo-blocks.ts, with rows of f64, is done in a moment. Of 13 hard problems (500 to 2,000 samples, all types but one-class,
 * C from 200 to 18,000), three took 0.82 to 0.51 s with 150 and 100,000, and take 0.56 to 0.22 s; the others take as long. With 15 and
 * 20,000 some that were almost there take a fifth longer.
 */
const STEPS_PER_SAMPLE = 20
const LEAST_STEPS = 30_000

/** What a path is to solve: a dual, and what β adds up to above 0 and below, where that is fixed. */
type PathDual = Omit<GeneralDual, 'groups' | 'start'> & { readonly sum: number | undefined }

/**
 * Runs to the end; returns false where that was not reached, or never begun: the state is where to continue from. Of ν-SVR, whose
 * variables come twice, those above 0 and those below are one here. What others have `found` on a path needs no steps, of however many
 * samples.
 */
export function* runPath(
  dual: GeneralDual,
  context: SolverContext,
  kernel: EngineKernel,
  examiner: Examiner,
  found?: FoundPoint,
): GeneralRun<boolean> {
  const { tol } = context
  const state = {
    iteration: 0,
    beta: dual.start ? dual.start.slice() : new Float64Array(dual.target.length),
    bias: 0,
    ...(dual.groups && { groupValues: [0, 0] as [number, number] }),
    violation: Number.NaN,
    precision: 'f32' as const,
    snapshot: undefined,
  }
  yield state
  const path = pathDual(dual)
  const input = pathInput(path, kernel, GOAL * tol)
  const { length } = path.target
  // Who wants to see the course of a run, or limits its steps, has to be shown some.
  if (!found && (length > MOST_SAMPLES || context.pauseAt < input.maxSteps)) return false
  const matrix = path.samples as Matrix
  const engine = takeEngine(...threadsFor(path, context.threads))
  const mark = engine.mark()
  try {
    engine.reserveScratch(matrix.cols)
    const kernelPointer = uploadKernel(engine, kernel)
    const samples = uploadMatrix(engine, matrix, kernel, rowsInOrder)
    const own = found
      ? { ...spreadOut(found, length), rows: undefined }
      : yield* showing(state, solveSmall(engine, samples, kernelPointer, dual.kernel.diagonal(matrix), input))
    state.iteration = own.steps
    const isTaken = takeOver(state.beta, own.solution, path, dual.isDoubled === true)
    if (!isTaken || !own.converged) return false
    const { rows } = own
    const kept = rows && { subtract: rows.subtract.bind(rows), atATime: length }
    const place = { engine, kernelPointer, samples, ...(kept && { kept }) }
    const known = yield* showing(state, examiner.examine(state, place))
    const v = differences(dual.target, known.values)
    Object.assign(state, generalBias(dual, state.beta, v), { violation: known.maxViolation })
    if (!isSettled(known, tol)) return false
    yield* showing(state, examiner.certify(state, place))
    return true
  } finally {
    giveEngine(engine, mark)
  }
}

/** A point on a path, the rows that led there and how many steps they took. */
interface OnPath {
  readonly solution: Float64Array
  readonly rows: AllRows | undefined
  readonly steps: number
  readonly converged: boolean
}

/** Makes all rows, and follows one path to its end. */
function* solveSmall(
  engine: Engine,
  samples: EngineMatrix,
  kernel: number,
  diagonal: Float64Array,
  input: PathInput,
): Pieces<OnPath> {
  const { length } = diagonal
  const rows = new AllRows(engine, kernel, samples, diagonal, length)
  const { first: distances, stride } = rows
  const measured = { matrix: samples, rows: length, cols: samples.cols, distances, stride, transformed: true }
  const paths = new CPaths(engine, measured, [input])
  try {
    while (paths.advance() !== 'done') yield
  } finally {
    paths.finish()
  }
  const { solution, steps, converged } = paths.result(0, 0) as PathResult
  return { solution: solution as Float64Array, rows, steps, converged }
}

/** β of so many samples. */
function spreadOut({ support, beta, steps }: FoundPoint, count: number): Omit<OnPath, 'rows'> {
  const solution = new Float64Array(count)
  for (let k = 0; k < support.length; k++) solution[support[k]] = beta[k]
  return { solution, steps, converged: true }
}

function pathDual(dual: GeneralDual): PathDual {
  const { samples, kernel, target, lower, upper, tube, start, groups, isDoubled } = dual
  const count = isDoubled ? target.length / 2 : target.length
  let sum = 0
  for (let i = 0; i < count && start; i++) if (!groups || groups[i] === 0) sum += start[i]
  return {
    samples: isDoubled ? rowsBetween(samples as Matrix, 0, count) : samples,
    kernel,
    target: target.subarray(0, count),
    lower: isDoubled ? lower.subarray(count) : lower,
    upper: upper.subarray(0, count),
    tube,
    sum: start && sum,
  }
}

function pathInput(
  { target, lower, upper, tube, sum }: PathDual,
  kernel: EngineKernel,
  tol: number,
): PathInput {
  const { length } = target
  return {
    kernel,
    samples: countUp(length),
    training: length,
    target,
    lower,
    upper,
    C: Float64Array.of(1),
    ...(sum !== undefined && { sums: Float64Array.of(sum) }),
    tube,
    tol,
    maxSteps: Math.max(LEAST_STEPS, STEPS_PER_SAMPLE * length),
    keepSolutions: true,
  }
}

/**
 * Makes β what a path has found; false, and nothing is done, where that does not add up to what it should on either side of 0. Of
 * ν-SVR it may add up to less, where the tube is empty: α and α* of a sample are then both raised by the same, which changes
 * neither their difference nor the dual, until they add up.
 */
function takeOver(
  beta: Float64Array,
  found: Float64Array,
  { lower, upper, sum = 0 }: PathDual,
  isDoubled: boolean,
): boolean {
  if (!isDoubled) {
    beta.set(found)
    return true
  }
  /** By how much α and α* of a sample can both be raised. */
  const room = (i: number) =>
    Math.max(0, Math.min(upper[i] - found[i], found[i] - lower[i], upper[i], -lower[i]))
  let above = 0
  let below = 0
  let more = 0
  for (let i = 0; i < found.length; i++) {
    if (found[i] > 0) above += found[i]
    else below -= found[i]
    more += room(i)
  }
  const most = SUM_ROUNDING * sum
  let rest = sum - above
  if (!(Math.abs(above - below) <= most && rest >= -most && rest <= most + more)) return false
  if (rest <= most) rest = 0
  for (let i = 0; i < found.length; i++) {
    const both = Math.min(rest, room(i))
    rest -= both
    beta[i] = Math.max(0, found[i]) + both
    beta[found.length + i] = Math.min(0, found[i]) - both
  }
  return true
}

function differences(a: Float64Array, b: Float64Array): Float64Array {
  const differences = new Float64Array(a.length)
  for (let i = 0; i < a.length; i++) differences[i] = a[i] - b[i]
  return differences
}
