/** Tables: columns of numbers, categories, dates and text, and how they become features. */

export { type PeekTableOptions, peekTable, type TablePeek, type TextForm } from './data/files/peek-table.ts'
export type {
  CategoryEncoder,
  ColumnEncoder,
  DateEncoder,
  FilledWith,
  NumberEncoder,
  OrdinalEncoder,
  TextEncoder,
  VectorEncoder,
} from './data/preparation/column-encoder.ts'
export {
  applyPreparation,
  type ColumnPreparation,
  fitPreparation,
  preparedNames,
} from './data/preparation/column-preparation.ts'
export { describePreparation } from './data/preparation/describe-preparation.ts'
export { collectTable, type MakeTableOptions, makeTable } from './data/table/make-table.ts'
export type {
  Column,
  ColumnChoice,
  ColumnKind,
  ColumnSettings,
  DateFormat,
  DatePart,
  Fill,
  NumberColumn,
  Table,
  TextColumn,
  Unseen,
  VectorColumn,
} from './data/table/table.ts'
export type { ColumnReport, TableDataset, TableReport } from './data/table/table-builder.ts'
export type { TableOptions } from './data/table/table-options.ts'
export type {
  ArrowColumnLike,
  ColumnLists,
  ForeignTable,
  TableInput,
  TableRecord,
} from './data/table/table-shapes.ts'
export type { TextEncoding } from './data/text/text-encoding.ts'
