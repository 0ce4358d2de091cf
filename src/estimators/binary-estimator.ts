import { checkKnown, checkNumber } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Dataset } from '../data/dataset.ts'
import type { ClassifierModel } from '../models/classifier-model.ts'
import type { Certificate } from '../problems/certificate.ts'
import type { RunOptions, SolveResult } from '../solvers/run.ts'
import { solveAllSync } from '../solvers/solve-all.ts'
import type { TracePoint } from '../solvers/trace.ts'
import { type ClassWeight, checkClassWeight } from './binary-targets.ts'
import { type FitTask, runFit } from './fit-runner.ts'
import { checkScalerChoice, type ScalerChoice } from './scaler-choice.ts'

/** What all two-class estimators take. */
export interface BinaryEstimatorOptions {
  /** What multiplies C for each class. Default: 1 for both. */
  readonly classWeight?: ClassWeight
  /** Scale the training data first; the fitted scaler becomes part of the model. Default: leave data as it is. */
  readonly scaler?: ScalerChoice
  /** Seconds of solving after which the best so far is returned. Default: no limit. */
  readonly timeLimit?: number
  /** Seed of everything random. Default 0. */
  readonly seed?: number
}

/** Names of {@link BinaryEstimatorOptions}. */
export const binaryEstimatorOptionNames = ['classWeight', 'scaler', 'timeLimit', 'seed'] as const

/** What `fit` takes beside the data. */
export type FitOptions = Pick<RunOptions, 'onProgress' | 'signal' | 'trace' | 'onStep'>

/** A model fresh from `fit`: its certificate is always there, and so is the trace, which files do not keep. */
export type Fitted<M> = M & {
  readonly certificate: Certificate
  /** The course of the run (one pair of classes after the other); empty unless `trace` was asked for. */
  readonly trace: readonly TracePoint[]
}

/** A task, and how its solution becomes a model. */
export interface PreparedFit<M> {
  readonly task: FitTask
  readonly toModel: (results: readonly SolveResult[]) => M
}

/** What two-class estimators have in common: they hold checked parameters, and `fit` returns a model. */
export abstract class BinaryEstimator<S, M extends ClassifierModel<S>> {
  /** Checks the data and makes the problem of it. */
  protected abstract prepare(dataset: Dataset<S>, options: FitOptions): PreparedFit<M>

  /**
   * Learns a model from a data set with two classes. In Node the work is done on another thread; in browsers, and
   * for kernels made of functions of yours, on the calling thread in short slices. When `signal` aborts, the best
   * model so far is returned; its certificate says `aborted`.
   */
  async fit(dataset: Dataset<S>, options: FitOptions = {}): Promise<Fitted<M>> {
    checkFitArguments(dataset, options)
    const { task, toModel } = this.prepare(dataset, options)
    return fitted(toModel, await runFit(task))
  }

  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(dataset: Dataset<S>, options: FitOptions = {}): Fitted<M> {
    checkFitArguments(dataset, options)
    const { task, toModel } = this.prepare(dataset, options)
    return fitted(toModel, solveAllSync(task.problem, task.solver, task.solverOptions, task.options))
  }
}

function checkFitArguments(dataset: Dataset, options: FitOptions): void {
  if (!dataset?.samples || !dataset.labels) {
    const allowed = '{ samples, labels }, which makeDataset(rows, labels) makes'
    throw new ParameterError('fit', 'dataset', allowed, dataset)
  }
  checkKnown('fit', options, ['onProgress', 'signal', 'trace', 'onStep'])
}

/** The trace is not the model's own data: it is hung on this one instance, and files do not keep it. */
function fitted<M extends object>(
  toModel: (results: readonly SolveResult[]) => M,
  results: readonly SolveResult[],
): Fitted<M> {
  return Object.assign(toModel(results), { trace: results.flatMap(({ trace }) => trace) }) as Fitted<M>
}

/** Checks {@link BinaryEstimatorOptions}. */
export function checkBinaryEstimatorOptions(who: string, options: BinaryEstimatorOptions): void {
  const { classWeight, scaler, timeLimit, seed } = options
  checkClassWeight(who, classWeight)
  checkScalerChoice(who, scaler)
  if (timeLimit !== undefined) checkNumber(who, 'timeLimit', timeLimit, { min: 0, infinite: true })
  if (seed !== undefined) checkNumber(who, 'seed', seed, { integer: true })
}
