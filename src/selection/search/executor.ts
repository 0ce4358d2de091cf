/**
 * Where the work is done of a selection. The unit of work is one cell on one fold: a fit and its predictions. An executor runs
 * units somewhere, in any order, and reports each as it comes; a unit that fails is tried once more, then reported as
 * failed, and the others continue.
 */
import { checkNumber } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { FitOptions } from '../../estimators/parts/estimator.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import { type FoldOutput, fitOnFold } from '../score/fold-output.ts'
import type { Fold } from '../split/splits.ts'
import type { EstimatorMaker, Params } from './estimator-params.ts'
import type { TuningJob } from './tuning-job.ts'

/** All units of work, and everything they need on this thread. */
export interface SelectionWork {
  readonly data: Dataset<unknown>
  readonly folds: readonly Fold[]
  readonly cells: readonly Params[]
  readonly make: EstimatorMaker
  /** The same as plain data; undefined where user functions are part of the estimator. */
  readonly job: TuningJob | undefined
  /** Whether models are scored on the samples that they were trained on, too. */
  readonly withTraining?: boolean | undefined
  /** Whether support vectors are counted, be it of many classes. */
  readonly countSupport?: boolean | undefined
  /** Whether the cells are one and the same on several folds, so that nobody gets the same numbers in another way. */
  readonly isOfFolds?: boolean | undefined
  /** The fold whose solutions are wanted as well. */
  readonly solvedFold?: number | undefined
  /** Where fits keep their state, by {@link unitName}. */
  readonly checkpoint?: Checkpoint | undefined
}

/** One cell on one fold, by their positions. */
export interface Unit {
  readonly cell: number
  readonly fold: number
}

/** What a checkpoint calls a unit. */
export function unitName({ cell, fold }: Unit): string {
  return `cell ${cell} fold ${fold}`
}

/** The result of a unit. */
export interface UnitResult extends Unit {
  readonly output: FoldOutput
}

/** A unit that failed twice, or once for a permanent reason. */
export interface UnitFailure extends Unit {
  readonly error: Error
}

/** Callbacks for the results. */
export interface ExecutorHooks {
  /** Ends the work; running units are not reported. */
  readonly signal?: AbortSignal | undefined
  onResult(result: UnitResult): void
  onFailure(failure: UnitFailure): void
}

/** Runs units; resolves when each has been reported, or when the signal is aborted. */
export interface Executor {
  run(work: SelectionWork, units: readonly Unit[], hooks: ExecutorHooks): Promise<void>
  /**
   * Cells with the same name here depend on each other on every fold, within the tolerance: one solution is the start of the
   * next. They are computed all or not at all, so that work that was interrupted ends as it would have otherwise. Undefined
   * for a cell that is fitted on its own.
   */
  together?(work: SelectionWork, cell: number): string | undefined
}

/** Runs nothing: for who does the rest in another way. */
export const nobody: Executor = { run: () => Promise.resolve() }

/** Runs units where `fit` runs, so many at a time: on the threads that `fit` uses in Node, else on the calling one. */
export function inProcessExecutor(options: { readonly concurrency?: number } = {}): Executor {
  const { concurrency = 1 } = options
  checkNumber('inProcessExecutor', 'concurrency', concurrency, { min: 1, integer: true })
  return {
    run: ({ data, folds, cells, make, checkpoint, withTraining }, units, hooks) =>
      runUnits(units, concurrency, hooks, async (unit) => {
        const options = fitOptions(hooks.signal, checkpoint, unitName(unit))
        const estimator = make(cells[unit.cell])
        return (await fitOnFold(estimator, data, folds[unit.fold], options, withTraining)).output
      }),
  }
}

/** What a fit that is a part of larger work is told; the part has a name in the checkpoint. */
export function fitOptions(
  signal: AbortSignal | undefined,
  checkpoint: Checkpoint | undefined,
  name: string,
): Pick<FitOptions, 'signal' | 'checkpoint'> {
  return { ...(signal && { signal }), ...(checkpoint && { checkpoint: checkpoint.within(name) }) }
}

/** Attempts every unit, so many at a time, with one more attempt for a unit that failed. */
export async function runUnits(
  units: readonly Unit[],
  concurrency: number,
  hooks: ExecutorHooks,
  attempt: (unit: Unit) => Promise<FoldOutput>,
): Promise<void> {
  const { signal } = hooks
  let next = 0
  const work = async (): Promise<void> => {
    while (next < units.length && !signal?.aborted) {
      const unit = units[next++]
      const outcome = await attemptTwice(() => attempt(unit), signal)
      // What a signal cut short is no result.
      if (signal?.aborted) return
      try {
        if (outcome instanceof Error) hooks.onFailure({ ...unit, error: outcome })
        else hooks.onResult({ ...unit, output: outcome })
      } catch (error) {
        // The receiver of the results cannot continue: no further unit is started.
        next = units.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, units.length) }, work))
}

async function attemptTwice(
  attempt: () => Promise<FoldOutput>,
  signal: AbortSignal | undefined,
): Promise<FoldOutput | Error> {
  try {
    return await attempt()
  } catch (first) {
    if (signal?.aborted || isLasting(first)) return first as Error
    try {
      return await attempt()
    } catch (second) {
      return second instanceof Error ? second : new Error(String(second))
    }
  }
}

/** Wrong parameters and unusable data stay so. */
function isLasting(error: unknown): boolean {
  return error instanceof ParameterError || error instanceof DataError
}
