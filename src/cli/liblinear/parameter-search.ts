/**
 * `liblinear-train -C`: cross validation for ascending C, by LIBLINEAR's rules (Chu, Ho, Lin, Lin, Lin 2015): the first C is so
 * small that w is next to 0, each is twice the one before and begins with its model, and five in a row that change no model end it.
 * For -s 11 the same for 20 values of ε, from the largest label down. Models are as far from solved as LIBLINEAR leaves them
 * (./rough-model.ts), so rates and the C that is found are its own.
 */
import { squaredNorms } from '../../data/matrix/products.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { meanSquaredError } from '../../metrics/regression.ts'
import type { Fold } from '../../selection/split/splits.ts'
import { countRight, percentG } from '../libsvm/c-format.ts'
import { foldsOf, predictUnseen } from '../libsvm/cross-validation.ts'
import { printOut } from '../libsvm/print-out.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'
import { roughModel } from './rough-model.ts'

// LIBLINEAR's numbers: the search has to try what it tries.
/** Folds unless -v says how many. */
const DEFAULT_FOLDS = 5
/** From one C to the next. */
const RATIO = 2
/** The largest C that is tried: 2^10 for classes, 2^20 for regression. */
const MOST_C = { classes: 1024, regression: 1048576 }
/** Values of p between 0 and the largest that matters. */
const P_STEPS = 20
/** Values of C in a row that change no model, after which no larger one will. */
const MOST_UNCHANGED = 5
/** How far weights may move to count as unchanged. */
const UNCHANGED = 1e-15

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
  printOut(`Doing parameter search with ${wanted}-fold cross validation.\n`)
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
      const model = roughModel(settings, training, { C, p, before })
      weights[f] = model.weights
      if (before && distance(before, model.weights) > UNCHANGED) unchanged = -1
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

/** The norm of the difference of two lists of weights. */
function distance(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  let sum = 0
  for (const [m, own] of a.entries())
    own.forEach((weight, j) => {
      sum += (b[m][j] - weight) ** 2
    })
  return Math.sqrt(sum)
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
