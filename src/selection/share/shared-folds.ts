/** Folds of one estimator that share their work (./shared-work.ts): what cross-validation and calibration are made of. */
import { countUp } from '../../base/lists.ts'
import { type Dataset, sampleCount } from '../../data/table/dataset.ts'
import type { Checkpoint } from '../../solve/driver/checkpoint.ts'
import type { FoldOutput } from '../score/fold-output.ts'
import type { Estimator } from '../search/estimator.ts'
import { nobody, type SelectionWork, unitName } from '../search/executor.ts'
import type { Fold } from '../split/splits.ts'
import { SEED_FOLDS } from './shared-plan.ts'
import { sharedWorkExecutor } from './shared-work.ts'

/** Every fold has targets and boxes for all samples: with more folds than this, they would be more than the matrix is worth. */
const MOST_FOLDS = 64

/** How {@link sharedFolds} works. */
export interface SharedFoldsOptions {
  readonly threads?: number | undefined
  /** Memory for matrices, in bytes. Default: a quarter of the free memory, 2 GB at most. */
  readonly cacheBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Where folds are kept as they come. */
  readonly checkpoint?: Checkpoint | undefined
  /** Whether support vectors are counted, be it of many classes. */
  readonly countSupport?: boolean | undefined
  /** Whether a fold that trains on all samples comes last, with its solutions. */
  readonly withWhole?: boolean | undefined
  /** Hears each fold that is done. */
  readonly onFold?: ((fold: number) => void) | undefined
}

/** What was said of each fold by a model that had not seen it; undefined for a fold that has to be fitted on its own. */
export async function sharedFolds(
  data: Dataset<unknown>,
  given: readonly Fold[],
  estimatorOf: (fold: number) => Estimator,
  options: SharedFoldsOptions = {},
): Promise<(FoldOutput | undefined)[]> {
  const { threads, cacheBytes, signal, checkpoint, countSupport, withWhole, onFold } = options
  const whole = { train: countUp(sampleCount(data.samples)), test: new Uint32Array(0) }
  const folds = withWhole ? [...given, whole] : given
  const units = folds.map((_, fold) => ({ cell: fold, fold }))
  const outputs = units.map((unit) => checkpoint?.get(unitName(unit)) as FoldOutput | undefined)
  outputs.forEach((output, fold) => {
    if (output) onFold?.(fold)
  })
  const work: SelectionWork = {
    ...{
      data,
      folds,
      cells: folds.map((_, fold) => ({ fold })),
      countSupport,
      isOfFolds: true,
      solvedFold: withWhole ? given.length : undefined,
      job: undefined,
    },
    make: ({ fold }) => estimatorOf(fold as number),
  }
  const executor = sharedWorkExecutor({
    ...(threads !== undefined && { threads }),
    ...(cacheBytes !== undefined && { cacheBytes }),
    otherwise: nobody,
  })
  // Those that others start from are solved again for these, so that bits do not depend on where work was taken up.
  const last = outputs.lastIndexOf(undefined)
  const open = units.filter(({ fold }) => !outputs[fold] || (fold < SEED_FOLDS && last >= SEED_FOLDS))
  await executor.run(work, folds.length > MOST_FOLDS ? [] : open, {
    signal,
    onResult({ output, ...unit }) {
      if (outputs[unit.fold]) return
      outputs[unit.fold] = output
      checkpoint?.put(unitName(unit), output)
      onFold?.(unit.fold)
    },
    onFailure: () => {},
  })
  return outputs
}
