/**
 * Scores on the samples that a model was trained on and on others: their distance shows overfitting, their height underfitting.
 * Results are counted in the order of the units, whatever thread was first, so that work that is stopped, or gone on with,
 * has the same results after the same number of them.
 */
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import { type Executor, type SelectionWork, type Unit, unitName } from '../search/executor.ts'
import { meanOf, unknownUnits } from './evaluate-cells.ts'
import { classesOf, type FoldOutput, scoreInputOf } from './fold-output.ts'
import type { Scorer } from './scoring.ts'

/** The score of one fit on the samples that it was trained on, and on others. */
export interface TrainAndTestScores {
  readonly train: number
  readonly test: number
}

/** Scores of several fits, their mean and its standard error. */
export interface ScoreMean {
  readonly scores: readonly number[]
  readonly mean: number
  readonly standardError: number
}

/** One fit: its scores, and how large a model it took how many steps to find, where the model says so. */
export interface ScoredFit extends Pick<FoldOutput, 'supportVectors' | 'iterations' | 'isWarm'> {
  readonly scores: TrainAndTestScores
}

/** Options of {@link scoreTrainAndTest}. */
export interface TrainAndTestOptions {
  readonly executor: Executor
  /** Ends the work with what was reached. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Where results are kept as they come. */
  readonly checkpoint?: Checkpoint | undefined
}

/** Fits units and scores them on training and test samples: one result per unit, in their order; fewer where the work was stopped. */
export async function scoreTrainAndTest(
  work: Omit<SelectionWork, 'job' | 'withTraining' | 'checkpoint'>,
  units: readonly Unit[],
  scorer: Scorer,
  { executor, signal, onProgress, checkpoint }: TrainAndTestOptions,
): Promise<ScoredFit[]> {
  const { data, folds } = work
  const classes = classesOf(data)
  const whole: SelectionWork = { ...work, withTraining: true, job: undefined, checkpoint }
  const found = new Map<string, ScoredFit>()
  const results: ScoredFit[] = []
  const count = (): void => {
    for (;;) {
      const next = units[results.length]
      const own = next && found.get(unitName(next))
      if (!own || signal?.aborted) return
      results.push(own)
      if (checkpoint?.get(unitName(next)) === undefined) checkpoint?.put(unitName(next), own)
      onProgress?.(results.length, units.length)
    }
  }
  const known = (unit: Unit) => checkpoint?.get(unitName(unit)) as ScoredFit | undefined
  const missing = unknownUnits(whole, units, executor, (unit) => known(unit) !== undefined)
  const isMissing = new Set(missing)
  for (const unit of units) if (!isMissing.has(unit)) found.set(unitName(unit), known(unit) as ScoredFit)
  count()
  let failure: Error | undefined
  await executor.run(whole, missing, {
    signal,
    onResult({ output, ...unit }) {
      const { supportVectors, iterations, isWarm, seen } = output
      const { train, test } = folds[unit.fold]
      const score = (side: Uint32Array, said: Omit<FoldOutput, 'seconds'>) =>
        scorer.score(scoreInputOf(data, side, said, classes))
      found.set(unitName(unit), {
        scores: { train: score(train, seen as NonNullable<typeof seen>), test: score(test, output) },
        ...{ supportVectors, iterations, isWarm },
      })
      count()
    },
    onFailure({ error }) {
      failure ??= error
    },
  })
  if (failure && !signal?.aborted) throw failure
  return results
}

/** Means over fits, side by side. */
export function summarize(scores: readonly TrainAndTestScores[]): {
  readonly train: ScoreMean
  readonly test: ScoreMean
} {
  const of = (side: keyof TrainAndTestScores): ScoreMean => {
    const own = scores.map((one) => one[side])
    return { scores: own, ...meanOf(own) }
  }
  return { train: of('train'), test: of('test') }
}
