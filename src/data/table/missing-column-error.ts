import { DataError, show } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest-word.ts'

/** A column is needed by its name, and is not there. */
export class MissingColumnError extends DataError {
  readonly column: string
  /** The columns that are there. */
  readonly names: readonly string[]

  /** `who` says whose names these are, `why` why the column is needed. */
  constructor(column: string, names: readonly string[], who = '', why?: string) {
    const list = names.length === 0 ? 'none' : names.map((name) => show(name)).join(', ')
    const only = why === undefined ? 'only' : `${why}; there are only`
    super(`${who}no column is named ${show(column)}, ${only} ${list}${didYouMean(column, names, show)}`)
    this.column = column
    this.names = names
  }
}
