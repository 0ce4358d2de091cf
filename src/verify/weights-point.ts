/**
 * The dual point that a linear model keeps beside w: is it feasible, and the one that w comes from? Notation:
 * ../problems/linear-problem.ts.
 */

import type { Measures } from '../certify/certificate.ts'
import { measureLinear } from '../certify/linear/linear-measures.ts'
import { measureWithBars } from '../certify/measure.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import { weightedRowSum } from '../data/matrix/products.ts'
import { type CrammerSingerProblem, type LinearMachineProblem, termsOf } from '../problems/linear-problem.ts'
import { type Bars, barsOf } from './claims.ts'
import { dualPoint } from './dual-point.ts'
import { constantOf, type LinearFunction, type WeightsProblem } from './weights-value.ts'

/** What the functions and the dual point of a model are worth, and the constraints that the point does not keep. */
export function weightsPoint(
  problem: WeightsProblem,
  functions: readonly LinearFunction[],
  dual: readonly Float64Array[],
): { measures: Measures; bars: Bars; faults: readonly string[] } {
  if (problem.task === 'svc') {
    const nameOf = (sample: number): string => `sample ${sample + 1}`
    const own = { coefficients: dual[0], bias: functions[0].bias, width: undefined, nameOf, threads: 1 }
    const { solution, faults } = dualPoint(problem, own)
    const { evidence, ...measures } = measureWithBars(problem, solution)
    return { measures, bars: barsOf(evidence), faults }
  }
  const faults = problem.task === 'linear' ? machineFaults(problem, dual[0]) : simplexFaults(problem, dual)
  const alpha = new Float64Array(dual.length * dual[0].length)
  dual.forEach((own, m) => {
    for (let i = 0; i < own.length; i++) alpha[i * dual.length + m] = own[i]
  })
  const weights = problem.task === 'linear' ? weightsOf(problem, functions[0]) : undefined
  const { evidence, ...measures } = measureLinear(problem, { alpha, weights })
  return { measures, bars: barsOf(evidence), faults }
}

/** w and b in one list, as wide as the samples. */
function weightsOf({ samples }: LinearMachineProblem, { coef, bias }: LinearFunction): Float64Array {
  const weights = new Float64Array(samples.cols + 1)
  weights.set(coef.subarray(0, samples.cols))
  weights[samples.cols] = bias
  return weights
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
  const because = 'one of them was changed, or the data are not the training data in their original order'
  for (let j = 0; j < Math.max(coef.length, w.length); j++) {
    const [given, made] = [coef[j] ?? 0, w[j] ?? 0]
    if (Math.abs(given - made) <= unit * (sizes[j] ?? 0)) continue
    return `weight ${j + 1} is ${given}, but the dual variables give ${made}: ${because}`
  }
  const carried = constant * constant * dual.reduce((sum, value) => sum + value, 0)
  const size = constant * constant * dual.reduce((sum, value) => sum + Math.abs(value), 0)
  if (Math.abs(bias - carried) <= unit * size) return undefined
  return `the bias is ${bias}, but the dual variables give ${carried}: ${because}`
}

/** The constraints of a linear machine that β does not keep. */
function machineFaults(problem: LinearMachineProblem, beta: Float64Array): string[] {
  const { lower, upper } = termsOf(problem)
  const outside = beta.findIndex((value, i) => value < lower[i] || value > upper[i])
  if (outside >= 0) return [outsideWords(outside)]
  if (problem.bias !== 'free') return []
  const { balance } = problem
  let [total, size] = [0, Math.abs(balance)]
  for (const own of beta) {
    total += own
    size += Math.abs(own)
  }
  if (Math.abs(total - balance) <= BALANCE * size) return []
  return [`the dual variables sum to ${total}, but must sum to ${balance}`]
}

function simplexFaults(problem: CrammerSingerProblem, dual: readonly Float64Array[]): string[] {
  const outside = outsideSimplex(problem, dual)
  return outside < 0 ? [] : [outsideWords(outside)]
}

function outsideWords(sample: number): string {
  return `the dual variables of sample ${sample + 1} are outside their bounds`
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

/** What rounding may leave of Σ β_i = e, as a part of Σ |β_i|; what it is counts in the error bar of the dual value. */
const BALANCE = 1e-9

/** What rounding may leave of Σ_m α_im = 0, as a part of C_i. */
const SUM_OF_CLASSES = 1e-9
