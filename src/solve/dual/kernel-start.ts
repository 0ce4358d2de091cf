/**
 * A kernel model as the start of training on shards: every block finds the model's support vectors among its rows, by their values, and
 * begins with their multipliers. What does not fit the problem at hand (other bounds, other sums, rows that are not there) is cut to it, so
 * that a start which fits badly costs time at most: nothing of it is part of the certificate.
 */
import { countUp } from '../../base/lists.ts'
import { type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import type { Problem } from '../../problems/kernel-problem.ts'
import { SNAP } from './pair-step.ts'

/** The support vectors of a model, scaled, and α of each function for them. */
export interface KernelStart {
  readonly vectors: Matrix
  /** Their labels, as blocks have them; absent where there are no classes. */
  readonly labels?: Float64Array | undefined
  readonly alphas: readonly Float64Array[]
}

/** The rows of a scaled block that are support vectors of the start, and α of each function for them. */
export function matchStart(
  { vectors, labels, alphas }: KernelStart,
  block: ShardBlock,
): { readonly rows: Uint32Array; readonly alphas: Float64Array[] } {
  const known = new Map<number, number[]>()
  const keyOf = rowKeys()
  for (let s = vectors.rows - 1; s >= 0; s--) {
    const key = keyOf(vectors, s, labels?.[s])
    known.set(key, [...(known.get(key) ?? []), s])
  }
  const found: number[] = []
  // Rows that are alike are support vectors one by one.
  const rows = countUp(block.labels.length).filter((i) => {
    const vector = known.get(keyOf(block.samples, i, labels && block.labels[i]))?.pop()
    if (vector === undefined) return false
    found.push(vector)
    return true
  })
  return { rows, alphas: alphas.map((alpha) => Float64Array.from(found, (s) => alpha[s])) }
}

/**
 * α within the bounds of a problem, with the sums that it requires: of ν problems these are given, and else both sides have
 * that of the
 * smaller one. Undefined where the samples have no room for it.
 */
export function feasibleStart(
  problem: Problem,
  alpha: Float64Array,
  totals?: readonly [positive: number, negative: number],
): Float64Array | undefined {
  const bounds = 'weights' in problem ? problem.weights : 'C' in problem ? problem.C : undefined
  if (!bounds) return undefined
  const isPositive = (i: number): boolean => ('y' in problem ? problem.y[i] > 0 : alpha[i] > 0)
  const within = alpha.map((own, i) => Math.min(bounds[i], Math.max(-bounds[i], own)))
  const sides = [true, false].map((side) => countUp(alpha.length).filter((i) => isPositive(i) === side))
  const sums = sides.map((side) => side.reduce((sum, i) => sum + Math.abs(within[i]), 0))
  const least = Math.min(...sums)
  const half = totals && 'nu' in problem ? (problem.nu * (totals[0] + totals[1])) / 2 : least
  const wanted = problem.task === 'one-class' && totals ? [problem.nu * totals[0], 0] : [half, half]
  for (const [k, side] of sides.entries()) {
    if (!stretch(within, bounds, side, wanted[k])) return undefined
  }
  return within
}

/** Multiplies values by what makes their sizes add up to a sum, as far as their bounds allow. */
function stretch(values: Float64Array, bounds: Float64Array, side: Uint32Array, wanted: number): boolean {
  const open = new Set(side.filter((i) => values[i] !== 0))
  let left = wanted
  while (open.size > 0) {
    let sum = 0
    for (const i of open) sum += Math.abs(values[i])
    const factor = left / sum
    const full = [...open].filter((i) => factor * Math.abs(values[i]) >= bounds[i])
    if (full.length === 0) {
      for (const i of open) values[i] *= factor
      return true
    }
    for (const i of full) {
      values[i] = Math.sign(values[i]) * bounds[i]
      left -= bounds[i]
      open.delete(i)
    }
    if (left < 0) return false
  }
  return left <= SNAP * wanted
}

/** Numbers that rows share only if they have, but for chance, the same values and labels; stored zeros do not count. */
function rowKeys(): (matrix: Matrix, row: number, label?: number) => number {
  const number = new Float64Array(1)
  const halves = new Uint32Array(number.buffer)
  return (matrix, row, label = 0) => {
    const start = rowStart(matrix, row)
    const end = rowStart(matrix, row + 1)
    let [high, low] = [0x811c9dc5, 0x9e3779b1]
    const mix = (part: number): void => {
      high = Math.imul(high ^ part, 0x01000193)
      low = Math.imul(low ^ (part >>> 13) ^ part, 0x85ebca6b)
      low ^= low >>> 15
    }
    for (let k = start; k <= end; k++) {
      number[0] = k === end ? label : matrix.values[k]
      if (number[0] === 0) continue
      mix(k === end ? -1 : matrix.kind === 'dense' ? k - start : matrix.indices[k])
      mix(halves[0])
      mix(halves[1])
    }
    return (high >>> 0) * 2 ** 20 + (low >>> 12)
  }
}
