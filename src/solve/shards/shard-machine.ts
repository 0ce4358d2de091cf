/**
 * What trains one function on shards: it says what it needs from the next pass over all blocks ({@link PassRequest}), and gets
 * that back, added up. Several functions share a pass, and all that a machine knows can be kept between two passes. So no
 * machine knows who runs passes, or how.
 */
import type { Evidence, Measures } from '../../certify/certificate.ts'
import type { BetaChanges, GatheredSamples } from './working-set.ts'

/** What a machine asks of a pass over all blocks; everything is about one function. */
export type PassRequest = {
  readonly weights: Float64Array
  /** The round whose β it starts from, as it was kept beside each block; β = 0 before the first. */
  readonly reads?: number
  /** The round for which the β that it leads to is kept. */
  readonly writes?: number
} & (
  | SlopesRequest
  /** Measures of w̃, with β of the round. */
  | { readonly kind: 'measure' }
  /** The Hessian of the losses at w̃, times a direction. */
  | { readonly kind: 'curvature'; readonly direction: Float64Array; readonly width?: number }
  /**
   * Measures of w̃ with β of the round, after these changes of it, by block; and the samples that are not settled, of each block so many
   * stored values at most.
   */
  | {
      readonly kind: 'gather'
      readonly changes?: readonly BetaChanges[] | undefined
      readonly most: number
    }
  /** Coordinate descent on one block after the other, from β of the round; w̃ is carried along, and changed in place at the end. */
  | { readonly kind: 'descend' }
)

/**
 * Measures of w̃, with β of the slopes, and the Hessian of the losses: its diagonal, or the whole of its lower triangle, row by row. With
 * the step that led to w̃, the losses are those of half the step, a quarter of it … as well. With a width, as in products, slopes and
 * curvatures are those of smoothed losses,
 *   max over β   β (z_i − f) − ε |β| − ½ D_i β² − ½ width (β − β⁰_i)²,
 * with β⁰ of the round, and in the middle of its bounds before the first.
 */
interface SlopesRequest {
  readonly kind: 'slopes'
  readonly hessian: 'diagonal' | 'triangle'
  readonly step?: Float64Array | undefined
  readonly width?: number
}

/** Measures with their error bars. */
export type CertifiedMeasures = Measures & { readonly evidence: Evidence }

/** What a pass gives back: to each kind of request, what it requested. */
export interface PassAnswer {
  readonly measures?: CertifiedMeasures
  /** Σ β_i x̃_i of the measures. */
  readonly v?: Float64Array
  /** The losses, smoothed where that was requested, at w̃ and, with a step, at w̃ − (1 − 2^−k) step for k = 1, 2 …. */
  readonly losses?: Float64Array
  /** The diagonal, the triangle, or the product. */
  readonly sum?: Float64Array
  /** Whether a descent moved anything. */
  readonly moved?: boolean
  /** What each block gave. */
  readonly gathered?: readonly GatheredSamples[]
}

/** β of a round, as it is kept beside each block, and its w̃ = Σ β_i x̃_i. */
export interface DualPoint {
  readonly weights: Float64Array
  readonly round: number
}

/** The best weights so far, by their primal value, and measures in which the dual value is the best so far. */
export interface BestPoint {
  readonly weights: Float64Array
  readonly measures: CertifiedMeasures
}

/** The best of what was known and a new point. */
export function betterOf(
  known: BestPoint | undefined,
  weights: Float64Array,
  measures: CertifiedMeasures,
): BestPoint {
  if (!known) return { weights: weights.slice(), measures }
  const isLower = measures.primal < known.measures.primal
  const dualSide = measures.dual < known.measures.dual ? measures : known.measures
  const primalSide = isLower ? measures : known.measures
  const { primal } = primalSide
  const { primalError } = primalSide.evidence
  const { dualError } = dualSide.evidence
  const evidence = { ...dualSide.evidence, primalError, gapError: primalError + dualError }
  return {
    weights: isLower ? weights.slice() : known.weights,
    measures: { ...dualSide, primal, gap: primal + dualSide.dual, evidence },
  }
}

/** See the header of the file. Its fields are plain data: they are all that it knows. */
export abstract class ShardMachine {
  abstract readonly name: string
  /** Rounds done: a round ends with measures. */
  rounds = 0
  /** The best weights so far, and their measures; undefined before the first. */
  best: BestPoint | undefined
  /** It has found that it gets no further. */
  isStalled = false

  /** What the next pass should bring. */
  abstract request(): PassRequest
  abstract receive(answer: PassAnswer): void

  /** All that it knows, to be packed before the next pass. */
  save(): object {
    return { ...this }
  }

  restore(saved: object): void {
    Object.assign(this, saved)
  }
}
