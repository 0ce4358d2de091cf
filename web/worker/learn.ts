/** From settings to an estimator, and from a model to values that can be drawn. */
import {
  type FitOptions,
  type Fitted,
  type Kernel,
  type Label,
  type Matrix,
  NuSVC,
  type OneClassModel,
  OneClassSVM,
  SVC,
  SVR,
  type SvcModel,
  type SvrModel,
  type VectorDataset,
} from '../../src/index.browser.ts'
import { kernelFromSpec } from '../../src/kernels.ts'
import type { TableDataset } from '../../src/tables.ts'
import { pairsOf } from '../plane/votes.ts'
import type { Settings } from '../state/lab-state.ts'
import { labThreads } from './threads.ts'

/** A classifier of any number of classes. */
export type Classifier = Fitted<SvcModel>

/** Any model of the Lab. */
export type LabModel = Classifier | Fitted<OneClassModel> | Fitted<SvrModel>

/** What a model is trained on: vectors, or rows of a table. */
type Rows = VectorDataset | Omit<TableDataset, 'report'>

/** How a model is trained beyond what {@link Settings} say. */
export interface LearnOptions extends FitOptions {
  readonly scaler?: 'range' | 'standard' | undefined
  readonly balanced?: boolean
}

/** C-SVC or ν-SVC. */
export function classEstimator(
  settings: Settings,
  { scaler, balanced = false }: Pick<LearnOptions, 'scaler' | 'balanced'> = {},
): SVC | NuSVC {
  const { problem, nu, C, solver } = settings
  const shared = { ...kernelOptions(settings), ...(scaler && { scaler }) }
  return problem === 'nu-svc'
    ? new NuSVC({ ...shared, nu })
    : new SVC({ ...shared, C, solver, ...(balanced && { classWeight: 'balanced' as const }) })
}

/** ε-SVR. */
export function targetEstimator(
  settings: Settings,
  { scaler }: Pick<LearnOptions, 'scaler' | 'balanced'> = {},
): SVR {
  const { C, epsilon } = settings
  return new SVR({ ...kernelOptions(settings), C, epsilon, ...(scaler && { scaler }) })
}

/** Trains a classifier: C-SVC or ν-SVC. */
export function learnClasses(
  dataset: Rows,
  settings: Settings,
  { scaler, balanced = false, ...fitOptions }: LearnOptions,
): Promise<Classifier> {
  return classEstimator(settings, { scaler, balanced }).fit(dataset, fitOptions)
}

/** Trains a regression. */
export function learnTargets(
  dataset: Rows,
  settings: Settings,
  { scaler, balanced: _, ...fitOptions }: LearnOptions,
): Promise<Fitted<SvrModel>> {
  return targetEstimator(settings, { scaler }).fit(dataset, fitOptions)
}

/** Trains what the settings ask for. */
export function learn(dataset: VectorDataset, settings: Settings, options: FitOptions): Promise<LabModel> {
  const { problem, nu } = settings
  if (problem === 'one-class')
    return new OneClassSVM({ ...kernelOptions(settings), nu }).fit(dataset, options)
  if (problem === 'svr') return learnTargets(dataset, settings, options)
  return learnClasses(dataset, settings, options)
}

function kernelOptions({ kernel, tol, seed }: Settings) {
  return { kernel: kernelFromSpec(kernel) as Kernel, tol, seed, threads: labThreads }
}

/** The labels that occur, ascending. */
export function classesOf(labels: ArrayLike<Label>): Label[] {
  return [...new Set(Array.from(labels))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/**
 * What a classifier says of some rows, as lists of values that change smoothly: the decision value for two classes. For
 * more, each class gets the value by which it beats its strongest rival: positive where it wins, 0 on its boundary.
 */
export function scoresOf(model: SvcModel, rows: Matrix): Float64Array[] {
  if (model.classes.length === 2) return [model.decisionFunction(rows)]
  return scoresOfPairs(pairValuesOf(model, rows), model.classes.length)
}

/** The decision values of each pair of classes, in the order of {@link pairsOf}; a positive value is for the first. */
export function pairValuesOf(model: SvcModel, rows: Matrix): Float64Array[] {
  const values = model.decisionFunction(rows, { decisionFunctionShape: 'ovo' })
  const pairs = pairsOf(model.classes.length)
  return pairs.map((_, p) =>
    Float64Array.from({ length: rows.rows }, (_unused, i) => values[i * pairs.length + p]),
  )
}

/** See {@link scoresOf}. */
export function scoresOfPairs(values: readonly Float64Array[], count: number): Float64Array[] {
  const rows = values[0].length
  const scores = Array.from({ length: count }, () => new Float64Array(rows).fill(Number.POSITIVE_INFINITY))
  pairsOf(count).forEach(([a, b], p) => {
    for (let i = 0; i < rows; i++) {
      scores[a][i] = Math.min(scores[a][i], values[p][i])
      scores[b][i] = Math.min(scores[b][i], -values[p][i])
    }
  })
  return scores
}

/** The coefficient of each training sample, the largest where it has several. */
export function coefficientsOf({ supportIndices, dualCoef }: LabModel, count: number): Float64Array {
  const coefficients = new Float64Array(count)
  const width = supportIndices?.length ?? 0
  dualCoef.forEach((value, k) => {
    const i = supportIndices?.[k % width] ?? 0
    if (Math.abs(value) > Math.abs(coefficients[i])) coefficients[i] = value
  })
  return coefficients
}
