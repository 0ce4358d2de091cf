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
 *   gap, dual   are sums over many rows, whose worst cases add up to too much: what their errors come to is estimated
 *               from some rows, with an error bar (./row-sample.ts)
 *   check       an f64 row outside its bound shows that bounds are wrong: then all rows are computed in f64
 *
 * A later point of the same problem costs only what has changed since; another bias for the same coefficients next to nothing.
 */
import type { Pieces } from '../base/pieces.ts'
import { Random } from '../base/random.ts'
import { sampleCount } from '../data/table/dataset.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import { feasibilityOf, isFeasible } from '../problems/feasibility.ts'
import { generalForm, signedPointOf } from '../problems/general-form.ts'
import { expansionCoefficients, type Problem } from '../problems/kernel-problem.ts'
import { type SvmProblem, upperBounds } from '../problems/problem.ts'
import type { Evidence, Measures, Solution } from './certificate.ts'
import { type Bounded, DualMeasures, type KnownRows, quadraticOf } from './dual-measures.ts'
import { type ErrorSum, RowSample } from './row-sample.ts'
import { type KnownSums, RowValues } from './row-values.ts'
import { measureKnown } from './svc-measures.ts'

/**
 * How much of the tolerance the error bar of the violation may take: where it is clear on which side of it the violation
 * is, and where it is not. And how much of the gap that of the gap may take: it is a bound, with its error bar added.
 */
const CLEAR_VIOLATION = 0.1
const SHARP_VIOLATION = 0.02
const SHARP_GAP = 0.25
/**
 * Error bars of the gap and of the dual value need not be smaller than these shares of the dual value. The gap does not follow from
 * the dual value, so that a proof of optimality loses nothing by the second. With 1e-5 for both, whole fits took up to a quarter longer.
 */
const SHARP_GAP_OF_DUAL = 1e-5
const SHARP_DUAL = 1e-4
/** Rows in f64 that the violation hangs on: as many to begin with, then four times as many: the last ones cost most. */
const FIRST_ROWS = 128
/** Rows drawn at random for gap and dual value: as many to begin with, then twice as many, up to half of those in question. */
const FIRST_SAMPLED = 64

/** What is known of a point. */
export interface Examination extends Measures {
  readonly evidence: Evidence
  /** Whether the dual point keeps its constraints: if not, the numbers say nothing about the optimum. */
  readonly isFeasible: boolean
  /** g_i of each sample, f64 wherever it decides anything. */
  readonly values: Float64Array
}

/** The violation of a point, how far it may be off, and g_i of each sample: f64 where the violation hangs on it. */
export interface ViolationKnown {
  readonly maxViolation: number
  readonly violationError: number
  readonly values: Float64Array
}

/** How a problem is to be certified. */
export interface CertifierOptions {
  readonly threads: number
  /** Compute every row in f64. */
  readonly all: boolean
  /** Of the rows drawn at random. */
  readonly seed: number
  /** The violation that was requested: how sharp the error bars must be. */
  readonly tol: number
}

/** Gap and dual value. */
type Values = Readonly<Record<'gap' | 'dual', Bounded>>

/** See the header of the file. */
export class Certifier {
  private readonly problem: Problem
  private readonly options: CertifierOptions
  private readonly rows: RowValues
  /** Of the model, where that is not the dual point's. */
  private modelRows: RowValues | undefined
  private readonly point: DualMeasures | undefined
  /** Of the rows as they are; undefined when they have changed. */
  private sample: RowSample | undefined
  private random: Random
  private rowsDrawn = 0
  private hasDrawn = false
  private violation: Bounded = { value: 0, error: 0 }
  /** Whether the violation is that of the rows as they are: whoever examines a point may be stopped in between. */
  private isSettled = false
  /** The last point and what is known of it. */
  private last:
    | { readonly bias: number; readonly width: number | undefined; readonly known: Examination }
    | undefined

  constructor(problem: Problem, options: CertifierOptions) {
    this.problem = problem
    this.options = options
    this.rows = new RowValues(problem, options.threads)
    this.point = isGeneral(problem) ? new DualMeasures(problem) : undefined
    this.random = new Random(options.seed)
  }

  /** Examines a point. The samples may be on an engine already, and its sums be known. */
  *examine(solution: Solution, place?: SamplesOnEngine, sums?: KnownSums): Pieces<Examination> {
    const { rows, point } = this
    if (!point || solution.beta) return yield* this.examineAll(solution, place)
    // A solver may make α when it is requested.
    const { alpha, bias, width } = solution
    yield* this.examineViolation({ alpha, bias }, place, sums)
    if (this.last?.bias === bias && this.last.width === width) return this.last.known
    point.setBias(solution)
    const worst = this.hasDrawn ? undefined : worstCase(point, rows, rows, gapTerms(point, rows, place))
    let values: Values
    if (worst && isSharp(worst)) values = worst
    else {
      if (worst) {
        this.isSettled = false
        yield* this.drawIn(place)
        this.violation = yield* this.settleViolation(point, place)
        this.isSettled = true
      }
      this.sample ??= new RowSample(rows)
      // The gap hangs on no other variables than it did in the worst case.
      values = yield* this.settleValues(point, this.sample, worst?.gap.variables, place)
    }
    if (rows.broken) {
      yield* rows.refine(rows.rounded(), place)
      this.violation = point.violation(rows)
      values = yield* this.settleValues(point, new RowSample(rows), undefined, place)
    }
    const { gap, dual } = values
    const primal = { value: gap.value - dual.value, error: gap.error + dual.error }
    const drawn = this.rowsDrawn + (this.sample?.size ?? 0)
    const bound = drawn > 0 && rows.doubles < rows.values.length ? 'sampled' : 'worst-case'
    const bars = { violation: this.violation, gap, dual, primal }
    this.last = { bias, width, known: this.report(bars, isFeasible(point.feasibility), drawn, bound) }
    return this.last.known
  }

  /** The violation of a point, which does not hang on the bias, and its rows: for whoever may continue from there. */
  *examineViolation(solution: Solution, place?: SamplesOnEngine, sums?: KnownSums): Pieces<ViolationKnown> {
    const { problem, rows, point, options } = this
    if (!point || solution.beta) {
      const { maxViolation, evidence, values } = yield* this.examineAll(solution, place)
      return { maxViolation, violationError: evidence.violationError, values }
    }
    const { alpha } = solution
    const isNew = yield* rows.evaluate(expansionCoefficients(problem, alpha), options.all, place, sums)
    if (isNew || !this.isSettled) {
      this.isSettled = false
      point.setPoint(alpha, rows)
      this.sample = undefined
      this.last = undefined
      this.random = new Random(options.seed)
      this.rowsDrawn = 0
      this.hasDrawn = false
      this.violation = yield* this.settleViolation(point, place)
      this.isSettled = true
    }
    return { maxViolation: this.violation.value, violationError: this.violation.error, values: rows.values }
  }

  /** Other problems, and models that are not the dual point's: every row in f64. */
  private *examineAll(solution: Solution, place?: SamplesOnEngine): Pieces<Examination> {
    const { rows, problem, options } = this
    yield* rows.evaluate(expansionCoefficients(problem, solution.alpha), true, place)
    let own = rows
    if (solution.beta) {
      this.modelRows ??= new RowValues(problem, options.threads)
      own = this.modelRows
      yield* own.evaluate(solution.beta, true, place)
    }
    const known = measureKnown(problem as SvmProblem, solution, rows, own)
    return this.report(known, isFeasiblePoint(problem as SvmProblem, solution.alpha), 0, 'worst-case')
  }

  /** The violation, known as well as it must be. */
  private *settleViolation(point: DualMeasures, place?: SamplesOnEngine): Pieces<Bounded> {
    const { rows, options } = this
    let among: Uint32Array | undefined
    for (let count = FIRST_ROWS; ; ) {
      if (place) among ??= point.decisiveOn(place.engine, rows)
      const extremes = point.extremes(rows, among)
      const violation = point.violation(rows, among, extremes)
      const { value, error } = violation
      const isClear = value + error <= options.tol || value - error > options.tol
      if (error <= (isClear ? CLEAR_VIOLATION : SHARP_VIOLATION) * options.tol) return violation
      if (!this.hasDrawn) {
        yield* this.drawIn(place)
        among = undefined
        continue
      }
      const { variables, reach } = point.decisive(rows, among, extremes)
      const open = rows.openOf(variables, reach, count)
      if (open.length === 0) return violation
      yield* rows.refine(open, place)
      among = rows.broken ? undefined : variables
      count *= 4
    }
  }

  /** Draws bounds in: once per point, where worst cases decide too little. */
  private *drawIn(place?: SamplesOnEngine): Pieces {
    this.hasDrawn = true
    this.rowsDrawn = yield* this.rows.drawIn(this.random, place)
  }

  /** Gap and dual value, known as well as they must be. */
  private *settleValues(
    point: DualMeasures,
    sample: RowSample,
    among: Uint32Array | undefined,
    place?: SamplesOnEngine,
  ): Pieces<Values> {
    const { rows } = this
    let worst = worstCase(point, rows, sample, among ?? gapTerms(point, sample, place))
    if (isSharp(worst)) return worst
    let sums = errorSums(worst, rows, sample)
    let likely = sample.weightsFor(sums)
    const refine = function* (list: Uint32Array): Pieces {
      yield* rows.refine(list, place)
      sample.update(list)
      worst = worstCase(point, rows, sample, rows.broken ? undefined : worst.gap.variables)
    }
    if (this.hasDrawn && sample.size === 0) {
      // Nothing is known of the errors of rows that are not ordinary: no sample speaks for them.
      const unusual = likely.places.filter((i) => rows.isOrdinary[i] === 0)
      if (unusual.length > 0) {
        yield* refine(unusual)
        if (isSharp(worst)) return worst
        sums = errorSums(worst, rows, sample)
        likely = sample.weightsFor(sums)
      }
    }
    const { gap, quadratic } = worst
    const { weights, places: open } = likely
    if (sample.size > 0 || open.every((i) => Number.isFinite(weights[i]))) {
      for (let count = FIRST_SAMPLED; count <= Math.max(sample.size, open.length / 2); count *= 2) {
        yield* sample.draw(count, likely, this.random, place)
        const [ofRows, ...ofRates] = sums.map((sum) => sample.estimate(sum))
        const gapError = ofRates.reduce(
          (all, { value, error }) => all + Math.abs(value) + error,
          gap.rounding,
        )
        const values = {
          gap: { value: gap.value, error: gapError },
          dual: point.dual({ value: quadratic.value + ofRows.value, error: ofRows.error }),
        }
        if (isSharp(values, worst)) return values
      }
    }
    yield* refine(open)
    return worst
  }

  private report(
    { violation, gap, dual, primal }: Readonly<Record<'violation' | 'gap' | 'dual' | 'primal', Bounded>>,
    isFeasible: boolean,
    rowsSampled: number,
    bound: Evidence['bound'],
  ): Examination {
    const { problem, rows } = this
    const bounds = 'C' in problem ? problem.C : problem.weights
    const bounded = problem.task !== 'svc' || problem.loss === 'hinge'
    const { support, coefficients } = rows
    let boundedSupportVectors = 0
    for (let k = 0; bounded && k < support.length; k++) {
      if (Math.abs(coefficients[support[k]]) >= bounds[support[k]]) boundedSupportVectors++
    }
    return {
      primal: primal.value,
      dual: dual.value,
      gap: gap.value,
      maxViolation: violation.value,
      supportVectors: support.length,
      boundedSupportVectors,
      evidence: {
        rows: sampleCount(problem.samples),
        rowsInDouble: rows.doubles,
        rowsSampled,
        bound,
        violationError: violation.error,
        primalError: primal.error,
        dualError: dual.error,
        gapError: gap.error,
      },
      isFeasible,
      values: rows.values,
    }
  }
}

/** The variables that the gap hangs on, where the engine can tell. */
function gapTerms(point: DualMeasures, rows: KnownRows, place?: SamplesOnEngine): Uint32Array | undefined {
  return place && point.gapTermsOn(place.engine, rows)
}

/** Gap and dual value with the worst that errors of the rows can make of them, and Σ β_i g_i. */
function worstCase(point: DualMeasures, expansion: RowValues, rows: KnownRows, among?: Uint32Array) {
  const quadratic = quadraticOf(expansion.support, expansion.coefficients, rows)
  return { gap: point.gap(rows, among), dual: point.dual(quadratic), quadratic }
}

/** The error bars that gap and dual value may have, by what they are about. */
function allowedErrors({ gap, dual }: Values): { readonly ofGap: number; readonly ofDual: number } {
  const size = Math.abs(dual.value)
  return { ofDual: SHARP_DUAL * size, ofGap: Math.max(SHARP_GAP * gap.value, SHARP_GAP_OF_DUAL * size) }
}

/** Whether error bars are as small as they must be. */
function isSharp(values: Values, about = values): boolean {
  const { ofGap, ofDual } = allowedErrors(about)
  return values.dual.error <= ofDual && values.gap.error <= ofGap
}

/** Problems in the form of ./dual-measures.ts. */
function isGeneral(problem: Problem): boolean {
  if (problem.task !== 'svc') return true
  return problem.loss === 'hinge' && problem.bias === 'free' && !problem.C.includes(Number.POSITIVE_INFINITY)
}

/** Whether α keeps the constraints of a two-class problem with any loss and form of the bias: Σ y_i α_i matters where that is free. */
function isFeasiblePoint(problem: SvmProblem, alpha: Float64Array): boolean {
  const form = generalForm({ ...problem, C: upperBounds(problem) })
  const { isInBox, ...sums } = feasibilityOf(problem, form, signedPointOf(problem, alpha))
  return problem.bias === 'free' ? isFeasible({ isInBox, ...sums }) : isInBox
}

/** The sums of errors that gap and dual value hang on: Σ c_i e_i, and what the gap follows of each row. */
function errorSums(
  worst: ReturnType<typeof worstCase>,
  { support, coefficients }: RowValues,
  sample: RowSample,
): readonly ErrorSum[] {
  const { ofGap, ofDual } = allowedErrors(worst)
  const { rows, rates, bentRates } = worst.gap
  return [
    sample.sumOfErrors(support, coefficients, 2 * ofDual),
    sample.sumOfErrors(rows, rates, 0.5 * ofGap),
    sample.sumOfErrors(rows, bentRates, 0.5 * ofGap, Math.abs),
  ]
}
