/**
 * Linear machines along C: cells that differ in nothing else are fitted one after the other on each fold, from the smallest C up, and
 * each begins with the model before. Answers are those of separate fits to the same tolerance, sooner.
 */
import { canonicalJson } from '../../base/canonical-json.ts'
import { LinearEstimator } from '../../estimators/parts/linear-estimator.ts'
import { fitOnFold } from '../score/fold-output.ts'
import {
  type ExecutorHooks,
  fitOptions,
  runUnits,
  type SelectionWork,
  type Unit,
  unitName,
} from '../search/executor.ts'

/** A name for the path that a cell is on: all its parameters but C. Undefined where it is fitted on its own. */
export function linearPath({ cells, make }: SelectionWork, cell: number): string | undefined {
  const { C, ...others } = cells[cell]
  if (typeof C !== 'number') return undefined
  const estimator = make(cells[cell])
  const isOnPath = estimator instanceof LinearEstimator && estimator.takesStart
  return isOnPath ? canonicalJson(others) : undefined
}

/** Fits the units that are on paths with others, so many paths at a time; returns the rest. */
export async function followLinearPaths(
  work: SelectionWork,
  units: readonly Unit[],
  concurrency: number,
  hooks: ExecutorHooks,
): Promise<Unit[]> {
  const { cells, folds, data, make, checkpoint, withTraining } = work
  const names = cells.map((_, cell) => linearPath(work, cell))
  const paths = new Map<string, Unit[]>()
  const others: Unit[] = []
  for (const unit of units) {
    const name = names[unit.cell]
    if (name === undefined) others.push(unit)
    else paths.set(`${unit.fold} ${name}`, [...(paths.get(`${unit.fold} ${name}`) ?? []), unit])
  }
  const priceOf = ({ cell }: Unit) => cells[cell].C as number
  const chains: Unit[][] = []
  for (const path of paths.values()) {
    if (path.length > 1) chains.push(path.sort((a, b) => priceOf(a) - priceOf(b)))
    else others.push(...path)
  }
  let next = 0
  const follow = async (): Promise<void> => {
    while (next < chains.length && !hooks.signal?.aborted) {
      let before: object | undefined
      await runUnits(chains[next++], 1, hooks, async (unit) => {
        const own = fitOptions(hooks.signal, checkpoint, unitName(unit))
        const options = before ? { ...own, start: before } : own
        const estimator = make(cells[unit.cell])
        const { model, output } = await fitOnFold(estimator, data, folds[unit.fold], options, withTraining)
        before = model
        return { ...output, isWarm: true }
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, chains.length) }, follow))
  return others
}
