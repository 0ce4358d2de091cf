/**
 * The trust-region Newton method, as LIBLINEAR 2.3 runs it for -s 0, 2 and 11: only for `-v` and `-C`, which report
 * on models that are far from solved, so that rates are those of this method and its tolerance and of no other.
 *
 * Problem   min over u of ½‖u‖² + Σ L_i(⟨u, x̃_i⟩) with smooth losses (../../problems/linear-loss.ts).
 * Method    each step minimises the second-order model of the objective within ‖s‖_M <= Δ by conjugate gradients preconditioned
 *           by M, a hundredth of the Hessian's diagonal and the rest 1. It is taken where the objective falls by a part of what the
 *           model says; how large that part is decides on the next Δ.
 * Rounding  sums run over rows and features in their order, and their terms are multiplied and added in the order of LIBLINEAR's with
 *           the reference BLAS: where features are nearly dependent, conjugate gradients make of a last digit another step.
 * Stop      ‖f'(u)‖ <= tolerance · ‖f'(0)‖.
 * Source    Lin, Weng, Keerthi 2008; Hsia, Zhu, Lin 2017; Hsia, Chiang, Lin 2018 (preconditioner).
 */
import { dotProduct } from '../../base/lists.ts'
import { type Matrix, rowStart } from '../../data/matrix/matrix.ts'
import { addRow, rowDot } from '../../data/matrix/products.ts'

/** Parts of the predicted fall: for a step to be taken, to be a fair one, to be a good one. */
const TAKEN = 1e-4
const FAIR = 0.25
const GOOD = 0.75
/** How Δ shrinks and grows. */
const LEAST_SHRINK = 0.25
const SHRINK = 0.5
const GROWTH = 4
/** The part of the Hessian's diagonal in the preconditioner. */
const DIAGONAL_PART = 0.01
const MOST_STEPS = 1000
/** Falls that are so small a part of the objective are rounding. */
const ROUNDING = 1e-12

/** Losses of samples with prices C and targets z: labels ±1, or numbers and the half-width of a tube. */
export interface PrimalLosses {
  readonly loss: 'logistic' | 'squared-hinge' | 'squared-epsilon-insensitive'
  readonly prices: Float64Array
  readonly z: Float64Array
  readonly epsilon: number
}

/** How far to go. */
export interface TrustRegionSettings {
  /** The gradient's norm where it ends, as a part of that at u = 0. */
  readonly tolerance: number
  /** How accurately systems are solved. */
  readonly accuracy: number
  /** Features of LIBLINEAR's: without -B those of the samples alone. */
  readonly features: number
  readonly start: Float64Array | undefined
}

/** The weights that LIBLINEAR ends with, the constant feature's last, from a start or from 0; see the header of the file. */
export function trustRegion(
  samples: Matrix,
  constant: number,
  losses: PrimalLosses,
  { tolerance, accuracy, features, start }: TrustRegionSettings,
): Float64Array {
  const n = samples.cols + 1
  const objective = new Objective(samples, constant, losses)
  const g = new Float64Array(n)
  objective.moveTo(new Float64Array(n), g)
  const goal = tolerance * norm(g)
  const u = start?.slice() ?? new Float64Array(n)
  let value = objective.moveTo(u, g)
  if (norm(g) <= goal) return u
  let M = objective.preconditioner()
  let radius = normIn(M, g, features)
  let isFirst = true
  for (let step = 1; step <= MOST_STEPS; ) {
    const { s, r, isAtBoundary } = solveWithin(objective, M, g, { radius, accuracy, features })
    const next = u.map((own, j) => own + s[j])
    const gs = dotProduct(g, s)
    const predicted = -0.5 * (gs - dotProduct(s, r))
    const fall = value - objective.valueAt(next)
    const length = normIn(M, s, features)
    if (isFirst) radius = Math.min(radius, length)
    isFirst = false
    const bend = -fall - gs
    const reach = (bend <= 0 ? GROWTH : Math.max(LEAST_SHRINK, -0.5 * (gs / bend))) * length
    if (fall < TAKEN * predicted) radius = Math.min(reach, SHRINK * radius)
    else if (fall < FAIR * predicted)
      radius = Math.max(LEAST_SHRINK * radius, Math.min(reach, SHRINK * radius))
    else if (fall < GOOD * predicted)
      radius = Math.max(LEAST_SHRINK * radius, Math.min(reach, GROWTH * radius))
    else radius = isAtBoundary ? GROWTH * radius : Math.max(radius, Math.min(reach, GROWTH * radius))
    if (fall > TAKEN * predicted) {
      step++
      u.set(next)
      value = objective.moveTo(u, g)
      if (norm(g) <= goal) break
      M = objective.preconditioner()
    }
    if (predicted <= 0 || Math.max(Math.abs(fall), Math.abs(predicted)) <= ROUNDING * Math.abs(value)) break
  }
  return u
}

/**
 * ½‖u‖² + Σ L_i, its gradient u + k Σ pull_i x̃_i and its Hessian 1 + k Σ C_i bend_i x̃_i x̃_iᵀ at the last u that it moved to; k is 2 for
 * squared losses, else 1.
 */
class Objective {
  private readonly samples: Matrix
  private readonly constant: number
  private readonly losses: PrimalLosses
  private readonly k: number
  private readonly f: Float64Array
  private readonly pull: Float64Array
  private readonly bend: Float64Array

  constructor(samples: Matrix, constant: number, losses: PrimalLosses) {
    this.samples = samples
    this.constant = constant
    this.losses = losses
    this.k = losses.loss === 'logistic' ? 1 : 2
    this.f = new Float64Array(samples.rows)
    this.pull = new Float64Array(samples.rows)
    this.bend = new Float64Array(samples.rows)
  }

  /** The value at u; fills g with the gradient. */
  moveTo(u: Float64Array, g: Float64Array): number {
    const { samples, f, pull, bend, k } = this
    const { loss, prices: C, z, epsilon } = this.losses
    const value = this.valueAt(u)
    for (let i = 0; i < samples.rows; i++) {
      if (loss === 'logistic') {
        const share = 1 / (1 + Math.exp(-z[i] * f[i]))
        bend[i] = share * (1 - share)
        pull[i] = C[i] * (share - 1) * z[i]
        continue
      }
      const off = loss === 'squared-hinge' ? z[i] * f[i] - 1 : f[i] - z[i]
      const beyond =
        loss === 'squared-hinge'
          ? Math.min(off, 0)
          : off < -epsilon
            ? off + epsilon
            : Math.max(off - epsilon, 0)
      bend[i] = beyond === 0 ? 0 : 1
      pull[i] = loss === 'squared-hinge' ? C[i] * z[i] * beyond : C[i] * beyond
    }
    g.fill(0)
    for (let i = 0; i < samples.rows; i++) if (pull[i] !== 0) this.add(i, pull[i], g)
    for (let j = 0; j < g.length; j++) g[j] = u[j] + k * g[j]
    return value
  }

  valueAt(u: Float64Array): number {
    const { samples, f } = this
    const { loss, prices: C, z, epsilon } = this.losses
    linearValues(samples, this.constant, u, f)
    let value = dotProduct(u, u) / 2
    for (let i = 0; i < samples.rows; i++) {
      if (loss === 'logistic') {
        const margin = z[i] * f[i]
        const tail = Math.log(1 + Math.exp(-Math.abs(margin)))
        value += C[i] * (margin >= 0 ? tail : -margin + tail)
        continue
      }
      const beyond = loss === 'squared-hinge' ? 1 - z[i] * f[i] : Math.abs(f[i] - z[i]) - epsilon
      if (beyond > 0) value += C[i] * beyond * beyond
    }
    return value
  }

  /** out = Hessian · d */
  times(d: Float64Array, out: Float64Array): void {
    const { samples, constant, bend, k } = this
    const { prices: C } = this.losses
    const carried = constant * d[samples.cols]
    out.fill(0)
    for (let i = 0; i < samples.rows; i++) {
      if (bend[i] > 0) this.add(i, C[i] * bend[i] * (rowDot(samples, i, d) + carried), out)
    }
    for (let j = 0; j < d.length; j++) out[j] = d[j] + k * out[j]
  }

  preconditioner(): Float64Array {
    const { samples, constant, bend, k } = this
    const { prices: C } = this.losses
    const M = new Float64Array(samples.cols + 1).fill(1)
    for (let i = 0; i < samples.rows; i++) {
      if (!(bend[i] > 0)) continue
      const start = rowStart(samples, i)
      for (let at = start; at < rowStart(samples, i + 1); at++) {
        const value = samples.values[at]
        const column = samples.kind === 'dense' ? at - start : samples.indices[at]
        M[column] += value * value * C[i] * k * bend[i]
      }
      M[samples.cols] += constant * constant * C[i] * k * bend[i]
    }
    return M.map((own) => 1 - DIAGONAL_PART + DIAGONAL_PART * own)
  }

  /** out += factor · x̃_i */
  private add(i: number, factor: number, out: Float64Array): void {
    addRow(this.samples, i, factor, out)
    out[this.samples.cols] += factor * this.constant
  }
}

/** Fills f with ⟨u, x̃_i⟩ of every sample. */
export function linearValues(samples: Matrix, constant: number, u: Float64Array, f: Float64Array): void {
  const carried = constant * u[samples.cols]
  for (let i = 0; i < samples.rows; i++) f[i] = rowDot(samples, i, u) + carried
}

/** Conjugate gradients for Hessian · s = −g until the residual r is small, or s leaves the ball of the radius: then to its boundary. */
function solveWithin(
  objective: Objective,
  M: Float64Array,
  g: Float64Array,
  { radius, accuracy, features }: { radius: number; accuracy: number; features: number },
): { s: Float64Array; r: Float64Array; isAtBoundary: boolean } {
  const n = g.length
  const s = new Float64Array(n)
  const r = g.map((own) => -own)
  const z = r.map((own, j) => own / M[j])
  const d = z.slice()
  const product = new Float64Array(n)
  let size = dotProduct(z, r)
  const goal = accuracy * Math.sqrt(size)
  for (let step = 0; step < Math.max(features, 5) && Math.sqrt(size) > goal; step++) {
    objective.times(d, product)
    const length = size / dotProduct(d, product)
    addScaled(length, d, s)
    if (normIn(M, s, features) > radius) {
      // As LIBLINEAR goes back: what that rounds is part of where it ends.
      addScaled(-length, d, s)
      const rest = toBoundary(M, s, d, radius, features)
      addScaled(rest, d, s)
      addScaled(-rest, product, r)
      return { s, r, isAtBoundary: true }
    }
    addScaled(-length, product, r)
    for (let j = 0; j < n; j++) z[j] = r[j] / M[j]
    const next = dotProduct(z, r)
    for (let j = 0; j < n; j++) d[j] = (next / size) * d[j] + z[j]
    size = next
  }
  return { s, r, isAtBoundary: false }
}

/** How far s can go along d until it is on the boundary of the ball. */
function toBoundary(
  M: Float64Array,
  s: Float64Array,
  d: Float64Array,
  radius: number,
  features: number,
): number {
  const along = dotIn(M, s, d, features)
  const square = dotIn(M, d, d, features)
  const rest = radius * radius - dotIn(M, s, s, features)
  const root = Math.sqrt(along * along + square * rest)
  return along >= 0 ? rest / (along + root) : (root - along) / square
}

/** to += factor · from */
function addScaled(factor: number, from: Float64Array, to: Float64Array): void {
  for (let j = 0; j < to.length; j++) to[j] += factor * from[j]
}

/** ⟨a, M b⟩ in the order in which LIBLINEAR adds it up: by fives. */
function dotIn(M: Float64Array, a: Float64Array, b: Float64Array, features: number): number {
  const term = (j: number) => a[j] * M[j] * b[j]
  let sum = 0
  let j = 0
  for (; j < features - 4; j += 5) sum += term(j) + term(j + 1) + term(j + 2) + term(j + 3) + term(j + 4)
  for (; j < features; j++) sum += term(j)
  return sum
}

function norm(a: Float64Array): number {
  return Math.sqrt(dotProduct(a, a))
}

function normIn(M: Float64Array, a: Float64Array, features: number): number {
  return Math.sqrt(dotIn(M, a, a, features))
}
