/** Model selection: splits, scores, cross-validation, searches, and the executors they run on. */

export type { Times } from './data/table/dataset.ts'
export type { Learns, Unlabelled } from './estimators/parts/estimator.ts'
export type { Conformal } from './models/model-parts.ts'
export { type Calibratable, type CrossFitOptions, fitCalibrated } from './selection/calibrate/calibrate.ts'
export type { Calibration } from './selection/calibrate/calibrate-from-folds.ts'
export {
  chooseThreshold,
  type ThresholdFoldsOptions,
  thresholdFromFolds,
  withThreshold,
} from './selection/calibrate/choose-threshold.ts'
export {
  type ConformalIntervals,
  type ConformalModel,
  type ConformalOptions,
  type ConformalSets,
  conformalFromData,
  conformalIntervals,
  conformalSets,
  withConformal,
} from './selection/calibrate/conformal.ts'
export { type ConformalFoldsOptions, conformalFromFolds } from './selection/calibrate/conformal-from-folds.ts'
export {
  conformalIntervalsFromFolds,
  conformalSetsFromFolds,
  type FoldConformalOptions,
  type FoldIntervals,
  type FoldSets,
} from './selection/calibrate/cross-conformal.ts'
export {
  type CrossValidateOptions,
  type CrossValidation,
  crossValidate,
  type FoldSummary,
  type OutOfFold,
  type ScoreSummary,
} from './selection/score/cross-validate.ts'
export {
  type CellResult,
  type EvaluateCellsOptions,
  evaluateCells,
  type ResultStore,
  type UnitScore,
} from './selection/score/evaluate-cells.ts'
export type { FoldOutput } from './selection/score/fold-output.ts'
export {
  type LearningCurve,
  type LearningCurveOptions,
  type LearningCurvePoint,
  learningCurve,
} from './selection/score/learning-curve.ts'
export {
  type LeaveOneOutOptions,
  type LeaveOneOutValues,
  leaveOneOutValues,
} from './selection/score/leave-one-out-svc.ts'
export {
  type InnerTuner,
  type NestedCrossValidation,
  nestedCrossValidate,
  type Tuned,
} from './selection/score/nested-cross-validate.ts'
export {
  correctedTTest,
  fiveByTwoFTest,
  fiveByTwoTTest,
  type PairedTest,
} from './selection/score/paired-tests.ts'
export {
  type FeatureImportance,
  type PermutationImportance,
  type PermutationImportanceOptions,
  permutationImportance,
} from './selection/score/permutation-importance.ts'
export {
  type Protocol,
  type ProtocolChoice,
  type ProtocolName,
  type ProtocolSettings,
  protocolNames,
} from './selection/score/protocols.ts'
export type { ScoreMean } from './selection/score/score-train-and-test.ts'
export {
  makeScorer,
  type ScoreFunction,
  type ScoreInput,
  type Scorer,
  type Scoring,
  type ScoringName,
  scoringNames,
} from './selection/score/scoring.ts'
export {
  type ValidateAndTestOptions,
  type ValidatedAndTested,
  validateAndTest,
} from './selection/score/validate-and-test.ts'
export type { Estimator as AnyEstimator, Predictor } from './selection/search/estimator.ts'
export {
  type EstimatorMaker,
  type EstimatorSpec,
  estimatorFromSpec,
  estimatorMaker,
  estimatorSpec,
  type Params,
  type Tunable,
} from './selection/search/estimator-params.ts'
export {
  type Executor,
  type ExecutorHooks,
  inProcessExecutor,
  runUnits,
  type SelectionWork,
  type Unit,
  type UnitFailure,
  type UnitResult,
} from './selection/search/executor.ts'
export {
  defaultGrid,
  type Grid,
  gridCells,
  libsvmGrid,
  type Range as ParameterRange,
  type Ranges,
} from './selection/search/search-cells.ts'
export { searchNames, type TuneOptions, type TuneResult, tune } from './selection/search/tune.ts'
export { makeJob, parseJob, type TuningJob } from './selection/search/tuning-job.ts'
export { type CPath, type CPathOptions, type CPathPoint, cPath } from './selection/share/c-path.ts'
export { type SharedWorkOptions, sharedWorkExecutor } from './selection/share/shared-work.ts'
export {
  type Fold,
  type FoldOptions,
  fiveByTwo,
  groupKFold,
  type HoldOutOptions,
  holdOut,
  type KFoldOptions,
  kFold,
  leaveOneOut,
  libsvmFolds,
  repeatedKFold,
  stratifiedKFold,
  type ThreeWaySplit,
  type TimeSeriesOptions,
  type TrainValidationTestOptions,
  timeSeriesSplit,
  trainValidationTest,
} from './selection/split/splits.ts'
