/**
 * The linear systems of Newton's method for linear machines, (R + Σ_i h_i x̃_i x̃_iᵀ) p = −g with R diagonal, solved by conjugate
 * gradients. What makes the iterations few is the preconditioner:
 *
 *   columns   Cholesky's factor of the matrix itself, as it was when it was last worked out, where features are few. As long
 *             as h has changed little it serves on; otherwise the rows whose h has changed are added to it, or all those of h > 0
 *             afresh where these are fewer. Where rows have many values, the matrix of a sample of the rows comes first. Where h has changed
 *             in a few rows only, the factor is corrected for these (./corrected-factor.ts). With a factor of the matrix as it is
 *             there is nothing to iterate, unless rounding has spoilt the solution.
 *   rows      the factor of diag(1/h) + (⟨x̃_i, x̃_k⟩) over the rows of h > 0, by the identity of Woodbury, where those are few.
 *   diagonal  the diagonal of the matrix, otherwise.
 *
 * R may change from one system to the next; the way by rows is for R = 1, except for a free bias.
 *
 * A factor is worked out when iterations without it have cost as much: so a system costs at most about twice the cheaper way.
 */
import { conjugateGradients, type Preconditioner } from '../../base/conjugate-gradients.ts'
import { inOneGo, type Pieces } from '../../base/pieces.ts'
import type { Due } from '../driver/pieces.ts'
import type { LinearRows, Triangle } from '../rows/linear-rows.ts'
import { CorrectedFactor } from './corrected-factor.ts'

/** Features up to which the matrix is factored: 1,500 take 9 MB and, at 1e9 multiply-adds per second, half a second. */
const MOST_COLUMNS = 1500
/** The same for rows of h > 0: 2,000 take 16 MB and about a second. */
const MOST_ROWS = 2000
/**
 * Rows of a sample for each feature. With m of them for n features, iterations leave √(n/m) of the error each, about: a third, here.
 */
const SAMPLED_PER_COLUMN = 8
/** A sample is drawn where the matrix of all rows costs as much as so many iterations: with that of a sample, about half as many more are needed. */
const WORTH_SAMPLING = 20
/**
 * ... and where there are so many times as many rows: a sample is drawn anew for each system, where the matrix of all rows is only
 * changed. With 2 instead of 4, one class of mnist as it is (hinge, C = 1) took 22 instead of 15 s.
 */
const LARGE_PART = 4
/** Iterations of conjugate gradients, at most: after any number they have led downhill, and the next Newton step begins afresh. */
const MOST_STEPS = 2000
/**
 * How accurately a system is solved at least. Where a factor is at hand, accuracy costs little, and saves steps: mnist as it is takes
 * 201 steps with 0.1 and 112 with 0.001 (squared hinge, C = 1).
 */
const LEAST_ACCURACY = 0.1
const FACTORED_ACCURACY = 1e-3
/**
 * A factor of an earlier h is tried for as long as this part of what a new one costs. With 0.4 instead of 1, hinge losses take 8 % (mnist
 * as it is) to 25 % (a9a) less time, and others as long.
 */
const STALE_PART = 0.4
/** Fewer iterations than these are not tried. One class of mnist as it is (hinge, C = 100) takes 14.1 s with 3, and 15.2 with 1 and with 6. */
const LEAST_STALE = 3
/**
 * Newton steps after which the model's values are computed afresh: each step adds its rounding to them, and costs as much as two such
 * passes. With 3 and 50 all took as long.
 */
export const STEPS_PER_REFRESH = 10

/** One of them; see {@link NewtonSystem.solve}. */
interface System {
  readonly curvature: Float64Array
  readonly scale: number
  readonly g: Float64Array
  readonly p: Float64Array
  readonly q: Float64Array
  readonly accuracy: number
}

/** See the header of the file. */
export class NewtonSystem {
  /** Iterations of conjugate gradients so far. */
  steps = 0
  /** Multiply-adds of these and of factors so far, about. */
  work = 0
  private readonly rows: LinearRows
  /** R, a vector of the rows. */
  private readonly ridge: Float64Array
  private readonly due: Due
  private readonly weighted: Float64Array
  private readonly residual: Float64Array
  private readonly direction: Float64Array
  private readonly product: Float64Array
  private readonly conditioned: Float64Array
  private readonly diagonal: Float64Array
  private readonly gram: Triangle | undefined
  private readonly factor: Triangle | undefined
  private readonly corrected: CorrectedFactor | undefined
  /** What the Gram matrix of columns is made of, and the change that is to be added to it; the matrix is `factorScale` times it. */
  private readonly inGram: Float64Array
  private readonly change: Float64Array
  private factorScale = 0
  /** R as it was then. */
  private readonly inRidge: Float64Array
  /** Whether R is 1, except for a free bias. */
  private readonly isUnit: boolean

  constructor(rows: LinearRows, ridge: Float64Array, due: Due) {
    const n = rows.cols + 1
    this.rows = rows
    this.ridge = ridge
    this.inRidge = ridge.slice()
    this.isUnit = ridge.every((own, j) => own === 1 || j === n - 1)
    this.due = due
    this.weighted = rows.vector(rows.rows)
    this.residual = rows.vector(n)
    this.direction = rows.vector(n)
    this.product = rows.vector(n)
    this.conditioned = rows.vector(n)
    this.diagonal = rows.vector(n)
    const hasColumns = n <= MOST_COLUMNS
    this.gram = hasColumns ? rows.triangle(n) : undefined
    this.factor = hasColumns ? rows.triangle(n) : undefined
    this.corrected = this.factor && new CorrectedFactor(rows, this.factor)
    this.inGram = rows.vector(hasColumns ? rows.rows : 0)
    this.change = rows.vector(hasColumns ? rows.rows : 0)
  }

  /** Whether features are few enough for a factor of the matrix. */
  get isFactored(): boolean {
    return this.gram !== undefined
  }

  /** How accurately it should be solved at least: more so where features are few enough for a factor of the matrix. */
  get leastAccuracy(): number {
    return this.isFactored ? FACTORED_ACCURACY : LEAST_ACCURACY
  }

  /** What it has learnt of the curvature: the factor follows from it. */
  save() {
    const { gram, inGram, factorScale, corrected, steps, work } = this
    const known = Uint32Array.from(corrected?.known ?? [])
    return { gram: gram?.values.slice(), inGram: inGram.slice(), factorScale, known, steps, work }
  }

  restore({ gram, inGram, factorScale, known, steps, work }: ReturnType<NewtonSystem['save']>): void {
    this.steps = steps
    this.work = work
    if (gram) this.gram?.values.set(gram)
    this.inGram.set(inGram)
    if (factorScale > 0) inOneGo(this.factorGram(factorScale))
    this.corrected?.add([...known])
  }

  /**
   * Fills p with the solution for h = scale · `curvature`, to `accuracy` in the norm of the preconditioner, and q with X̃p. Whoever scales
   * all of h gives another `scale`: the Gram matrix stays. Without a factor there are `most` iterations at most.
   */
  *solve(
    curvature: Float64Array,
    scale: number,
    g: Float64Array,
    p: Float64Array,
    q: Float64Array,
    accuracy: number,
    most = MOST_STEPS,
  ): Pieces {
    const { rows, ridge } = this
    const n = ridge.length
    const active = rows.countPositive(curvature)
    const system = { curvature, scale, g, p, q, accuracy }
    if (active === 0) {
      // The matrix is R. Its factor would not serve later: with a free bias it is singular.
      for (let j = 0; j < n; j++) p[j] = ridge[j] > 0 ? -g[j] / ridge[j] : 0
    } else if (!this.gram) yield* this.solveByRows(system, active, most)
    else {
      if (this.isSolvedByFactor(system)) return
      const isSolved = yield* this.solveByEarlier(system, active)
      if (!isSolved) {
        if (this.isSolvedByFactor(system)) return
        yield* this.iterate(system, this.byColumns(), MOST_STEPS)
      }
    }
    rows.values(p, q)
  }

  /**
   * Whether the factor is of the matrix as it is, or can be corrected for it, and p = −A⁻¹g is accurate: pᵀAp differs from −gᵀp by
   * (p* + e)ᵀAe, where p is off by e. Both are known without another pass.
   */
  private isSolvedByFactor({ curvature, scale, g, p, q, accuracy }: System): boolean {
    const { rows, ridge, inGram, change, weighted, corrected } = this
    if (!corrected || scale !== this.factorScale || !this.serves) return false
    const different = rows.difference(curvature, inGram, change)
    if (!corrected.take(change, different)) return false
    p.set(g)
    corrected.solve(p)
    for (let j = 0; j < p.length; j++) p[j] /= -scale
    rows.values(p, q)
    weighted.fill(0)
    rows.addProductsOf(0, curvature, q, weighted)
    let energy = scale * rows.dot(weighted, q)
    for (let j = 0; j < p.length; j++) energy += ridge[j] * p[j] * p[j]
    const work = -rows.dot(g, p)
    return work > 0 && Math.abs(energy - work) <= accuracy * accuracy * work
  }

  /** Whether there is a factor. One of another R would hide what is left along the features where R has fallen. */
  private get serves(): boolean {
    return this.factorScale > 0 && this.ridge.every((own, j) => own === this.inRidge[j])
  }

  /**
   * Iterations with a factor of an earlier h, or of a sample; before there is one, with the diagonal, until they have cost as much. False where
   * these are too many: then the factor is that of the matrix as it is.
   */
  private *solveByEarlier(system: System, active: number): Pieces<boolean> {
    const { rows, ridge } = this
    const { curvature, scale } = system
    const n = ridge.length
    const different = rows.difference(curvature, this.inGram, this.change)
    const changed = Math.min(active, different)
    const { serves } = this
    const perStep = this.perPass(active) + (serves ? (n * n) / 3 : 0)
    const factorWork = (added: number) => 0.5 * added * rows.meanSquare + n ** 3 / 36
    const steps = (added: number) => factorWork(added) / perStep
    const sampled = SAMPLED_PER_COLUMN * n
    const samples = LARGE_PART * sampled < changed && steps(changed) >= WORTH_SAMPLING
    const isExact = serves && different === 0 && this.factorScale === scale
    const asFactor = steps(samples ? sampled : changed)
    const alone = samples ? 0 : asFactor - this.steps
    const free = isExact ? MOST_STEPS : Math.floor(serves ? STALE_PART * asFactor : alone)
    if (free >= LEAST_STALE) {
      const condition = serves ? this.byColumns() : this.byDiagonal(curvature, scale)
      if (yield* this.iterate(system, condition, free)) return true
    }
    if (samples) {
      this.work += factorWork(sampled)
      yield* this.factorSample(curvature, scale, sampled)
      if (yield* this.iterate(system, this.byColumns(), Math.ceil(steps(active)))) return true
    }
    this.work += factorWork(samples ? active : changed)
    yield* this.factorColumns(curvature, scale, samples || changed === active)
    return false
  }

  /** Where features are many: iterations with the diagonal, or with the factor of the rows of h > 0 where these are few. */
  private *solveByRows(system: System, active: number, most: number): Pieces {
    const { rows } = this
    const { curvature, scale } = system
    const canRows = this.isUnit && active <= MOST_ROWS
    const cost = 0.5 * active * active * (rows.stored / rows.rows + 1) + active ** 3 / 12
    const free = canRows ? Math.ceil(cost / this.perPass(active)) : most
    const done = yield* this.iterate(system, this.byDiagonal(curvature, scale), free)
    if (done || !canRows) return
    this.work += cost
    const mark = rows.mark()
    const byRows = yield* this.byRows(curvature, scale, active)
    yield* this.iterate(system, byRows, MOST_STEPS)
    rows.release(mark)
  }

  /** What an iteration costs in multiply-adds, by measured times: a factor's own are a sixth of the price of others, and those of solving with it a third. */
  private perPass(active: number): number {
    const { rows, ridge } = this
    return 2 * active * (rows.stored / rows.rows + 1) + 4 * ridge.length + rows.rows
  }

  /**
   * Conjugate gradients; true when p is as accurate as asked. They begin at 0: to go on from where another preconditioner has led takes a
   * pass, which is more than that saves.
   */
  private *iterate(
    { curvature, scale, g, p, accuracy }: System,
    condition: Preconditioner,
    most: number,
  ): Pieces<boolean> {
    const { rows, residual: r, direction: d, product: q, conditioned: z } = this
    p.fill(0)
    r.fill(0)
    rows.addScaled(-1, g, r)
    d.set(g)
    condition(d, z)
    const goal = accuracy * accuracy * Math.abs(rows.dot(d, z))
    const perStep = this.perPass(rows.countPositive(curvature))
    const times = (x: Float64Array, out: Float64Array) => {
      this.steps++
      this.work += perStep
      this.times(curvature, scale, x, out)
    }
    const vectors = { residual: r, direction: d, product: q, conditioned: z, loops: rows }
    return yield* conjugateGradients({ ...vectors, times, condition }, p, goal, most, this.due)
  }

  /** out = (R + scale Σ curvature_i x̃_i x̃_iᵀ) x */
  private times(curvature: Float64Array, scale: number, x: Float64Array, out: Float64Array): void {
    const { rows, ridge } = this
    rows.product(curvature, x, out)
    rows.addProductsOf(scale, ridge, x, out)
  }

  private *factorColumns(curvature: Float64Array, scale: number, isAfresh: boolean): Pieces {
    const { change } = this
    if (isAfresh) {
      this.gram?.clear()
      change.set(curvature)
    }
    yield* this.addChange(curvature)
    yield* this.factorGram(scale)
  }

  private *addChange(curvature: Float64Array): Pieces {
    yield* this.rows.addGram(this.change, this.gram as Triangle, this.due)
    this.inGram.set(curvature)
  }

  /**
   * The factor of what a sample of `count` rows of h > 0 adds, about. A row is drawn with a probability in proportion to
   * h_i Σ_j x̃_ij² / A_jj, 1 at most, and counted as often as it stands for: rows with a feature that few have are in it. The diagonal is that of
   * all rows where it is larger.
   */
  private *factorSample(curvature: Float64Array, scale: number, count: number): Pieces {
    const { rows, ridge, change, diagonal } = this
    const gram = this.gram as Triangle
    rows.squares(curvature, diagonal)
    const inverse = diagonal.map((own, j) => 1 / (own + ridge[j] / scale || 1))
    const shares = rows.weightedNorms(inverse)
    for (let i = 0; i < shares.length; i++) shares[i] *= curvature[i]
    const whole = certainSize(shares, count)
    for (let i = 0; i < curvature.length; i++) {
      const probability = Math.min(1, shares[i] / whole)
      // Rows may be sorted, or repeat with a period: the high bits of a product with 2³² / φ follow neither.
      const isDrawn = Math.imul(i, 0x9e3779b1) >>> 0 < probability * 2 ** 32
      change[i] = isDrawn ? curvature[i] / probability : 0
    }
    gram.clear()
    yield* this.addChange(change)
    for (let j = 0; j < diagonal.length; j++) {
      const row = gram.row(j)
      row[j] = Math.max(row[j], diagonal[j])
    }
    yield* this.factorGram(scale)
  }

  private *factorGram(scale: number): Pieces {
    const { ridge, due } = this
    const factor = this.factor as Triangle
    factor.copy(this.gram as Triangle)
    // The factor is of R / scale + Σ curvature_i x̃_i x̃_iᵀ.
    factor.addDiagonal(ridge.map((own) => own / scale))
    this.factorScale = scale
    this.inRidge.set(ridge)
    yield* factor.factor(due)
    this.corrected?.reset()
  }

  private byColumns(): Preconditioner {
    const factor = this.factor as Triangle
    const scale = this.factorScale
    return (r, z) => {
      z.set(r)
      factor.solve(z)
      for (let j = 0; j < z.length; j++) z[j] /= scale
    }
  }

  private byDiagonal(curvature: Float64Array, scale: number): Preconditioner {
    const { rows, ridge, diagonal } = this
    rows.squares(curvature, diagonal)
    rows.invert(scale, ridge, diagonal)
    return (r, z) => {
      z.fill(0)
      rows.addProductsOf(0, r, diagonal, z)
    }
  }

  /**
   * By (R + X̃ᵀhX̃)⁻¹ = R⁻¹ − R⁻¹X̃ᵀ(1/h + X̃ R⁻¹ X̃ᵀ)⁻¹X̃ R⁻¹ with R = 1. With a free bias R is 0 there: with K = 1/h + X̃X̃ᵀ as before,
   * t = K⁻¹(X̃r + z_b 1), z_b such that Σ t_i = r_b, makes z = r − X̃ᵀt but for z_b itself.
   */
  private *byRows(curvature: Float64Array, scale: number, active: number): Pieces<Preconditioner> {
    const { rows, due, weighted } = this
    const values = rows.vector(rows.rows)
    const list = new Uint32Array(active)
    const inverse = new Float64Array(active)
    let count = 0
    for (let i = 0; i < curvature.length; i++) {
      if (!(curvature[i] > 0)) continue
      inverse[count] = 1 / (scale * curvature[i])
      list[count++] = i
    }
    const factor = rows.triangle(active)
    yield* rows.rowGram(list, active, factor, due)
    factor.addDiagonal(inverse)
    yield* factor.factor(due)
    const side = new Float64Array(active)
    const last = this.ridge.length - 1
    const isFree = this.ridge[last] === 0
    const ones = new Float64Array(active).fill(1)
    if (isFree) factor.solve(ones)
    return (r, z) => {
      rows.values(r, values)
      for (let a = 0; a < active; a++) side[a] = values[list[a]]
      factor.solve(side)
      const carried = isFree ? (r[last] - total(side)) / total(ones) : 0
      if (isFree) for (let a = 0; a < active; a++) side[a] += carried * ones[a]
      weighted.fill(0)
      for (let a = 0; a < active; a++) weighted[list[a]] = side[a]
      rows.combine(weighted, z)
      for (let j = 0; j < z.length; j++) z[j] = r[j] - z[j]
      if (isFree) z[last] = carried
    }
  }
}

/** The size from which on a row is drawn for certain where Σ min(1, size_i / it) is `count`, about. */
function certainSize(sizes: Float64Array, count: number): number {
  let whole = Number.POSITIVE_INFINITY
  for (;;) {
    let certain = 0
    let rest = 0
    for (const size of sizes) {
      if (size >= whole) certain++
      else rest += size
    }
    // Rows that have become certain leave more draws to the others.
    const next = rest / (count - certain)
    if (!(next < 0.99 * whole)) return whole
    whole = next
  }
}

function total(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}
