/**
 * `liblinear-train -C`: cross validation for ascending C, by LIBLINEAR's rules (Chu, Ho, Lin, Lin, Lin 2015): the first C is so
 * small that w is next to 0, each is twice the one before and begins with its model, and five in a row that change no model end it.
 * For -s 11 the same for 20 values of ε, from the largest label down. Models are as far from solved as LIBLINEAR leaves them
 * (./trust-region.ts), so rates and the C that is found are its own.
 */
import { squaredNorms } from '../../data/matrix/products.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { meanSquaredError } from '../../metrics/regression.ts'
import { lossTerms } from '../../problems/linear-loss.ts'
import type { Fold } from '../../selection/split/splits.ts'
import { countRight, percentG } from '../libsvm/c-format.ts'
import { foldsOf, type Predictor, predictUnseen } from '../libsvm/cross-validation.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'
import { linearValues, trustRegion } from './trust-region.ts'

/** Folds unless -v says how many. */
const DEFAULT_FOLDS = 5
const RATIO = 2
/** The largest C that is tried: 2^10 for classes, 2^20 for regression. */
const MOST_C = { classes: 1024, regression: 1048576 }
const P_STEPS = 20
/** How accurately LIBLINEAR solves the systems of its steps; less so for classes that begin with a model. */
const ACCURACY = 0.1
const ACCURACY_FROM_START = 0.5
/** Values of C in a row that change no model, after which no larger one will. */
const MOST_UNCHANGED = 5

interface Found {
  readonly C: number
  readonly p: number
  /** Share of right predictions, or mean squared error. */
  readonly score: number
}

/** The lines of the search; those for single values go to `say` as they come. */
export async function parameterSearchLines(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Promise<string> {
  const wanted = settings.folds ?? DEFAULT_FOLDS
  process.stdout.write(`Doing parameter search with ${wanted}-fold cross validation.\n`)
  const folds = foldsOf(dataset, wanted, false)
  const { C: startC, p: startP } = settings.search ?? {}
  const from = (p: number) => startC ?? firstC(settings, dataset, p)
  if (!settings.regression) {
    const { C, score } = await searchC(settings, dataset, folds, from(settings.p), settings.p, say)
    return `Best C = ${percentG(C)}  CV accuracy = ${percentG(100 * score)}%\n`
  }
  const largest = (dataset.labels as Float64Array).reduce((most, label) => Math.max(most, Math.abs(label)), 0)
  let step = P_STEPS - 1
  if (startP !== undefined) step = Math.min(Math.trunc(startP / (largest / P_STEPS)), step)
  let best: Found = { C: Number.NaN, p: -1, score: Number.POSITIVE_INFINITY }
  for (; step >= 0; step--) {
    const p = (step * largest) / P_STEPS
    const found = await searchC(settings, dataset, folds, from(p), p, say)
    if (found.score < best.score) best = found
  }
  return `Best C = ${percentG(best.C)} Best p = ${percentG(best.p)}  CV MSE = ${percentG(best.score)}\n`
}

async function searchC(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  folds: readonly Fold[],
  first: number,
  p: number,
  say: (text: string) => void,
): Promise<Found> {
  const labels = dataset.labels as Float64Array
  const { regression } = settings
  const most = regression ? MOST_C.regression : MOST_C.classes
  let best: Found = { C: Math.min(first, most), p, score: regression ? Number.POSITIVE_INFINITY : 0 }
  const weights: Float64Array[][] = []
  let unchanged = 0
  let C = best.C
  for (; C <= most; C *= RATIO) {
    const predicted = await predictUnseen(dataset, folds, async (training, f) => {
      const before = weights[f]
      const model = roughModel(settings, training, C, p, before)
      weights[f] = model.weights
      const isMoved = before?.some((own, m) => own.some((weight, j) => weight !== model.weights[m][j]))
      if (isMoved) unchanged = -1
      return model
    })
    const score = regression
      ? meanSquaredError(labels, predicted)
      : countRight(labels, predicted) / labels.length
    const log2c = Math.log2(C).toFixed(2).padStart(7)
    say(
      regression
        ? `log2c=${log2c}\tp=${p.toFixed(2).padStart(7)}\tMean squared error=${percentG(score)}\n`
        : `log2c=${log2c}\trate=${percentG(100 * score)}\n`,
    )
    if (regression ? score < best.score : score > best.score) best = { C, p, score }
    if (++unchanged === MOST_UNCHANGED) return best
  }
  say('warning: maximum C reached.\n')
  return best
}

/** The model that LIBLINEAR has when it stops, one function or one per class, from those of the C before where they are given. */
function roughModel(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  C: number,
  p: number,
  before: readonly Float64Array[] | undefined,
): Predictor & { readonly weights: Float64Array[] } {
  const { name, eps, constant, regression } = settings
  const { samples: known } = dataset
  const labels = dataset.labels as Float64Array
  if (regression) {
    const terms = lossTerms('squared-epsilon-insensitive', new Float64Array(known.rows).fill(C), labels, p)
    const u = trustRegion(known, constant, terms, { tolerance: eps, accuracy: ACCURACY, start: before?.[0] })
    return { weights: [u], predict: (samples) => valuesOf(samples, u, constant) }
  }
  const classes = classesAsTheyCome(labels)
  const factors = settings.weightsIn(dataset)
  const weights = (classes.length === 2 ? [classes[0]] : classes).map((positive, m) => {
    const z = labels.map((label) => (label === positive ? 1 : -1))
    const count = z.reduce((sum, sign) => sum + (sign > 0 ? 1 : 0), 0)
    // With many classes a weight counts where the class is not among the rest.
    const priceOf = (label: number) =>
      C * (classes.length === 2 || label === positive ? (factors[label] ?? 1) : 1)
    const terms = lossTerms(name === 'L2R_LR' ? 'logistic' : 'squared-hinge', labels.map(priceOf), z, 0)
    const tolerance = (eps * Math.max(1, Math.min(count, known.rows - count))) / known.rows
    const accuracy = before ? ACCURACY_FROM_START : ACCURACY
    return trustRegion(known, constant, terms, { tolerance, accuracy, start: before?.[m] })
  })
  const predict = (samples: VectorDataset['samples']) => {
    const values = weights.map((u) => valuesOf(samples, u, constant))
    if (weights.length < classes.length) return values[0].map((value) => classes[value > 0 ? 0 : 1])
    return values[0].map((_, i) => {
      let best = 0
      for (let m = 1; m < values.length; m++) if (values[m][i] > values[best][i]) best = m
      return classes[best]
    })
  }
  return { weights, predict }
}

/** Classes in the order in which they appear, but +1 before −1: what wins where values are equal. */
function classesAsTheyCome(labels: Float64Array): number[] {
  const classes = [...new Set(labels)]
  return classes.length === 2 && classes[0] === -1 && classes[1] === 1 ? [1, -1] : classes
}

function valuesOf(samples: VectorDataset['samples'], u: Float64Array, constant: number): Float64Array {
  const values = new Float64Array(samples.rows)
  linearValues(samples, constant, u, values)
  return values
}

/** A power of two at which w is next to 0. */
function firstC(
  { name, constant }: LiblinearSettings,
  { samples, labels }: VectorDataset,
  p: number,
): number {
  const longest = squaredNorms(samples).reduce((most, norm) => Math.max(most, norm), 0) + constant * constant
  const count = samples.rows
  let least = 1 / ((name === 'L2R_LR' ? 1 : 2) * count * longest)
  if (name === 'L2R_L2LOSS_SVR') {
    const sizes = (labels as Float64Array).map(Math.abs)
    const sum = sizes.reduce((total, size) => total + size, 0)
    const loss = sizes.reduce((total, size) => total + Math.max(0, size - p) ** 2, 0)
    least = loss > 0 ? (0.1 * 0.1 * loss) / (8 * sum * sum * longest) : Number.POSITIVE_INFINITY
  }
  return 2 ** Math.floor(Math.log(least) / Math.log(2))
}
