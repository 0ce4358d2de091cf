/** File formats: data sets, scalers and models as text or bytes. */

export type { TextPosition } from './base/errors.ts'
export type { ByteSource } from './data/codecs/byte-source.ts'
export type { CsvShapeOptions } from './data/csv/csv-reader.ts'
export { type CsvWriteOptions, formatCsv } from './data/csv/csv-writer.ts'
export type { DataFormat } from './data/files/data-format.ts'
export { parseDataset, type ReadOptions } from './data/files/parse-dataset.ts'
export type { ReadProgress, VectorOptions } from './data/files/parse-vectors.ts'
export {
  type LibsvmOptions,
  LibsvmParser,
  parseLibsvm,
  type SparseDataset,
} from './data/libsvm/libsvm-parser.ts'
export { formatLibsvm, type LibsvmWriteOptions } from './data/libsvm/libsvm-writer.ts'
export { formatRangeFile, parseRangeFile } from './data/scaling/range-file.ts'
export type { RangeOptions, RangeScaler, TargetRange } from './data/scaling/range-scaler.ts'
export { filledColumns } from './data/scaling/scaler.ts'
export { formatScaler, parseScaler } from './data/scaling/scaler-file.ts'
export type { StandardOptions, StandardScaler } from './data/scaling/standard-scaler.ts'
export type { ColumnOptions } from './data/table/columns.ts'
export { formatJsonModel } from './models/files/format-json-model.ts'
export { formatLiblinearModel } from './models/files/format-liblinear-model.ts'
export { formatLibsvmModel } from './models/files/format-libsvm-model.ts'
export { type ParseModelOptions, parseJsonModel } from './models/files/parse-json-model.ts'
export {
  type LiblinearModel,
  type ParseLiblinearModelOptions,
  parseLiblinearModel,
} from './models/files/parse-liblinear-model.ts'
export {
  type LibsvmModel,
  type ParseLibsvmModelOptions,
  parseLibsvmModel,
} from './models/files/parse-libsvm-model.ts'
export { parseModel } from './models/files/parse-model.ts'
export type { TrainingSettings } from './models/model-parts.ts'
