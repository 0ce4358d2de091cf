/** Plots: figures as SVG, and pages of them as HTML. */

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
export type { FigureOptions, FigureSize } from './plots/figure-options.ts'
export {
  foldSpreadFigure,
  type GridCell,
  type GridFigureOptions,
  heatMapFigure,
} from './plots/grid-figures.ts'
export { htmlReport, type ReportSection, type ReportTable } from './plots/html-report.ts'
export { type PanelOptions, panelFigure } from './plots/panel-figure.ts'
export { predictionFigure } from './plots/prediction-figure.ts'
export {
  type CalibrationData,
  calibrationFigure,
  type PrecisionRecallData,
  precisionRecallFigure,
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
export { type Searched, searchFigures } from './reports/search-figures.ts'
export { type Said, unseenSection } from './reports/unseen-section.ts'
