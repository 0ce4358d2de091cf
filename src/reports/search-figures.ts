import { foldSpreadFigure, type GridCell, heatMapFigure } from '../plots/grid-figures.ts'

/** How a search went. */
export interface Searched {
  readonly cells: readonly GridCell[]
  readonly bestParams: GridCell['params']
  readonly scoring: string
  readonly greaterIsBetter: boolean
}

/** The heat map where two parameters were tuned, of more the best cells over the others, and the folds of the best. */
export async function searchFigures(searched: Searched): Promise<string[]> {
  const { cells, bestParams: best, scoring, greaterIsBetter } = searched
  const options = { scoring, greaterIsBetter, best }
  const figures: string[] = []
  const [x, y, ...others] = Object.keys(best).filter((name) =>
    cells.every(({ params }) => typeof params[name] === 'number' && params[name] > 0),
  )
  if (y !== undefined) {
    const subtitle = others.length > 0 ? { subtitle: `the best over ${others.join(' and ')}` } : {}
    const shown = bestOver(cells, x, y, greaterIsBetter)
    figures.push(await heatMapFigure(shown, x, y, { ...options, ...subtitle }))
  }
  figures.push(await foldSpreadFigure(cells, options))
  return figures
}

/** For each pair of values the best of the cells that have it. */
function bestOver(cells: readonly GridCell[], x: string, y: string, greaterIsBetter: boolean): GridCell[] {
  const best = new Map<string, GridCell>()
  for (const cell of cells) {
    const key = `${cell.params[x]} ${cell.params[y]}`
    const known = best.get(key)
    if (!known || (greaterIsBetter ? cell.mean > known.mean : cell.mean < known.mean)) best.set(key, cell)
  }
  return [...best.values()]
}
