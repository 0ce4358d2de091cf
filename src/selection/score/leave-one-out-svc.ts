/**
 * Leave-one-out for a two-class kernel machine, exactly, with few fits. Removing a sample with α_i = 0 takes nothing from
 * the optimality conditions of the others: the solution stays, and f(x_i) is the answer. Only support vectors need their own
 * fit; it starts from the solution for all samples, with the α of the one that leaves given to those most like
 * it, so it has not far to go (where the kernel matrix fits the memory).
 *
 * This holds where a sample less changes nothing but itself: no scaler, no 'balanced' class weights, and a kernel whose
 * width does not depend on the data ('scale' does).
 */
import { DataError } from '../../base/errors.ts'
import { Slice } from '../../base/pieces.ts'
import type { Dataset, Label, Labels } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import { binaryTargets } from '../../estimators/parts/class-targets.ts'
import { trainingSamples } from '../../estimators/parts/training-samples.ts'
import { SVC } from '../../estimators/svc.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { kernelMatrix } from '../../kernels/kernel-matrix.ts'
import { rbf } from '../../kernels/rbf.ts'
import { type GeneralForm, generalForm } from '../../problems/general-form.ts'
import { makeProblem } from '../../problems/problem.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import { cacheBytesByDefault } from '../../solve/driver/run.ts'
import {
  type DenseKernel,
  type DensePoint,
  denseGradient,
  denseKernel,
  solveDense,
} from '../../solve/dual/dense-smo.ts'
import { smo } from '../../solve/methods/smo.ts'
import type { Estimator } from '../search/estimator.ts'
import { fitOptions } from '../search/executor.ts'
import { fitOnFold } from './fold-output.ts'

/** The result of leaving out each sample in turn. */
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
  /** Ends the work: values that are not known are NaN. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of finished samples and the total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Memory for the kernel matrix, in bytes. Default: 200 MB. Beyond it, support vectors are fitted without. */
  readonly cacheBytes?: number
  /** Where to save the state. */
  readonly checkpoint?: Checkpoint | undefined
}

/** What a checkpoint holds under this name: how many support vectors are done, and all decisions so far. */
const LEFT_OUT = 'left out'
type LeftOut = { readonly done: number; readonly decisions: Float64Array }

/** Whether leaving a sample out changes nothing but the sample, for the two-class problem this estimator poses. */
export function leavesOthersAlone(estimator: Estimator, data: Dataset<unknown>): estimator is SVC {
  if (!(estimator instanceof SVC) || new Set<Label>(data.labels).size !== 2 || isTable(data.samples))
    return false
  const { scaler, classWeight, kernel = rbf(), solver = 'smo' } = estimator.options
  return scaler === undefined && classWeight !== 'balanced' && solver === 'smo' && !kernel.dependsOnSamples
}

/** Trains without each sample in turn, as far as that is needed. Stops early, with NaN for the rest, on `signal`. */
export async function leaveOneOutValues(
  estimator: SVC,
  data: Dataset<unknown>,
  options: LeaveOneOutOptions = {},
): Promise<LeaveOneOutValues> {
  const { signal, onProgress, cacheBytes = cacheBytesByDefault(), checkpoint } = options
  const { C = 1, kernel = rbf(), classWeight, tol = smo.defaults.tol } = estimator.options
  const targets = binaryTargets('leave-one-out', data, C, classWeight)
  checkPairs(targets.y, targets.C)
  const model = await estimator.fit(data as Dataset<never>, fitOptions(signal, checkpoint, 'all'))
  const decisions = Float64Array.from(model.decisionFunction(data.samples as never))
  const support = model.supportIndices as Uint32Array
  const total = decisions.length

  let withoutSample = (i: number): number | Promise<number> =>
    fitWithout(estimator, data, i, fitOptions(signal, checkpoint, LEFT_OUT))
  if (8 * total * total <= cacheBytes) {
    const { samples } = trainingSamples('leave-one-out', data, kernel as AnyKernel, undefined)
    const problem = makeProblem({ samples, kernel: kernel as AnyKernel, y: targets.y, C: targets.C })
    const beta = new Float64Array(total)
    support.forEach((i, s) => {
      beta[i] = model.dualCoef[s]
    })
    const machine = denseKernel(kernelMatrix(problem.kernel, problem.samples).values)
    const form = generalForm(problem)
    const v = denseGradient(machine, form.target, beta)
    withoutSample = (i) => solveWithout(machine, form, { beta, v }, i, tol)
  }
  const known = signal?.aborted ? undefined : (checkpoint?.get(LEFT_OUT) as LeftOut | undefined)
  if (known) decisions.set(known.decisions)
  const slice = new Slice()
  for (let s = known?.done ?? 0; s < support.length; s++) {
    const i = support[s]
    decisions[i] = signal?.aborted ? Number.NaN : await withoutSample(i)
    if (!signal?.aborted && checkpoint?.isDue) {
      checkpoint.put(LEFT_OUT, { done: s + 1, decisions } satisfies LeftOut)
    }
    if (slice.isOver) {
      onProgress?.(total - support.length + s + 1, total)
      await slice.next()
    }
  }
  return { decisions, predicted: model.labelsOf(decisions), fits: 1 + support.length }
}

/** f(x_i) of the machine in whose box variable i has no room, found from the solution that has it. */
function solveWithout(
  machine: DenseKernel,
  { lower, upper, target }: GeneralForm,
  solution: DensePoint,
  i: number,
  tol: number,
): number {
  const { size, values } = machine
  const box = { lower: lower.with(i, 0), upper: upper.with(i, 0) }
  const likeness = values.subarray(i * size, (i + 1) * size)
  const beta = startWithout(box, solution.beta, i, likeness)
  const v = solution.v.slice()
  for (let j = 0; j < size; j++) {
    const change = beta[j] - solution.beta[j]
    if (change === 0) continue
    const row = values.subarray(j * size, (j + 1) * size)
    for (let k = 0; k < size; k++) v[k] -= change * row[k]
  }
  const { bias } = solveDense(machine, box, { beta, v }, tol, smo.defaults.maxIter(size))
  return target[i] - v[i] + bias
}

/**
 * β without entry i, and feasible: Σ β is kept by giving β_i to samples of its class that have room, those most like it
 * first; what finds no room is taken from the other class.
 */
function startWithout(
  { lower, upper }: Pick<GeneralForm, 'lower' | 'upper'>,
  beta: Float64Array,
  i: number,
  likeness: Float64Array,
): Float64Array {
  const start = beta.slice()
  let rest = start[i]
  start[i] = 0
  while (rest !== 0) {
    let nearest = -1
    for (let j = 0; j < start.length; j++) {
      const hasRoom = rest > 0 ? start[j] < upper[j] : start[j] > lower[j]
      if (hasRoom && (nearest < 0 || likeness[j] > likeness[nearest])) nearest = j
    }
    // Rounding may leave a rest that no variable has room for.
    if (nearest < 0) break
    const room = rest > 0 ? upper[nearest] - start[nearest] : lower[nearest] - start[nearest]
    const all = Math.abs(rest) <= Math.abs(room)
    // To the bound exactly, not all but: there must be one sample less with room.
    start[nearest] = all ? start[nearest] + rest : rest > 0 ? upper[nearest] : lower[nearest]
    rest = all ? 0 : rest - room
  }
  return start
}

/** The same by a fit on the other samples, where the kernel matrix does not fit the memory. */
async function fitWithout(
  estimator: SVC,
  data: Dataset<unknown>,
  i: number,
  options: ReturnType<typeof fitOptions>,
): Promise<number> {
  const others = Uint32Array.from({ length: data.labels.length - 1 }, (_, k) => (k < i ? k : k + 1))
  const fold = { train: others, test: Uint32Array.of(i) }
  const { output } = await fitOnFold(estimator, data, fold, options)
  return (output.decisions as Float64Array)[0]
}

/** Each class must be left when one of its samples goes. */
function checkPairs(y: Float64Array, C: Float64Array): void {
  for (const sign of [-1, 1]) {
    if (y.filter((own, i) => own === sign && C[i] > 0).length < 2) {
      throw new DataError('leave-one-out: each class needs at least 2 samples')
    }
  }
}
