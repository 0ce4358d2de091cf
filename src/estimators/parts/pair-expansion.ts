/** The solutions of all pairs of classes as one expansion over common support vectors, laid out as {@link SvcParts} says. */

import { pickNumbers } from '../../base/lists.ts'
import { signOfFirst } from '../../base/positive-class.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { classPairs, membersOf } from '../../problems/pairwise-problem.ts'
import { type Solved, solutionOf } from '../../solve/driver/solved.ts'
import { supportVectors } from './kernel-estimator.ts'

/** Options of {@link pairExpansion}. */
export interface PairSolutions {
  readonly kernel: AnyKernel
  readonly samples: Samples
  readonly classOf: Uint32Array
  readonly classCount: number
  readonly solved: Solved
}

/** See the header of the file. */
export function pairExpansion<S>({ kernel, samples, classOf, classCount, solved }: PairSolutions) {
  const count = classOf.length
  /** Row j − 1 holds what vectors of class i < j have for the pair, row i what those of class j have. */
  const rows = Array.from({ length: classCount - 1 }, () => new Float64Array(count))
  const members = membersOf(classOf, classCount)
  const isUsed = new Uint8Array(count)
  const biases = new Float64Array(solved.biases.length)
  let p = 0
  for (const [first, second] of classPairs(classCount)) {
    const { alpha, beta, bias, width } = solutionOf(solved, p)
    // ν problems come at their own scale: the model has margin 1, if there is one.
    const scale = width !== undefined && width > 0 ? width : 1
    biases[p++] = bias / scale
    const values = beta ?? alpha
    const sides = [
      { own: members[first], sign: signOfFirst(classCount), row: rows[second - 1], at: 0 },
      { own: members[second], sign: -signOfFirst(classCount), row: rows[first], at: members[first].length },
    ]
    for (const { own, sign, row, at } of sides) {
      // Two classes alone come in the order of the samples.
      scatter(values, own, classCount === 2 ? -1 : at, beta ? 1 : sign, scale, row, isUsed)
    }
  }
  const supportCounts = new Uint32Array(classCount)
  const order: number[] = []
  for (let c = 0; c < classCount; c++) {
    for (const i of members[c]) {
      if (!isUsed[i]) continue
      order.push(i)
      supportCounts[c]++
    }
  }
  const supportIndices = Uint32Array.from(order)
  const dualCoef = new Float64Array(rows.length * order.length)
  rows.forEach((row, r) => {
    dualCoef.set(pickNumbers(row, supportIndices), r * order.length)
  })
  return {
    kernel,
    supportVectors: supportVectors(kernel, samples, supportIndices) as Samples<S>,
    supportIndices,
    supportCounts,
    dualCoef,
    biases,
  }
}

/**
 * Takes the values of the samples `own` for their coefficients in a row. They begin at place `from` of the values; where that is
 * negative, each is at the place of its sample. A function of its own, which is compiled sooner.
 */
function scatter(
  values: Float64Array,
  own: Uint32Array,
  from: number,
  sign: number,
  scale: number,
  row: Float64Array,
  isUsed: Uint8Array,
): void {
  for (let k = 0; k < own.length; k++) {
    const i = own[k]
    const value = values[from < 0 ? i : from + k]
    if (value === 0) continue
    row[i] = (sign * value) / scale
    if (row[i] !== 0) isUsed[i] = 1
  }
}
