/**
 * The path over C: scores and support vectors as margin violations become dearer. A solution for one C is feasible for any
 * larger one, so each fold is solved from the smallest C up, every solution the start of the next, over a kernel matrix
 * that is computed once. Where that is not possible (more than two classes, other solvers, too many samples) each C is
 * fitted on its own.
 */

import { checkKnown, checkNumber } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import { largestOf } from '../../base/lists.ts'
import type { RowsInput } from '../../data/matrix/matrix.ts'
import { applyScaler } from '../../data/scaling/scaler.ts'
import { type Dataset, type Label, sampleCount, selectSamples } from '../../data/table/dataset.ts'
import { fitJob } from '../../estimators/fitting/fit-job.ts'
import { type CheckpointChoice, keeping } from '../../estimators/fitting/kept-work.ts'
import { binaryTargets } from '../../estimators/parts/class-targets.ts'
import { trainingSamples } from '../../estimators/parts/training-samples.ts'
import { SVC } from '../../estimators/svc.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { kernelMatrix } from '../../kernels/kernel-matrix.ts'
import { rbf } from '../../kernels/rbf.ts'
import { generalForm } from '../../problems/general-form.ts'
import { makeProblem } from '../../problems/problem.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import { type DensePoint, denseKernel, solveDense } from '../../solve/dual/dense-smo.ts'
import { smo } from '../../solve/methods/smo.ts'
import { classesOf, judgedOf } from '../score/fold-output.ts'
import { foldsFor, scorersFor } from '../score/judging.ts'
import { chosenProtocol, type ProtocolChoice } from '../score/protocols.ts'
import { isBetter, type Scorer, type Scoring } from '../score/scoring.ts'
import {
  type FitOnFold,
  fitBothSides,
  type SideSummary,
  summarize,
  untilAborted,
} from '../score/train-and-test-scores.ts'
import { estimatorMaker, type Tunable } from '../search/estimator-params.ts'
import { fitOptions } from '../search/executor.ts'
import type { Fold } from '../split/splits.ts'

/** What {@link cPath} takes. */
export interface CPathOptions extends ProtocolChoice {
  /** The values of C; 2^−5, 2^−3 … 2^15 unless given. */
  readonly C?: readonly number[]
  readonly scoring?: Scoring
  readonly seed?: number
  /** Ends the work with the folds that are done, `complete: false`; without any, the promise is rejected with its reason. */
  readonly signal?: AbortSignal
  /** Hears how many solutions are found. */
  readonly onProgress?: (done: number, total: number) => void
  /** Where to keep what was reached every so often; the same work goes on from there. See `fit`. */
  readonly checkpoint?: CheckpointChoice | undefined
  /** Memory for the kernel matrix of a fold, in bytes; 500 MB unless given. */
  readonly cacheBytes?: number
}

/** One value of C. */
export interface CPathPoint {
  readonly C: number
  readonly train: SideSummary
  readonly test: SideSummary
  /** Mean over the folds; undefined of models that have none, such as linear ones. */
  readonly supportVectors?: number | undefined
  /** Of the solver, all folds together: from the solution before on a warm path, else from the start. */
  readonly iterations?: number | undefined
}

/** The result of {@link cPath}. */
export interface CPath {
  readonly scoring: string
  readonly points: readonly CPathPoint[]
  /** The C of the best mean on samples not seen; the smallest, where several are best. */
  readonly bestC: number
  /** Whether solutions were started from those before; otherwise each C was fitted on its own. */
  readonly warm: boolean
  /** False where `signal` ended the work before all folds were done. */
  readonly complete: boolean
}

/**
 * Follows the path over C on every fold.
 *
 * @example
 * const { points } = await cPath(new SVC({ kernel: rbf({ gamma: 1 }) }), train)
 */
export async function cPath(tunable: Tunable, data: Dataset, options: CPathOptions = {}): Promise<CPath> {
  const who = 'cPath'
  checkKnown(who, options, [
    'C',
    'protocol',
    'folds',
    'scoring',
    'seed',
    'signal',
    'onProgress',
    'cacheBytes',
    'checkpoint',
  ])
  const { seed = 0, signal, onProgress, cacheBytes = 500e6 } = options
  const given = options.C ?? Array.from({ length: 11 }, (_, k) => 2 ** (2 * k - 5))
  if (!Array.isArray(given) || given.length === 0)
    throw new ParameterError(who, 'C', 'a list of numbers', given)
  const values = [...new Set(given.map((C) => checkNumber(who, 'each C', C, { above: 0 })))].sort(
    (a, b) => a - b,
  )
  const scorers = scorersFor(who, tunable, data, options.scoring)
  const [scorer] = scorers
  const folds = foldsFor(who, tunable, data, chosenProtocol(who, options), seed, scorers)
  const largest = largestOf(folds.map(({ train }) => train.length))
  const machine =
    tunable instanceof SVC && canFollow(tunable, data, largest, cacheBytes) ? tunable : undefined
  const make = estimatorMaker(tunable)
  const classes = classesOf(data)
  let done = 0
  const byFold: FitOnFold[][] = []
  const follow = async (checkpoint: Checkpoint | undefined) => {
    for (const [f, fold] of folds.entries()) {
      const name = `fold ${f}`
      const known = checkpoint?.get(name) as FoldSoFar | undefined
      const points: FitOnFold[] = [...(known?.points ?? [])]
      done += points.length
      const path = machine && points.length < values.length && warmPath(machine, data, fold, scorer, known)
      for (const C of values.slice(points.length)) {
        const own = fitOptions(signal, checkpoint, name)
        points.push(path ? path.next(C) : await fitBothSides(make({ C }), data, fold, scorer, classes, own))
        checkpoint?.put(name, { points, ...(path ? path.point : {}) } satisfies FoldSoFar)
        onProgress?.(++done, folds.length * values.length)
        await new Promise((resolve) => setTimeout(resolve))
        signal?.throwIfAborted()
      }
      byFold.push(points)
    }
  }
  const job = () => ({
    work: 'path',
    ...fitJob(tunable, data),
    folds: contentFingerprint(folds),
    values,
    scoring: scorer.name,
    cacheBytes,
  })
  await untilAborted(signal, () => keeping(options.checkpoint, job, follow))
  if (byFold.length === 0) signal?.throwIfAborted()
  const points = values.map((C, k) =>
    pointOf(
      C,
      byFold.map((fold) => fold[k]),
    ),
  )
  const best = points.reduce((first, one) => (isBetter(scorer, one.test.mean, first.test.mean) ? one : first))
  return {
    scoring: scorer.name,
    points,
    bestC: best.C,
    warm: machine !== undefined,
    complete: byFold.length === folds.length,
  }
}

function canFollow(tunable: Tunable, data: Dataset, samples: number, cacheBytes: number): tunable is SVC {
  if (!(tunable instanceof SVC)) return false
  const { solver = 'smo' } = tunable.options
  return solver === 'smo' && new Set<Label>(data.labels).size === 2 && 8 * samples * samples <= cacheBytes
}

function pointOf(C: number, folds: readonly FitOnFold[]): CPathPoint {
  const total = (name: 'supportVectors' | 'iterations'): number =>
    folds.reduce((sum, fold) => sum + (fold[name] ?? Number.NaN), 0)
  return {
    C,
    ...summarize(folds.map(({ scores }) => scores)),
    ...(folds[0].supportVectors !== undefined && { supportVectors: total('supportVectors') / folds.length }),
    ...(folds[0].iterations !== undefined && { iterations: total('iterations') }),
  }
}

/** What a checkpoint holds of a fold: the values of C that are done, and where a warm path has got to. */
interface FoldSoFar {
  readonly points: readonly FitOnFold[]
  readonly beta?: Float64Array
  readonly v?: Float64Array
}

/** Solves one fold for one C after the other, which must not fall; from where it has got to, if that is known. */
function warmPath(
  estimator: SVC,
  data: Dataset,
  fold: Fold,
  scorer: Scorer,
  known: Pick<FoldSoFar, 'beta' | 'v'> = {},
): { readonly point: DensePoint; next(C: number): FitOnFold } {
  const { kernel = rbf(), classWeight, scaler: choice, tol = smo.defaults.tol } = estimator.options
  const train = selectSamples(data, fold.train)
  const { y, C: factors, classes } = binaryTargets('path', train, 1, classWeight)
  const { samples, scaler } = trainingSamples('path', train, kernel as AnyKernel, choice)
  const problem = makeProblem({ samples, kernel: kernel as AnyKernel, y, C: factors })
  const machine = denseKernel(kernelMatrix(problem.kernel, samples).values)
  const others = selectSamples(data, fold.test).samples
  const scaled = scaler ? applyScaler(scaler, others as RowsInput) : others
  const unseen = kernelMatrix(problem.kernel, scaled, samples).values
  const [size, tested] = [machine.size, sampleCount(scaled)]
  const { beta = new Float64Array(size), v = y.slice() } = known
  const scoreOf = (side: Uint32Array, values: Float64Array): number => {
    const said = Array.from(values, (value) => classes[value > 0 ? 1 : 0])
    const predicted = typeof said[0] === 'number' ? Float64Array.from(said as number[]) : (said as string[])
    return scorer.score(judgedOf(data, side, { predicted, decisions: values }, classes))
  }
  const next = (C: number) => {
    const box = generalForm({ ...problem, C: factors.map((factor) => C * factor) })
    const { bias, iterations } = solveDense(machine, box, { beta, v }, tol, smo.defaults.maxIter(size))
    const seen = v.map((value, i) => y[i] - value + bias)
    const values = new Float64Array(tested).fill(bias)
    for (let i = 0; i < tested; i++) {
      let sum = 0
      for (let j = 0, at = i * size; j < size; j++, at++) sum += beta[j] * unseen[at]
      values[i] += sum
    }
    return {
      scores: { train: scoreOf(fold.train, seen), test: scoreOf(fold.test, values) },
      supportVectors: beta.reduce((count, value) => (value === 0 ? count : count + 1), 0),
      iterations,
    }
  }
  return { point: { beta, v }, next }
}
