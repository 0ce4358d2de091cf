/**
 * The dual point that a linear model keeps beside w: is it feasible, and the one that w comes from? Notation:
 * ../problems/linear-problem.ts.
 */

import type { Measures } from '../certify/certificate.ts'
import { linearEvidence, measureLinear } from '../certify/linear-measures.ts'
import { measureWithBars } from '../certify/measure.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import { weightedRowSum } from '../data/matrix/products.ts'
import { type CrammerSingerProblem, type LinearSvrProblem, tubeBounds } from '../problems/linear-problem.ts'
import { type Bars, barsOf } from './claims.ts'
import { dualPoint } from './dual-point.ts'
import { constantOf, type LinearFunction, type WeightsProblem } from './weights-value.ts'

/** What the dual point of a model is worth, and the constraints that it does not keep. */
export function weightsPoint(
  problem: WeightsProblem,
  bias: number,
  dual: readonly Float64Array[],
): { measures: Measures; bars: Bars; faults: readonly string[] } {
  if (problem.task === 'svc' || problem.task === 'one-class') {
    const nameOf = (sample: number): string => `sample ${sample + 1}`
    const own = { coefficients: dual[0], bias, width: undefined, nameOf, threads: 1 }
    const { solution, faults } = dualPoint(problem, own)
    const { evidence, ...measures } = measureWithBars(problem, solution)
    return { measures, bars: barsOf(evidence), faults }
  }
  const outside =
    problem.task === 'linear-svr' ? outsideTube(problem, dual[0]) : outsideSimplex(problem, dual)
  const faults = outside < 0 ? [] : [`the dual variables of sample ${outside + 1} are outside their bounds`]
  const alpha = new Float64Array(dual.length * dual[0].length)
  dual.forEach((own, m) => {
    for (let i = 0; i < own.length; i++) alpha[i * dual.length + m] = own[i]
  })
  const measures = measureLinear(problem, alpha)
  return { measures, bars: barsOf(linearEvidence(problem, alpha, undefined, measures)), faults }
}

/** Where the functions are not those of the dual point, a sentence each. */
export function weightFaults(
  problem: WeightsProblem,
  functions: readonly LinearFunction[],
  dual: readonly Float64Array[],
): string[] {
  const samples = problem.samples as Matrix
  return functions.flatMap((own, m) => differenceOf(samples, own, dual[m], constantOf(problem)) ?? [])
}

/** Where w is not Σ dual_i x_i, or the bias not that of the constant feature: a sentence. */
function differenceOf(
  samples: Matrix,
  { coef, bias }: LinearFunction,
  dual: Float64Array,
  constant: number,
): string | undefined {
  const w = weightedRowSum(samples, dual)
  const sizes = weightedRowSum({ ...samples, values: samples.values.map(Math.abs) }, dual.map(Math.abs))
  // Each of so many additions may have rounded.
  const unit = Number.EPSILON * (dual.length + 1)
  const because = 'one of them was changed, or the data are not those of training, in their order'
  for (let j = 0; j < Math.max(coef.length, w.length); j++) {
    const [given, made] = [coef[j] ?? 0, w[j] ?? 0]
    if (Math.abs(given - made) <= unit * (sizes[j] ?? 0)) continue
    return `weight ${j + 1} is ${given} where the dual variables give ${made}: ${because}`
  }
  const carried = constant * constant * dual.reduce((sum, value) => sum + value, 0)
  const size = constant * constant * dual.reduce((sum, value) => sum + Math.abs(value), 0)
  if (Math.abs(bias - carried) <= unit * size) return undefined
  return `the bias is ${bias} where the dual variables give ${carried}: ${because}`
}

/** The first sample whose |β_i| is above its bound, or −1. */
function outsideTube(problem: LinearSvrProblem, beta: Float64Array): number {
  const bounds = tubeBounds(problem)
  return beta.findIndex((value, i) => Math.abs(value) > bounds[i])
}

/** The first sample whose α_im do not sum to 0, or are above their bounds, or −1. */
function outsideSimplex({ C, y }: CrammerSingerProblem, alpha: readonly Float64Array[]): number {
  return C.findIndex((bound, i) => {
    let total = 0
    let beyond = false
    for (let m = 0; m < alpha.length; m++) {
      total += alpha[m][i]
      if (alpha[m][i] > (m === y[i] ? bound : 0)) beyond = true
    }
    return beyond || Math.abs(total) > SUM_OF_CLASSES * bound
  })
}

/** What rounding may leave of Σ_m α_im = 0, as a part of C_i. */
const SUM_OF_CLASSES = 1e-9
