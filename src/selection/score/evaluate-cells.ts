/** Cells evaluated on folds: looks up what is known already, has the rest computed, and keeps the scores as they come. */

import type { Params } from '../search/estimator-params.ts'
import { type Executor, inProcessExecutor, type SelectionWork, type Unit } from '../search/executor.ts'
import { classesOf, type FoldOutput, scoreInputOf } from './fold-output.ts'
import type { Scorer } from './scoring.ts'

/** A score and its cost. */
export interface UnitScore {
  readonly score: number
  readonly seconds: number
}

/** Where scores are kept from one run to the next. */
export interface ResultStore {
  /** The score of a cell on a fold, if it is known. */
  get(params: Params, fold: number): UnitScore | undefined
  add(params: Params, fold: number, score: UnitScore): void
}

/** A cell and how good it is. */
export interface CellResult {
  readonly params: Params
  /** Of each fold; NaN where it could not be computed. */
  readonly scores: readonly number[]
  readonly mean: number
  /** Of the mean: √(Σ (score − mean)² / (k − 1) / k); 0 for one fold. */
  readonly standardError: number
  /** Of fitting and predicting, all folds together. */
  readonly seconds: number
  /** What went wrong, twice; absent when nothing did. */
  readonly failures?: readonly { readonly fold: number; readonly message: string }[]
}

/** How {@link evaluateCells} works. */
export interface EvaluateCellsOptions {
  readonly executor?: Executor | undefined
  readonly store?: ResultStore | undefined
  /** Ends the work: cells that are not done are undefined. */
  readonly signal?: AbortSignal | undefined
  /** Called with each cell when its last fold is done; those that were known come first. */
  readonly onCell?: ((cell: CellResult) => void) | undefined
  /** Called with the output of each fold that was computed, not of those that were known. */
  readonly onOutput?: ((cell: number, fold: number, output: FoldOutput) => void) | undefined
}

/** Evaluates every cell on every fold. If `signal` is aborted, unfinished cells are undefined. */
export async function evaluateCells(
  work: SelectionWork,
  scorer: Scorer,
  options: EvaluateCellsOptions = {},
): Promise<(CellResult | undefined)[]> {
  const { executor = inProcessExecutor(), store, signal, onCell, onOutput } = options
  const { data, folds, cells } = work
  const classes = classesOf(data)
  const results: (CellResult | undefined)[] = cells.map(() => undefined)
  const progress = cells.map((params) => new CellProgress(params, folds.length))
  const settle = (cell: number): void => {
    if (!progress[cell].isDone) return
    const result = progress[cell].result()
    results[cell] = result
    onCell?.(result)
  }

  const all = cells.flatMap((_, cell) => folds.map((_, fold) => ({ cell, fold })))
  const scoreOf = ({ cell, fold }: Unit) => store?.get(cells[cell], fold)
  const units = unknownUnits(work, all, executor, (unit) => scoreOf(unit) !== undefined)
  const missing = new Set(units)
  for (const unit of all)
    if (!missing.has(unit)) progress[unit.cell].add(unit.fold, scoreOf(unit) as UnitScore)
  cells.forEach((_, cell) => {
    settle(cell)
  })

  await executor.run(work, units, {
    signal,
    onResult({ cell, fold, output }) {
      onOutput?.(cell, fold, output)
      const score = scorer.score(scoreInputOf(data, folds[fold].test, output, classes))
      const own = { score, seconds: output.seconds }
      store?.add(cells[cell], fold, own)
      progress[cell].add(fold, own)
      settle(cell)
    },
    onFailure({ cell, fold, error }) {
      progress[cell].fail(fold, error)
      settle(cell)
    },
  })
  return results
}

/** Units that must be computed: those that are not known, and those that depend on one of them. */
export function unknownUnits(
  work: SelectionWork,
  units: readonly Unit[],
  executor: Executor,
  isKnown: (unit: Unit) => boolean,
): Unit[] {
  const paths = work.cells.map((_, cell) => executor.together?.(work, cell))
  const nameOf = ({ cell, fold }: Unit) => (paths[cell] === undefined ? undefined : `${fold} ${paths[cell]}`)
  const unknown = new Set(units.filter((unit) => !isKnown(unit)))
  const broken = new Set(Array.from(unknown, nameOf))
  broken.delete(undefined)
  return units.filter((unit) => unknown.has(unit) || broken.has(nameOf(unit)))
}

/** The scores of a cell while they come in. */
class CellProgress {
  private readonly params: Params
  private readonly scores: number[]
  private readonly failures: { fold: number; message: string }[] = []
  private left: number
  private seconds = 0

  constructor(params: Params, folds: number) {
    this.params = params
    this.scores = new Array<number>(folds).fill(Number.NaN)
    this.left = folds
  }

  get isDone(): boolean {
    return this.left === 0
  }

  add(fold: number, { score, seconds }: UnitScore): void {
    this.scores[fold] = score
    this.seconds += seconds
    this.left--
  }

  fail(fold: number, { message }: Error): void {
    this.failures.push({ fold, message })
    this.left--
  }

  result(): CellResult {
    const { params, scores, seconds, failures } = this
    return {
      params,
      scores,
      ...meanOf(scores),
      seconds,
      ...(failures.length > 0 && { failures: failures.sort((a, b) => a.fold - b.fold) }),
    }
  }
}

/** The mean of scores, and its standard error. */
export function meanOf(scores: readonly number[]): { readonly mean: number; readonly standardError: number } {
  const count = scores.length
  const mean = scores.reduce((sum, score) => sum + score, 0) / count
  if (count < 2) return { mean, standardError: 0 }
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0)
  return { mean, standardError: Math.sqrt(squares / (count - 1) / count) }
}
