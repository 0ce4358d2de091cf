/** Hyperplane for browsers and any other runtime: everything that needs neither files nor threads. */

export type { TextPosition } from './base/errors.ts'
export { Random } from './base/random.ts'
export { type CouplingOptions, coupleProbabilities } from './calibration/couple-probabilities.ts'
export { fitDensityMarks, oneClassProbability } from './calibration/density-marks.ts'
export {
  fitIsotonic,
  type IsotonicCalibration,
  isotonicProbability,
} from './calibration/isotonic-calibration.ts'
export { fitLaplaceNoise, laplaceInterval } from './calibration/laplace-noise.ts'
export {
  fitSigmoid,
  type SigmoidCalibration,
  sigmoidProbability,
} from './calibration/sigmoid-calibration.ts'
export type { Certificate, Evidence, Measures, Solution, StopReason } from './certify/certificate.ts'
export {
  type Diagnosis,
  type DiagnosisOptions,
  diagnose,
  type MultiplierCase,
  type SamplePosition,
} from './certify/diagnosis.ts'
export { measure } from './certify/measure.ts'
export { summariseCertificates } from './certify/summarise-certificates.ts'
export type { ByteSource } from './data/codecs/byte-source.ts'
export type { CsvOptions } from './data/csv/csv-reader.ts'
export { type CsvWriteOptions, formatCsv } from './data/csv/csv-writer.ts'
export type { DataFormat } from './data/files/data-format.ts'
export { parseDataset, type ReadOptions, type ReadProgress } from './data/files/parse-dataset.ts'
export type { Generator, GeneratorOption } from './data/generators/generator.ts'
export { type GeneratorName, generate, generatorNames, generators } from './data/generators/generators.ts'
export {
  type LibsvmOptions,
  LibsvmParser,
  parseLibsvm,
  type SparseDataset,
} from './data/libsvm/libsvm-parser.ts'
export { formatLibsvm, type LibsvmWriteOptions } from './data/libsvm/libsvm-writer.ts'
export {
  selectRows,
  storedValues,
  toDense,
  toMatrix,
  toSparse,
} from './data/matrix/matrix.ts'
export { formatRangeFile, parseRangeFile } from './data/scaling/range-file.ts'
export {
  columnRanges,
  fitRangeScaler,
  type RangeOptions,
  type RangeScaler,
  type TargetRange,
} from './data/scaling/range-scaler.ts'
export { applyScaler, filledColumns, type Scaler, scalerColumns } from './data/scaling/scaler.ts'
export { formatScaler, parseScaler } from './data/scaling/scaler-file.ts'
export {
  fitStandardScaler,
  type StandardOptions,
  type StandardScaler,
} from './data/scaling/standard-scaler.ts'
export type { ColumnOptions } from './data/table/columns.ts'
export {
  type Dataset,
  type DatasetOptions,
  makeDataset,
  makeSampleSet,
  type Samples,
  sampleCount,
  selectFeatures,
  selectSamples,
  type VectorDataset,
} from './data/table/dataset.ts'
export { type Split, type SplitOptions, trainTestSplit } from './data/table/split.ts'
export { fitTargetRange, scaleTargets, unscaleTargets } from './data/table/target-range.ts'
export { chooseEngineBuild, type EngineBuild, engineIsMissing } from './engine/memory/engine-build.ts'
export { type EngineInfo, engineInfo } from './engine/memory/engine-info.ts'
export { type FitRunner, type FitTask, runInSlices, setFitRunner } from './estimators/fitting/fit-runner.ts'
export type { CheckpointChoice, CheckpointStore } from './estimators/fitting/kept-work.ts'
export { LinearSVC, type LinearSvcOptions } from './estimators/linear-svc.ts'
export { LinearSVR, type LinearSvrOptions } from './estimators/linear-svr.ts'
export { NuSVC, type NuSvcOptions } from './estimators/nu-svc.ts'
export { NuSVR, type NuSvrOptions } from './estimators/nu-svr.ts'
export { type OneClassInput, OneClassSVM, type OneClassSvmOptions } from './estimators/one-class-svm.ts'
export type { ClassWeight } from './estimators/parts/class-targets.ts'
export type { ClassifierOptions } from './estimators/parts/classifier-options.ts'
export type {
  Estimator,
  EstimatorOptions,
  FitOptions,
  Fitted,
  Learns,
} from './estimators/parts/estimator.ts'
export type { KernelEstimator, KernelEstimatorOptions } from './estimators/parts/kernel-estimator.ts'
export type { ScalerChoice } from './estimators/parts/scaler-choice.ts'
export type { SolverChoice } from './estimators/parts/solver-choice.ts'
export { SVC, type SvcOptions } from './estimators/svc.ts'
export { SVR, type SvrOptions } from './estimators/svr.ts'
export { type CheckKernelOptions, checkKernel, type KernelCheck } from './kernels/check-kernel.ts'
export { exp, product, scale, shift, sum } from './kernels/combinators.ts'
export type { AnyKernel, Gamma, Kernel, KernelEvaluator, KernelSpec } from './kernels/kernel.ts'
export { type KernelFromSpecOptions, kernelFromSpec } from './kernels/kernel-from-spec.ts'
export { type KernelSample, type KernelSamples, kernelMatrix, kernelValue } from './kernels/kernel-matrix.ts'
export { linear } from './kernels/linear.ts'
export { type PolynomialOptions, polynomial } from './kernels/polynomial.ts'
export { precomputed, precomputedSamples } from './kernels/precomputed.ts'
export { type RbfOptions, rbf } from './kernels/rbf.ts'
export { type SigmoidOptions, sigmoid } from './kernels/sigmoid.ts'
export { custom, featureMap, type NamedFunction, rankOne } from './kernels/user-kernels.ts'
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
export { type LogLossOptions, logLoss } from './metrics/log-loss.ts'
export { matthewsCorrelation } from './metrics/matthews-correlation.ts'
export type { MetricLabel } from './metrics/metric-label.ts'
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
export {
  type BoundaryData,
  type BoundaryOptions,
  boundaryFigure,
  type DecisionField,
  decisionField,
  type RingCase,
} from './plots/boundary-figure.ts'
export { type BoxOptions, boxFigure, type GeneralStep } from './plots/box-figure.ts'
export { type ConfusionData, confusionFigure } from './plots/confusion-figure.ts'
export {
  boundsFigure,
  type ConvergenceOptions,
  type ConvergencePoint,
  type ConvergenceRun,
  convergenceFigure,
} from './plots/convergence-figure.ts'
export type { FigureSize } from './plots/figure-size.ts'
export {
  foldSpreadFigure,
  type GridCell,
  type GridFigureOptions,
  heatMapFigure,
} from './plots/grid-figures.ts'
export { htmlReport, type ReportSection, type ReportTable } from './plots/html-report.ts'
export { type PanelOptions, panelFigure } from './plots/panel-figure.ts'
export { type PredictionFigureOptions, predictionFigure } from './plots/prediction-figure.ts'
export {
  type CalibrationData,
  calibrationFigure,
  type PrecisionRecallData,
  precisionRecallFigure,
  type RankingFigureOptions,
  type RocData,
  rocFigure,
} from './plots/ranking-figures.ts'
export { type RegressionData, type RegressionOptions, regressionFigure } from './plots/regression-figure.ts'
export {
  type LearningPoint,
  learningCurveFigure,
  type MeanScore,
  type PathPoint,
  pathFigure,
  type SelectionCurveOptions,
} from './plots/selection-curves.ts'
export * from './predict.ts'
export {
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeSvrProblem,
  type NuSvcProblem,
  type NuSvrProblem,
  type OneClassProblem,
  type Problem,
  type SvrProblem,
  type Task,
} from './problems/kernel-problem.ts'
export {
  cFromLambda,
  cFromSumLambda,
  cFromUnhalvedC,
  lambdaFromC,
  sumLambdaFromC,
  unhalvedCFromC,
} from './problems/mappings.ts'
export {
  type BiasForm,
  type Loss,
  makeProblem,
  type ProblemOptions,
  type SvmProblem,
} from './problems/problem.ts'
export { type CrossFitOptions, fitCalibrated } from './selection/calibrate/calibrate.ts'
export { type Calibration, calibrationsOf } from './selection/calibrate/calibrate-from-folds.ts'
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
export {
  isBetter,
  type Judged,
  makeScorer,
  type ScoreFunction,
  type Scorer,
  type Scoring,
  type ScoringName,
  scoringNames,
} from './selection/score/scoring.ts'
export type { SideSummary } from './selection/score/train-and-test-scores.ts'
export {
  type ValidateAndTestOptions,
  type ValidatedAndTested,
  validateAndTest,
} from './selection/score/validate-and-test.ts'
export { chooseCell } from './selection/search/choose-cell.ts'
export { datasetHash } from './selection/search/content-hash.ts'
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
export { jobKey, makeJob, parseJob, type TuningJob } from './selection/search/tuning-job.ts'
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
  labelsAreClasses,
  leaveOneOut,
  libsvmFolds,
  repeatedKFold,
  stratifiedKFold,
  type ThreeWaySplit,
  type TrainValidationTestOptions,
  trainValidationTest,
} from './selection/split/splits.ts'
export type { ModelStep } from './solve/driver/model-step.ts'
export { type Progress, type RunOptions, type SolveResult, solve, solveSync } from './solve/driver/run.ts'
export type { Solver, SolverContext, SolverEnd, SolverRun, SolverState } from './solve/driver/solver.ts'
export { type TraceOptions, type TracePoint, traceToCsv } from './solve/driver/trace.ts'
export type { SmoStep } from './solve/dual/pair-step.ts'
export { type PegasosOptions, pegasos } from './solve/methods/pegasos.ts'
export { type SolverName, solverNames, solvers } from './solve/methods/registry.ts'
export { type SdcaOptions, sdca } from './solve/methods/sdca.ts'
export { type SmoOptions, smo } from './solve/methods/smo.ts'
export { smoMvp } from './solve/methods/smo-mvp.ts'
export { type SmoPlattOptions, smoPlatt } from './solve/methods/smo-platt.ts'
export { type SmoRandomOptions, smoRandom } from './solve/methods/smo-random.ts'
export { type SmoSimplifiedOptions, smoSimplified } from './solve/methods/smo-simplified.ts'
export { subgradient } from './solve/methods/subgradient.ts'
export { type WorkingSetOptions, workingSet } from './solve/methods/working-set.ts'
export type { Claim } from './verify/claims.ts'
export { type VerifyOptions, verify, verifySync } from './verify/verify.ts'
export type { VerifiedPart, VerifyResult } from './verify/verify-result.ts'
