/**
 * `liblinear-train -C`: cross validation for ascending C, by LIBLINEAR's rules (Chu, Ho, Lin, Lin, Lin 2015): the first C is so
 * small that w is next to 0, each is twice the one before and begins with its model, and five in a row that change no model end it. For -s 11 the same
 * for 20 values of ε, from the largest label down.
 */
import { rowDot, squaredNorms, weightedRowSum } from '../../data/matrix/products.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { LinearModel } from '../../estimators/parts/linear-start.ts'
import { meanSquaredError } from '../../metrics/regression.ts'
import type { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { Model } from '../../models/model.ts'
import { lossTerms, slopes } from '../../problems/linear-loss.ts'
import type { Fold } from '../../selection/split/splits.ts'
import { countRight, percentG } from '../libsvm/c-format.ts'
import { foldsOf, type Predictor, predictUnseen } from '../libsvm/cross-validation.ts'
import { fitWithReport } from './liblinear-report.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'

/** Folds unless -v says how many. */
const DEFAULT_FOLDS = 5
const RATIO = 2
/** The largest C that is tried: 2^10 for classes, 2^20 for regression. */
const MOST_C = { classes: 1024, regression: 1048576 }
const P_STEPS = 20
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
  const models: Model[] = []
  let unchanged = 0
  let C = best.C
  for (; C <= most; C *= RATIO) {
    const predicted = await predictUnseen(dataset, folds, async (training, f) => {
      const before = models[f]
      if (before && staysWhereItIs(settings, training, before, C, p)) return before as unknown as Predictor
      if (before) unchanged = -1
      const start = before as LinearModel | undefined
      models[f] = await fitWithReport(settings, training, () => undefined, { C, p, start })
      return models[f] as unknown as Predictor
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

/**
 * Whether LIBLINEAR, starting from the model of the C before, would find its stop rule met at once:
 * ‖f'(w)‖ <= eps · min(pos, neg) / l · ‖f'(0)‖, for regression eps · ‖f'(0)‖, f being the primal problem.
 */
function staysWhereItIs(
  { name, eps, constant, regression }: LiblinearSettings,
  dataset: VectorDataset,
  model: Model,
  C: number,
  p: number,
): boolean {
  const { samples } = dataset
  const labels = dataset.labels as Float64Array
  const { cols, rows } = samples
  const loss = name === 'L2R_LR' ? 'logistic' : regression ? 'squared-epsilon-insensitive' : 'squared-hinge'
  const coef = model.coef as Float64Array
  return Array.from(model.biases).every((bias, m) => {
    const { classes } = model as LinearSvcModel
    const positive = regression ? undefined : classes[classes.length === 2 ? 1 : m]
    const z = regression ? labels : labels.map((label) => (label === positive ? 1 : -1))
    const count = z.reduce((sum, sign) => sum + (sign > 0 ? 1 : 0), 0)
    const tolerance = regression ? eps : (eps * Math.max(1, Math.min(count, rows - count))) / rows
    const terms = lossTerms(loss, new Float64Array(rows).fill(C), z, p)
    const w = coef.subarray(m * cols, (m + 1) * cols)
    const gradientNorm = (weights: Float64Array, b: number): number => {
      const values = new Float64Array(rows)
      const beta = new Float64Array(rows)
      for (let i = 0; i < rows; i++) values[i] = rowDot(samples, i, weights) + b
      slopes(terms, values, beta, new Float64Array(rows))
      const v = weightedRowSum(samples, beta)
      const carried = constant > 0 ? b / constant - constant * beta.reduce((sum, own) => sum + own, 0) : 0
      return Math.sqrt(v.reduce((sum, value, j) => sum + (weights[j] - value) ** 2, carried * carried))
    }
    return gradientNorm(w, bias) <= tolerance * gradientNorm(new Float64Array(cols), 0)
  })
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
