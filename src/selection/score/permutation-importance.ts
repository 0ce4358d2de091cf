/**
 * How much a model leans on each feature (Breiman 2001): the values of one feature are shuffled among the samples, which
 * keeps their distribution and breaks their tie to the labels; what the score loses is the importance of the feature. Use
 * samples that the model did not learn from. Of two features that say the same, each can look unimportant, as the other
 * still says it.
 */
import { checkKnown, checkNumber } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import { Random } from '../../base/random.ts'
import { isMatrix, type Matrix, type SparseMatrix } from '../../data/matrix/matrix.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import { type Column, isMissingAt, isTable, selectTableRows, type Table } from '../../data/table/table.ts'
import type { Predictor } from '../search/estimator.ts'
import { classesOf, outputOf, scoreInputOf } from './fold-output.ts'
import { makeScorer, type Scoring } from './scoring.ts'

/** Options of {@link permutationImportance}. */
export interface PermutationImportanceOptions {
  /** The score. Default: accuracy for classifiers, else r2. */
  readonly scoring?: Scoring
  /** Shuffles per feature. Default 5. */
  readonly repeats?: number
  /** Seed of the shuffles. Default 0. */
  readonly seed?: number
}

/** The effect of shuffling one feature, or one column of a table. */
export interface FeatureImportance {
  /** Index from 0; for tables, the position of the column. */
  readonly feature: number
  readonly name: string | undefined
  /** Mean loss of score; negative if shuffling improves it by chance. */
  readonly mean: number
  /** Standard deviation of the loss over single shuffles. */
  readonly standardDeviation: number
  readonly losses: Float64Array
}

/** The importance of every feature. */
export interface PermutationImportance {
  readonly scoring: string
  /** The score of the samples as they are. */
  readonly score: number
  /** In the order of the features. */
  readonly features: readonly FeatureImportance[]
}

/**
 * How much a model depends on each feature (Breiman 2001): by how much its score drops when the values of the feature are
 * shuffled among the samples. For tables, whole columns are shuffled: all features of a category or a text together. Use
 * samples
 * that the model was not trained on. If two features carry the same information, each can look unimportant.
 *
 * @example
 * const { features } = permutationImportance(model, test, { scoring: 'f1', repeats: 10 })
 * features.toSorted((a, b) => b.mean - a.mean).slice(0, 5)
 */
export function permutationImportance(
  model: Predictor,
  dataset: Dataset<unknown>,
  options: PermutationImportanceOptions = {},
): PermutationImportance {
  const who = 'permutationImportance'
  checkKnown(who, options, ['scoring', 'repeats', 'seed'])
  const { scoring = 'classes' in model ? 'accuracy' : 'r2' } = options
  const repeats = checkNumber(who, 'repeats', options.repeats ?? 5, { integer: true, min: 1 })
  const random = new Random(checkNumber(who, 'seed', options.seed ?? 0, { integer: true }))
  const { samples, featureNames } = dataset
  if (!isMatrix(samples) && !isTable(samples)) {
    throw new DataError(`${who}: samples must be rows of numbers, or of a table`)
  }
  if ((model as { kernel?: { spec: { kind: string } } }).kernel?.spec.kind === 'precomputed') {
    throw new DataError(`${who}: the columns of a precomputed kernel are samples, not features`)
  }
  const scorer = makeScorer(scoring)
  const all = countUp(samples.rows)
  const classes = classesOf(dataset)
  const scoreOf = (changed: Matrix | Table): number => {
    const data = { ...dataset, samples: changed }
    return scorer.score(scoreInputOf(data, all, outputOf(model, data), classes))
  }
  const score = scoreOf(samples)
  const sign = scorer.greaterIsBetter ? 1 : -1
  const count = isTable(samples) ? samples.columns.length : samples.cols
  const features = Array.from({ length: count }, (_, feature) => {
    const shuffled = isTable(samples)
      ? shuffledColumns(samples, feature, random)
      : shuffledFeatures(samples, feature, random)
    const losses = Float64Array.from({ length: repeats }, () => {
      const changed = shuffled()
      return changed ? sign * (score - scoreOf(changed)) : 0
    })
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / repeats
    const variance = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / repeats
    const name = isTable(samples) ? samples.columns[feature].name : featureNames?.[feature]
    return { feature, name, mean, standardDeviation: Math.sqrt(variance), losses }
  })
  return { scoring: scorer.name, score, features }
}

/** Copies of a matrix with feature j shuffled; undefined for a constant, which stays as it is. */
function shuffledFeatures(matrix: Matrix, j: number, random: Random): () => Matrix | undefined {
  const column = columnOf(matrix, j)
  const varies = column.some((value) => value !== column[0])
  return () => (varies ? withColumn(matrix, j, random.shuffle(Array.from(column))) : undefined)
}

/** The same of a table and one of its columns. */
function shuffledColumns(table: Table, k: number, random: Random): () => Table | undefined {
  const column = table.columns[k]
  const varies = !isConstant(column, table.rows)
  return () => {
    if (!varies) return undefined
    const order = random.shuffle(Array.from(countUp(table.rows)))
    const [own] = selectTableRows({ ...table, columns: [column] }, order).columns
    return { ...table, columns: table.columns.map((other, j) => (j === k ? own : other)) }
  }
}

function isConstant(column: Column, rows: number): boolean {
  if (column.kind === 'vector') return false
  const { values } = column
  return Array.from(countUp(rows)).every((i) =>
    isMissingAt(column, i) ? isMissingAt(column, 0) : values[i] === values[0],
  )
}

function columnOf(matrix: Matrix, j: number): Float64Array {
  const { rows, cols, values } = matrix
  if (matrix.kind === 'dense') return Float64Array.from({ length: rows }, (_, i) => values[i * cols + j])
  const column = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const place = placeOf(matrix, i, j)
    if (place < matrix.indptr[i + 1] && matrix.indices[place] === j) column[i] = values[place]
  }
  return column
}

/** A copy with another column. */
function withColumn(matrix: Matrix, j: number, column: readonly number[]): Matrix {
  if (matrix.kind === 'dense') {
    const values = Float64Array.from(matrix.values)
    for (let i = 0; i < matrix.rows; i++) values[i * matrix.cols + j] = column[i]
    return { ...matrix, values }
  }
  const { rows, cols, indptr, indices, values } = matrix
  const newIndptr = new Uint32Array(rows + 1)
  const newIndices = new Uint32Array(indices.length + rows)
  const newValues = new Float64Array(values.length + rows)
  let end = 0
  for (let i = 0; i < rows; i++) {
    const place = placeOf(matrix, i, j)
    const to = indptr[i + 1]
    const after = place < to && indices[place] === j ? place + 1 : place
    newIndices.set(indices.subarray(indptr[i], place), end)
    newValues.set(values.subarray(indptr[i], place), end)
    end += place - indptr[i]
    if (column[i] !== 0) {
      newIndices[end] = j
      newValues[end++] = column[i]
    }
    newIndices.set(indices.subarray(after, to), end)
    newValues.set(values.subarray(after, to), end)
    end += to - after
    newIndptr[i + 1] = end
  }
  return {
    kind: 'sparse',
    rows,
    cols,
    indptr: newIndptr,
    indices: newIndices.subarray(0, end),
    values: newValues.subarray(0, end),
  }
}

/** Where column j is among the entries of row i, or would be. */
function placeOf({ indptr, indices }: SparseMatrix, i: number, j: number): number {
  let low = indptr[i]
  let high = indptr[i + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (indices[middle] < j) low = middle + 1
    else high = middle
  }
  return low
}
