/** The cells of a search as a table. */
import { largestOf, smallestOf } from '../../base/lists.ts'
import type { Searched } from '../../reports/search-figures.ts'
import { meanWords, scoreWords } from '../options/selection-options.ts'
import { type CellTable, type Column, tableOf, valueWords } from './output.ts'

/** The best cells, best first, as cells of a table. */
export function bestCellsTable(searched: Omit<Searched, 'bestParams'>, most = 10): CellTable {
  const { cells, scoring, greaterIsBetter } = searched
  const names = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const sign = greaterIsBetter ? 1 : -1
  const ranked = cells.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => sign * (b.mean - a.mean))
  const fold = (scores: readonly number[], isBest: boolean) =>
    scoreWords(scoring, isBest === greaterIsBetter ? largestOf(scores) : smallestOf(scores))
  return tableOf(ranked.slice(0, most), [
    ...names.map((name): Column<(typeof ranked)[number]> => [name, ({ params }) => valueWords(params[name])]),
    [scoring, (cell) => meanWords(scoring, cell)],
    ['worst fold', ({ scores }) => fold(scores, false)],
    ['best fold', ({ scores }) => fold(scores, true)],
  ])
}
