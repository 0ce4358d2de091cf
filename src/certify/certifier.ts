/**
 * What is true of a point that a solver has reached, computed from the problem and that point alone: nothing that a solver
 * keeps is used, so none of its errors can get in. Values come with error bars, and `converged` is said only where the
 * upper end is within the tolerance.
 *
 * Most of the cost is the row g_i = Σ_j c_j k(x_j, x_i) of every sample. Small problems have them in f64. In large ones f32
 * kernel values come first, with worst-case bounds of what that does to each row (./row-bounds.ts), which rows drawn at
 * random draw in (./row-values.ts). Then f64 takes over for every row that matters (./dual-measures.ts):
 *
 *   violation   rows that could be where m or M is, within their errors, until the rest cannot
 *   gap         rows near the margin, until the errors of the rest add up to next to nothing
 *   check       an f64 row outside its bound shows that bounds are wrong: then all rows are computed in f64
 *   dual        Σ β_i g_i is a sum over all support vectors, whose worst case adds up to too much. Errors of rows drawn with
 *               probability ∝ |β_i| × bound estimate what they add up to; eight standard errors of that are the error bar.
 *
 * A later point of the same problem costs only what has changed since.
 */
import type { Pieces } from '../base/pieces.ts'
import { Random } from '../base/random.ts'
import { sampleCount } from '../data/table/dataset.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import { expansionCoefficients, type Problem } from '../problems/kernel-problem.ts'
import type { SvmProblem } from '../problems/problem.ts'
import type { Evidence, Measures, Solution } from './certificate.ts'
import { type Bounded, DualMeasures } from './dual-measures.ts'
import { ExactSum } from './exact-sum.ts'
import { RowValues } from './row-values.ts'
import { measureKnown } from './svc-measures.ts'

/**
 * How much of the tolerance the error bar of the violation may take: where it is clear on which side of it the violation
 * is, and where it is not. And how much of the gap that of the gap may take: it is a bound, with its error bar added.
 */
const CLEAR_VIOLATION = 0.1
const SHARP_VIOLATION = 0.02
const SHARP_GAP = 0.25
/** Error bars of gap and dual value need not be smaller than this share of the dual value. */
const SHARP_VALUES = 4e-6
/** Rows to begin with, in f64; then four times as many. */
const FIRST_ROWS = 128
/** The most rows that are drawn at random among the support vectors. */
const MOST_SAMPLED = 512
/** Standard errors of an error bar. Rounding errors that are not normal have been seen at six. */
const STANDARD_ERRORS = 8

/** What is known of a point. */
export interface Examination extends Measures {
  readonly evidence: Evidence
  /** g_i of each sample, f64 wherever it decides anything. */
  readonly values: Float64Array
}

/** How a problem is to be certified. */
export interface CertifierOptions {
  readonly threads: number
  /** Compute every row in f64. */
  readonly all: boolean
  /** Of the rows drawn at random. */
  readonly seed: number
  /** The violation that was asked for: how sharp the error bars must be. */
  readonly tol: number
}

/** See the head of the file. */
export class Certifier {
  private readonly problem: Problem
  private readonly options: CertifierOptions
  private readonly rows: RowValues
  /** Of the model, where that is not the dual point's. */
  private modelRows: RowValues | undefined
  private readonly point: DualMeasures | undefined

  constructor(problem: Problem, options: CertifierOptions) {
    this.problem = problem
    this.options = options
    this.rows = new RowValues(problem, options.threads)
    this.point = isGeneral(problem) ? new DualMeasures(problem) : undefined
  }

  /** Examines a point. The samples may be on an engine already. */
  *examine(solution: Solution, place?: SamplesOnEngine): Pieces<Examination> {
    const { problem, rows, point, options } = this
    const coefficients = expansionCoefficients(problem, solution.alpha)
    if (!point || solution.beta) return yield* this.examineAll(solution, coefficients, place)
    yield* rows.evaluate(coefficients, options.all, place)
    point.set(solution)
    const random = new Random(options.seed)
    const drawn = yield* rows.drawIn(random, place)
    yield* this.settleViolation(point, place)
    yield* this.settleGap(point, coefficients, place)
    const { sum, sampled } = yield* this.weighRows(point, coefficients, random, place)
    if (rows.broken) yield* rows.refine(rows.rounded(), place)
    const quadratic = rows.broken ? sumOf(coefficients, rows) : sum
    const violation = point.violation(rows)
    const gap = point.gap(rows)
    const dual = point.dual(quadratic)
    const bars = {
      violation,
      gap,
      dual,
      primal: { value: gap.value - dual.value, error: gap.error + dual.error },
    }
    const isSampled = drawn + sampled > 0 && rows.rounded().length > 0
    return this.report(bars, coefficients, drawn + sampled, isSampled ? 'sampled' : 'worst-case')
  }

  /** Other problems, and models that are not the dual point's: every row in f64. */
  private *examineAll(
    solution: Solution,
    coefficients: Float64Array,
    place?: SamplesOnEngine,
  ): Pieces<Examination> {
    const { rows, problem, options } = this
    yield* rows.evaluate(coefficients, true, place)
    let own = rows
    if (solution.beta) {
      this.modelRows ??= new RowValues(problem, options.threads)
      own = this.modelRows
      yield* own.evaluate(solution.beta, true, place)
    }
    const known = measureKnown(problem as SvmProblem, solution, rows, own)
    return this.report(known, coefficients, 0, 'worst-case')
  }

  private *settleViolation(point: DualMeasures, place?: SamplesOnEngine): Pieces {
    const { rows, options } = this
    for (let count = FIRST_ROWS; ; count *= 4) {
      const { value, error } = point.violation(rows)
      const isClear = value + error <= options.tol || value - error > options.tol
      if (error <= (isClear ? CLEAR_VIOLATION : SHARP_VIOLATION) * options.tol) return
      const open = point.decisive(rows).filter((i) => rows.isDouble[i] === 0)
      if (open.length === 0) return
      yield* rows.refine(open.subarray(0, count), place)
    }
  }

  private *settleGap(point: DualMeasures, coefficients: Float64Array, place?: SamplesOnEngine): Pieces {
    const { rows } = this
    const { value, error } = point.gap(rows)
    const dual = point.dual(sumOf(coefficients, rows))
    const allowed = Math.max(SHARP_GAP * value, SHARP_VALUES * Math.abs(dual.value))
    if (error > allowed) yield* rows.refine(point.blurred(rows, allowed), place)
  }

  /** Σ β_i g_i, and how many rows were drawn to know how far it is off. */
  private *weighRows(
    point: DualMeasures,
    coefficients: Float64Array,
    random: Random,
    place?: SamplesOnEngine,
  ): Pieces<{ sum: Bounded; sampled: number }> {
    const { rows } = this
    const { errors } = rows
    const open = rows.rounded().filter((i) => coefficients[i] !== 0)
    let sum = sumOf(coefficients, rows)
    const allowed = SHARP_VALUES * Math.abs(point.dual(sum).value)
    if (0.5 * sum.error <= allowed || open.length === 0) return { sum, sampled: 0 }
    // Row i is drawn with probability ∝ |c_i| × bound: its error, as a share of the bound, then has the mean of all.
    const ends = new Float64Array(open.length)
    let weight = 0
    for (let k = 0; k < open.length; k++)
      ends[k] = weight += Math.abs(coefficients[open[k]]) * errors[open[k]]
    if (!Number.isFinite(weight)) {
      yield* rows.refine(open, place)
      return { sum: sumOf(coefficients, rows), sampled: 0 }
    }
    const before = rows.values.slice()
    const bounds = errors.slice()
    const rest = sum
    const shares: number[] = []
    for (let count = FIRST_ROWS; count <= Math.min(MOST_SAMPLED, open.length); count *= 2) {
      const draws = Uint32Array.from({ length: count - shares.length }, () => {
        return open[firstAbove(ends, random.uniform() * weight)]
      })
      yield* rows.refine(draws, place)
      for (const i of draws)
        shares.push((Math.sign(coefficients[i]) * (rows.values[i] - before[i])) / bounds[i])
      sum = corrected(rest, weight, shares, sumOf(coefficients, rows, rows.isDouble).error)
      if (0.5 * sum.error <= allowed) break
    }
    if (shares.length === 0) yield* rows.refine(open, place)
    return shares.length === 0
      ? { sum: sumOf(coefficients, rows), sampled: 0 }
      : { sum, sampled: shares.length }
  }

  private report(
    { violation, gap, dual, primal }: Readonly<Record<'violation' | 'gap' | 'dual' | 'primal', Bounded>>,
    coefficients: Float64Array,
    rowsSampled: number,
    bound: Evidence['bound'],
  ): Examination {
    const { problem, rows } = this
    const bounds = 'C' in problem ? problem.C : problem.weights
    const bounded = problem.task !== 'svc' || problem.loss === 'hinge'
    let supportVectors = 0
    let boundedSupportVectors = 0
    for (let i = 0; i < coefficients.length; i++) {
      if (coefficients[i] === 0) continue
      supportVectors++
      if (bounded && Math.abs(coefficients[i]) >= bounds[i]) boundedSupportVectors++
    }
    return {
      primal: primal.value,
      dual: dual.value,
      gap: gap.value,
      maxViolation: violation.value,
      supportVectors,
      boundedSupportVectors,
      evidence: {
        rows: sampleCount(problem.samples),
        rowsInDouble: rows.isDouble.reduce((count, is) => count + is, 0),
        rowsSampled,
        bound,
        violationError: violation.error,
        primalError: primal.error,
        dualError: dual.error,
        gapError: gap.error,
      },
      values: rows.values,
    }
  }
}

/** Problems in the form of ./dual-measures.ts. */
function isGeneral(problem: Problem): boolean {
  if (problem.task !== 'svc') return true
  return problem.loss === 'hinge' && problem.bias === 'free' && !problem.C.includes(Number.POSITIVE_INFINITY)
}

/** Σ c_i g_i with its worst error, over all rows or those marked. */
function sumOf(coefficients: Float64Array, { values, errors }: RowValues, marked?: Uint8Array): Bounded {
  const sum = new ExactSum()
  let error = 0
  for (let i = 0; i < values.length; i++) {
    if (coefficients[i] === 0 || (marked && marked[i] === 0)) continue
    sum.add(coefficients[i] * values[i])
    error += Math.abs(coefficients[i]) * (errors[i] + 2 ** -52 * Math.abs(values[i]))
  }
  return { value: sum.value, error }
}

/**
 * A sum whose open rows are off by `weight` × the mean of `shares`. Eight standard errors of that mean, and as much again as
 * eight rows like the worst one would add: a sample that shows no spread proves little.
 */
function corrected(sum: Bounded, weight: number, shares: readonly number[], rest: number): Bounded {
  const count = shares.length
  const mean = shares.reduce((total, share) => total + share, 0) / count
  let squares = 0
  let largest = 0
  for (const share of shares) {
    squares += (share - mean) ** 2
    largest = Math.max(largest, Math.abs(share))
  }
  const deviation = Math.sqrt(squares / Math.max(1, count - 1))
  const spread = STANDARD_ERRORS * (deviation / Math.sqrt(count) + largest / count)
  return { value: sum.value + weight * mean, error: weight * spread + rest }
}

/** The first place whose number is above `limit`, of ascending ones; the last where none is. */
function firstAbove(ends: Float64Array, limit: number): number {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] > limit) high = middle
    else low = middle + 1
  }
  return low
}
