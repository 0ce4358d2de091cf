/** Lets models take tables and records, when this file is imported. */
import { DataError } from '../../base/errors.ts'
import { applyPreparation, preparedNames } from '../../data/preparation/column-preparation.ts'
import { preparationSchema } from '../../data/preparation/preparation-schema.ts'
import { isTabular } from '../../data/table/table-shapes.ts'
import { vectorsByName } from '../../data/table/vectors-by-name.ts'
import { tableRows } from '../table-rows.ts'

tableRows.install({
  isTabular,
  vectorsOf(rows, preparation, names) {
    if (preparation) return applyPreparation(preparation, rows)
    if (names) return vectorsByName(rows, names)
    throw new DataError(
      'the model does not know the names of its features: rows must be numbers, without names',
    )
  },
  schema: preparationSchema,
  namesOf: preparedNames,
})
