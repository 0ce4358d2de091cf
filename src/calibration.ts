/** Calibration: probabilities and intervals from decision values. */

export { conformalQuantile } from './calibration/conformal-quantile.ts'
export { type CouplingOptions, coupleProbabilities } from './calibration/couple-probabilities.ts'
export { fitDensityMarks, oneClassProbability } from './calibration/density-marks.ts'
export {
  fitIsotonic,
  type IsotonicCalibration,
  isotonicProbability,
} from './calibration/isotonic-calibration.ts'
export type { Positives } from './calibration/labelled-values.ts'
export { fitLaplaceNoise, laplaceInterval } from './calibration/laplace-noise.ts'
export { fitSigmoid, type SigmoidCalibration, sigmoidProbability } from './calibration/sigmoid-calibration.ts'
export type { DensityMarks, LaplaceNoise, PairProbability } from './models/model-parts.ts'
