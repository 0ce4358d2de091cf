/** `-v n`: cross validation by the folds of LIBSVM or LIBLINEAR, and the lines that grid.py reads. */
import { LibcRandom } from '../../base/libc-random.ts'
import { selectSamples, type VectorDataset } from '../../data/table/dataset.ts'
import { type Fold, libsvmFolds } from '../../selection/split/splits.ts'
import { countRight, percentG, regressionScores } from './c-format.ts'

const TOO_MANY_FOLDS =
  'WARNING: # folds > # data. Will use # folds = # data instead (i.e., leave-one-out cross validation)\n'

/** What is to be tried on folds. */
export interface CrossValidation {
  readonly folds: number
  /** Whether every fold has the classes in their shares: LIBSVM does that, LIBLINEAR does not. */
  readonly stratify: boolean
  /** Labels are targets. */
  readonly regression: boolean
  /** Hears of the folds before any is trained. */
  begin?(folds: readonly Fold[]): Promise<void>
  /** What is predicted of the samples of a fold that was solved with others by then; undefined for one that was not. */
  solved?(fold: number): ArrayLike<number | string> | undefined
  /** Trains on some of the data: those of a fold. */
  fit(dataset: VectorDataset, fold: number): Promise<Predictor>
}

/** A model, as far as folds need it. */
export interface Predictor {
  predict(samples: VectorDataset['samples']): ArrayLike<number | string>
}

/** The folds that the C library's random numbers give. */
export function foldsOf(dataset: VectorDataset, wanted: number, stratify: boolean): Fold[] {
  const count = dataset.labels.length
  if (wanted > count) process.stderr.write(TOO_MANY_FOLDS)
  const folds = Math.min(wanted, count)
  return stratify ? libsvmFolds(dataset, { folds, stratify }) : liblinearFolds(count, folds)
}

/** Samples stay in the order in which they were drawn: the class that comes first wins where values are equal. */
function liblinearFolds(count: number, folds: number): Fold[] {
  const drawn = new LibcRandom(1).shuffle(Array.from({ length: count }, (_, i) => i))
  return Array.from({ length: folds }, (_, f) => {
    const [from, to] = [f, f + 1].map((k) => Math.floor((k * count) / folds))
    const train = Uint32Array.from([...drawn.slice(0, from), ...drawn.slice(to)])
    return { train, test: Uint32Array.from(drawn.slice(from, to)) }
  })
}

/** What models say of samples that they were not trained on. */
export async function predictUnseen(
  dataset: VectorDataset,
  folds: readonly Fold[],
  train: (training: VectorDataset, fold: number) => Promise<Predictor>,
  solved: (fold: number) => ArrayLike<number | string> | undefined = () => undefined,
): Promise<Float64Array> {
  const predicted = new Float64Array(dataset.labels.length)
  for (const [f, { train: trained, test }] of folds.entries()) {
    const found =
      solved(f) ??
      (await train(selectSamples(dataset, trained), f)).predict(selectSamples(dataset, test).samples)
    for (let k = 0; k < test.length; k++) predicted[test[k]] = Number(found[k])
  }
  return predicted
}

/** The closing lines. */
export async function crossValidationLines(
  { folds, stratify, regression, begin, fit, solved }: CrossValidation,
  dataset: VectorDataset,
): Promise<string> {
  const labels = dataset.labels as Float64Array
  const split = foldsOf(dataset, folds, stratify)
  await begin?.(split)
  const predicted = await predictUnseen(dataset, split, fit, solved)
  if (regression) {
    const [error, correlation] = regressionScores(labels, predicted)
    return (
      `Cross Validation Mean squared error = ${error}\n` +
      `Cross Validation Squared correlation coefficient = ${correlation}\n`
    )
  }
  return `Cross Validation Accuracy = ${percentG((100 * countRight(labels, predicted)) / labels.length)}%\n`
}
