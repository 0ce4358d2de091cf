/** Metrics: scores of classes, rankings, probabilities and regression. */

export {
  brierScore,
  type CalibrationBin,
  type CalibrationOptions,
  calibrationCurve,
} from './metrics/calibration-curve.ts'
export {
  type Average,
  type AverageOptions,
  accuracy,
  balancedAccuracy,
  type ClassificationReport,
  type ClassScores,
  classificationReport,
  f1,
  precision,
  recall,
  type Scores,
} from './metrics/classification.ts'
export { type ConfusionMatrix, type ConfusionOptions, confusionMatrix } from './metrics/confusion-matrix.ts'
export {
  type DecisionThreshold,
  decisionThreshold,
  type ThresholdGoal,
  type ThresholdScore,
} from './metrics/decision-threshold.ts'
export { type LogLossOptions, logLoss } from './metrics/log-loss.ts'
export { matthewsCorrelation } from './metrics/matthews-correlation.ts'
export type { MetricLabel, MetricLabels } from './metrics/metric-label.ts'
export {
  areaUnderCurve,
  averagePrecision,
  type PrecisionRecallCurve,
  precisionRecallAuc,
  precisionRecallCurve,
  type RankingOptions,
  type RocCurve,
  rocAuc,
  rocCurve,
} from './metrics/ranking.ts'
export { meanAbsoluteError, meanSquaredError, r2, squaredCorrelation } from './metrics/regression.ts'
export type { WeightOptions } from './metrics/sample-weights.ts'
