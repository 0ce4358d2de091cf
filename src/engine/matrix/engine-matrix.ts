/**
 * Samples in the engine's memory: f32 copies for fast rows, the f64 originals for exact ones. Storage is chosen by
 * density, not by how the data came: sparse rows win as long as a good part of the values is zero. Columns without any value
 * do not count: dense rows leave them out.
 */
import { allocate } from '../../base/allocate.ts'
import { HyperplaneError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import { type Matrix, rowStart, type SparseMatrix } from '../../data/matrix/matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { writeFields } from '../memory/fields.ts'
import { rowsOfTask } from '../memory/jobs.ts'
import type { EngineKernel } from './engine-kernel.ts'
import { addIntegers, type IntegerEntries, reserveIntegers } from './integer-matrix.ts'
import { placeIn } from './samples-in-place.ts'

/** From this share of non-zeros on, the dense form is the faster one. */
const DENSE_FROM = 0.6
/**
 * Bytes that a value takes in the end, whoever uses the samples: f64, f32 and, where rows are gathered, f32 once more;
 * sparse ones have an offset or an entry for whole numbers beside each f32. And what a sample takes beside its values.
 */
const VALUE_BYTES = { dense: 16, sparse: 24 }
const SAMPLE_BYTES = 64

/** Columns that a task of finding their centre covers: eight cache lines. It has room for as many values (SPREAD_ROWS and one). */
const COLUMNS_CHUNK = 64

/** Copies the f64 values of a matrix, and the columns of sparse rows; those of dense ones move to `positions`. */
export type PlaceRows = (matrix: Matrix, target: EngineMatrix, positions: Uint32Array | undefined) => void

/** Which values are kept: f64, their f32 copies, or both. */
type Kept = 'exact' | 'rounded' | 'both'

/** A matrix in the engine's memory; see MATRIX in ../memory/structures.ts. */
export interface EngineMatrix {
  /** Whose memory it is in. */
  readonly engine: Engine
  /** Of the structure that primitives read. */
  readonly pointer: number
  readonly dense: boolean
  readonly cols: number
  /** u32[rows + 1] (sparse). */
  readonly indptr: EngineArray<Uint32Array>
  /** column · 64 (sparse). */
  readonly offsets: EngineArray<Uint32Array>
  /** f32 values; empty after {@link uploadExact}. */
  readonly values: EngineArray<Float32Array>
  /** ½‖x‖² */
  readonly norms: EngineArray<Float32Array>
  /** f64 values and squared norms, for exact work; empty in copies for {@link gatherRows}. */
  readonly exact: EngineArray<Float64Array>
  readonly exactNorms: EngineArray<Float64Array>
  /** Entries for products in whole numbers, where the values allow it (sparse). */
  readonly integers: IntegerEntries | undefined
  /** Where the columns went (dense): those with values first, the others behind; undefined where they stayed. */
  readonly positions: Uint32Array | undefined
  /** What was subtracted from each column; undefined where nothing was. */
  readonly centre: EngineArray<Float64Array> | undefined
  /** Most values in a row. */
  readonly longest: number
}

/**
 * Copies a matrix into the engine. For rbf, dense columns are centred first: distances stay, rounding shrinks. Values are copied by
 * `place`, if it is given (./place-rows.ts).
 */
export function uploadMatrix(
  engine: Engine,
  matrix: Matrix,
  kernel: EngineKernel,
  place?: PlaceRows,
): EngineMatrix {
  return upload(engine, matrix, 'both', kernel.kind === 'rbf', place)
}

/** The same with f64 values alone, as they are: those of a sparse matrix in place, if they are in the engine's memory. */
export function uploadExact(engine: Engine, matrix: Matrix): EngineMatrix {
  const there = matrix.kind === 'sparse' ? takeInPlace(engine, matrix) : undefined
  return there ?? upload(engine, matrix, 'exact', false)
}

/** A sparse matrix whose values were read into the engine's memory, without zeros; undefined for others. */
function takeInPlace(engine: Engine, matrix: SparseMatrix): EngineMatrix | undefined {
  const { rows, cols, indptr, indices, values } = matrix
  const place = placeIn(engine, values)
  if (place === undefined || values.length >= DENSE_FROM * rows * cols) return undefined
  const target = makeMatrix(engine, { dense: false, rows, cols, nonZeros: 0 }, 'exact')
  const [offsets, exact] = [engine.copy(indices), engine.view(Float64Array, place, values.length)]
  target.indptr.set(indptr)
  writeFields(engine.memory, 'MATRIX', target.pointer, { offsets: offsets.pointer, exact: place })
  return prepare({ ...target, offsets, exact }, rows)
}

function upload(
  engine: Engine,
  matrix: Matrix,
  kept: Kept,
  centre: boolean,
  place?: PlaceRows,
): EngineMatrix {
  const { rows, cols } = matrix
  const { nonZeros, used, positions } = describe(matrix)
  // Whoever wants exact values alone goes by column numbers.
  const width = kept === 'exact' ? cols : used
  const dense = nonZeros > 0 && nonZeros >= DENSE_FROM * rows * width
  if (kept === 'both') requireRoom(engine, rows, dense ? rows * width : nonZeros, dense)
  const target = makeMatrix(engine, { dense, rows, cols: dense ? width : cols, nonZeros }, kept)
  if (!dense) {
    if (place) place(matrix, target, undefined)
    else fillSparse(matrix, 0, rows, target)
    return kept === 'both' ? withIntegers(target, rows) : prepare(target, rows)
  }
  const moved = width < cols ? positions() : undefined
  if (place) place(matrix, target, moved)
  else copyDense(matrix, 0, rows, target, moved)
  return prepare(
    { ...target, positions: moved, centre: centre ? columnCentre(target, rows) : undefined },
    rows,
  )
}

/** Data that cannot fit are refused before anything is copied. */
function requireRoom(engine: Engine, rows: number, values: number, dense: boolean): void {
  const bytes = rows * SAMPLE_BYTES + values * VALUE_BYTES[dense ? 'dense' : 'sparse']
  const spare = engine.spareBytes
  if (bytes <= spare) return
  const megabytes = (count: number) => `${(count / 1e6).toPrecision(3)} MB`
  const fitting = Math.floor((rows * spare) / bytes)
  throw new HyperplaneError(
    `engine: ${rows} samples with ${values} values need ${megabytes(bytes)}, and ${megabytes(spare)} are free: ` +
      `about ${fitting} such samples would fit`,
  )
}

/**
 * Copies the rows from <= i < to of another matrix, to be set against the rows of `samples`: stored the same way and
 * centred in the same way. It may have more columns, not fewer: the samples have zeros there.
 */
export function uploadQueries(
  engine: Engine,
  matrix: Matrix,
  from: number,
  to: number,
  samples: EngineMatrix,
): EngineMatrix {
  const rows = to - from
  const shape = { rows, cols: matrix.cols }
  if (!samples.dense) {
    const nonZeros = countNonZeros(matrix.values, rowStart(matrix, from), rowStart(matrix, to))
    const target = makeMatrix(engine, { ...shape, dense: false, nonZeros }, 'both')
    fillSparse(matrix, from, to, target)
    return samples.integers ? withIntegers(target, rows, samples.integers) : prepare(target, rows)
  }
  const target = makeMatrix(engine, { ...shape, dense: true, nonZeros: 0 }, 'both')
  copyDense(matrix, from, to, target, samples.positions)
  return prepare({ ...target, centre: samples.centre }, rows)
}

/** Room for copies of some rows of `source`, which have `stored` values at most, for {@link gatherRows} to fill. */
export function reserveCopy(
  engine: Engine,
  source: EngineMatrix,
  rows: number,
  stored: number,
): EngineMatrix {
  const { dense, cols, integers, longest } = source
  const copy = makeMatrix(engine, { dense, rows, cols, nonZeros: integers ? 0 : stored, longest }, 'rounded')
  return integers
    ? { ...copy, integers: reserveIntegers(engine, copy.pointer, integers, rows, stored) }
    : copy
}

/** Makes `target` hold the chosen rows of `source`, in that order; the list may be in the engine's memory already. */
export function gatherRows(
  source: EngineMatrix,
  chosen: ArrayLike<number> | EngineArray<Uint32Array>,
  count: number,
  target: EngineMatrix,
): void {
  const { engine } = source
  const mark = engine.mark()
  let list = chosen as EngineArray<Uint32Array>
  if (!('pointer' in chosen)) {
    list = engine.array(Uint32Array, count)
    for (let r = 0; r < count; r++) list[r] = chosen[r]
  }
  engine.exports.gatherRows(source.pointer, list.pointer, count, target.pointer)
  engine.release(mark)
}

/** What room a matrix needs. */
interface Shape {
  readonly dense: boolean
  readonly rows: number
  readonly cols: number
  /** Of a sparse one. */
  readonly nonZeros: number
  /** Most values in a row, if that is known. */
  readonly longest?: number
}

/** Room for a matrix, its values not filled in. */
export function makeMatrix(engine: Engine, shape: Shape, kept: Kept): EngineMatrix {
  const { dense, rows, cols, nonZeros, longest = cols } = shape
  const stored = dense ? rows * cols : nonZeros
  const arrays = {
    indptr: engine.array(Uint32Array, dense ? 1 : rows + 1),
    offsets: engine.array(Uint32Array, dense ? 0 : stored),
    values: engine.array(Float32Array, kept === 'exact' ? 0 : stored),
    norms: engine.array(Float32Array, rows),
    exact: engine.array(Float64Array, kept === 'rounded' ? 0 : stored),
    exactNorms: engine.array(Float64Array, kept === 'rounded' ? 0 : rows),
  }
  const origins = engine.array(Uint32Array, kept === 'rounded' ? rows : 0)
  const pointer = engine.structure('MATRIX', {
    dense: dense ? 1 : 0,
    cols,
    indptr: arrays.indptr.pointer,
    offsets: arrays.offsets.pointer,
    values: arrays.values.pointer,
    norms: arrays.norms.pointer,
    exact: arrays.exact.pointer,
    exactNorms: arrays.exactNorms.pointer,
    longest,
    originRows: origins.pointer,
  })
  const nothing = { integers: undefined, positions: undefined, centre: undefined }
  return { engine, pointer, dense, cols, longest, ...arrays, ...nothing }
}

/** Tells the structure how many values the longest row has. */
function withLongest(matrix: EngineMatrix, rows: number): EngineMatrix {
  const { dense, indptr } = matrix
  if (dense) return matrix
  let longest = 0
  for (let i = 0; i < rows; i++) longest = Math.max(longest, indptr[i + 1] - indptr[i])
  writeFields(matrix.engine.memory, 'MATRIX', matrix.pointer, { longest })
  return { ...matrix, longest }
}

function countNonZeros(values: Float64Array, from: number, to: number): number {
  // Sparse rows hardly ever store zeros, and looking for one is much faster than counting.
  if (values.subarray(from, to).indexOf(0) < 0) return to - from
  let count = 0
  for (let k = from; k < to; k++) if (values[k] !== 0) count++
  return count
}

/** The f64 values that are not 0, and their columns in place of the offsets. */
export function fillSparse(
  matrix: Matrix,
  from: number,
  to: number,
  { offsets, indptr, exact }: EngineMatrix,
): void {
  const { values } = matrix
  const first = rowStart(matrix, from)
  const last = rowStart(matrix, to)
  if (matrix.kind === 'sparse' && last - first === exact.length) {
    exact.set(values.subarray(first, last))
    offsets.set(matrix.indices.subarray(first, last))
    indptr.set(matrix.indptr.subarray(from, to + 1))
    if (first > 0) for (let i = 0; i <= to - from; i++) indptr[i] -= first
    return
  }
  let at = 0
  indptr[0] = 0
  for (let i = from; i < to; i++) {
    const start = rowStart(matrix, i)
    const end = rowStart(matrix, i + 1)
    for (let k = start; k < end; k++) {
      if (values[k] === 0) continue
      offsets[at] = matrix.kind === 'dense' ? k - start : matrix.indices[k]
      exact[at++] = values[k]
    }
    indptr[i - from + 1] = at
  }
}

/**
 * How many values are not 0, how many columns have some, and where columns go when those come first. Columns are counted only as
 * long as it is open whether rows are stored densely.
 */
function describe(matrix: Matrix): { nonZeros: number; used: number; positions: () => Uint32Array } {
  const { rows, cols, values } = matrix
  const nonZeros = countNonZeros(values, 0, values.length)
  const isUsed = allocate(Uint8Array, cols)
  let used = 0
  for (let i = 0; i < rows && used < cols && nonZeros >= DENSE_FROM * rows * used; i++) {
    const start = rowStart(matrix, i)
    const end = rowStart(matrix, i + 1)
    for (let k = start; k < end; k++) {
      const column = matrix.kind === 'dense' ? k - start : matrix.indices[k]
      if (values[k] === 0 || isUsed[column] === 1) continue
      isUsed[column] = 1
      used++
    }
  }
  let next = 0
  let behind = used
  return { nonZeros, used, positions: () => Uint32Array.from(isUsed, (one) => (one ? next++ : behind++)) }
}

/** The f64 values alone. */
function copyDense(
  matrix: Matrix,
  from: number,
  to: number,
  { exact, cols: width }: EngineMatrix,
  positions: Uint32Array | undefined,
): void {
  const { cols, values } = matrix
  const first = rowStart(matrix, from)
  const last = rowStart(matrix, to)
  if (!positions && last - first === exact.length) {
    exact.set(values.subarray(first, last))
    return
  }
  exact.fill(0)
  // Columns that the positions do not tell of stay where they are.
  const places = countUp(cols)
  if (positions) places.set(positions)
  for (let i = from; i < to; i++) {
    const start = rowStart(matrix, i)
    const end = rowStart(matrix, i + 1)
    const row = (i - from) * width
    if (matrix.kind === 'sparse') {
      const { indices } = matrix
      for (let k = start; k < end; k++) if (values[k] !== 0) exact[row + places[indices[k]]] = values[k]
    } else {
      for (let k = start; k < end; k++) if (values[k] !== 0) exact[row + places[k - start]] = values[k]
    }
  }
}

/** What is subtracted from each column: assembly/kernel/upload.ts. */
function columnCentre({ engine, pointer, cols }: EngineMatrix, rows: number): EngineArray<Float64Array> {
  const centre = engine.array(Float64Array, cols)
  const mark = engine.mark()
  engine.run({
    kind: 'centre',
    matrix: pointer,
    to: cols,
    chunk: COLUMNS_CHUNK,
    count: rows,
    means: centre.pointer,
    results: engine.array(Float64Array, COLUMNS_CHUNK * Math.ceil(cols / COLUMNS_CHUNK)).pointer,
  })
  engine.release(mark)
  return centre
}

/**
 * Makes the rest of f64 values and columns: takes the centre away, makes norms, and f32 copies (of norms: halves) where they are
 * kept. Where `pairs` is given, it tells there in how many pairs of columns each row has values.
 */
function prepare(target: EngineMatrix, rows: number, pairs?: EngineArray<Uint32Array>): EngineMatrix {
  const { engine, pointer, exact, values, centre } = target
  engine.run({
    kind: 'prepare',
    matrix: pointer,
    to: rows,
    chunk: rowsOfTask(rows, exact.length),
    rounded: Number(values.length > 0),
    means: centre?.pointer ?? 0,
    count: centre?.length ?? 0,
    pairs: pairs?.pointer ?? 0,
  })
  return withLongest(target, rows)
}

/** The same, with entries in whole numbers where the values allow it. */
function withIntegers(target: EngineMatrix, rows: number, unit?: IntegerEntries): EngineMatrix {
  const pairs = target.engine.array(Uint32Array, rows)
  const prepared = prepare(target, rows, pairs)
  return { ...prepared, integers: addIntegers(prepared, rows, pairs, unit) }
}
