/**
 * Classifying by pairs of classes: every pair i < j has a function f_ij, in the order (0,1), (0,2), …, (1,2), …
 *
 *   votes    f_ij gives one vote, to the class that its sign means; most votes win
 *   scores   votes_i + s_i / (3 (|s_i| + 1)), s_i = Σ_j ±f_ij the confidence in class i: votes decide, and confidence
 *            decides between equal ones, for it adds less than a third (scikit-learn's scores of one class against the rest)
 *
 * What f > 0 means: ../base/positive-class.ts. LIBSVM has its own order of the classes, in which f = 0 is a
 * vote for the later of two, and the first of several classes of the same number of votes wins.
 */
import { positiveOf } from '../base/positive-class.ts'
import type { SumLayout } from '../engine/jobs/kernel-sums.ts'

/** Number of pairs of k classes. */
export function pairCount(k: number): number {
  return (k * (k - 1)) / 2
}

/** The place of the pair of classes i < j. */
export function pairIndex(i: number, j: number, k: number): number {
  return i * k - (i * (i + 1)) / 2 + j - i - 1
}

/** The order of the classes in LIBSVM's files, unless a model says another. */
export function defaultLabelOrder(k: number): number[] {
  return k === 2 ? [1, 0] : Array.from({ length: k }, (_, i) => i)
}

/** Which pair each coefficient of (k − 1) rows belongs to, for support vectors that are grouped by class. */
export function pairLayout(supportCounts: ArrayLike<number>): SumLayout {
  const k = supportCounts.length
  const groupEnds = new Uint32Array(k)
  const targets = new Uint32Array(k * (k - 1))
  for (let c = 0, end = 0; c < k; c++) {
    end += supportCounts[c]
    groupEnds[c] = end
    for (let r = 0; r < k - 1; r++) {
      const other = r < c ? r : r + 1
      targets[c * (k - 1) + r] = pairIndex(Math.min(c, other), Math.max(c, other), k)
    }
  }
  return { rows: k - 1, groupEnds, targets, outputs: pairCount(k) }
}

/** Votes and scores of k classes; see the header of the file. Values of a row start at values[at]. */
export class PairVotes {
  /** The class that f > threshold, f < threshold and f = threshold mean, of each pair. */
  readonly positive: Uint32Array
  readonly negative: Uint32Array
  private readonly tied: Uint32Array
  private readonly threshold: number
  private readonly k: number
  private readonly order: Uint32Array
  // Of the row at hand.
  private readonly votes: Float64Array
  private readonly possible: Float64Array

  /** The threshold is 0 unless given; two classes alone may have another. */
  constructor(k: number, labelOrder: readonly number[], threshold?: number) {
    const count = pairCount(k)
    this.k = k
    this.order = Uint32Array.from(labelOrder)
    this.positive = new Uint32Array(count)
    this.negative = new Uint32Array(count)
    this.tied = new Uint32Array(count)
    const place = new Uint32Array(k)
    for (let p = 0; p < k; p++) place[labelOrder[p]] = p
    for (let i = 0, p = 0; i < k; i++) {
      for (let j = i + 1; j < k; j++, p++) {
        this.positive[p] = positiveOf(i, j, k)
        this.negative[p] = this.positive[p] === i ? j : i
        this.tied[p] = place[i] < place[j] ? j : i
      }
    }
    this.votes = new Float64Array(k)
    this.possible = new Float64Array(k)
    this.threshold = threshold ?? 0
    // At a threshold that was chosen it is the positive class.
    if (threshold !== undefined) this.tied.set(this.positive)
  }

  /** The class of most votes. */
  winner(values: Float64Array, at: number): number {
    this.count(values, at)
    return firstLargest(this.votes, 0, this.order)
  }

  /** The class of the largest score. */
  best(values: Float64Array, at: number): number {
    this.score(values, at, this.possible, 0)
    return firstLargest(this.possible, 0, this.order)
  }

  /** Writes the k scores of a row to out[to …]. */
  score(values: Float64Array, at: number, out: Float64Array, to: number): void {
    const { k, positive, negative, votes } = this
    this.count(values, at)
    out.fill(0, to, to + k)
    for (let p = 0; p < positive.length; p++) {
      out[to + positive[p]] += values[at + p]
      out[to + negative[p]] -= values[at + p]
    }
    for (let c = 0; c < k; c++) {
      const sum = out[to + c]
      // 1 where the sum is infinite.
      const share = Number.isFinite(sum) ? sum / (Math.abs(sum) + 1) : Math.sign(sum)
      out[to + c] = votes[c] + share / 3
    }
  }

  /** Whether the winner by votes is the same wherever within its error each value lies, and alone at the top. */
  settled(values: Float64Array, errors: Float64Array, at: number): boolean {
    const { k, positive, negative, votes, possible, threshold } = this
    votes.fill(0)
    possible.fill(0)
    for (let p = 0; p < positive.length; p++) {
      const value = values[at + p]
      if (errors[at + p] < Math.abs(value - threshold)) {
        const winner = value > threshold ? positive[p] : negative[p]
        votes[winner]++
        possible[winner]++
      } else {
        possible[positive[p]]++
        possible[negative[p]]++
      }
    }
    const first = firstLargest(votes, 0, this.order)
    for (let c = 0; c < k; c++) if (c !== first && possible[c] >= votes[first]) return false
    return true
  }

  private count(values: Float64Array, at: number): void {
    const { positive, negative, tied, votes, threshold } = this
    votes.fill(0)
    for (let p = 0; p < positive.length; p++) {
      const value = values[at + p]
      votes[value > threshold ? positive[p] : value < threshold ? negative[p] : tied[p]]++
    }
  }
}

/** The first class, in the given order, of the largest value among values[at …]. */
export function firstLargest(values: ArrayLike<number>, at: number, order: ArrayLike<number>): number {
  let best = order[0]
  for (let c = 1; c < order.length; c++) if (values[at + order[c]] > values[at + best]) best = order[c]
  return best
}

/** Where the support vectors of each class start, and where the last end. */
export function groupStarts(supportCounts: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(supportCounts.length + 1)
  for (let c = 0; c < supportCounts.length; c++) starts[c + 1] = starts[c] + supportCounts[c]
  return starts
}

/** The coefficients of the pair of classes i < j, those of class i first, among (k − 1) rows; `starts`: {@link groupStarts}. */
export function pairCoefficients(
  dualCoef: Float64Array,
  starts: Uint32Array,
  i: number,
  j: number,
): Float64Array {
  const [first, second] = coefficientsInPlace(dualCoef, starts, i, j)
  const out = new Float64Array(first.length + second.length)
  out.set(first)
  out.set(second, first.length)
  return out
}

/** Writes what {@link pairCoefficients} gives into (k − 1) rows. */
export function setPairCoefficients(
  dualCoef: Float64Array,
  starts: Uint32Array,
  i: number,
  j: number,
  coefficients: Float64Array,
): void {
  const [first, second] = coefficientsInPlace(dualCoef, starts, i, j)
  first.set(coefficients.subarray(0, first.length))
  second.set(coefficients.subarray(first.length))
}

/** The coefficients of classes i and j against each other, where they are. */
function coefficientsInPlace(
  dualCoef: Float64Array,
  starts: Uint32Array,
  i: number,
  j: number,
): Float64Array[] {
  const count = starts[starts.length - 1]
  const of = (row: number, c: number) =>
    dualCoef.subarray(row * count + starts[c], row * count + starts[c + 1])
  return [of(j - 1, i), of(i, j)]
}
