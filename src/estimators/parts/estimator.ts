import { checkKnown, checkNumber, type NumberRange } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { Certificate } from '../../certify/certificate.ts'
import type { RowsInput } from '../../data/matrix/matrix.ts'
import type { Dataset, Labels } from '../../data/table/dataset.ts'
import type { TableInput } from '../../data/table/table-shapes.ts'
import { isLabels, type LabelsInput, type NumbersInput, toDataset } from '../../data/table/to-dataset.ts'
import type { Labelled } from '../../models/labelled.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import type { FoundPoint } from '../../solve/driver/found-point.ts'
import { checkRunNumbers, type RunOptions } from '../../solve/driver/run.ts'
import { solveAll, solveAllSync } from '../../solve/driver/solve-task.ts'
import type { Solved } from '../../solve/driver/solved.ts'
import type { TracePoint } from '../../solve/driver/trace.ts'
import { fitJob } from '../fitting/fit-job.ts'
import { type FitTask, runFit } from '../fitting/fit-runner.ts'
import { type CheckpointChoice, keeping, keepingSync } from '../fitting/kept-work.ts'
import { checkOptionNames } from './option-names.ts'
import { checkScalerChoice, type ScalerChoice } from './scaler-choice.ts'

/** Options of all estimators. */
export interface EstimatorOptions {
  /** Scale the training data first; the fitted scaler becomes part of the model. Default: no scaling. */
  readonly scaler?: ScalerChoice
  /** Limit on the solving time in seconds; the best solution so far is then returned. Default: no limit. */
  readonly timeLimit?: number
  /** Seed of all random numbers. Default 0. */
  readonly seed?: number
}

/** What an estimator takes beside {@link EstimatorOptions}. */
export interface OwnOptions {
  /** Numbers of its own, and what they may be. */
  readonly numbers?: Readonly<Record<string, NumberRange>>
  /** Names of others, which are checked where they are used; `more` come last in messages. */
  readonly names?: readonly string[]
  readonly more?: readonly string[]
}

/** Callbacks of a fit, and what may end it. */
export type FitHooks = Pick<RunOptions, 'onProgress' | 'signal' | 'trace' | 'onStep' | 'certify'>

/** Options of `fit`. */
export interface FitOptions extends FitHooks {
  /**
   * Where to save the state regularly: the same fit on the same data then resumes from there, with the same result. A path in
   * Node, or your own store.
   */
  readonly checkpoint?: CheckpointChoice
}

/** Names of {@link FitOptions}. */
export const FIT_OPTIONS = ['onProgress', 'signal', 'trace', 'onStep', 'certify', 'checkpoint'] as const

/** A model returned by `fit`: it always has a certificate and a trace, which files do not contain. */
export type Fitted<M> = M & {
  readonly certificate: Certificate
  /** The history of the run (one pair of classes after the other); empty unless `trace` was requested. */
  readonly trace: readonly TracePoint[]
}

/** What an estimator learns from labels: classes, numbers, or nothing (it learns what is normal). */
export type Learns = 'classes' | 'numbers' | 'normal'

/** A task, and how its solutions become a model. */
export interface PreparedFit<M> {
  readonly task: FitTask
  readonly toModel: (solved: Solved) => M
}

/** Samples without labels, for one-class estimators. A {@link Dataset} is accepted. */
export type Unlabelled<S = unknown> = Omit<Dataset<S>, 'labels'>

/** What has such labels. */
type LabelledBy<L extends Labels> = { readonly labels: L }

/**
 * Base of all estimators: they hold checked parameters, and `fit` returns a model. `O` is the type of the options of `fit`, `P` that of
 * its own, and `I` what it may be given in place of a data set.
 */
export abstract class Estimator<
  D extends Unlabelled,
  M extends object,
  O extends FitOptions & { readonly start?: object } = FitOptions,
  P extends EstimatorOptions = EstimatorOptions,
  I = D,
> {
  /** What it learns from labels: classes, numbers, or nothing. */
  abstract readonly learns: Learns
  /** The options that were passed to the constructor. */
  readonly options: P
  /** Its name, for messages. */
  protected readonly who: string

  constructor(who: string, options: P, { numbers = {}, names = [], more = [] }: OwnOptions) {
    const ofAll = ['scaler', 'timeLimit', 'seed']
    checkOptionNames(who, options, [...Object.keys(numbers), ...names, ...ofAll, ...more])
    for (const [name, range] of Object.entries(numbers)) {
      const value = (options as Readonly<Record<string, unknown>>)[name]
      if (value !== undefined && value !== null) checkNumber(who, name, value, range)
    }
    checkScalerChoice(who, options.scaler)
    checkRunNumbers(who, options)
    this.who = who
    this.options = options
  }

  /** Names of what `fit` takes. */
  protected readonly fitOptionNames: readonly string[] = FIT_OPTIONS

  /** Checks the data and makes the problem of it. */
  protected abstract prepare(dataset: D, options: Omit<O, 'checkpoint'>): PreparedFit<M>

  // One signature for each kind of labels: a generic one could not be called on one of several estimators.
  /** Trains a model on rows and labels, `fit(X, y)`; for tables and records, `labels` may be the name of a column. */
  fit(
    rows: RowsInput | TableInput,
    labels: readonly string[],
    options?: O,
  ): Promise<Fitted<Labelled<M, string>>>
  /** Trains a model on rows and targets, `fit(X, y)`. */
  fit(rows: RowsInput | TableInput, labels: NumbersInput, options?: O): Promise<Fitted<Labelled<M, number>>>
  /** Trains a model on rows and labels (numbers or strings), or the name of the label column. */
  fit(rows: RowsInput | TableInput, labels: LabelsInput, options?: O): Promise<Fitted<M>>
  /** Trains a model on a data set whose labels are strings. */
  fit(dataset: D & LabelledBy<readonly string[]>, options?: O): Promise<Fitted<Labelled<M, string>>>
  /** Trains a model on a data set whose labels are numbers. */
  fit(dataset: D & LabelledBy<Float64Array>, options?: O): Promise<Fitted<Labelled<M, number>>>
  /**
   * Trains a model on a data set. In Node this runs on another thread; in browsers, and for custom kernels, on the calling
   * thread in short slices. When `signal` is aborted, the best model so far is returned; its certificate has the stop reason
   * `aborted`.
   */
  fit(dataset: I, options?: O): Promise<Fitted<M>>
  // biome-ignore lint/suspicious/noExplicitAny: which labels a model has is what the signatures say
  async fit(data: D | I | RowsInput | TableInput, ...rest: [(O | LabelsInput)?, O?]): Promise<any> {
    const { dataset, options } = this.fitArguments(data, rest)
    const { task, toModel } = this.checkAndPrepare(dataset, options)
    return keeping(
      options.checkpoint,
      () => fitJob(this, dataset, options.start),
      async (checkpoint) => fitted(toModel, await runFit(withCheckpoint(task, checkpoint))),
    )
  }

  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: readonly string[], options?: O): Fitted<Labelled<M, string>>
  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: NumbersInput, options?: O): Fitted<Labelled<M, number>>
  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(rows: RowsInput | TableInput, labels: LabelsInput, options?: O): Fitted<M>
  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(dataset: D & LabelledBy<readonly string[]>, options?: O): Fitted<Labelled<M, string>>
  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(dataset: D & LabelledBy<Float64Array>, options?: O): Fitted<Labelled<M, number>>
  /** Like `fit`, but synchronous, on the calling thread: for scripts. */
  fitSync(dataset: I, options?: O): Fitted<M>
  // biome-ignore lint/suspicious/noExplicitAny: which labels a model has is what the signatures say
  fitSync(data: D | I | RowsInput | TableInput, ...rest: [(O | LabelsInput)?, O?]): any {
    const { dataset, options } = this.fitArguments(data, rest)
    const { task, toModel } = this.checkAndPrepare(dataset, options)
    return keepingSync(
      options.checkpoint,
      () => fitJob(this, dataset, options.start),
      (checkpoint) => fitted(toModel, solveAllSync(withCheckpoint(task, checkpoint))),
    )
  }

  /**
   * Like `fit`, where others have found what may be the solution. Measuring it is all that is left to do as a rule, so it is done on the
   * calling thread.
   */
  async fitFound(dataset: D, found: readonly FoundPoint[], options: O): Promise<Fitted<M>> {
    const { task, toModel } = this.checkAndPrepare(dataset, options)
    return keeping(
      options.checkpoint,
      () => fitJob(this, dataset),
      async (checkpoint) => fitted(toModel, await solveAll({ ...withCheckpoint(task, checkpoint), found })),
    )
  }

  /** What `fit` would solve: the optimisation problem for the data, the solver and its settings. */
  task(dataset: D): FitTask {
    return this.checkAndPrepare(dataset, {} as O).task
  }

  /** The data set that `fit` was given, or that rows and labels make. */
  protected datasetOf(data: D | I | RowsInput | TableInput, labels?: LabelsInput): D {
    if (labels === undefined) return data as D
    return toDataset(data as RowsInput | TableInput, labels) as unknown as D
  }

  /** A data set and options, of `fit(dataset, options)` or `fit(rows, labels, options)`. */
  private fitArguments(
    data: D | I | RowsInput | TableInput,
    [second, third]: [(O | LabelsInput)?, O?],
  ): { readonly dataset: D; readonly options: O } {
    if (isLabels(second)) return { dataset: this.datasetOf(data, second), options: (third ?? {}) as O }
    return { dataset: this.datasetOf(data), options: (second ?? {}) as O }
  }

  private checkAndPrepare(dataset: D, options: O): PreparedFit<M> {
    if (!dataset?.samples || (this.learns !== 'normal' && !(dataset as unknown as Dataset).labels)) {
      const allowed = `{ samples, labels } from makeDataset(rows, labels)${this.learns === 'normal' ? ', or rows' : ''}`
      throw new ParameterError('fit', 'dataset', allowed, dataset)
    }
    checkKnown('fit', options, this.fitOptionNames)
    const { checkpoint: _, ...others } = options
    return this.prepare(dataset, others)
  }
}

function withCheckpoint(task: FitTask, checkpoint: Checkpoint | undefined): FitTask {
  return checkpoint ? { ...task, options: { ...task.options, checkpoint } } : task
}

/** The trace is not the model's own data: it is hung on this one instance, and files do not keep it. */
function fitted<M extends object>(toModel: (solved: Solved) => M, solved: Solved): Fitted<M> {
  return Object.assign(toModel(solved), { trace: solved.trace }) as Fitted<M>
}
