/** The solutions of all pairs of classes as one expansion over common support vectors, laid out as {@link SvcParts} says. */

import { pickNumbers } from '../../base/lists.ts'
import { signOfFirst } from '../../base/positive-class.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { classPairs, membersOf, rowsOfPair } from '../../problems/pairwise-problem.ts'
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
    const inPair = classCount === 2 ? undefined : rowsOfPair(members, [first, second])
    const signs = [signOfFirst(classCount), -signOfFirst(classCount)]
    const values = beta ?? alpha
    for (let k = 0; k < values.length; k++) {
      if (values[k] === 0) continue
      const i = inPair ? inPair[k] : k
      const isFirst = classOf[i] === first
      const sign = beta ? 1 : signs[isFirst ? 0 : 1]
      const coefficient = (sign * values[k]) / scale
      rows[isFirst ? second - 1 : first][i] = coefficient
      if (coefficient !== 0) isUsed[i] = 1
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
