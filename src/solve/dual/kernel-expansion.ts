/**
 * A function f(x) = Σ_j c_j k̃(x_j, x) whose coefficients change one at a time, with its values at the samples at
 * hand; k̃ is the kernel of the dual (k + s² when the bias is regularised). It is kept in one of two ways:
 *
 *   linear kernel   as w̃ = Σ c_j (x_j, s): a value and a change cost O(non-zeros of the row)
 *   any other       as its values at all samples: a value is there, a change costs a kernel row and O(n)
 */
import { allocate } from '../../base/allocate.ts'
import type { Pieces } from '../../base/pieces.ts'
import { isMatrix, type Matrix, storedValues } from '../../data/matrix/matrix.ts'
import { addRow, rowDot } from '../../data/matrix/products.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { RowCache } from '../../kernels/row-cache.ts'
import { dualKernel, type SvmProblem } from '../../problems/problem.ts'
import type { Due } from '../driver/pieces.ts'

/** See the header of the file. All coefficients start at 0. */
export interface Expansion {
  /** What it is kept as: w, or f at the samples. */
  readonly state: Float64Array
  /** f(x_i), the regularised bias included. */
  value(i: number): number
  /** c_i += change */
  add(i: number, change: number): void
  /** c *= factor */
  scale(factor: number): void
  /** c = coefficients, with everything kept computed afresh. */
  assign(coefficients: Float64Array, due: Due): Pieces
  /** ‖f‖² = Σ c_i f(x_i) for the coefficients c that f has. */
  squaredNorm(coefficients: Float64Array): number
}

/** Makes expansions over the samples of one problem; they share one cache of kernel rows. */
export function expansionsOf(problem: SvmProblem, cacheBytes: number): () => Expansion {
  const { samples, kernel } = problem
  if (kernel.spec.kind === 'linear' && isMatrix(samples)) {
    return () => new LinearExpansion(samples, constantFeature(problem))
  }
  const rows = new RowCache(dualKernel(problem).between(samples, samples), { cacheBytes, precision: 'f64' })
  return () => new KernelExpansion(rows)
}

/** The constant s that augments each sample; 0 when the bias is not regularised. */
function constantFeature({ bias, interceptScaling }: SvmProblem): number {
  return bias === 'regularised' ? interceptScaling : 0
}

/** The bias s² Σ c_j of an expansion; 0 when the problem has none. */
export function expansionBias(problem: SvmProblem, coefficients: Float64Array): number {
  if (problem.bias !== 'regularised') return 0
  let sum = 0
  for (const c of coefficients) sum += c
  return sum * problem.interceptScaling ** 2
}

/** Multiplications that take a few milliseconds. */
const WORK_PER_SLICE = 4e6

/**
 * How many samples a solver may visit, each with a value and a change of so many functions, in a few milliseconds: then it
 * should yield. Without a kernel, or with the linear one, a function is its w.
 */
export function stepsPerSlice(
  { samples, kernel }: { readonly samples: Samples; readonly kernel?: AnyKernel },
  functions = 1,
): number {
  const width = isMatrix(samples) ? storedValues(samples) / samples.rows : 1
  const hasWeights = !kernel || kernel.spec.kind === 'linear'
  const work = hasWeights ? 2 * width + 20 : sampleCount(samples) * (width + 1)
  return Math.max(1, Math.floor(WORK_PER_SLICE / (work * functions)))
}

/** f through w̃ = (w, the weight of the constant feature), which may be kept anywhere: `w` has cols + 1 zeros to begin with. */
class LinearExpansion implements Expansion {
  private readonly samples: Matrix
  private readonly constant: number
  private readonly w: Float64Array

  constructor(samples: Matrix, constant: number, w = allocate(Float64Array, samples.cols + 1)) {
    this.samples = samples
    this.constant = constant
    this.w = w
  }

  get state(): Float64Array {
    return this.w
  }

  value(i: number): number {
    const { samples, w } = this
    return rowDot(samples, i, w) + this.constant * w[samples.cols]
  }

  add(i: number, change: number): void {
    const { samples, w } = this
    addRow(samples, i, change, w)
    w[samples.cols] += change * this.constant
  }

  scale(factor: number): void {
    const { w } = this
    for (let j = 0; j < w.length; j++) w[j] *= factor
  }

  *assign(coefficients: Float64Array, due: Due): Pieces {
    this.w.fill(0)
    yield* addAll(this, coefficients, due)
  }

  squaredNorm(): number {
    const { w } = this
    const { cols } = this.samples
    let sum = w[cols] * w[cols]
    for (let j = 0; j < cols; j++) sum += w[j] * w[j]
    return sum
  }
}

class KernelExpansion implements Expansion {
  private readonly rows: RowCache<'f64'>
  private readonly values: Float64Array

  constructor(rows: RowCache<'f64'>) {
    this.rows = rows
    this.values = allocate(Float64Array, rows.cols)
  }

  get state(): Float64Array {
    return this.values
  }

  value(i: number): number {
    return this.values[i]
  }

  add(i: number, change: number): void {
    const { values } = this
    const row = this.rows.row(i)
    for (let j = 0; j < values.length; j++) values[j] += change * row[j]
  }

  scale(factor: number): void {
    const { values } = this
    for (let j = 0; j < values.length; j++) values[j] *= factor
  }

  *assign(coefficients: Float64Array, due: Due): Pieces {
    this.values.fill(0)
    yield* addAll(this, coefficients, due)
  }

  squaredNorm(coefficients: Float64Array): number {
    const { values } = this
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += coefficients[i] * values[i]
    return sum
  }
}

/** c += coefficients */
function* addAll(f: Expansion, coefficients: Float64Array, due: Due): Pieces {
  for (let i = 0; i < coefficients.length; i++) {
    if (coefficients[i] === 0) continue
    f.add(i, coefficients[i])
    if (due()) yield
  }
}
