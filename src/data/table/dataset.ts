import { DataError, ParameterError, show } from '../../base/errors.ts'
import { pickNumbers } from '../../base/lists.ts'
import { checkWeights } from '../../base/weights.ts'
import { isMatrix, type Matrix, type RowsInput, selectRows, toMatrix } from '../matrix/matrix.ts'
import { selectColumns } from '../matrix/select-columns.ts'
import { MissingColumnError } from './missing-column-error.ts'
import { isTable, selectTableRows, type Table } from './table.ts'

/** A class label or regression target. */
export type Label = number | string

/** All labels of a data set: numbers, or strings. */
export type Labels = Float64Array | readonly string[]

/**
 * Samples: the rows of a matrix, or values of any type (strings, graphs) for custom kernels.
 */
export type Samples<S = unknown> = Matrix | readonly S[]

/** Samples as they are given: they may be rows of a table, which an estimator makes vectors of. */
export type RawSamples<S = unknown> = Samples<S> | Table

/**
 * Samples with their labels. Plain data; make one with {@link makeDataset} or a reader. `Dataset` alone is one of vectors or of rows
 * of a table, `Dataset<string>` one of strings, and `Dataset<unknown>` stands for any.
 */
export interface Dataset<S = never> {
  readonly samples: RawSamples<S>
  readonly labels: Labels
  /** Weight of each sample; it multiplies C. Default: 1. */
  readonly weights?: Float64Array
  /** Name of each feature (column), if the source has names. */
  readonly featureNames?: readonly string[]
  /** The group of each sample, such as the patient: every split of the data set keeps groups together. */
  readonly groups?: ArrayLike<Label>
  /** The order of the samples in time: in every split of the data set, test samples are later than all training samples. */
  readonly times?: Times
}

/** The order of samples in time: that of the rows, or the time of each sample. */
export type Times = 'rows' | ArrayLike<number | Date>

/** A data set whose samples are vectors, as returned by readers and generators. */
export type VectorDataset = Dataset & { readonly samples: Matrix }

/** A data set of vectors whose labels are numbers: what generators make. */
export type NumericDataset = WithLabels<VectorDataset, Float64Array>

/** A data set whose labels are known to be texts, or numbers. */
export type WithLabels<D extends Dataset<unknown>, L extends Labels> = Omit<D, 'labels'> & {
  readonly labels: L
}

/** What a classifier of such labels predicts. */
export type Predicted<L extends Label> = L extends string ? string[] : Float64Array

/** The labels of a data set, one by one. */
export type LabelOf<D> = D extends { readonly labels: infer All }
  ? All extends Float64Array
    ? number
    : All extends readonly string[]
      ? string
      : Label
  : Label

/** The labels of a data set that was made of these: texts as they are, numbers as doubles. */
type LabelsFrom<L extends Label> = [L] extends [string]
  ? readonly string[]
  : [L] extends [number]
    ? Float64Array
    : Labels

/** Options of {@link makeDataset}. */
export interface DatasetOptions extends Pick<Dataset, 'featureNames' | 'groups' | 'times'> {
  readonly weights?: ArrayLike<number>
}

/** Number of samples. */
export function sampleCount(samples: RawSamples): number {
  return isMatrix(samples) || isTable(samples) ? samples.rows : samples.length
}

/**
 * Creates a data set from rows and labels, and checks that they match and are finite.
 *
 * @example
 * const data = makeDataset([[0, 1], [2, 3]], ['no', 'yes'], { featureNames: ['width', 'height'] })
 */
export function makeDataset<L extends Label>(
  rows: RowsInput,
  labels: ArrayLike<L>,
  options: DatasetOptions = {},
): WithLabels<VectorDataset, LabelsFrom<L>> {
  const samples = toMatrix(rows)
  return { ...checkLabelled('makeDataset', samples, labels, options), samples } as WithLabels<
    VectorDataset,
    never
  >
}

/**
 * Creates a data set of samples that are not vectors (strings, trees …), for custom kernels.
 *
 * @example
 * const words = makeSampleSet(['tea', 'tee', 'cup'], [1, 1, -1])
 */
export function makeSampleSet<S, L extends Label>(
  samples: readonly S[],
  labels: ArrayLike<L>,
  options: DatasetOptions = {},
): WithLabels<Dataset<S>, LabelsFrom<L>> {
  return checkLabelled('makeSampleSet', samples, labels, options) as WithLabels<Dataset<S>, never>
}

function checkLabelled<S>(
  who: string,
  samples: Samples<S>,
  labels: ArrayLike<Label>,
  options: DatasetOptions,
): Dataset<S> {
  const count = sampleCount(samples)
  if (typeof labels !== 'object' || labels === null || typeof labels.length !== 'number') {
    const allowed = 'an array of numbers or strings, one per row (OneClassSVM needs only rows)'
    throw new ParameterError(who, 'labels', allowed, labels)
  }
  if (labels.length !== count) throw new DataError(`${count} samples but ${labels.length} labels`)
  const { weights, featureNames, groups, times } = options
  if (featureNames !== undefined && isMatrix(samples) && featureNames.length !== samples.cols) {
    throw new DataError(`${samples.cols} features but ${featureNames.length} feature names`)
  }
  return {
    samples,
    labels: toLabels(labels),
    ...(weights && { weights: checkWeights(who, weights, count) }),
    ...(featureNames && { featureNames }),
    ...(groups && { groups }),
    ...(times && { times }),
  }
}

function toLabels(labels: ArrayLike<Label>): Labels {
  const list = Array.from(labels)
  if (list.every((label) => typeof label === 'number')) {
    const bad = list.findIndex((label) => !Number.isFinite(label))
    if (bad >= 0)
      throw new DataError(`label of sample ${bad} is ${list[bad]}; labels must be finite numbers or strings`)
    return Float64Array.from(list)
  }
  const bad = list.findIndex((label) => typeof label !== 'string')
  if (bad >= 0) {
    const hint = typeof list[bad] === 'boolean' ? '; Number(label) converts true to 1 and false to 0' : ''
    throw new DataError(
      `label of sample ${bad} is ${show(list[bad])}: labels must be all numbers or all strings${hint}`,
    )
  }
  return list as string[]
}

/** The chosen samples, in the order given; a sample may be chosen more than once. */
export function selectSamples<D extends Dataset<unknown>>(dataset: D, chosen: ArrayLike<number>): D {
  const { samples, labels, weights, groups, times } = dataset
  checkPositions('selectSamples', 'chosen', chosen, sampleCount(samples))
  const pick = <T>(list: ArrayLike<T>) => Array.from(chosen, (i) => list[i])
  return {
    ...dataset,
    samples: isMatrix(samples)
      ? selectRows(samples, chosen)
      : isTable(samples)
        ? selectTableRows(samples, chosen)
        : pick(samples),
    labels: labels instanceof Float64Array ? pickNumbers(labels, chosen) : pick(labels),
    ...(weights && { weights: pickNumbers(weights, chosen) }),
    ...(groups && { groups: pick(groups) }),
    ...(times && { times: times === 'rows' ? Array.from(chosen) : pick(times) }),
  }
}

/** Throws a ParameterError unless all of `chosen` are positions of some of `count` samples. */
export function checkPositions(who: string, name: string, chosen: ArrayLike<number>, count: number): void {
  for (let k = 0; k < chosen.length; k++) {
    const position = chosen[k]
    if (Number.isInteger(position) && position >= 0 && position < count) continue
    const allowed = `a whole number from 0 to ${count - 1}, the position of a sample`
    throw new ParameterError(who, `${name}[${k}]`, allowed, position)
  }
}

/**
 * Selects features by name, in this order: adapts a table with more columns, or columns in another order, to a model
 * (`selectFeatures(table, model.featureNames)`).
 */
export function selectFeatures<D extends Dataset<unknown>>(dataset: D, names: readonly string[]): D {
  const { samples } = dataset
  const featureNames = isTable(samples) ? samples.columns.map(({ name }) => name) : dataset.featureNames
  if (!featureNames) throw new DataError('the features of this data set have no names')
  if (names.length === featureNames.length && names.every((name, j) => name === featureNames[j]))
    return dataset
  const chosen = names.map((name) => {
    const found = featureNames.indexOf(name)
    if (found < 0) throw new MissingColumnError(name, featureNames)
    if (featureNames.includes(name, found + 1)) {
      throw new DataError(`more than one column is named ${show(name)}`)
    }
    return found
  })
  if (isTable(samples)) {
    return { ...dataset, samples: { ...samples, columns: chosen.map((k) => samples.columns[k]) } }
  }
  const columns = selectColumns(samples as Matrix, Uint32Array.from(chosen))
  return { ...dataset, samples: columns, featureNames: names }
}
