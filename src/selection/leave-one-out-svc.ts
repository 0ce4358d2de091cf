/**
 * Leave-one-out for a two-class kernel machine, exactly, with few fits. Removing a sample with α_i = 0 takes nothing from
 * the optimality conditions of the others: the solution stays, and f(x_i) is the answer. Only support vectors need a fit
 * of their own; it starts from the solution for all samples, with the α of the one that leaves given to those most like
 * it, so it has not far to go. The kernel matrix is computed once where it fits the memory.
 *
 * This holds where a sample less changes nothing but itself: no scaler, no 'balanced' class weights, and a kernel whose
 * width does not depend on the data ('scale' does).
 */
import { DataError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import { type Dataset, type Label, type Labels, sampleCount } from '../data/dataset.ts'
import { binaryTargets } from '../estimators/class-targets.ts'
import { SVC } from '../estimators/svc.ts'
import { trainingSamples } from '../estimators/training-samples.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { kernelMatrix } from '../kernels/kernel-matrix.ts'
import { precomputed, precomputedSamples } from '../kernels/precomputed.ts'
import { rbf } from '../kernels/rbf.ts'
import type { BoxDual } from '../problems/box-dual.ts'
import { boxDualOf } from '../problems/box-form.ts'
import { makeProblem } from '../problems/problem.ts'
import { smo } from '../solvers/smo.ts'
import { runPairs } from '../solvers/smo-pairs.ts'
import type { Estimator } from './estimator.ts'

/** What leaving out each sample in turn leads to. */
export interface LeaveOneOutValues {
  /** f(x_i) of the machine that was trained without sample i. */
  readonly decisions: Float64Array
  /** The classes they stand for. */
  readonly predicted: Labels
  /** Machines trained: one for all samples, one for each support vector. */
  readonly fits: number
}

/** How {@link leaveOneOutValues} works. */
export interface LeaveOneOutOptions {
  readonly signal?: AbortSignal | undefined
  /** Hears how many samples are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Memory for the kernel matrix, in bytes; 200 MB unless given. Beyond it, rows are computed when needed. */
  readonly cacheBytes?: number
}

const SLICE_MS = 12

/** Whether leaving a sample out changes nothing but the sample, for the two-class problem this estimator poses. */
export function leavesOthersAlone(estimator: Estimator, data: Dataset): estimator is SVC {
  if (!(estimator instanceof SVC) || new Set<Label>(data.labels).size !== 2) return false
  const { scaler, classWeight, kernel = rbf(), solver = 'smo' } = estimator.options
  return scaler === undefined && classWeight !== 'balanced' && solver === 'smo' && !dependsOnData(kernel)
}

function dependsOnData({ spec }: AnyKernel): boolean {
  return JSON.stringify(spec).includes('"gamma":"scale"')
}

/** Trains without each sample in turn, as far as that is needed. Stops early, with NaN for the rest, on `signal`. */
export async function leaveOneOutValues(
  estimator: SVC,
  data: Dataset,
  options: LeaveOneOutOptions = {},
): Promise<LeaveOneOutValues> {
  const { signal, onProgress, cacheBytes = 200e6 } = options
  const { C = 1, kernel = rbf(), classWeight, tol = smo.defaults.tol } = estimator.options
  const targets = binaryTargets('leave-one-out', data, C, classWeight)
  checkPairs(targets.y, targets.C)
  const model = await estimator.fit(data as Dataset<never>, signal ? { signal } : {})
  const decisions = Float64Array.from(model.decisionFunction(data.samples as never))
  const support = model.supportIndices as Uint32Array
  const beta = new Float64Array(decisions.length)
  support.forEach((i, s) => {
    beta[i] = model.dualCoef[s]
  })

  const { samples } = trainingSamples('leave-one-out', data, kernel as AnyKernel, undefined)
  const problem = makeProblem({ samples, kernel: kernel as AnyKernel, ...targets })
  const dual = withMatrix(boxDualOf(problem), cacheBytes)
  const nearest = dual.kernel.between(dual.samples, dual.samples)
  const likeness = new Float64Array(beta.length)
  const total = beta.length
  const others = total - support.length
  let sliceStart = performance.now()
  for (let s = 0; s < support.length; s++) {
    const i = support[s]
    if (signal?.aborted) {
      for (const left of support.subarray(s)) decisions[left] = Number.NaN
      break
    }
    nearest.row(i, likeness)
    decisions[i] = valueWithout(dual, i, startWithout(dual, beta, i, likeness), tol, cacheBytes)
    if (performance.now() - sliceStart > SLICE_MS) {
      onProgress?.(others + s + 1, total)
      await new Promise((resolve) => setTimeout(resolve))
      sliceStart = performance.now()
    }
  }
  return { decisions, predicted: model.labelsOf(decisions), fits: 1 + support.length }
}

/** f(x_i) of the machine in whose box variable i has no room. */
function valueWithout(
  dual: BoxDual,
  i: number,
  start: Float64Array,
  tol: number,
  cacheBytes: number,
): number {
  const without: BoxDual = {
    ...dual,
    lower: dual.lower.with(i, 0),
    upper: dual.upper.with(i, 0),
    start,
  }
  const context = {
    tol,
    maxIter: Number.POSITIVE_INFINITY,
    pauseAt: Number.POSITIVE_INFINITY,
    random: new Random(0),
    cacheBytes,
    threads: 1,
    onStep: undefined,
  }
  const run = runPairs(without, context, 'f64', false)
  const { value: state } = run.next() as { value: { readonly bias: number } }
  for (;;) {
    const { done, value } = run.next()
    if (!done) continue
    const { values, unbounded } = value as { values?: Float64Array; unbounded?: boolean }
    if (unbounded || !values) {
      throw new DataError(`leave-one-out: without sample ${i} the hard-margin problem has no solution`)
    }
    return values[i] + state.bias
  }
}

/**
 * β without entry i, and feasible: Σ β is kept by giving β_i to samples of its class that have room, those most like it
 * first; what finds no room is taken from the other class.
 */
function startWithout(dual: BoxDual, beta: Float64Array, i: number, likeness: Float64Array): Float64Array {
  const { lower, upper } = dual
  const start = beta.slice()
  let rest = start[i]
  start[i] = 0
  const order = Uint32Array.from(beta.keys())
    .filter((j) => j !== i)
    .sort((a, b) => likeness[b] - likeness[a])
  for (const j of order) {
    const room = rest > 0 ? upper[j] - start[j] : lower[j] - start[j]
    const moved = rest > 0 ? Math.min(rest, room) : Math.max(rest, room)
    start[j] += moved
    rest -= moved
    if (rest === 0) break
  }
  return start
}

/** The same problem with its kernel values in a table, where that fits. */
function withMatrix(dual: BoxDual, cacheBytes: number): BoxDual {
  const count = sampleCount(dual.samples)
  if (8 * count * (count + 1) > cacheBytes) return dual
  const samples = precomputedSamples(kernelMatrix(dual.kernel, dual.samples))
  return { ...dual, samples, kernel: precomputed() }
}

/** Each class must be left when one of its samples goes. */
function checkPairs(y: Float64Array, C: Float64Array): void {
  for (const sign of [-1, 1]) {
    if (y.filter((own, i) => own === sign && C[i] > 0).length < 2) {
      throw new DataError('leave-one-out: each class needs at least 2 samples')
    }
  }
}
