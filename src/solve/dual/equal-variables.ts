/**
 * Variables of a dual that are the same to it: equal samples with equal targets, of one group. Only their sum matters, so that one
 * variable whose box is the sum of their boxes can stand for them. Tables of categories and counts repeat themselves: a
 * quarter of the rows of a9a, half of those of phishing.
 *
 * What the one variable comes to is given back to the first of them up to their bounds, then to the next: as few support
 * vectors as that allows.
 */
import { countUp, pickNumbers } from '../../base/lists.ts'
import { firstEqualRows } from '../../data/matrix/equal-rows.ts'
import { isMatrix, type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { SNAP } from './pair-step.ts'

/**
 * Variables from which on a search pays, the most values that it may read (some 10 ms of hashing), and the share that must be left out for
 * it: steps and rows are then as much cheaper, which is worth the search where a fit takes longer than that.
 */
const LEAST_VARIABLES = 500
const MOST_VALUES = 5e6
const LEAST_SHARE = 0.05
/**
 * Pairs of equal rows that are expected among those drawn to tell whether a search pays, where the share is no larger and nothing comes more
 * than twice: none is found in one of 3,000 such cases. Of 4,000 rows 800 are drawn.
 */
const EXPECTED_PAIRS = 8

/** See the header of the file. */
export class EqualVariables {
  /** The dual over one variable for each set of equal ones. */
  readonly dual: GeneralDual
  /** The set that each variable is in, and the first variable of each set. */
  readonly setOf: Uint32Array
  readonly firsts: Uint32Array
  private readonly given: GeneralDual

  private constructor(given: GeneralDual, setOf: Uint32Array, firsts: Uint32Array) {
    const { samples, kernel, tube } = given
    const sum = (values: Float64Array) => {
      const sums = new Float64Array(firsts.length)
      for (let i = 0; i < values.length; i++) sums[setOf[i]] += values[i]
      return sums
    }
    this.given = given
    this.setOf = setOf
    this.firsts = firsts
    this.dual = {
      samples: isMatrix(samples) ? selectRows(samples, firsts) : samples,
      kernel,
      tube,
      target: pickNumbers(given.target, firsts),
      lower: sum(given.lower),
      upper: sum(given.upper),
      groups: given.groups && Uint8Array.from(pickNumbers(given.groups, firsts)),
      // What is equal in one half is equal in the other: their sets come in the same order.
      isDoubled: given.isDoubled,
      start: given.start && sum(given.start),
    }
  }

  /** Undefined where there are too few equal variables to be worth it. */
  static of(dual: GeneralDual): EqualVariables | undefined {
    const { samples, target, groups, isDoubled } = dual
    const count = target.length
    if (!isMatrix(samples) || count < LEAST_VARIABLES || samples.values.length > MOST_VALUES) return undefined
    const rows = isDoubled ? count / 2 : count
    if (!hasEqualRows(samples, drawnRows(rows))) return undefined
    const kinds = firstEqualRows(samples, countUp(rows))
    const setOf = new Uint32Array(count)
    const firsts: number[] = []
    /** The sets of each kind of samples, as a chain: the newest, and the one before each; 0 ends it, sets count from 1. */
    const newest = new Uint32Array(count)
    const before: number[] = [0]
    for (let i = 0; i < count; i++) {
      const kind = kinds[i < rows ? i : i - rows]
      let set = newest[kind]
      while (set > 0 && !isSame(firsts[set - 1], i)) set = before[set]
      if (set === 0) {
        firsts.push(i)
        before.push(newest[kind])
        set = firsts.length
        newest[kind] = set
      }
      setOf[i] = set - 1
    }
    function isSame(a: number, b: number): boolean {
      return target[a] === target[b] && (!groups || groups[a] === groups[b])
    }
    if (firsts.length > (1 - LEAST_SHARE) * count) return undefined
    return new EqualVariables(dual, setOf, Uint32Array.from(firsts))
  }

  /** Writes the variables that those of the sets stand for. */
  spread(sums: Float64Array, beta: Float64Array): void {
    const { setOf, given, dual } = this
    const left = sums.slice()
    for (let i = 0; i < setOf.length; i++) {
      const set = setOf[i]
      const bound = left[set] > 0 ? given.upper[i] : given.lower[i]
      const end = left[set] > 0 ? dual.upper[set] : dual.lower[set]
      const isFull = sums[set] === end || Math.abs(left[set]) >= Math.abs(bound) * (1 - SNAP)
      if (left[set] === 0) beta[i] = 0
      else beta[i] = isFull ? bound : left[set]
      left[set] -= beta[i]
      if (Math.abs(left[set]) <= SNAP * Math.abs(end)) left[set] = 0
    }
  }
}

/** Rows that stand for all of them, each drawn by a hash of its number: equal ones may well be neighbours. */
function drawnRows(rows: number): Uint32Array {
  const share = Math.sqrt(EXPECTED_PAIRS / (LEAST_SHARE * rows))
  const drawn = new Uint32Array(rows)
  let count = 0
  for (let i = 0; i < rows; i++) if (hashOf(i) < share * 2 ** 32) drawn[count++] = i
  return drawn.subarray(0, count)
}

/** 32 bits that look like chance (the end of MurmurHash3). */
function hashOf(i: number): number {
  let hash = Math.imul(i ^ (i >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function hasEqualRows(matrix: Matrix, rows: Uint32Array): boolean {
  const firsts = firstEqualRows(matrix, rows)
  for (let k = 0; k < firsts.length; k++) if (firsts[k] !== k) return true
  return false
}
