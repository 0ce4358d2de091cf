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
import type { Settings } from '../state/lab-state.ts'
import { labThreads } from './threads.ts'

/** A classifier of any number of classes. */
export type Classifier = Fitted<SvcModel>

/** Any model of the Lab. */
export type LabModel = Classifier | Fitted<OneClassModel> | Fitted<SvrModel>

/** How a model is trained beyond what {@link Settings} say. */
export interface LearnOptions extends FitOptions {
  readonly scaler?: 'range' | 'standard' | undefined
  readonly balanced?: boolean
}

/** Trains a classifier: C-SVC or ν-SVC. */
export function learnClasses(
  dataset: VectorDataset,
  settings: Settings,
  { scaler, balanced = false, ...fitOptions }: LearnOptions,
): Promise<Classifier> {
  const { problem, nu, C, solver } = settings
  const shared = { ...kernelOptions(settings), ...(scaler && { scaler }) }
  const estimator =
    problem === 'nu-svc'
      ? new NuSVC({ ...shared, nu })
      : new SVC({ ...shared, C, solver, ...(balanced && { classWeight: 'balanced' as const }) })
  return estimator.fit(dataset, fitOptions)
}

/** Trains a regression. */
export function learnTargets(
  dataset: VectorDataset,
  settings: Settings,
  { scaler, balanced: _, ...fitOptions }: LearnOptions,
): Promise<Fitted<SvrModel>> {
  const { C, epsilon } = settings
  const options = { ...kernelOptions(settings), C, epsilon, ...(scaler && { scaler }) }
  return new SVR(options).fit(dataset, fitOptions)
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
  const count = model.classes.length
  if (count === 2) return [model.decisionFunction(rows)]
  const pairs = model.decisionFunction(rows, { decisionFunctionShape: 'ovo' })
  const width = (count * (count - 1)) / 2
  const scores = model.classes.map(() => new Float64Array(rows.rows).fill(Number.POSITIVE_INFINITY))
  for (let i = 0; i < rows.rows; i++) {
    // Pairs are (0, 1), (0, 2), …, (1, 2), …; a positive value is for the first.
    let at = i * width
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++, at++) {
        scores[a][i] = Math.min(scores[a][i], pairs[at])
        scores[b][i] = Math.min(scores[b][i], -pairs[at])
      }
    }
  }
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
