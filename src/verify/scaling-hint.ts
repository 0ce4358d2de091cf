import { isMatrix, type RowsInput, toMatrix } from '../data/matrix/matrix.ts'
import { applyScaler } from '../data/scaling/scaler.ts'
import type { Unlabelled } from '../estimators/parts/estimator.ts'
import { fitScaler, type ScalerChoice } from '../estimators/parts/scaler-choice.ts'
import type { KernelModel } from './kernel-parts.ts'
import { looksTrainedOn } from './training-rows.ts'

/** svm-scale writes 6 digits. */
const SIX_DIGITS = 5.00001e-6

const usual: readonly (readonly [ScalerChoice, string])[] = [
  ['range', 'to [-1, 1]'],
  [{ kind: 'range', lower: 0, upper: 1 }, 'to [0, 1]'],
  ['standard', 'to unit variance'],
]

/** What to do about data that a model's support vectors are not among, when scaling is what keeps them apart. */
export function scalingHint(model: KernelModel, data: Unlabelled): string | undefined {
  const { supportVectors, scaler, kernel } = model
  if (!isMatrix(supportVectors) || kernel.spec.kind === 'precomputed') return undefined
  const rows = toMatrix(data.samples as RowsInput)
  if (scaler) {
    if (!looksTrainedOn(supportVectors, rows, SIX_DIGITS)) return undefined
    return 'they are already scaled: the model contains its scaler and needs the unscaled data'
  }
  const found = usual.find(([choice]) =>
    looksTrainedOn(supportVectors, applyScaler(fitScaler(choice, rows), rows), SIX_DIGITS),
  )
  return found && `it was trained on these data scaled ${found[1]}, but contains no scaler: scale them first`
}
