import { checkKnown } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { Certificate } from '../../certify/certificate.ts'
import type { RowsInput } from '../../data/matrix/matrix.ts'
import type { Dataset, Labels } from '../../data/table/dataset.ts'
import type { TableInput } from '../../data/table/table-shapes.ts'
import { isLabels, type LabelsInput, type NumbersInput, toDataset } from '../../data/table/to-dataset.ts'
import type { Labelled } from '../../models/labelled.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import { checkRunNumbers, type RunOptions } from '../../solve/driver/run.ts'
import { solveAllSync } from '../../solve/driver/solve-task.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { TracePoint } from '../../solve/driver/trace.ts'
import { fitJob } from '../fitting/fit-job.ts'
import { type FitTask, runFit } from '../fitting/fit-runner.ts'
import { type CheckpointChoice, keeping, keepingSync } from '../fitting/kept-work.ts'
import { checkScalerChoice, type ScalerChoice } from './scaler-choice.ts'

/** What all estimators take. */
export interface EstimatorOptions {
  /** Scale the training data first; the fitted scaler becomes part of the model. Default: leave data as it is. */
  readonly scaler?: ScalerChoice
  /** Seconds of solving after which the best so far is returned. Default: no limit. */
  readonly timeLimit?: number
  /** Seed of everything random. Default 0. */
  readonly seed?: number
}

/** Names of {@link EstimatorOptions}. */
export const estimatorOptionNames = ['scaler', 'timeLimit', 'seed'] as const

/** Callbacks of a fit, and what may end it. */
export type FitHooks = Pick<RunOptions, 'onProgress' | 'signal' | 'trace' | 'onStep' | 'certify'>

/** What `fit` takes beside the data. */
export interface FitOptions extends FitHooks {
  /**
   * Where to keep the state every so often: the same fit, on the same data, then goes on from there after whatever ended
   * it, to the same model. A path in Node, or a store of yours.
   */
  readonly checkpoint?: CheckpointChoice
}

/** Names of {@link FitOptions}. */
export const FIT_OPTIONS = ['onProgress', 'signal', 'trace', 'onStep', 'certify', 'checkpoint'] as const

/** A model fresh from `fit`: its certificate is always there, and so is the trace, which files do not keep. */
export type Fitted<M> = M & {
  readonly certificate: Certificate
  /** The course of the run (one pair of classes after the other); empty unless `trace` was asked for. */
  readonly trace: readonly TracePoint[]
}

/** What labels are to an estimator: classes, numbers to come near to, or nothing: it learns what is normal. */
export type Learns = 'classes' | 'numbers' | 'normal'

/** A task, and how its solutions become a model. */
export interface PreparedFit<M> {
  readonly task: FitTask
  readonly toModel: (solved: Solved) => M
}

/** Samples that need no labels: what one-class estimators learn from. A {@link Dataset} is one. */
export type Unlabelled<S = unknown> = Omit<Dataset<S>, 'labels'>

/** What has such labels. */
type LabelledBy<L extends Labels> = { readonly labels: L }

/** What estimators have in common: they hold checked parameters, and `fit` returns a model. `O` is what `fit` takes. */
export abstract class Estimator<
  D extends Unlabelled,
  M extends object,
  O extends FitOptions & { readonly start?: object } = FitOptions,
> {
  /** What labels are to it. */
  abstract readonly learns: Learns
  /** The settings that were given. */
  abstract readonly options: object

  /** Names of what `fit` takes. */
  protected readonly fitOptionNames: readonly string[] = FIT_OPTIONS

  /** Checks the data and makes the problem of it. */
  protected abstract prepare(dataset: D, options: Omit<O, 'checkpoint'>): PreparedFit<M>

  // One signature for each kind of labels: a generic one could not be called on one of several estimators.
  /** Learns a model from rows and labels, `fit(X, y)`; labels may be the name of a column of a table, or of records. */
  fit(
    rows: RowsInput | TableInput,
    labels: readonly string[],
    options?: O,
  ): Promise<Fitted<Labelled<M, string>>>
  /** Learns a model from rows and numbers, `fit(X, y)`. */
  fit(rows: RowsInput | TableInput, labels: NumbersInput, options?: O): Promise<Fitted<Labelled<M, number>>>
  /** Learns a model from rows and labels of either kind, or the name of a column. */
  fit(rows: RowsInput | TableInput, labels: LabelsInput, options?: O): Promise<Fitted<M>>
  /** Learns a model from a data set whose labels are texts. */
  fit(dataset: D & LabelledBy<readonly string[]>, options?: O): Promise<Fitted<Labelled<M, string>>>
  /** Learns a model from a data set whose labels are numbers. */
  fit(dataset: D & LabelledBy<Float64Array>, options?: O): Promise<Fitted<Labelled<M, number>>>
  /**
   * Learns a model from a data set. In Node the work is done on another thread; in browsers, and for kernels made of
   * functions of yours, on the calling thread in short slices. When `signal` aborts, the best model so far is
   * returned; its certificate says `aborted`.
   */
  fit(dataset: D, options?: O): Promise<Fitted<M>>
  // biome-ignore lint/suspicious/noExplicitAny: which labels a model has is what the signatures say
  async fit(data: D | RowsInput | TableInput, ...rest: [(O | LabelsInput)?, O?]): Promise<any> {
    const { dataset, options } = fitArguments<D, O>(data, rest)
    const { task, toModel } = this.checkAndPrepare(dataset, options)
    return keeping(
      options.checkpoint,
      () => fitJob(this, dataset, options.start),
      async (checkpoint) => fitted(toModel, await runFit(withCheckpoint(task, checkpoint))),
    )
  }

  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: readonly string[], options?: O): Fitted<Labelled<M, string>>
  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: NumbersInput, options?: O): Fitted<Labelled<M, number>>
  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: LabelsInput, options?: O): Fitted<M>
  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(dataset: D & LabelledBy<readonly string[]>, options?: O): Fitted<Labelled<M, string>>
  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(dataset: D & LabelledBy<Float64Array>, options?: O): Fitted<Labelled<M, number>>
  /** As `fit`, on the calling thread and without a pause: for scripts. */
  fitSync(dataset: D, options?: O): Fitted<M>
  // biome-ignore lint/suspicious/noExplicitAny: which labels a model has is what the signatures say
  fitSync(data: D | RowsInput | TableInput, ...rest: [(O | LabelsInput)?, O?]): any {
    const { dataset, options } = fitArguments<D, O>(data, rest)
    const { task, toModel } = this.checkAndPrepare(dataset, options)
    return keepingSync(
      options.checkpoint,
      () => fitJob(this, dataset, options.start),
      (checkpoint) => fitted(toModel, solveAllSync(withCheckpoint(task, checkpoint))),
    )
  }

  /** What `fit` would solve: the optimisation problem of the data, the solver and its settings. */
  task(dataset: D): FitTask {
    return this.checkAndPrepare(dataset, {} as O).task
  }

  private checkAndPrepare(dataset: D, options: O): PreparedFit<M> {
    if (!dataset?.samples || (this.learns !== 'normal' && !(dataset as unknown as Dataset).labels)) {
      const allowed = `{ samples, labels }, which makeDataset(rows, labels) makes${this.learns === 'normal' ? ', or rows' : ''}`
      throw new ParameterError('fit', 'dataset', allowed, dataset)
    }
    checkKnown('fit', options, this.fitOptionNames)
    const { checkpoint: _, ...others } = options
    return this.prepare(dataset, others)
  }
}

/** A data set and options, of `fit(dataset, options)` or `fit(rows, labels, options)`. */
function fitArguments<D, O>(
  data: D | RowsInput | TableInput,
  [second, third]: [(O | LabelsInput)?, O?],
): { readonly dataset: D; readonly options: O } {
  if (!isLabels(second)) return { dataset: data as D, options: (second ?? {}) as O }
  return {
    dataset: toDataset(data as RowsInput | TableInput, second) as unknown as D,
    options: (third ?? {}) as O,
  }
}

function withCheckpoint(task: FitTask, checkpoint: Checkpoint | undefined): FitTask {
  return checkpoint ? { ...task, options: { ...task.options, checkpoint } } : task
}

/** The trace is not the model's own data: it is hung on this one instance, and files do not keep it. */
function fitted<M extends object>(toModel: (solved: Solved) => M, solved: Solved): Fitted<M> {
  return Object.assign(toModel(solved), { trace: solved.trace }) as Fitted<M>
}

/** Checks {@link EstimatorOptions}, and whatever else is handed on to the run. */
export function checkEstimatorOptions(who: string, options: EstimatorOptions): void {
  checkScalerChoice(who, options.scaler)
  checkRunNumbers(who, options)
}
