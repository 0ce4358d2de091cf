/**
 * A part of an epoch of the sequential dual method; ../methods/crammer-singer.ts explains it. This is the definition: the engine does the same,
 * operation by operation (assembly/linear/class-sweep.ts), so that both give the same bits.
 */
import { columnAt, type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import type { ClassSweepVectors } from '../rows/linear-rows.ts'
import { simplexThreshold } from './simplex.ts'

/** Visits up to `visits` further samples. */
export function classSweep(
  matrix: Matrix,
  constant: number,
  vectors: ClassSweepVectors,
  visits: number,
): void {
  const { order, counts, largest, activeClasses, chosen, gradient, change } = vectors
  const own = { matrix, constant, vectors }
  let [position, active] = counts
  for (let visit = 0; visit < visits && position < active; visit++) {
    const i = order[position]
    gradients(own, i)
    const violation = shrinkClasses(vectors, i)
    if (activeClasses[i] <= 1) {
      active--
      order[position] = order[active]
      order[active] = i
      continue
    }
    position++
    if (violation > largest[0]) largest[0] = violation
    if (!(violation > 0)) continue
    const moved = project(vectors, i)
    for (let a = 0; a < moved; a++) addMultiple(own, i, chosen[a], change[a])
    if (moved > 0) counts[2] = 1
  }
  counts[0] = position
  counts[1] = active
  // What is in them has no meaning beyond the sample.
  chosen.fill(0)
  gradient.fill(0)
  change.fill(0)
}

interface Sweep {
  readonly matrix: Matrix
  readonly constant: number
  readonly vectors: ClassSweepVectors
}

/** Fills `chosen` and `gradient` with the active classes of sample i and their g. */
function gradients({ matrix, constant, vectors }: Sweep, i: number): void {
  const { w, y, k, chosen, gradient, classOrder, activeClasses } = vectors
  const start = rowStart(matrix, i)
  const end = rowStart(matrix, i + 1)
  for (let a = 0; a < activeClasses[i]; a++) {
    const m = classOrder[i * k + a]
    let sum = constant * w[matrix.cols * k + m]
    for (let e = start; e < end; e++) sum += matrix.values[e] * w[columnAt(matrix, start, e) * k + m]
    chosen[a] = m
    gradient[a] = sum + (m === y[i] ? 0 : 1)
  }
}

/**
 * The violation of sample i, with the classes that need not be looked at moved behind the active ones, in `classOrder` as
 * in `chosen` and `gradient`.
 */
function shrinkClasses(vectors: ClassSweepVectors, i: number): number {
  const { price, y, k, alpha, chosen, gradient, classOrder, activeClasses } = vectors
  const start = i * k
  let count = activeClasses[i]
  let highest = Number.NEGATIVE_INFINITY
  let lowest = Number.POSITIVE_INFINITY
  for (let a = 0; a < count; a++) {
    const m = chosen[a]
    if (gradient[a] > highest) highest = gradient[a]
    if (gradient[a] < lowest && alpha[start + m] < (m === y[i] ? price[i] : 0)) lowest = gradient[a]
  }
  for (let a = 0; a < count; ) {
    const m = chosen[a]
    if (gradient[a] >= lowest || alpha[start + m] < (m === y[i] ? price[i] : 0)) {
      a++
      continue
    }
    count--
    chosen[a] = chosen[count]
    gradient[a] = gradient[count]
    classOrder[start + a] = chosen[a]
    classOrder[start + count] = m
  }
  activeClasses[i] = count
  return highest - lowest
}

/** Minimises the dual over the active α of sample i; returns how many have moved: `chosen` has their classes, `change` by how much. */
function project(vectors: ClassSweepVectors, i: number): number {
  const { price, y, k, alpha, norms, chosen, gradient, change, activeClasses } = vectors
  const count = activeClasses[i]
  const start = i * k
  const A = norms[i]
  const C = price[i]
  // Only differences of g matter. Taken from the highest, they keep the digits that A · C, tiny for a short sample, is added to.
  let highest = Number.NEGATIVE_INFINITY
  for (let a = 0; a < count; a++) highest = Math.max(highest, gradient[a])
  for (let a = 0; a < count; a++) {
    const m = chosen[a]
    gradient[a] = gradient[a] - highest + A * ((m === y[i] ? C : 0) - alpha[start + m])
    change[a] = gradient[a]
  }
  const theta = simplexThreshold(change, count, A * C)
  let moved = 0
  for (let a = 0; a < count; a++) {
    const m = chosen[a]
    const bound = m === y[i] ? C : 0
    const next = gradient[a] > theta ? bound - (gradient[a] - theta) / A : bound
    const difference = next - alpha[start + m]
    if (difference === 0) continue
    alpha[start + m] = next
    chosen[moved] = m
    change[moved++] = difference
  }
  return moved
}

/** w of class m += factor · x̃_i */
function addMultiple({ matrix, constant, vectors }: Sweep, i: number, m: number, factor: number): void {
  const { w, k } = vectors
  const start = rowStart(matrix, i)
  for (let e = start; e < rowStart(matrix, i + 1); e++) {
    w[columnAt(matrix, start, e) * k + m] += factor * matrix.values[e]
  }
  w[matrix.cols * k + m] += factor * constant
}
