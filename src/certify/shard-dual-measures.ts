/**
 * How good a point of a kernel machine is whose samples come block by block. Each block measures its own samples
 * ({@link measureDualBlock}) from the problem restricted to them, the support vectors of the whole with their coefficients, and the
 * bias; the parts are combined in the order of the blocks ({@link ShardDualMeasures}). In the notation of ./dual-measures.ts:
 *
 *   violation   m is the largest of those of all blocks, M the smallest, so are the ends that their errors leave to them
 *   gap, dual   are sums over samples, and what a ν problem pays for its width is one over their weights: parts add up
 *
 * As in ./certifier.ts, f32 rows come first, with bounds of their errors, and f64 takes over for rows that decide something: always
 * for m and M of the block; for gap and dual value where `sharpness` requires it.
 */
import { placesOfNonZeros } from '../base/lists.ts'
import type { Pieces } from '../base/pieces.ts'
import { Random } from '../base/random.ts'
import { type Matrix, stackRows } from '../data/matrix/matrix.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import { type Feasibility, isFeasible } from '../problems/feasibility.ts'
import { expansionCoefficients, type Problem } from '../problems/kernel-problem.ts'
import type { Evidence, Measures, Solution } from './certificate.ts'
import { type Bounded, DualMeasures, type Interval, quadraticOf } from './dual-measures.ts'
import { ExactSum } from './exact-sum.ts'
import { RowValues } from './row-values.ts'

/** How much of the tolerance the intervals of m and M may take: as much as {@link Evidence} has to say of the violation, halved. */
const SHARP_EXTREMES = 0.01
/** Rows in f64 that m and M hang on: as many to begin with, then four times as many. */
const FIRST_ROWS = 128

/** One block of a problem, and the point to be measured there. */
export interface DualBlock {
  /** The problem of the samples of the block; ν is that of the whole. Samples are a matrix. */
  readonly problem: Problem
  /** The dual variables of these samples, and the bias (and width) of the model. */
  readonly solution: Solution
  /** The support vectors of all blocks, and their coefficients. */
  readonly vectors: Matrix
  readonly coefficients: Float64Array
}

/** How a block is to be measured. */
export interface BlockOptions {
  /** The violation that was requested. */
  readonly tol: number
  readonly threads: number
  /** Of the rows drawn at random. */
  readonly seed: number
  /** The errors that the block's parts of gap and dual value may have; absent: whatever f32 rows leave. */
  readonly sharpness?: { readonly gap: number; readonly dual: number } | undefined
}

/** What one block tells: plain data. */
export interface DualBlockMeasures {
  readonly rows: number
  readonly rowsInDouble: number
  readonly rowsSampled: number
  readonly bound: Evidence['bound']
  /** m and M of each group. */
  readonly extremes: readonly Readonly<Record<'m' | 'M', Interval>>[]
  readonly feasibility: Feasibility
  readonly gap: Bounded
  readonly dual: Bounded
  readonly supportVectors: number
  readonly boundedSupportVectors: number
}

/** What the parts of all blocks come to. */
export interface DualPointMeasures extends Measures {
  readonly evidence: Evidence
  readonly isFeasible: boolean
}

/** The part of a block, and by how much each of its samples violates the conditions for the bias of the model. */
export interface MeasuredBlock {
  readonly part: DualBlockMeasures
  readonly excess: Float64Array
}

/** See the header of the file. */
export function* measureDualBlock(block: DualBlock, options: BlockOptions): Pieces<MeasuredBlock> {
  const { problem, vectors } = block
  const own = problem.samples as Matrix
  const samples = vectors.rows > 0 ? stackRows([own, vectors]) : own
  const rows = new RowValues({ samples, kernel: problem.kernel }, options.threads, own.rows)
  const coefficients = new Float64Array(samples.rows)
  coefficients.set(block.coefficients, own.rows)
  return yield* rows.onOneEngine(coefficients, (place) =>
    measureRows(block, options, rows, coefficients, place),
  )
}

function* measureRows(
  { problem, solution }: DualBlock,
  { tol, seed, sharpness }: BlockOptions,
  rows: RowValues,
  coefficients: Float64Array,
  place: SamplesOnEngine | undefined,
): Pieces<MeasuredBlock> {
  const point = new DualMeasures(problem)
  point.set(solution)
  yield* rows.evaluate(coefficients, false, place)
  const rowsSampled = yield* settleExtremes(point, rows, tol, new Random(seed), place)
  const beta = expansionCoefficients(problem, solution.alpha)
  const supports = placesOfNonZeros(beta)
  const values = () => ({ gap: point.gap(rows), dual: point.dual(quadraticOf(supports, beta, rows)) })
  let { gap, dual } = values()
  if (sharpness && !(gap.error <= sharpness.gap && dual.error <= sharpness.dual)) {
    const { rates, bentRates } = gap
    const matters = beta.map((b, i) => (b !== 0 || rates[i] !== 0 || bentRates[i] !== 0 ? 1 : 0))
    yield* rows.refine(placesOfNonZeros(matters), place)
    ;({ gap, dual } = values())
  }
  if (rows.broken) {
    // A bound was wrong: none of them can be trusted.
    yield* rows.refine(rows.rounded(), place)
    ;({ gap, dual } = values())
  }
  const bounds = 'C' in problem ? problem.C : problem.weights
  return {
    part: {
      rows: beta.length,
      rowsInDouble: rows.doubles,
      rowsSampled,
      bound: rowsSampled > 0 && rows.doubles < beta.length ? 'sampled' : 'worst-case',
      extremes: point.extremes(rows),
      feasibility: point.feasibility,
      gap: { value: gap.value, error: gap.error },
      dual,
      supportVectors: supports.length,
      boundedSupportVectors: supports.reduce((n, i) => (Math.abs(beta[i]) >= bounds[i] ? n + 1 : n), 0),
    },
    excess: point.excess(rows),
  }
}

/** Refines rows until m and M of the block are known well enough; returns how many were drawn at random on the way. */
function* settleExtremes(
  point: DualMeasures,
  rows: RowValues,
  tol: number,
  random: Random,
  place: SamplesOnEngine | undefined,
): Pieces<number> {
  let drawn: number | undefined
  for (let count = FIRST_ROWS; ; ) {
    const isSettled = point
      .extremes(rows)
      .every(({ m, M }) => [m, M].every((end) => widthOf(end) <= SHARP_EXTREMES * tol))
    if (isSettled) return drawn ?? 0
    if (drawn === undefined) {
      drawn = yield* rows.drawIn(random, place)
      continue
    }
    const { variables, reach } = point.decisive(rows)
    const open = rows.openOf(variables, reach, count)
    if (open.length === 0) return drawn
    yield* rows.refine(open, place)
    count *= 4
  }
}

/** Where nothing may rise, or fall, m and M are infinite at both ends. */
function widthOf({ least, most }: Interval): number {
  return least === most ? 0 : most - least
}

/** Combines the parts of all blocks; see the header of the file. */
export class ShardDualMeasures {
  private readonly extremes: Record<'m' | 'M', Interval>[] = []
  private readonly sums = { gap: new ExactSum(), dual: new ExactSum(), gapSize: 0, dualSize: 0 }
  private readonly errors = { gap: 0, dual: 0 }
  private readonly counts = {
    ...{ rows: 0, rowsInDouble: 0, rowsSampled: 0, supportVectors: 0, boundedSupportVectors: 0 },
  }
  private bound: Evidence['bound'] = 'worst-case'
  private feasibility: Feasibility = { isInBox: true, excess: [0, 0], size: 0 }

  /** Takes in the next block. */
  add(part: DualBlockMeasures): void {
    const { extremes, sums, errors, counts } = this
    for (const [group, { m, M }] of part.extremes.entries()) {
      const known = extremes[group]
      extremes[group] = known
        ? { m: extremeOf(known.m, m, Math.max), M: extremeOf(known.M, M, Math.min) }
        : { m: { ...m }, M: { ...M } }
    }
    for (const name of ['gap', 'dual'] as const) {
      sums[name].add(part[name].value)
      sums[`${name}Size`] += Math.abs(part[name].value)
      errors[name] += part[name].error
    }
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += part[name]
    if (part.bound === 'sampled') this.bound = 'sampled'
    const { isInBox, excess, size } = this.feasibility
    const own = part.feasibility
    this.feasibility = {
      isInBox: isInBox && own.isInBox,
      excess: [excess[0] + own.excess[0], excess[1] + own.excess[1]],
      size: size + own.size,
    }
  }

  /** What all of them come to. */
  end(): DualPointMeasures {
    const { extremes, sums, errors, counts, bound } = this
    let [least, maxViolation, most] = [0, 0, 0]
    for (const { m, M } of extremes) {
      least = Math.max(least, m.least - M.most)
      maxViolation = Math.max(maxViolation, m.value - M.value)
      most = Math.max(most, m.most - M.least)
    }
    const gap = sums.gap.value
    const dual = sums.dual.value
    const gapError = errors.gap + 2 ** -52 * sums.gapSize
    const dualError = errors.dual + 2 ** -52 * sums.dualSize
    const { supportVectors, boundedSupportVectors, ...rows } = counts
    return {
      ...{ primal: gap - dual, dual, gap, maxViolation, supportVectors, boundedSupportVectors },
      isFeasible: isFeasible(this.feasibility),
      evidence: {
        ...rows,
        bound,
        violationError: Math.max(most - maxViolation, maxViolation - least),
        primalError: gapError + dualError,
        dualError,
        gapError,
      },
    }
  }
}

function extremeOf(a: Interval, b: Interval, choose: (a: number, b: number) => number): Interval {
  return {
    least: choose(a.least, b.least),
    value: choose(a.value, b.value),
    most: choose(a.most, b.most),
  }
}
