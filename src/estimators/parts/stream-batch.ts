/** `partialFit`: one batch of a stream at a time; what it means is in ../../solve/stream/batch-ascent.ts. */
import { checkKnown } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import { type Matrix, type RowsInput, toMatrix } from '../../data/matrix/matrix.ts'
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { TrainingSettings } from '../../models/model-parts.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import { ascendBatch, type BatchResult } from '../../solve/stream/batch-ascent.ts'
import { type LinearModel, linearStart } from './linear-start.ts'
import { fitScaler, type ScalerChoice } from './scaler-choice.ts'

/** What `partialFit` takes beside the batch. */
export interface PartialFitOptions {
  /** The model so far; none for the first batch. */
  readonly start?: LinearModel & { readonly stream?: StreamReport }
  /** Classes that will come beside those of the model and of the batch, known beforehand or not. */
  readonly classes?: readonly Label[]
}

/** What is known of a stream after a batch. */
export interface StreamReport {
  /** Samples and batches that came, beside those of a model of `fit` or of a file. */
  readonly samples: number
  readonly batches: number
  /**
   * What is certain, up to rounding: no w has a lower value of the problem over all samples that came, all functions together. How
   * far above it the model is cannot be known without the earlier samples. NaN where the stream began with a model of `fit` or of
   * a file.
   */
  readonly bound: number
  /** The mean loss of samples at the moment they came, before the model was trained on them: an estimate for samples to come. */
  readonly progressiveLoss: number
  /** Of the latest batch: the largest gap that its step leaves, as a part of its value, and the most epochs that it took. */
  readonly gap: number
  readonly epochs: number
  /** Σ L*(β) of each function, of which the bound is made. */
  readonly conjugates: Float64Array
}

/** A model of a stream. Files do not keep the report. */
export type Streamed<M> = M & { readonly stream: StreamReport }

/** The gap of the step on a batch: a batch that is solved exactly is forgotten as soon. */
const DEFAULT_TOL = 1e-3
const MOST_EPOCHS = 100

/** What a step on a batch needs. */
export interface StreamSettings {
  readonly type: LinearModel['type']
  readonly scaler: ScalerChoice | undefined
  readonly constant: number
  readonly seed: number
  readonly tol: number | undefined
  readonly maxIter: number | undefined
  readonly settings: TrainingSettings
}

/** The problem of one function: the losses of the samples of a batch. */
export type BatchTerms = (machine: number) => LossTerms

/** What a batch makes of the functions: what a model is made of, and the report. */
export interface BatchParts {
  readonly coef: Float64Array
  readonly biases: Float64Array
  readonly features: number
  readonly featureNames: readonly string[] | undefined
  readonly scaler: Scaler | undefined
  readonly training: TrainingSettings
  readonly stream: StreamReport
}

/** Checks what `partialFit` was given. */
export function checkBatch({ samples, labels }: Dataset<never>, options: PartialFitOptions): void {
  checkKnown('partialFit', options, ['start', 'classes'])
  if (!samples || !labels) {
    throw new ParameterError(
      'partialFit',
      'batch',
      'must be { samples, labels }: use makeDataset(rows, labels)',
    )
  }
  if (labels.length === 0) throw new DataError('partialFit: the batch has no samples')
}

/** Learns a batch. `classes` are those of the functions, for classifiers; `keepsBound` says whether earlier β are a dual point still. */
export function learnBatch(
  batch: Dataset<never>,
  { start }: PartialFitOptions,
  { type, constant, seed, tol = DEFAULT_TOL, maxIter = MOST_EPOCHS, settings, ...own }: StreamSettings,
  functions: { readonly count: number; readonly classes?: readonly Label[]; readonly keepsBound: boolean },
  termsOf: BatchTerms,
): BatchParts {
  const rows = toMatrix(batch.samples as RowsInput)
  const scaler = start ? start.scaler : own.scaler && fitScaler(own.scaler, rows)
  const samples = widened(scaler ? applyScaler(scaler, rows) : rows, start)
  const { cols } = samples
  const { count, classes } = functions
  const { featureNames } = batch
  const missing = featureNames && start?.featureNames?.find((name) => !featureNames.includes(name))
  if (missing !== undefined) throw new DataError(`partialFit: the batch lacks the feature ${show(missing)}`)
  const place = { samples, scaler, featureNames, ...(classes && { classes }), settings, who: 'partialFit' }
  const weights = start ? linearStart(start, type, place).weights : new Float64Array(count * (cols + 1))
  const before = start?.stream
  const random = new Random(seed + (before?.batches ?? 0))
  const conjugates = carriedSums(start, classes, count)
  const coef = new Float64Array(count * cols)
  const biases = new Float64Array(count)
  const results: BatchResult[] = []
  let bound = 0
  for (let m = 0; m < count; m++) {
    const u = weights.subarray(m * (cols + 1), (m + 1) * (cols + 1))
    u[cols] = constant > 0 ? u[cols] / constant : 0
    const result = ascendBatch(samples, termsOf(m), constant, u, random, { tol, maxEpochs: maxIter })
    results.push(result)
    conjugates[m] = functions.keepsBound ? conjugates[m] + result.conjugates : Number.NaN
    bound -= conjugates[m] + u.reduce((sum, weight) => sum + 0.5 * weight * weight, 0)
    coef.set(u.subarray(0, cols), m * cols)
    biases[m] = constant * u[cols]
  }
  const total = (before?.samples ?? 0) + samples.rows
  const { C = 1 } = settings
  const loss = results.reduce((sum, { lossBefore }) => sum + lossBefore, 0) / C
  return {
    ...{ coef, biases, scaler, features: cols, featureNames: featureNames ?? start?.featureNames },
    training: {
      ...settings,
      samples: (start?.training?.samples ?? 0) + samples.rows,
      fromDual: false,
    },
    stream: {
      samples: total,
      batches: (before?.batches ?? 0) + 1,
      bound,
      progressiveLoss: ((before?.progressiveLoss ?? 0) * (total - samples.rows) + loss) / total,
      gap: Math.max(...results.map(({ gap }) => gap)),
      epochs: Math.max(...results.map(({ epochs }) => epochs)),
      conjugates,
    },
  }
}

/** Sparse batches may be narrower than the model. */
function widened(samples: Matrix, start: LinearModel | undefined): Matrix {
  const known = start ? start.coef.length / start.biases.length : 0
  return samples.kind === 'sparse' && samples.cols < known ? { ...samples, cols: known } : samples
}

/** Σ L*(β) of the functions so far: the one of two classes is each of them against the rest, and a new class has β = 0. */
function carriedSums(
  start: PartialFitOptions['start'],
  classes: readonly Label[] | undefined,
  count: number,
): Float64Array {
  if (!start) return new Float64Array(count)
  const { conjugates } = start.stream ?? {}
  if (!conjugates) return new Float64Array(count).fill(Number.NaN)
  if (conjugates.length === 1 && count === 1) return conjugates.slice()
  const known = (start as { readonly classes?: readonly Label[] }).classes ?? []
  return Float64Array.from(classes ?? [], (label) => {
    const c = known.indexOf(label)
    return c < 0 ? 0 : conjugates[conjugates.length === 1 ? 0 : c]
  })
}
