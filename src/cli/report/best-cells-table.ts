/** The cells of a search as a table. */

import type { Searched } from '../../reports/search-figures.ts'
import { meanWords, scoreWords } from '../options/selection-options.ts'
import { valueWords } from './output.ts'

/** The best cells, best first, as cells of a table. */
export function bestCellsTable({ cells, scoring, greaterIsBetter }: Omit<Searched, 'bestParams'>, most = 10) {
  const names = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  const sign = greaterIsBetter ? 1 : -1
  const ranked = cells.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => sign * (b.mean - a.mean))
  return {
    columns: [...names, scoring, 'worst fold', 'best fold'],
    left: [],
    rows: ranked
      .slice(0, most)
      .map(({ params, mean, standardError, scores }) => [
        ...names.map((name) => valueWords(params[name])),
        meanWords(scoring, { scores, mean, standardError }),
        ...worstAndBest(scores, greaterIsBetter).map((score) => scoreWords(scoring, score)),
      ]),
  }
}

function worstAndBest(scores: readonly number[], greaterIsBetter: boolean): [worst: number, best: number] {
  const sorted = Float64Array.from(scores).sort()
  const [least, most] = [sorted[0], sorted[sorted.length - 1]]
  return greaterIsBetter ? [least, most] : [most, least]
}
