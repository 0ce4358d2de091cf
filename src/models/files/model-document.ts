/**
 * The JSON form of models, version 2. One object (version 1 is the same without `preparation`, `threshold`, `conformal`
 * and `training.targetScaling`):
 *
 *   format    "hyperplane-model"      version   2      type   what kind of model
 *   classes   the labels of a classifier; labelOrder, threshold, decisionFunctionShape, breakTies, multiClass   what decides,
 *             and shapes
 *   features, featureNames, preparation, scaler, liblinearSolver   as in ../model-parts.ts; a preparation says the names
 *   kernel    spec of the kernel, parameters settled                                    (kernel models)
 *   support   the support vectors, how many each class has, which samples they were     (kernel models)
 *   machines  the functions: `negative` and `positive` point into classes; dualCoef or coef, bias, probability
 *   conformal      level, by, quantile, from and samples of conformal prediction
 *   certificates   one per problem that was solved
 *   training       the settings of these problems
 *
 * Kernel classifiers have one machine per pair of classes, whose dualCoef are for the support vectors of those two classes.
 * Linear classifiers of more than two classes have one per class, without `negative`. Numbers: ./json-numbers.ts.
 */
import { DataError, show } from '../../base/errors.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import type { Samples } from '../../data/table/dataset.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import type {
  DensityMarks,
  LaplaceNoise,
  LinearSvcParts,
  ModelParts,
  PairProbability,
  SvcParts,
} from '../model-parts.ts'
import type { ModelType } from '../model-types.ts'
import { groupStarts, pairCoefficients } from '../pairs.ts'
import { encodeDeep } from './json-numbers.ts'

/** All that models of any type hold. */
type SavedParts = ModelParts &
  Partial<Omit<SvcParts<unknown>, 'type' | 'probability'>> &
  Partial<Omit<LinearSvcParts, 'probability'>> & {
    readonly type: ModelType
    readonly biases: Float64Array
    readonly probability?: PairProbability | LaplaceNoise | DensityMarks | undefined
  }

/** The plain object whose JSON text is the file of a model. */
export function modelDocument(model: SavedParts): object {
  const { type, features, featureNames, preparation, scaler, certificates, training, conformal } = model
  const { classes, labelOrder, threshold, decisionFunctionShape, breakTies, multiClass, liblinearSolver } =
    model
  const { supportVectors, supportCounts, supportIndices } = model
  return given({
    ...{ format: 'hyperplane-model', version: 2, type, features, preparation },
    ...{ featureNames: preparation ? undefined : featureNames, scaler: encodeDeep(scaler) },
    ...{ classes, labelOrder, threshold: encodeDeep(threshold) },
    decisionFunctionShape: decisionFunctionShape === 'ovo' ? 'ovo' : undefined,
    breakTies: breakTies || undefined,
    multiClass: multiClass === 'crammer-singer' ? multiClass : undefined,
    liblinearSolver,
    ...(supportVectors && {
      kernel: encodeDeep(model.kernel?.spec),
      support: given({
        ...{ counts: encodeDeep(supportCounts), indices: encodeDeep(supportIndices) },
        samples: samplesDocument(supportVectors),
      }),
    }),
    machines: encodeDeep(machinesOf(model)),
    ...{ conformal: encodeDeep(conformal), certificates: encodeDeep(certificates) },
    training: encodeDeep(training),
  })
}

function machinesOf(model: SavedParts): object[] {
  const { biases, classes, dualCoef, supportCounts } = model
  if (!classes && dualCoef) return [given({ bias: biases[0], dualCoef, probability: model.probability })]
  const probability = model.probability as PairProbability | undefined
  const machine = (p: number, own: object): object =>
    given({ ...own, probability: probability && machineProbability(probability, p) })
  if (classes && dualCoef && supportCounts) {
    const k = classes.length
    const starts = groupStarts(supportCounts)
    return Array.from(classPairs(k), ([i, j], p) => {
      const positive = positiveOf(i, j, k)
      const own = pairCoefficients(dualCoef, starts, i, j)
      return machine(p, { negative: positive === i ? j : i, positive, bias: biases[p], dualCoef: own })
    })
  }
  const { coef = new Float64Array(0), dual } = model
  const cols = coef.length / biases.length
  return Array.from(biases, (bias, p) =>
    machine(p, {
      ...(classes && (biases.length === 1 ? { negative: 0, positive: 1 } : { positive: p })),
      ...{ bias, coef: coef.subarray(p * cols, (p + 1) * cols), dual: dual?.[p] },
    }),
  )
}

/** How machine p makes a probability of its value. */
function machineProbability(probability: PairProbability, p: number): object {
  return probability.method === 'sigmoid'
    ? { method: 'sigmoid', a: probability.a[p], b: probability.b[p] }
    : { method: 'isotonic', x: probability.x[p], y: probability.y[p] }
}

/** Matrices as they are; samples that are not vectors as JSON values. */
function samplesDocument(samples: Samples): unknown {
  if (isMatrix(samples)) return encodeDeep(samples)
  samples.forEach((sample, i) => {
    if (isJson(sample)) return
    throw new DataError(
      `support vector ${i} cannot be saved: samples must be texts, finite numbers, or plain arrays and ` +
        `objects of them, got ${show(sample)}`,
    )
  })
  return { kind: 'list', values: [...samples] }
}

/** True when a value comes back from JSON as it was. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isJson)
}

/** An object without the fields that are undefined. */
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
