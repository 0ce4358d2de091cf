/** Endings of file names that promise a format: what is written under such a name must be in it. */
import { DataError } from '../../base/errors.ts'

/** Endings whose meaning many programs share. Others, such as .txt or .out, promise nothing. */
const KNOWN = new Set(
  [
    // Models of other programs.
    'onnx pkl pickle joblib skops pmml h5 hdf5 keras pt pth ckpt safetensors coreml mlmodel tflite pb rds rda rdata gguf',
    // Data.
    'csv tsv json jsonl ndjson parquet arrow feather ipc avro orc npy npz mat arff xls xlsx ods sav dta sas7bdat',
    'sqlite db duckdb xml yaml yml libsvm svm svmlight model liblinear',
    // Pages and pictures.
    'html htm svg png jpg jpeg gif webp pdf md zip tar',
  ].flatMap((words) => words.split(' ')),
)

/**
 * Throws where the name of a file promises a format that is not what will be written: `what` says what that is, `allowed` the endings
 * that suit it. `.gz` behind an ending is none.
 */
export function refuseOtherEndings(
  path: string,
  what: string,
  allowed: readonly string[],
  advice: string,
): void {
  const [ending, word = ''] = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(path) ?? []
  const known = word.toLowerCase()
  if (!KNOWN.has(known) || allowed.includes(known)) return
  throw new DataError(`${path}: ${what} cannot be written as ${ending}; ${advice}`)
}
