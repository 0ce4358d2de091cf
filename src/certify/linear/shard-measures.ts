/**
 * How good a model and a dual point of a linear machine are, over samples that come block by block: each block gives its part
 * ({@link measureBlock}), and the parts are added up in the order of the blocks ({@link ShardMeasures}). Notation:
 * ../problems/linear-loss.ts; a sample has its constant feature s at the end, x̃ = (x, s), and so have the weights w̃.
 *
 * The primal value is that of the weights, the dual value that of β, which may be given or taken from the slopes of the losses:
 * the gap is true however either came about. The violation is measured where the weights are; β is that of v = Σ β_i x̃_i, so
 * ‖w̃ − v‖ times the length of the longest sample is added to it.
 *
 * Error bars, u = 2^−53. f_i is a sum of m products, off by F_i = (m + 2) u ‖w̃‖ ‖x̃_i‖, and L_i by F_i times its steepest slope
 * nearby. v is a sum of at most r samples in each of K blocks, off by V = (r + K + 2) u Σ |β_i| ‖x̃_i‖, and ½‖v‖² by
 * V ‖v‖ + ½ V². All other sums have r + K terms as well.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'
import { rowStart } from '../../data/matrix/matrix.ts'
import { addRow, rowDot, squaredNorms } from '../../data/matrix/products.ts'
import { conjugateSum, type LossTerms, lossViolation, slopes } from '../../problems/linear-loss.ts'
import type { Evidence, Measures } from '../certificate.ts'

const UNIT = 2 ** -53

/** What one block tells; see the header of the file. */
export interface BlockMeasures {
  readonly rows: number
  readonly losses: number
  readonly conjugates: number
  /** Σ β_i x̃_i. */
  readonly v: Float64Array
  /** Σ |β_i| ‖x̃_i‖, and the largest ‖x̃_i‖. */
  readonly size: number
  readonly longest: number
  readonly violation: number
  readonly supportVectors: number
  readonly boundedSupportVectors: number
  /** How far losses and violation may be off, and Σ (|z_i| + ε) |β_i|. */
  readonly lossError: number
  readonly violationError: number
  readonly terms: number
}

/** The part of a block: its samples, their losses, s, w̃, and β where it does not follow from w̃. */
export function measureBlock(
  samples: Matrix,
  terms: LossTerms,
  constant: number,
  weights: Float64Array,
  given?: Float64Array,
): BlockMeasures {
  const { rows, cols } = samples
  const f = valuesOf(samples, constant, weights)
  const slope = new Float64Array(rows)
  const losses = slopes(terms, f, slope, new Float64Array(rows))
  const beta = given ?? slope
  const v = new Float64Array(cols + 1)
  const norms = squaredNorms(samples)
  const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0))
  let [size, longest, violation, supportVectors, boundedSupportVectors] = [0, 0, 0, 0, 0]
  let [lossError, violationError, sizes] = [0, 0, 0]
  for (let i = 0; i < rows; i++) {
    const own = beta[i]
    const norm = Math.sqrt(norms[i] + constant * constant)
    const error = UNIT * (rowStart(samples, i + 1) - rowStart(samples, i) + 2) * norm * length
    const { lower, upper, shift } = terms
    const bound = Math.max(upper[i], -lower[i])
    lossError += error * (shift[i] > 0 ? Math.min(bound, Math.abs(slope[i]) + error / shift[i]) : bound)
    violationError = Math.max(violationError, error)
    violation = Math.max(violation, lossViolation(terms, i, f[i], own))
    longest = Math.max(longest, norm)
    if (own === 0) continue
    supportVectors++
    if (own <= lower[i] || own >= upper[i]) boundedSupportVectors++
    size += Math.abs(own) * norm
    sizes += (Math.abs(terms.z[i]) + terms.epsilon) * Math.abs(own)
    addRow(samples, i, own, v)
    v[cols] += own * constant
  }
  return {
    ...{ rows, losses, conjugates: conjugateSum(terms, beta), v, size, longest, violation },
    ...{ supportVectors, boundedSupportVectors, lossError, violationError, terms: sizes },
  }
}

/** f(x_i) = ⟨w̃, x̃_i⟩ of every sample. */
export function valuesOf(samples: Matrix, constant: number, weights: Float64Array): Float64Array {
  const f = new Float64Array(samples.rows)
  const bias = constant * weights[samples.cols]
  for (let i = 0; i < f.length; i++) f[i] = rowDot(samples, i, weights) + bias
  return f
}

/** Adds up the parts of all blocks; see the header of the file. */
export class ShardMeasures {
  /** Σ β_i x̃_i so far: w̃ less it is the gradient of the primal value, where β comes from the slopes. */
  readonly v: Float64Array
  private readonly weights: Float64Array
  private readonly sums = { losses: 0, conjugates: 0, size: 0, lossError: 0, terms: 0 }
  private readonly counts = { rows: 0, supportVectors: 0, boundedSupportVectors: 0 }
  private readonly largest = { violation: 0, violationError: 0, longest: 0, rows: 0 }
  private blocks = 0

  /** For the measures of these w̃. */
  constructor(weights: Float64Array) {
    this.weights = weights
    this.v = new Float64Array(weights.length)
  }

  /** Takes in the next block. */
  add(part: BlockMeasures): void {
    const { v, sums, counts, largest } = this
    for (let j = 0; j < v.length; j++) v[j] += part.v[j]
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += part[name]
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += part[name]
    for (const name of Object.keys(largest) as (keyof typeof largest)[]) {
      largest[name] = Math.max(largest[name], part[name])
    }
    this.blocks++
  }

  /** What all of them come to. */
  end(): Measures & { readonly evidence: Evidence } {
    const { v, weights, sums, counts, largest } = this
    const [own, dualNorm, apart] = [0, 0, 0].map((_, which) => {
      let sum = 0
      for (let j = 0; j < v.length; j++) {
        const value = which === 0 ? weights[j] : which === 1 ? v[j] : weights[j] - v[j]
        sum += value * value
      }
      return sum
    })
    const primal = 0.5 * own + sums.losses
    const dual = 0.5 * dualNorm + sums.conjugates
    const rounding = UNIT * (largest.rows + this.blocks + 2)
    const off = rounding * sums.size
    const primalError = sums.lossError + (rounding + UNIT * v.length) * primal
    const dualError =
      off * Math.sqrt(dualNorm) +
      0.5 * off * off +
      UNIT * v.length * dualNorm +
      rounding * (sums.terms + Math.abs(sums.conjugates))
    return {
      primal,
      dual,
      gap: primal + dual,
      maxViolation: largest.violation + largest.longest * Math.sqrt(apart),
      supportVectors: counts.supportVectors,
      boundedSupportVectors: counts.boundedSupportVectors,
      evidence: {
        rows: counts.rows,
        rowsInDouble: counts.rows,
        rowsSampled: 0,
        bound: 'worst-case',
        violationError: largest.violationError + largest.longest * off,
        primalError,
        dualError,
        gapError: primalError + dualError,
      },
    }
  }
}
