/**
 * The samples of all blocks whose β is least certain, gathered in one place and solved there: the working set of Osuna, Freund,
 * Girosi 1997 for linear machines. Who descends on blocks from the same w̃ settles most samples (β at a bound) soon, but the free ones of
 * all blocks depend on each other; these are few, and one problem.
 *
 * Problem  the dual of ../../problems/linear-loss.ts over the samples of the set, all other β as they are
 * Method   epochs of coordinate descent find the face that the solution is on; conjugate gradients solve on the face
 *          (../linear/dual-face.ts)
 * Cost     a product with the free samples of the set, and one with its transpose, per step of the conjugate gradients
 */
import { joinArrays, pickNumbers } from '../../base/lists.ts'
import { inOneGo } from '../../base/pieces.ts'
import { valuesOf } from '../../certify/linear/shard-measures.ts'
import { type Matrix, rowStart, selectRows, stackRows } from '../../data/matrix/matrix.ts'
import { conjugateSum, type LossTerms, lossViolation, slopes } from '../../problems/linear-loss.ts'
import { freeSamples, stepOnFace } from '../linear/dual-face.ts'
import { PlainRows } from '../rows/plain-rows.ts'
import { descendBlock } from './block-passes.ts'

/** Samples of one block, or of all. */
export interface WorkingSet {
  readonly samples: Matrix
  readonly terms: LossTerms
  readonly beta: Float64Array
}

/** What a block gives to the set. */
export interface GatheredSamples extends WorkingSet {
  /** Their rows in the block. */
  readonly rows: Uint32Array
  /** Stored values, and one per sample: of all that are not settled, and of those that are here. */
  readonly unsettled: number
  readonly given: number
}

/** β of some samples of a block. */
export interface BetaChanges {
  readonly rows: Uint32Array
  readonly beta: Float64Array
}

/**
 * Settled samples come along, as many as there are others, and at least so many: the next solution may move them. On 8,000 samples
 * of text in 8 blocks (imdb), 16 and 256 took a tenth longer.
 */
const FEWEST_SETTLED = 64
/** Epochs of descent before each face. On the same, 1 and 4 took as long. */
const EPOCHS = 2
/** Faces, at most (four to six were enough for 8,000 samples of text), and in how many the gap must fall by half. */
const MOST_FACES = 60
const HALVING_FACES = 10
/** Of the gap that the set has, the part that is left. On the same, 0.01 took as long. */
const REMAINING_GAP = 1e-3
/** Iterations on a face, at most. */
const MOST_STEPS = 50

/** The samples of a block at w̃ that are not settled, and the settled ones next to a kink: so many stored values at most. */
export function gatherSamples(
  { samples, terms, beta }: WorkingSet,
  constant: number,
  weights: Float64Array,
  most: number,
): GatheredSamples {
  const f = valuesOf(samples, constant, weights)
  const { epsilon, z, lower, upper } = terms
  const key = new Float64Array(f.length)
  const valuesAt = (i: number): number => 1 + rowStart(samples, i + 1) - rowStart(samples, i)
  let open = 0
  let unsettled = 0
  for (let i = 0; i < f.length; i++) {
    const violation = lossViolation(terms, i, f[i], beta[i])
    const isOpen = violation > 0 || (beta[i] > lower[i] && beta[i] < upper[i] && beta[i] !== 0)
    key[i] = isOpen ? -violation : Math.abs(Math.abs(z[i] - f[i]) - epsilon)
    if (lower[i] === upper[i]) key[i] = Number.POSITIVE_INFINITY
    else if (isOpen) {
      open++
      unsettled += valuesAt(i)
    }
  }
  const order = Uint32Array.from(key.keys()).sort((a, b) => key[a] - key[b] || a - b)
  const wanted = open + Math.max(open, FEWEST_SETTLED)
  const rows: number[] = []
  let given = 0
  for (const i of order.subarray(0, wanted)) {
    if (given + valuesAt(i) > most || key[i] === Number.POSITIVE_INFINITY) break
    given += valuesAt(i)
    rows.push(i)
  }
  const chosen = Uint32Array.from(rows).sort()
  return {
    ...{ rows: chosen, samples: selectRows(samples, chosen), beta: pickNumbers(beta, chosen) },
    terms: {
      ...terms,
      ...{ z: pickNumbers(z, chosen), lower: pickNumbers(lower, chosen) },
      ...{ upper: pickNumbers(upper, chosen), shift: pickNumbers(terms.shift, chosen) },
    },
    ...{ unsettled, given },
  }
}

/** What blocks gave as one set, in the order of the blocks; undefined where that is nothing. */
export function joinWorkingSet(parts: readonly GatheredSamples[]): WorkingSet | undefined {
  const filled = parts.filter(({ rows }) => rows.length > 0)
  if (filled.length === 0) return undefined
  const join = (of: (terms: LossTerms) => Float64Array) =>
    joinArrays(
      Float64Array,
      filled.map(({ terms }) => of(terms)),
    )
  return {
    samples: stackRows(filled.map(({ samples }) => samples)),
    terms: {
      ...filled[0].terms,
      ...{ z: join(({ z }) => z), lower: join(({ lower }) => lower) },
      ...{ upper: join(({ upper }) => upper), shift: join(({ shift }) => shift) },
    },
    beta: joinArrays(
      Float64Array,
      filled.map(({ beta }) => beta),
    ),
  }
}

/** Solves over the set. β of the set and w̃, which is Σ β_i x̃_i over the samples of all blocks, are changed in place. */
export function solveWorkingSet(
  set: WorkingSet,
  constant: number,
  weights: Float64Array,
  seed: number,
): void {
  const { terms, beta } = set
  const rows = new PlainRows(set.samples, constant)
  const first = gapOf(set, constant, weights)
  let latest = first
  for (let face = 0; face < MOST_FACES; face++) {
    const descent = { epochs: EPOCHS, together: 1, seed: seed + face }
    const { change, moved } = descendBlock(rows, terms, weights, beta, descent)
    for (let j = 0; j < weights.length; j++) weights[j] += change[j]
    const gap = gapOf(set, constant, weights)
    if (!moved || gap <= REMAINING_GAP * first) return
    if (face % HALVING_FACES === HALVING_FACES - 1) {
      if (gap > 0.5 * latest) return
      latest = gap
    }
    const vectors = { ...terms, beta, w: weights }
    inOneGo(stepOnFace(rows, vectors, freeSamples(vectors), MOST_STEPS, () => false))
  }
}

/** What the samples of the set add to the gap, where w̃ = Σ β_i x̃_i. */
function gapOf({ samples, terms, beta }: WorkingSet, constant: number, weights: Float64Array): number {
  const f = valuesOf(samples, constant, weights)
  const unused = new Float64Array(f.length)
  let sum = slopes(terms, f, unused, unused) + conjugateSum(terms, beta)
  for (let i = 0; i < f.length; i++) sum += beta[i] * f[i]
  return sum
}
