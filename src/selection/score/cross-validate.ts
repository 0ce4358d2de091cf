/** How good an estimator is on data it has not seen: fits on folds, scores, and what was said of each sample. */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import { type Dataset, type Label, type Labels, sampleCount } from '../../data/table/dataset.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'
import { fitJob } from '../../estimators/fitting/fit-job.ts'
import { type CheckpointChoice, keeping } from '../../estimators/fitting/kept-work.ts'
import type { SVC } from '../../estimators/svc.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import type { Estimator } from '../search/estimator.ts'
import { onOneThread } from '../search/estimator-params.ts'
import { inProcessExecutor } from '../search/executor.ts'
import { sharedFolds } from '../share/shared-folds.ts'
import { type Fold, pickLabels } from '../split/splits.ts'
import { meanOf } from './evaluate-cells.ts'
import { foldsFor, protocolDefaults, scorersFor } from './evaluation-setup.ts'
import { classesOf, type FoldOutput, joinOutputs, scoreInputOf } from './fold-output.ts'
import { type LeaveOneOutOptions, leaveOneOutValues, leavesOthersAlone } from './leave-one-out-svc.ts'
import { chosenProtocol, type ProtocolChoice, protocolSettings } from './protocols.ts'
import type { ScoreMean } from './score-train-and-test.ts'
import type { Scorer, Scoring } from './scoring.ts'

/** Options of {@link crossValidate}. */
export interface CrossValidateOptions extends ProtocolChoice {
  /** One score or several. Default: 'accuracy' for classes and 'r2' for targets. */
  readonly scoring?: Scoring | readonly Scoring[]
  /** Seed of the folds, for protocols that do not name one of their own. Default: 0. */
  readonly seed?: number
  /**
   * Ends the work and returns the finished folds, with `complete: false`; if there are none, the promise is rejected with the
   * reason of the signal.
   */
  readonly signal?: AbortSignal
  /** Called with the number of finished fits (for leave-one-out: samples) and the total. */
  readonly onProgress?: (done: number, total: number) => void
  /** Where to save the state regularly; the same call resumes from it. See `fit`. */
  readonly checkpoint?: CheckpointChoice | undefined
  /** Fits at a time. Default: as many as there are cores. The result is the same. */
  readonly threads?: number
}

/** One score over the folds. */
export interface ScoreSummary extends ScoreMean {
  readonly name: string
  readonly greaterIsBetter: boolean
  /** One score per fold; for leave-one-out one per sample, if the score is a mean over samples. */
  readonly scores: readonly number[]
}

/** Predictions for each sample by a model that was not trained on it (the first such model, if there are several). */
export interface OutOfFold {
  /** The samples that were tested, ascending. */
  readonly indices: Uint32Array
  readonly truth: Labels
  readonly predicted: Labels
  readonly decisions?: Float64Array | undefined
}

/** The result of {@link crossValidate}. */
export interface CrossValidation {
  /** The requested scores, in the given order. */
  readonly scores: readonly ScoreSummary[]
  readonly outOfFold: OutOfFold
  /** For each fold: its number of samples, its time, and the stop reason of its solver. */
  readonly folds: readonly FoldSummary[]
  /** Number of models that were trained. */
  readonly fits: number
  /** False if `signal` ended the work before all folds were finished. */
  readonly complete: boolean
}

/** One fold in numbers. */
export interface FoldSummary {
  readonly train: number
  readonly test: number
  readonly seconds: number
  readonly stopReason?: string | undefined
}

/** Names of {@link CrossValidateOptions}. */
export const crossValidateOptionNames = [
  ...['protocol', 'folds', 'scoring', 'seed', 'signal', 'onProgress', 'threads', 'checkpoint'],
]

/** Scores that are means over samples: of single samples, too, they make sense. */
const MEANS = ['accuracy', 'mse', 'mae']

/**
 * Evaluates an estimator. Everything it does to the data, scaling included, is done anew for each fold from its training side.
 * Leave-one-out of a kernel machine trains again only where the answer could change.
 *
 * @example
 * const { scores } = await crossValidate(new SVC({ C: 10 }), train, { scoring: 'f1', seed: 1 })
 */
export async function crossValidate(
  estimator: Estimator,
  data: Dataset<unknown>,
  options: CrossValidateOptions = {},
): Promise<CrossValidation> {
  const who = 'crossValidate'
  checkKnown(who, options, crossValidateOptionNames)
  const { seed = 0, signal, onProgress } = options
  if (typeof estimator?.fit !== 'function') {
    throw new ParameterError(who, 'estimator', 'an estimator such as new SVC()', estimator)
  }
  const threads = checkNumber(who, 'threads', options.threads ?? availableThreads(), {
    min: 1,
    integer: true,
  })
  const scorers = scorersFor(who, estimator, data, options.scoring)
  const protocol = chosenProtocol(who, data, options)
  const settings = protocolSettings(protocol, protocolDefaults(estimator, data, seed))
  const leavesOneOut = settings?.kind === 'leave-one-out'
  if (leavesOneOut && settings.groups === undefined && leavesOthersAlone(estimator, data)) {
    const job = () => ({ work: 'leave-one-out', ...fitJob(estimator, data) })
    return keeping(options.checkpoint, job, (checkpoint) =>
      leaveOneOutOfMachine(estimator, data, scorers, { signal, onProgress, checkpoint }),
    )
  }
  // Leaving one out, samples are scored all together.
  const planned = foldsFor(who, estimator, data, protocol, seed, leavesOneOut ? [] : scorers)
  const job = () => ({
    work: 'cross-validation',
    ...fitJob(estimator, data),
    folds: contentFingerprint(planned),
  })
  const found = await keeping(options.checkpoint, job, (checkpoint) =>
    fitAll(estimator, data, planned, threads, signal, onProgress, checkpoint),
  )
  const folds = planned.filter((_, f) => found[f] !== undefined)
  const outputs = found.filter((output) => output !== undefined)
  if (folds.length === 0) signal?.throwIfAborted()
  return {
    scores: leavesOneOut
      ? pooledScores(scorers, data, folds, outputs)
      : foldScores(scorers, data, folds, outputs),
    outOfFold: outOfFold(data, folds, outputs),
    folds: folds.map(({ train, test }, f) => ({
      train: train.length,
      test: test.length,
      seconds: outputs[f].seconds,
      stopReason: outputs[f].stopReason,
    })),
    fits: folds.length,
    complete: folds.length === planned.length,
  }
}

async function fitAll(
  estimator: Estimator,
  data: Dataset<unknown>,
  folds: readonly Fold[],
  threads: number,
  signal: AbortSignal | undefined,
  onProgress: CrossValidateOptions['onProgress'],
  checkpoint: Checkpoint | undefined,
): Promise<(FoldOutput | undefined)[]> {
  // Where several fits run at a time, each has a core: the result is the same on any number.
  const alone = threads > 1 && folds.length > 1 ? onOneThread(estimator) : estimator
  const work = { data, folds, cells: [{}], make: () => alone, job: undefined, checkpoint }
  const outputs: (FoldOutput | undefined)[] = folds.map(() => undefined)
  const failures: Error[] = []
  let done = 0
  const onFold = () => onProgress?.(++done, folds.length)
  const kept = checkpoint?.within('shared')
  // One fold has nobody to share with.
  if (folds.length > 1) {
    const found = await sharedFolds(data, folds, () => alone, { threads, signal, checkpoint: kept, onFold })
    found.forEach((output, fold) => {
      outputs[fold] = output
    })
  }
  const units = folds.flatMap((_, fold) => (outputs[fold] ? [] : [{ cell: 0, fold }]))
  await inProcessExecutor({ concurrency: threads }).run(work, units, {
    signal,
    onResult({ fold, output }) {
      outputs[fold] = output
      onFold()
    },
    onFailure({ error }) {
      failures.push(error)
    },
  })
  if (failures.length > 0) throw failures[0]
  return outputs
}

function foldScores(
  scorers: readonly Scorer[],
  data: Dataset<unknown>,
  folds: readonly Fold[],
  outputs: readonly FoldOutput[],
): ScoreSummary[] {
  const classes = classesOf(data)
  return scorers.map((scorer) =>
    summary(
      scorer,
      folds.map(({ test }, f) => scorer.score(scoreInputOf(data, test, outputs[f], classes))),
    ),
  )
}

function summary({ name, greaterIsBetter }: Scorer, scores: readonly number[]): ScoreSummary {
  return { name, greaterIsBetter, scores, ...meanOf(scores) }
}

/** Folds of one sample: their scores one by one where that makes sense, else one score of all together. */
function pooledScores(
  scorers: readonly Scorer[],
  data: Dataset<unknown>,
  folds: readonly Fold[],
  outputs: readonly FoldOutput[],
): ScoreSummary[] {
  const tested = Uint32Array.from(folds.flatMap(({ test }) => Array.from(test)))
  const whole = scoreInputOf(data, tested, joinOutputs(outputs), classesOf(data))
  return scorers.map((scorer) =>
    MEANS.includes(scorer.name) && data.weights === undefined
      ? foldScores([scorer], data, folds, outputs)[0]
      : summary(scorer, [scorer.score(whole)]),
  )
}

/** What was said of each sample first. */
function outOfFold(
  data: Dataset<unknown>,
  folds: readonly Fold[],
  outputs: readonly FoldOutput[],
): OutOfFold {
  const count = sampleCount(data.samples)
  const predicted = new Array<Label>(count)
  const decisions = new Float64Array(count)
  const tested = new Uint8Array(count)
  folds.forEach(({ test }, f) => {
    test.forEach((i, k) => {
      if (tested[i]) return
      tested[i] = 1
      predicted[i] = outputs[f].predicted[k]
      decisions[i] = outputs[f].decisions?.[k] ?? Number.NaN
    })
  })
  const indices = Uint32Array.from(tested.keys()).filter((i) => tested[i] === 1)
  const said = Array.from(indices, (i) => predicted[i])
  return {
    indices,
    truth: pickLabels(data.labels, indices),
    predicted: data.labels instanceof Float64Array ? Float64Array.from(said as number[]) : (said as string[]),
    ...(outputs.every((output) => output.decisions) && {
      decisions: Float64Array.from(indices, (i) => decisions[i]),
    }),
  }
}

async function leaveOneOutOfMachine(
  estimator: SVC,
  data: Dataset<unknown>,
  scorers: readonly Scorer[],
  options: LeaveOneOutOptions,
): Promise<CrossValidation> {
  const { signal } = options
  const started = performance.now()
  const { decisions, predicted, fits } = await leaveOneOutValues(estimator, data, options)
  // Samples that are known first are the easy ones: a part of them would say too much good.
  signal?.throwIfAborted()
  const seconds = (performance.now() - started) / 1000
  const folds = Array.from(decisions, (_, i) => ({ train: new Uint32Array(0), test: Uint32Array.of(i) }))
  const outputs = folds.map((_, i) => ({
    predicted: predicted.slice(i, i + 1),
    decisions: decisions.slice(i, i + 1),
    seconds: seconds / decisions.length,
  }))
  return {
    scores: pooledScores(scorers, data, folds, outputs),
    outOfFold: outOfFold(data, folds, outputs),
    folds: outputs.map(() => ({ train: decisions.length - 1, test: 1, seconds: seconds / decisions.length })),
    fits,
    complete: true,
  }
}
