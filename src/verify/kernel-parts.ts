/** The problems behind a kernel model, each with the point that the model's coefficients are. */
import { isRefuted } from '../certify/definiteness.ts'
import { measureWithBars } from '../certify/measure.ts'
import { isMatrix, type Matrix, toDense } from '../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import type { FitTask } from '../estimators/fitting/fit-runner.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import type { Model } from '../models/model.ts'
import type { OneClassModel } from '../models/one-class-model.ts'
import { groupStarts, pairCoefficients } from '../models/pairs.ts'
import type { SvcModel } from '../models/svc-model.ts'
import type { SvrModel } from '../models/svr-model.ts'
import type { Problem } from '../problems/kernel-problem.ts'
import {
  classPairs,
  membersOf,
  type PairwiseProblem,
  pairProblem,
  rowsOfPair,
} from '../problems/pairwise-problem.ts'
import { barsOf } from './claims.ts'
import { dualPoint, type ModelPoint } from './dual-point.ts'
import { boundsBy, certificateOf, type Part } from './part.ts'
import { type SupportRows, trainingRows } from './training-rows.ts'

/** A model that keeps support vectors. */
export type KernelModel = SvcModel<unknown> | SvrModel<unknown> | OneClassModel<unknown>

/** Whether a model keeps support vectors. */
export function isKernelModel(model: Model): model is KernelModel {
  return 'supportVectors' in model
}

/** Options of {@link kernelParts}. */
export interface KernelQuery {
  readonly model: KernelModel
  readonly problem: FitTask['problem']
  /** The training samples, scaled. */
  readonly samples: Samples
  /** The coefficients are a function that a primal method made, no dual point. */
  readonly primalMethod: boolean
  readonly threads: number
}

/** See the header of the file; also says how the support vectors were found among the samples. */
export function kernelParts(query: KernelQuery): { parts: Part[]; found: SupportRows['found'] } {
  const { model, samples } = query
  const problem = query.problem as Problem | PairwiseProblem
  const { rows, found } = supportRows(model, problem, samples)
  const largest = largestValue(model.kernel as AnyKernel, samples)
  const width = (p: number): number | undefined =>
    certificateOf(model.certificates, p, model.biases.length)?.width
  if (problem.task !== 'pairs') {
    const coefficients = new Float64Array(sampleCount(samples))
    rows.forEach((row, s) => {
      coefficients[row] = model.dualCoef[s]
    })
    const point = { coefficients, bias: model.bias, width: width(0), nameOf: sampleName }
    return { parts: [partOf('', () => problem, point, query, largest)], found }
  }
  const classifier = model as SvcModel<unknown>
  const { classes, supportCounts, dualCoef, biases } = classifier
  const members = membersOf(problem.classOf, classes.length)
  const starts = groupStarts(supportCounts)
  const placeInClass = new Uint32Array(sampleCount(samples))
  for (const own of members) {
    own.forEach((row, place) => {
      placeInClass[row] = place
    })
  }
  const parts = Array.from(classPairs(classes.length), (pair, p) => {
    const [i, j] = pair
    const inPair = rowsOfPair(members, pair)
    const coefficients = new Float64Array(inPair.length)
    const own = pairCoefficients(dualCoef, starts, i, j)
    own.forEach((coefficient, k) => {
      const isFirst = k < supportCounts[i]
      const row = rows[isFirst ? starts[i] + k : starts[j] + k - supportCounts[i]]
      coefficients[placeInClass[row] + (isFirst ? 0 : members[i].length)] = coefficient
    })
    const nameOf = (sample: number): string => sampleName(inPair[sample])
    const point = { coefficients, bias: biases[p], width: width(p), nameOf }
    const name = `${classes[i]} against ${classes[j]}`
    return partOf(name, () => pairProblem(problem, members, pair), point, query, largest)
  })
  return { parts, found }
}

function partOf(
  name: string,
  makeProblem: () => Problem,
  point: Omit<ModelPoint, 'threads'>,
  { primalMethod, threads }: KernelQuery,
  largest: number,
): Part {
  return {
    name,
    recompute(solved) {
      const problem = makeProblem()
      const { coefficients: beta, bias } = point
      const refuted = isRefuted(problem)
      if (primalMethod) {
        const alpha = new Float64Array(beta.length)
        const { primal, evidence } = measureWithBars(problem, { alpha, beta, bias }, threads)
        const rounding = roundingOf(beta, largest)
        return { found: { ...boundsBy(primal, evidence.primalError, solved, rounding), refuted }, faults: [] }
      }
      const { solution, faults, ambiguous } = dualPoint(problem, { ...point, threads })
      const { evidence, ...measures } = measureWithBars(problem, solution, threads)
      const rounding = roundingOf(solution.alpha, largest)
      return { found: { ...measures, bars: barsOf(evidence), rounding, ambiguous, refuted }, faults }
    },
  }
}

function sampleName(row: number): string {
  return `sample ${row + 1}`
}

/** A few units in the last place of each term of Σ c_i k(x_i, x). */
function roundingOf(coefficients: Float64Array, largest: number): number {
  return 4 * Number.EPSILON * largest * coefficients.reduce((sum, c) => sum + Math.abs(c), 0)
}

function largestValue(kernel: AnyKernel, samples: Samples): number {
  return kernel.diagonal(samples).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

function supportRows(model: KernelModel, problem: Problem | PairwiseProblem, samples: Samples): SupportRows {
  const { supportVectors, supportIndices, dualCoef, kernel } = model
  const count = sampleCount(samples)
  const vectors = sampleCount(supportVectors)
  const isPrecomputed = kernel.spec.kind === 'precomputed'
  const query = {
    vectors: supportVectors,
    rows: isPrecomputed && isMatrix(samples) ? firstColumn(samples) : samples,
    indices: supportIndices,
  }
  if (model.type !== 'svc' && model.type !== 'nu-svc') {
    return trainingRows({
      ...query,
      vectorClass: new Uint32Array(vectors),
      rowClass: new Uint32Array(count),
      strength: dualCoef,
      priority: 'z' in problem ? problem.z : (problem as { weights: Float64Array }).weights,
    })
  }
  const vectorClass = new Uint32Array(vectors)
  const starts = groupStarts(model.supportCounts)
  for (let c = 0; c < model.supportCounts.length; c++) vectorClass.fill(c, starts[c], starts[c + 1])
  const strength = new Float64Array(vectors)
  dualCoef.forEach((coefficient, at) => {
    strength[at % vectors] = Math.max(strength[at % vectors], Math.abs(coefficient))
  })
  return trainingRows({ ...query, vectorClass, strength, ...classesOf(problem) })
}

/** The class of each sample, and what bounds its multiplier. */
function classesOf(problem: Problem | PairwiseProblem): { rowClass: Uint32Array; priority: Float64Array } {
  if (problem.task === 'pairs') return { rowClass: problem.classOf, priority: problem.bounds }
  const { y } = problem as { y: Float64Array }
  const priority = 'C' in problem ? problem.C : (problem as { weights: Float64Array }).weights
  return { rowClass: Uint32Array.from(y, (sign) => (sign > 0 ? 1 : 0)), priority }
}

/** The serial numbers of samples of a precomputed kernel. */
function firstColumn(samples: Matrix): Matrix {
  const { rows, cols, values } = toDense(samples)
  return { kind: 'dense', rows, cols: 1, values: values.filter((_, k) => k % cols === 0) }
}
