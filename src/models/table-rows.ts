import * as z from '../base/schema.ts'
import { type Slot, slot } from '../base/slot.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import type { ColumnPreparation } from '../data/preparation/column-preparation.ts'
import type { TableInput } from '../data/table/table-shapes.ts'

/** What models need to know about tables. */
export interface TableRows {
  isTabular(rows: unknown): rows is TableInput
  /** Rows prepared as those of the training data, or, without a preparation, by the names of features. */
  vectorsOf(
    rows: TableInput,
    preparation: ColumnPreparation | undefined,
    names: readonly string[] | undefined,
  ): Matrix
  readonly schema: z.Schema<ColumnPreparation>
  /** Names of all features. */
  namesOf(preparation: ColumnPreparation): string[]
}

/** Where there are no tables, in `hyperplane/predict-plain`, models that were trained on them are refused. */
export const tableRows: Slot<TableRows> = slot<TableRows>({
  isTabular: (_rows): _rows is TableInput => false,
  vectorsOf: () => {
    throw new Error('no tables here')
  },
  schema: z.custom((_, refuse) => refuse('needs hyperplane/predict, which knows tables')),
  namesOf: () => [],
})
