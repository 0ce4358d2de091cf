/**
 * P and N (./row-values.ts) of every sample in many pairs of classes, in two jobs per class instead of two per pair. For a sample
 * of class c in the pair (c, d), one of the two is a sum over support vectors of c, the other one over those of d:
 *
 *   own     Σ α_j k(x_j, x) over j of c: the kernel values serve all pairs of c
 *   cross   Σ α_j k(x_j, x) over j of d that are support vectors of this pair
 *
 * Problem and dual points alone are what is computed from: nothing that a solver keeps.
 */
import { pickNumbers } from '../base/lists.ts'
import type { Pieces } from '../base/pieces.ts'
import { type EngineMatrix, gatherRows, reserveCopy } from '../engine/matrix/engine-matrix.ts'
import { kernelWork } from '../engine/matrix/engine-worth.ts'
import type { SamplesOnEngine } from '../engine/matrix/samples-on-engine.ts'
import type { RowRange } from '../engine/matrix/select-rows.ts'
import { EXACT_QUERIES, QUERIES } from '../engine/memory/structures.ts'
import { VALUES_PER_PIECE } from './rounded-sums.ts'
import type { KnownSums } from './row-values.ts'

/** Multiply-adds up to which all values are f64: some 250 ms of one thread. */
const DOUBLE_WORK = 1e9

/** A pair of classes, the first one's multipliers before the second one's. */
export interface PairPoint {
  readonly pair: readonly [number, number]
  readonly alpha: Float64Array
}

/** The pairs of one class: which point, and whether the class is its first. */
type Side = { readonly point: number; readonly isFirst: boolean }

/** What a class has to sum up: rows of the matrix, and their multipliers in this many pairs each. */
interface Terms {
  readonly rows: Uint32Array
  readonly coefficients: Float64Array
  /** Where the terms of each group end; every coefficient row of a group is its own sum. */
  readonly ends: Uint32Array
  readonly coefficientRows: number
}

/** Yields between jobs; the result has one entry per point. The samples of class c are the rows `classes[c]` of the matrix. */
export function* pairSums(
  place: SamplesOnEngine,
  classes: readonly RowRange[],
  points: readonly PairPoint[],
  all: boolean,
): Pieces<readonly KnownSums[]> {
  const sides = sidesOf(classes.length, points)
  const terms = sides.map((own, c) => [ownTerms(classes, c, own, points), crossTerms(classes, own, points)])
  const { samples } = place
  const perRow = samples.dense ? samples.cols : samples.indptr[samples.norms.length] / samples.norms.length
  let work = 0
  terms.forEach((lists, c) => {
    const queries = classes[c][1] - classes[c][0]
    for (const { rows } of lists) work += kernelWork(queries, rows.length, rows.length * perRow)
  })
  const precision = all || work <= DOUBLE_WORK ? ('f64' as const) : ('f32' as const)
  const sums = points.map(({ alpha }) => ({
    precision,
    plus: new Float64Array(alpha.length),
    minus: new Float64Array(alpha.length),
  }))
  for (let c = 0; c < classes.length; c++) {
    for (const [kind, list] of terms[c].entries()) {
      const count = classes[c][1] - classes[c][0]
      // The first class is the positive one, and comes first.
      const outputs = sides[c].map(({ point, isFirst }) => {
        const { plus, minus } = sums[point]
        const all = isFirst === (kind === 0) ? plus : minus
        return isFirst ? all.subarray(0, count) : all.subarray(all.length - count)
      })
      yield* sumUp(place, classes[c], list, outputs, precision)
    }
  }
  return sums
}

function sidesOf(classCount: number, points: readonly PairPoint[]): Side[][] {
  const sides: Side[][] = Array.from({ length: classCount }, () => [])
  points.forEach(({ pair: [first, second] }, point) => {
    sides[first].push({ point, isFirst: true })
    sides[second].push({ point, isFirst: false })
  })
  return sides
}

/** The multipliers of one class in a pair. */
function multipliersOf({ alpha }: PairPoint, isFirst: boolean, count: number): Float64Array {
  return isFirst ? alpha.subarray(0, count) : alpha.subarray(alpha.length - count)
}

/** One group: every support vector of the class, with a coefficient for each pair. */
function ownTerms(
  classes: readonly RowRange[],
  c: number,
  sides: readonly Side[],
  points: readonly PairPoint[],
): Terms {
  const [from, to] = classes[c]
  const lists = sides.map(({ point, isFirst }) => multipliersOf(points[point], isFirst, to - from))
  const isUsed = new Uint8Array(to - from)
  for (const list of lists) markNonZeros(list, isUsed)
  const rows = placesOfMarks(isUsed)
  const count = rows.length
  const coefficients = new Float64Array(count * lists.length)
  lists.forEach((list, r) => {
    coefficients.set(pickNumbers(list, rows), r * count)
  })
  for (let j = 0; j < count; j++) rows[j] += from
  return { rows, coefficients, ends: Uint32Array.of(count), coefficientRows: lists.length }
}

/** One group per pair: the support vectors of the other class. */
function crossTerms(
  classes: readonly RowRange[],
  sides: readonly Side[],
  points: readonly PairPoint[],
): Terms {
  const others = sides.map(({ point, isFirst }) => {
    const [from, to] = classes[points[point].pair[isFirst ? 1 : 0]]
    return { from, list: multipliersOf(points[point], !isFirst, to - from) }
  })
  const most = others.reduce((sum, { list }) => sum + list.length, 0)
  const rows = new Uint32Array(most)
  const coefficients = new Float64Array(most)
  const ends = new Uint32Array(others.length)
  let count = 0
  for (let g = 0; g < others.length; g++) {
    count = appendNonZeros(others[g].list, others[g].from, rows, coefficients, count)
    ends[g] = count
  }
  return { rows: rows.slice(0, count), coefficients: coefficients.slice(0, count), ends, coefficientRows: 1 }
}

/** All sums of the samples of a class, which are the queries: an entry of each output per sample. */
function* sumUp(
  { engine, kernelPointer, samples }: SamplesOnEngine,
  [from, to]: RowRange,
  { rows, coefficients, ends, coefficientRows }: Terms,
  outputs: readonly Float64Array[],
  precision: KnownSums['precision'],
): Pieces {
  const count = rows.length
  if (count === 0) return
  const mark = engine.mark()
  const factors = engine.array(Float64Array, coefficients.length)
  factors.set(coefficients)
  const groupEnds = engine.array(Uint32Array, ends.length)
  groupEnds.set(ends)
  const targets = engine.array(Uint32Array, outputs.length)
  for (let p = 0; p < outputs.length; p++) targets[p] = p
  const layout = engine.structure('SUMS', {
    rows: coefficientRows,
    stride: count,
    ends: groupEnds.pointer,
    targets: targets.pointer,
    outputs: outputs.length,
  })
  const block = precision === 'f64' ? EXACT_QUERIES : QUERIES
  const piece = Math.min(
    block * Math.ceil((to - from) / block),
    block * Math.ceil(VALUES_PER_PIECE / (block * count)),
  )
  const queries = engine.array(Uint32Array, piece)
  const results = engine.array(Float64Array, piece * outputs.length)
  const unpacked = engine.array(Float64Array, piece * outputs.length)
  const list = engine.array(Uint32Array, precision === 'f64' ? count : 0)
  if (precision === 'f64') list.set(rows)
  const terms = precision === 'f64' ? samples : copyOf(samples, rows)
  const common = {
    matrix: terms.pointer,
    kernel: kernelPointer,
    coefficients: factors.pointer,
    to: count,
    queryMatrix: samples.pointer,
    queries: queries.pointer,
    results: results.pointer,
    layout,
  }
  for (let first = from; first < to; first += piece) {
    const part = Math.min(piece, to - first)
    countFrom(first, queries, part)
    if (precision === 'f64') engine.run({ kind: 'exact', ...common, samples: list.pointer, count: part })
    else engine.run({ kind: 'expand', ...common, count: part })
    engine.exports.unpackSums(results.pointer, part, block, outputs.length, unpacked.pointer)
    hand(unpacked, part, outputs, first - from)
    yield
  }
  engine.release(mark)
}

/*
 * These loops are functions of their own: where they stand in a generator, the optimising compiler takes all of that with each of
 * them, which costs more than they do.
 */

function markNonZeros(values: Float64Array, marks: Uint8Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) marks[i] = 1
}

function placesOfMarks(marks: Uint8Array): Uint32Array {
  const places = new Uint32Array(marks.length)
  let count = 0
  for (let i = 0; i < marks.length; i++) if (marks[i] === 1) places[count++] = i
  return places.slice(0, count)
}

/** Appends the values that are not 0 and the rows that they belong to, which begin at `from`; returns how many there are now. */
function appendNonZeros(
  values: Float64Array,
  from: number,
  rows: Uint32Array,
  coefficients: Float64Array,
  count: number,
): number {
  let end = count
  for (let i = 0; i < values.length; i++) {
    if (values[i] === 0) continue
    rows[end] = from + i
    coefficients[end++] = values[i]
  }
  return end
}

function countFrom(first: number, list: Uint32Array, count: number): void {
  for (let q = 0; q < count; q++) list[q] = first + q
}

/** Hands the first `count` of each list of results to the output that it is of, from this place on. */
function hand(results: Float64Array, count: number, outputs: readonly Float64Array[], from: number): void {
  for (let p = 0; p < outputs.length; p++) outputs[p].set(results.subarray(p * count, (p + 1) * count), from)
}

function copyOf(samples: EngineMatrix, rows: Uint32Array): EngineMatrix {
  const { engine, dense, cols, indptr } = samples
  let stored = dense ? rows.length * cols : 0
  if (!dense) for (const row of rows) stored += indptr[row + 1] - indptr[row]
  const copy = reserveCopy(engine, samples, rows.length, stored)
  gatherRows(samples, rows, rows.length, copy)
  return copy
}
