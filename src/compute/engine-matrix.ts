/**
 * Samples in the engine's memory: f32 copies for fast rows, the f64 originals for exact ones. Storage is chosen by
 * density, not by how the data came: sparse rows win as long as a good part of the values is zero. Columns without any value
 * do not count: dense rows leave them out.
 */
import { HyperplaneError } from '../base/errors.ts'
import type { Matrix } from '../data/matrix.ts'
import type { Engine, EngineArray } from './engine.ts'
import type { EngineKernel } from './engine-kernel.ts'
import { MATRIX_BYTES } from './engine-layout.ts'
import { addWhole, reserveWholeCopy, type WholeNumbers } from './engine-whole.ts'

/** From this share of non-zeros on, the dense form is the faster one (see bench/). */
const DENSE_FROM = 0.6
/**
 * Bytes that a value takes in the end, whoever uses the samples: f64, f32 and, where rows are gathered, f32 once more;
 * sparse ones have an offset or an entry for whole numbers beside each f32. And what a sample takes beside its values.
 */
const VALUE_BYTES = { dense: 16, sparse: 24 }
const SAMPLE_BYTES = 64

/** Which values are kept: f64, their f32 copies, or both. */
type Kept = 'exact' | 'rounded' | 'both'

/** A matrix in the engine's memory; see assembly/layout.ts. */
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
  readonly whole: WholeNumbers | undefined
  /** Where the columns went (dense): those with values first, the others behind; undefined where they stayed. */
  readonly positions: Uint32Array | undefined
  /** What was subtracted from each column; undefined where nothing was. */
  readonly means: Float64Array | undefined
}

/** Copies a matrix into the engine. For rbf, dense columns are centred first: distances stay, rounding shrinks. */
export function uploadMatrix(engine: Engine, matrix: Matrix, kernel: EngineKernel): EngineMatrix {
  return upload(engine, matrix, 'both', kernel.kind === 'rbf')
}

/** The same with f64 values alone, as they are. */
export function uploadExact(engine: Engine, matrix: Matrix): EngineMatrix {
  return upload(engine, matrix, 'exact', false)
}

function upload(engine: Engine, matrix: Matrix, kept: Kept, centre: boolean): EngineMatrix {
  const { rows, cols } = matrix
  const { nonZeros, used, positions } = describe(matrix)
  // Whoever wants exact values alone goes by column numbers.
  const width = kept === 'exact' ? cols : used
  const dense = nonZeros > 0 && nonZeros >= DENSE_FROM * rows * width
  if (kept === 'both') requireRoom(engine, rows, dense ? rows * width : nonZeros, dense)
  const target = makeMatrix(engine, { dense, rows, cols: dense ? width : cols, nonZeros }, kept)
  if (!dense) {
    fillSparse(matrix, 0, rows, target)
    return kept === 'both' ? { ...target, whole: addWhole(engine, target, rows) } : target
  }
  const moved = kept === 'exact' ? undefined : positions
  copyDense(matrix, 0, rows, target, moved)
  const means = centre ? columnMeans(target.exact, rows, width) : undefined
  return finishDense({ ...target, positions: moved, means }, rows)
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
 * centred by the same means. It may have more columns, not fewer: the samples have zeros there.
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
    const nonZeros = countNonZeros(matrix.values, firstValue(matrix, from), firstValue(matrix, to))
    const target = makeMatrix(engine, { ...shape, dense: false, nonZeros }, 'both')
    fillSparse(matrix, from, to, target)
    return { ...target, whole: samples.whole && addWhole(engine, target, rows, samples.whole) }
  }
  const target = makeMatrix(engine, { ...shape, dense: true, nonZeros: 0 }, 'both')
  copyDense(matrix, from, to, target, samples.positions)
  return finishDense({ ...target, means: samples.means }, rows)
}

/** Room for copies of some rows of `source`, which have `stored` values at most, for {@link gatherRows} to fill. */
export function reserveCopy(
  engine: Engine,
  source: EngineMatrix,
  rows: number,
  stored: number,
): EngineMatrix {
  const { dense, cols, whole } = source
  const copy = makeMatrix(engine, { dense, rows, cols, nonZeros: whole ? 0 : stored }, 'rounded')
  return whole ? { ...copy, whole: reserveWholeCopy(engine, copy.pointer, whole, rows, stored) } : copy
}

/** Makes `target` hold the chosen rows of `source`, in that order. */
export function gatherRows(
  source: EngineMatrix,
  chosen: ArrayLike<number>,
  count: number,
  target: EngineMatrix,
): void {
  const { engine } = source
  const mark = engine.mark()
  const list = engine.array(Uint32Array, count)
  for (let r = 0; r < count; r++) list[r] = chosen[r]
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
}

/** Room for a matrix, its values not filled in. */
export function makeMatrix(engine: Engine, shape: Shape, kept: Kept): EngineMatrix {
  const { dense, rows, cols, nonZeros } = shape
  const stored = dense ? rows * cols : nonZeros
  const pointer = engine.allocate(MATRIX_BYTES)
  const matrix = {
    engine,
    pointer,
    dense,
    cols,
    indptr: engine.array(Uint32Array, dense ? 1 : rows + 1),
    offsets: engine.array(Uint32Array, dense ? 0 : stored),
    values: engine.array(Float32Array, kept === 'exact' ? 0 : stored),
    norms: engine.array(Float32Array, rows),
    exact: engine.array(Float64Array, kept === 'rounded' ? 0 : stored),
    exactNorms: engine.array(Float64Array, kept === 'rounded' ? 0 : rows),
    whole: undefined,
    positions: undefined,
    means: undefined,
  }
  const { indptr, offsets, values, norms, exactNorms } = matrix
  new Uint32Array(engine.memory.buffer, pointer, MATRIX_BYTES / 4).set([
    dense ? 1 : 0,
    cols,
    indptr.pointer,
    offsets.pointer,
    values.pointer,
    norms.pointer,
    matrix.exact.pointer,
    exactNorms.pointer,
    0,
  ])
  return matrix
}

function countNonZeros(values: Float64Array, from: number, to: number): number {
  let count = 0
  for (let k = from; k < to; k++) if (values[k] !== 0) count++
  return count
}

/** Where the values of row i begin; of row `rows`, where all end. */
function firstValue(matrix: Matrix, i: number): number {
  return matrix.kind === 'dense' ? i * matrix.cols : matrix.indptr[i]
}

function fillSparse(matrix: Matrix, from: number, to: number, target: EngineMatrix): void {
  const { values } = matrix
  const { offsets, indptr, exact } = target
  let at = 0
  indptr[0] = 0
  for (let i = from; i < to; i++) {
    const start = firstValue(matrix, i)
    const end = firstValue(matrix, i + 1)
    for (let k = start; k < end; k++) {
      const value = values[k]
      if (value === 0) continue
      offsets[at] = (matrix.kind === 'dense' ? k - start : matrix.indices[k]) * 64
      exact[at++] = value
    }
    indptr[i - from + 1] = at
  }
  round(target, to - from)
}

/** How many values are not 0, how many columns have some, and where columns go when those come first (if any moves). */
function describe(matrix: Matrix): { nonZeros: number; used: number; positions: Uint32Array | undefined } {
  const { rows, cols, values } = matrix
  const isUsed = new Uint8Array(cols)
  let nonZeros = 0
  if (matrix.kind === 'sparse') {
    const { indices } = matrix
    for (let k = 0; k < values.length; k++) {
      if (values[k] === 0) continue
      nonZeros++
      isUsed[indices[k]] = 1
    }
  } else {
    for (let i = 0, k = 0; i < rows; i++) {
      for (let column = 0; column < cols; column++, k++) {
        if (values[k] === 0) continue
        nonZeros++
        isUsed[column] = 1
      }
    }
  }
  const used = isUsed.reduce((sum, one) => sum + one, 0)
  if (used === cols) return { nonZeros, used, positions: undefined }
  let next = 0
  let behind = used
  return { nonZeros, used, positions: Uint32Array.from(isUsed, (one) => (one ? next++ : behind++)) }
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
  if (matrix.kind === 'dense' && !positions) {
    exact.set(values.subarray(from * cols, to * cols))
    return
  }
  exact.fill(0)
  // Columns that the positions do not tell of stay where they are.
  const places = Uint32Array.from({ length: cols }, (_, column) => column)
  if (positions) places.set(positions)
  for (let i = from; i < to; i++) {
    const start = firstValue(matrix, i)
    const end = firstValue(matrix, i + 1)
    const row = (i - from) * width
    if (matrix.kind === 'sparse') {
      const { indices } = matrix
      for (let k = start; k < end; k++) if (values[k] !== 0) exact[row + places[indices[k]]] = values[k]
    } else {
      for (let k = start; k < end; k++) if (values[k] !== 0) exact[row + places[k - start]] = values[k]
    }
  }
}

/** Centres the f64 values and makes the rest of them. */
function finishDense(target: EngineMatrix, rows: number): EngineMatrix {
  const { exact, cols, means } = target
  if (means) {
    for (let i = 0, k = 0; i < rows; i++, k += cols - means.length) {
      for (let j = 0; j < means.length; j++, k++) exact[k] -= means[j]
    }
  }
  return round(target, rows)
}

function columnMeans(values: Float64Array, rows: number, cols: number): Float64Array {
  const means = new Float64Array(cols)
  for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < cols; j++, k++) means[j] += values[k]
  return means.map((sum) => sum / rows)
}

/** Makes norms of the f64 values, and f32 copies (of norms: halves) where they are kept. */
function round(target: EngineMatrix, rows: number): EngineMatrix {
  const { exact, values, indptr, exactNorms, norms, dense, cols } = target
  if (values.length > 0) values.set(exact)
  for (let i = 0; i < rows; i++) {
    const end = dense ? (i + 1) * cols : indptr[i + 1]
    let sum = 0
    for (let k = dense ? i * cols : indptr[i]; k < end; k++) sum += exact[k] * exact[k]
    exactNorms[i] = sum
    norms[i] = sum / 2
  }
  return target
}
