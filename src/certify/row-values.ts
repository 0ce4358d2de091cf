/**
 * The rows g_i = Σ_j c_j k(x_j, x_i) of an expansion, each with a bound of its error. There are three ways to them:
 *
 *   linear     ⟨w, x_i⟩ with w = Σ_j c_j x_j, in f64
 *   engine     f32 kernel values for all rows, then f64 for those that are requested; small problems f64 from the start
 *   plain      f64, for kernels that the engine does not know
 *
 * Positive and negative coefficients are summed apart, P and N: g = P − N, and P + N = Σ|c_j| k(x_j, x_i) is what the
 * bounds of ./row-bounds.ts need. When coefficients have changed since the last time, only the changes are added to f32 rows:
 * the sums are f64.
 */
import { HyperplaneError } from '../base/errors.ts'
import { pickNumbers, placesOfNonZeros } from '../base/lists.ts'
import type { Pieces } from '../base/pieces.ts'
import type { Random } from '../base/random.ts'
import { areEqualRows } from '../data/matrix/equal-rows.ts'
import { isMatrix, type Matrix } from '../data/matrix/matrix.ts'
import { matrixTimes, squaredNorms, weightedRowSum } from '../data/matrix/products.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import type { Precision } from '../engine/jobs/kernel-error.ts'
import { type EngineKernel, uploadKernel } from '../engine/matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../engine/matrix/engine-matrix.ts'
import { fitsEngine, kernelWork, threadsWorth, WORTH_ENGINE } from '../engine/matrix/engine-worth.ts'
import { rowsInOrder } from '../engine/matrix/place-rows.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import { giveEngine, takeEngine } from '../engine/memory/engine.ts'
import { engineExists } from '../engine/memory/engine-build.ts'
import { EXACT_QUERIES } from '../engine/memory/structures.ts'
import type { AnyKernel } from '../kernels/kernel.ts'
import { kernelForEngine } from '../kernels/kernel-for-engine.ts'
import { drawInBounds } from './draw-in-bounds.ts'
import { gatherTerms, largestOf, type Terms } from './expansion-terms.ts'
import { RoundedSums, VALUES_PER_PIECE } from './rounded-sums.ts'
import { RowBounds, type RowTraits } from './row-bounds.ts'

/** Multiply-adds of all rows in f64 up to which they are computed so: some 10 ms of one thread. */
const DOUBLE_WORK = 5e7
/** Rows added up before they are added to the others, in plain code; see "Sums" in ./row-bounds.ts. */
const PART = 64
const NO_ROWS = new Uint32Array(0)

/** P and N of every row, as somebody has computed them (./pair-sums.ts), each as one sum. */
export interface KnownSums {
  readonly plus: Float64Array
  readonly minus: Float64Array
  readonly precision: Precision
}

/** See the header of the file. */
export class RowValues {
  /** g_i as it is known best, and the most that this may be off. */
  readonly values: Float64Array
  readonly errors: Float64Array
  /** Σ|c_j k(x_j, x_i)| of f32 rows. */
  readonly magnitudes: Float64Array
  /** 1 for rows computed in f64. */
  readonly isDouble: Uint8Array
  /** 1 for f32 rows that {@link RowValues.drawIn} took as ordinary: their errors are much alike. */
  readonly isOrdinary: Uint8Array
  /** True when an f64 row has shown that a bound was wrong: then none of them can be trusted. */
  broken = false
  private readonly samples: Samples
  private readonly kernel: AnyKernel
  private readonly threads: number
  private readonly engineKernel: EngineKernel | undefined
  /** What the rows are those of, and which of them are not 0. */
  coefficients: Float64Array = new Float64Array(0)
  support: Uint32Array = NO_ROWS
  /** How many rows were computed in f64. */
  doubles = 0
  private areKnown = false
  private bounds: RowBounds | undefined
  /** What f32 sums have come to, on the engine where they were computed. */
  private sums: RoundedSums | undefined
  private terms: Terms | undefined
  private members: Members | undefined

  /** Of all samples, or of the first `count`: then the others only serve as terms. */
  constructor(
    { samples, kernel }: { samples: Samples; kernel: AnyKernel },
    threads: number,
    count = sampleCount(samples),
  ) {
    this.samples = samples
    this.kernel = kernel
    this.threads = threads
    this.engineKernel = isMatrix(samples) ? kernelForEngine(kernel) : undefined
    this.values = new Float64Array(count)
    this.errors = new Float64Array(count)
    this.magnitudes = new Float64Array(count)
    this.isDouble = new Uint8Array(count)
    this.isOrdinary = new Uint8Array(count)
  }

  /** Makes the rows those of `coefficients`; in f64 if `all`. False if they were. The samples may be on an engine already. */
  *evaluate(
    coefficients: Float64Array,
    all: boolean,
    place?: SamplesOnEngine,
    sums?: KnownSums,
  ): Pieces<boolean> {
    const isNew = !this.areKnown || !sameNumbers(coefficients, this.coefficients)
    if (isNew) {
      // Whoever ends this early must find nothing half done.
      this.areKnown = false
      this.coefficients = coefficients.slice()
      this.support = placesOfNonZeros(this.coefficients)
      this.isDouble.fill(0)
      this.doubles = 0
      this.isOrdinary.fill(0)
      if (place && sums) this.acceptSums(place, sums)
      else if (this.engineKernel?.kind === 'linear') this.evaluateLinearly(this.coefficients, place)
      else if (place || this.suitsEngine())
        yield* this.onEngine(place, (on) => this.evaluateOnEngine(on, all))
      else yield* this.evaluatePlainly(this.coefficients)
      this.areKnown = true
    }
    if (all) yield* this.refine(this.rounded(), place)
    return isNew
  }

  /** Computes the listed rows in f64, those that are not yet. */
  *refine(rows: Uint32Array, place?: SamplesOnEngine): Pieces {
    const open = rows.filter((i) => this.isDouble[i] === 0)
    if (open.length > 0) yield* this.onEngine(place, (on) => this.double(on, open))
  }

  /** See ./draw-in-bounds.ts. */
  drawIn(random: Random, place?: SamplesOnEngine): Pieces<number> {
    // Where tanh is ±1 it has no error: of a sigmoid, most rows may say nothing of the few others.
    const areAlike = this.engineKernel?.kind !== 'sigmoid'
    return drawInBounds(this, this.bounds as RowBounds, areAlike, random, place)
  }

  /** The rows that are not f64. */
  rounded(): Uint32Array {
    const { isDouble, doubles } = this
    const list = new Uint32Array(isDouble.length - doubles)
    if (list.length > 0)
      for (let i = 0, count = 0; i < isDouble.length; i++) if (!isDouble[i]) list[count++] = i
    return list
  }

  /** The rows of some variables that are not f64: where there are more than `most` of these, those that reach farthest. */
  openOf(variables: Uint32Array, reach: Float64Array, most: number): Uint32Array {
    const { isDouble } = this
    const open = new Uint32Array(variables.length)
    const reaches = new Float64Array(variables.length)
    let count = 0
    for (let k = 0; k < variables.length; k++) {
      const row = variables[k] % isDouble.length
      if (isDouble[row]) continue
      open[count] = row
      reaches[count++] = reach[k]
    }
    if (count <= most) return open.subarray(0, count)
    const least = reaches.slice(0, count).sort()[count - most]
    return open.subarray(0, count).filter((_, k) => reaches[k] >= least)
  }

  /** Multiply-adds of all rows in f64. */
  private workInDouble(place?: SamplesOnEngine): number {
    const stored = place
      ? storedIn(place.samples, this.values.length)
      : (this.samples as Matrix).values.length
    return kernelWork(this.support.length, this.values.length, stored)
  }

  private suitsEngine(): boolean {
    if (!this.engineKernel || !engineExists()) return false
    const { cols, values } = this.samples as Matrix
    if (!fitsEngine(values.length, cols) || cols === 0) return false
    return this.workInDouble() >= WORTH_ENGINE
  }

  /** Does work on the rows of these coefficients with the samples on one engine throughout, where they are computed there. */
  *onOneEngine<R>(
    coefficients: Float64Array,
    work: (place: SamplesOnEngine | undefined) => Pieces<R>,
  ): Pieces<R> {
    this.coefficients = coefficients
    this.support = placesOfNonZeros(coefficients)
    this.areKnown = false
    const isElsewhere = this.engineKernel?.kind === 'linear' || !this.suitsEngine()
    return yield* isElsewhere ? work(undefined) : this.onEngine(undefined, work)
  }

  private *onEngine<R>(
    place: SamplesOnEngine | undefined,
    use: (place: SamplesOnEngine) => Pieces<R>,
  ): Pieces<R> {
    if (place) return yield* use(place)
    const matrix = this.samples as Matrix
    const kernel = this.engineKernel as EngineKernel
    const engine = takeEngine(threadsWorth(this.workInDouble(), this.threads))
    const mark = engine.mark()
    try {
      engine.reserveScratch(matrix.cols)
      const kernelPointer = uploadKernel(engine, kernel)
      return yield* use({ engine, kernelPointer, samples: uploadMatrix(engine, matrix, kernel, rowsInOrder) })
    } finally {
      giveEngine(engine, mark)
    }
  }

  private evaluateLinearly(coefficients: Float64Array, place?: SamplesOnEngine): void {
    const matrix = this.samples as Matrix
    const all = matrixTimes(matrix, weightedRowSum(matrix, coefficients))
    this.values.set(all.subarray(0, this.values.length))
    this.settlePlainly(this.plainBounds(coefficients, place?.samples.exactNorms))
  }

  private *evaluatePlainly(coefficients: Float64Array): Pieces {
    const { samples, kernel, values } = this
    const count = values.length
    if (this.support.length === 0) {
      values.fill(0)
      this.errors.fill(0)
      this.allDouble()
      return
    }
    const row = new Float64Array(coefficients.length)
    const part = new Float64Array(count)
    const magnitudes = new Float64Array(count)
    const evaluator = kernel.between(samples, samples)
    values.fill(0)
    let terms = 0
    for (let j = 0; j < coefficients.length; j++) {
      const c = coefficients[j]
      if (c === 0) continue
      evaluator.row(j, row)
      for (let i = 0; i < count; i++) {
        const term = c * row[i]
        part[i] += term
        magnitudes[i] += Math.abs(term)
      }
      if (++terms % PART === 0) addAndClear(values, part)
      if ((terms * count) % VALUES_PER_PIECE < count) yield
    }
    addAndClear(values, part)
    this.settlePlainly(this.plainBounds(coefficients), magnitudes)
  }

  /** All rows are f64, from plain code. */
  private settlePlainly(bounds: RowBounds, magnitudes?: Float64Array): void {
    const { values, errors } = this
    for (let i = 0; i < errors.length; i++) {
      errors[i] = finiteOr(values[i], bounds.ofPlain(i, magnitudes ? magnitudes[i] : 0))
    }
    this.allDouble()
  }

  private allDouble(): void {
    this.isDouble.fill(1)
    this.doubles = this.isDouble.length
  }

  private plainBounds(coefficients: Float64Array, known?: Float64Array): RowBounds {
    const kernel = this.engineKernel
    if (!kernel) return new RowBounds(undefined, this.support, coefficients)
    const matrix = this.samples as Matrix
    const norms = known ?? squaredNorms(matrix)
    const longest = longestRow(matrix)
    return new RowBounds(
      { kernel, norms, longest, exact: 'nothing', dense: matrix.kind === 'dense' },
      this.support,
      coefficients,
    )
  }

  /** The bounds of rows that are computed there. */
  private boundsOn({ samples, rowOf }: SamplesOnEngine, inOneLevel = false): RowBounds {
    const kernel = this.engineKernel as EngineKernel
    const { longest, dense, exactNorms } = samples
    // What is on the engine may be gone by the next time; of pairs of classes, most of it belongs to others.
    const norms = rowOf ? pickNumbers(exactNorms, rowOf) : exactNorms.slice(0, this.coefficients.length)
    const exact = exactnessOf(samples, this.coefficients.length, rowOf)
    const traits = { kernel, norms, longest, exact, dense, rowOf }
    return new RowBounds(traits, this.support, this.coefficients, inOneLevel)
  }

  private acceptSums(place: SamplesOnEngine, sums: KnownSums): void {
    this.bounds = this.boundsOn(place, true)
    this.bounds.boundSums(place.engine, sums, undefined, sums.precision, this)
    if (sums.precision === 'f64') this.allDouble()
  }

  private *evaluateOnEngine(place: SamplesOnEngine, all: boolean): Pieces {
    const { rowOf } = place
    const { coefficients, values, errors } = this
    const rows = rowOf ? largestOf(rowOf) + 1 : values.length
    const terms = rowOf ? rows : coefficients.length
    const bounds = this.boundsOn(place)
    this.bounds = bounds
    if (all || this.workInDouble(place) <= DOUBLE_WORK) {
      errors.fill(Number.POSITIVE_INFINITY)
      return yield* this.double(place, this.rounded())
    }
    if (this.sums === undefined || this.sums.rowOf !== rowOf) {
      checkEqualRows(this.samples as Matrix, rowOf)
      this.sums = new RoundedSums(rowOf, rows, terms)
    }
    yield* this.sums.bringTo(place, this.support, coefficients)
    bounds.boundSums(place.engine, this.sums, rowOf, 'f32', this)
  }

  /** Computes the listed rows in f64; P and N are two sums over the same kernel values. */
  private *double(place: SamplesOnEngine, rows: Uint32Array): Pieces {
    const { engine, kernelPointer, samples, rowOf } = place
    const coefficients = this.coefficients
    const mark = engine.mark()
    if (this.terms?.rowOf !== rowOf || this.terms?.of !== coefficients)
      this.terms = gatherTerms(this.support, coefficients, rowOf)
    const { terms } = this
    const count = terms.rows.length
    const list = engine.array(Uint32Array, count)
    list.set(terms.rows)
    const factors = engine.array(Float64Array, count)
    factors.set(terms.coefficients)
    const ends = engine.array(Uint32Array, 2)
    ends.set([terms.positive, count])
    const targets = engine.array(Uint32Array, 2)
    targets.set([0, 1])
    const groups = { rows: 1, stride: count, ends: ends.pointer, targets: targets.pointer, outputs: 2 }
    const layout = engine.structure('SUMS', groups)
    const found = new Uint8Array(samples.norms.length)
    const wanted = new Uint32Array(rows.length)
    let open = 0
    for (let k = 0; k < rows.length; k++) {
      const at = rowOf ? rowOf[rows[k]] : rows[k]
      if (found[at] === 0) wanted[open++] = at
      found[at] = 1
    }
    const piece = EXACT_QUERIES * Math.ceil(VALUES_PER_PIECE / (4 * EXACT_QUERIES * (count + 1)))
    const queries = engine.array(Uint32Array, piece)
    const results = engine.array(Float64Array, 2 * piece)
    const plus = new Float64Array(open)
    const minus = new Float64Array(open)
    for (let from = 0; from < open; from += piece) {
      const part = wanted.subarray(from, Math.min(open, from + piece))
      queries.set(part)
      engine.run({
        kind: 'exact',
        matrix: samples.pointer,
        kernel: kernelPointer,
        samples: list.pointer,
        coefficients: factors.pointer,
        to: count,
        queryMatrix: samples.pointer,
        queries: queries.pointer,
        count: part.length,
        results: results.pointer,
        layout,
      })
      for (let q = 0; q < part.length; q++) {
        const at = Math.floor(q / EXACT_QUERIES) * 2 * EXACT_QUERIES + (q % EXACT_QUERIES)
        plus[from + q] = results[at]
        minus[from + q] = results[at + EXACT_QUERIES]
      }
      yield
    }
    engine.release(mark)
    if (!rowOf) {
      for (let k = 0; k < open; k++) this.accept(wanted[k], plus[k], minus[k])
      return
    }
    if (this.members?.rowOf !== rowOf) this.members = membersOf(rowOf, found.length)
    const { last, before } = this.members
    for (let k = 0; k < open; k++) {
      for (let next = last[wanted[k]]; next > 0; next = before[next - 1]) {
        this.accept(next - 1, plus[k], minus[k])
      }
    }
  }

  private accept(i: number, plus: number, minus: number): void {
    const { values, errors, isDouble } = this
    if (isDouble[i]) return
    const value = plus - minus
    const error = finiteOr(value, (this.bounds as RowBounds).of(i, plus + minus, 'f64'))
    if (!(Math.abs(value - values[i]) <= errors[i] + error)) this.broken = true
    values[i] = value
    errors[i] = error
    isDouble[i] = 1
    this.doubles++
  }
}

/** The samples of each row of the matrix as chains: the last one, and the one before each, counted from 1; 0 is none. */
interface Members {
  readonly rowOf: Uint32Array
  readonly last: Uint32Array
  readonly before: Uint32Array
}

function membersOf(rowOf: Uint32Array, rows: number): Members {
  const last = new Uint32Array(rows)
  const before = new Uint32Array(rowOf.length)
  for (let i = 0; i < rowOf.length; i++) {
    before[i] = last[rowOf[i]]
    last[rowOf[i]] = i + 1
  }
  return { rowOf, last, before }
}

/** Samples that are said to share a row must be equal. */
function checkEqualRows(matrix: Matrix, rowOf: Uint32Array | undefined): void {
  if (!rowOf) return
  const first = new Int32Array(largestOf(rowOf) + 1).fill(-1)
  for (let i = 0; i < rowOf.length; i++) {
    const other = first[rowOf[i]]
    if (other < 0) first[rowOf[i]] = i
    else if (!areEqualRows(matrix, i, other)) {
      throw new HyperplaneError(
        `certificate: samples ${other} and ${i} share a row on the engine, but are not equal`,
      )
    }
  }
}

function finiteOr(value: number, error: number): number {
  return Number.isFinite(value) ? error : Number.POSITIVE_INFINITY
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** sum += part, which is 0 then. */
function addAndClear(sum: Float64Array, part: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] += part[i]
  part.fill(0)
}

/** What f32 does not round: whole numbers up to 2^24 are its own. */
function exactnessOf(
  { integers, exactNorms }: EngineMatrix,
  count: number,
  rowOf: Uint32Array | undefined,
): RowTraits['exact'] {
  if (!integers) return 'nothing'
  if (integers.unit !== 1) return 'products'
  for (let i = 0; i < count; i++) if (!(exactNorms[rowOf ? rowOf[i] : i] < 2 ** 24)) return 'products'
  return 'distances'
}

/** Values of a matrix on the engine. */
function storedIn({ dense, cols, indptr }: EngineMatrix, rows: number): number {
  return dense ? rows * cols : indptr[Math.min(rows, indptr.length - 1)]
}

function longestRow(matrix: Pick<Matrix, 'kind' | 'rows' | 'cols'> & { indptr?: Uint32Array }): number {
  const { indptr, rows, cols } = matrix
  if (matrix.kind === 'dense' || !indptr) return cols
  let longest = 0
  for (let i = 0; i < rows; i++) longest = Math.max(longest, indptr[i + 1] - indptr[i])
  return longest
}
