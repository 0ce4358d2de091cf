/** Reading data that must have the features of a model, or of other data. */
import { DataError } from '../../base/errors.ts'
import { selectFeatures, type VectorDataset } from '../../data/table/dataset.ts'
import { counted } from '../report/output.ts'
import { type DataFlags, readData } from './data-options.ts'

/** The features that are wanted; a model is one such thing. */
export interface WantedFeatures {
  readonly features: number | undefined
  readonly featureNames: readonly string[] | undefined
}

/**
 * Reads the data set at `path`. Columns with names are found by their names, wherever they stand, and others are left out;
 * without names a table must have as many as are wanted. Sparse rows may be of any width, as in LIBSVM.
 */
export async function readMatchingData(
  path: string,
  flags: DataFlags,
  { features, featureNames }: WantedFeatures,
): Promise<VectorDataset> {
  const dataset = await readData(path, flags)
  const { kind, cols } = dataset.samples
  const hint = 'does --label say where the labels are?'
  if (featureNames && dataset.featureNames) {
    try {
      return selectFeatures(dataset, featureNames)
    } catch (error) {
      throw new DataError(`${path}: ${(error as Error).message}; ${hint}`, { cause: error })
    }
  }
  if (kind === 'dense' && features !== undefined && cols !== features) {
    throw new DataError(`${path}: ${counted(cols, 'feature')} where ${features} are needed; ${hint}`)
  }
  return dataset
}
