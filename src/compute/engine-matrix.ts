/**
 * Samples in the engine's memory: f32 copies for fast rows, the f64 originals for exact ones. Storage is chosen by
 * density, not by how the data came: sparse rows win as long as a good part of the values is zero.
 */
import type { Matrix } from '../data/matrix.ts'
import type { Engine, EngineArray } from './engine.ts'
import type { EngineKernel } from './engine-kernel.ts'
import { MATRIX_BYTES } from './engine-layout.ts'

/** From this share of non-zeros on, the dense form is the faster one (see bench/). */
const DENSE_FROM = 0.6

/** A matrix in the engine's memory; see assembly/layout.ts. */
export interface EngineMatrix {
  /** Of the structure that primitives read. */
  readonly pointer: number
  readonly dense: boolean
  readonly cols: number
  /** u32[rows + 1] (sparse). */
  readonly indptr: EngineArray<Uint32Array>
  /** column · 64 (sparse). */
  readonly offsets: EngineArray<Uint32Array>
  readonly values: EngineArray<Float32Array>
  /** ‖x‖² */
  readonly norms: EngineArray<Float32Array>
  /** f64 values and squared norms, for exact work; empty in copies made by {@link gatherRows}. */
  readonly exact: EngineArray<Float64Array>
  readonly exactNorms: EngineArray<Float64Array>
  /** What was subtracted from each column; undefined where nothing was. */
  readonly means: Float64Array | undefined
}

/** Copies a matrix into the engine. For rbf, dense columns are centred first: distances stay, rounding shrinks. */
export function uploadMatrix(engine: Engine, matrix: Matrix, kernel: EngineKernel): EngineMatrix {
  const { rows, cols, values } = matrix
  const nonZeros = countNonZeros(values, 0, values.length)
  const dense = nonZeros >= DENSE_FROM * rows * cols
  if (!dense) return fillSparse(matrix, 0, rows, makeMatrix(engine, false, rows, cols, nonZeros, true))
  const target = makeMatrix(engine, true, rows, cols, nonZeros, true)
  copyDense(matrix, 0, rows, target)
  const means = kernel.kind === 'rbf' ? columnMeans(target.exact, rows, cols) : undefined
  return finishDense({ ...target, means }, rows)
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
  if (!samples.dense) {
    const nonZeros = countNonZeros(matrix.values, firstValue(matrix, from), firstValue(matrix, to))
    return fillSparse(matrix, from, to, makeMatrix(engine, false, rows, matrix.cols, nonZeros, true))
  }
  const target = makeMatrix(engine, true, rows, matrix.cols, 0, true)
  copyDense(matrix, from, to, target)
  return finishDense({ ...target, means: samples.means }, rows)
}

/** Room for copies of up to all rows of `source`, to be filled by {@link gatherRows}. */
export function reserveCopy(
  engine: Engine,
  source: EngineMatrix,
  rows: number,
  stored: number,
): EngineMatrix {
  return makeMatrix(engine, source.dense, rows, source.cols, stored, false)
}

/** Makes `target` hold the chosen rows of `source`, in that order. */
export function gatherRows(
  source: EngineMatrix,
  chosen: ArrayLike<number>,
  count: number,
  target: EngineMatrix,
): void {
  const { values, offsets, indptr, norms, dense, cols } = source
  let at = 0
  target.indptr[0] = 0
  for (let r = 0; r < count; r++) {
    const row = chosen[r]
    const start = dense ? row * cols : indptr[row]
    const end = dense ? start + cols : indptr[row + 1]
    const to = target.values
    if (dense) to.set(values.subarray(start, end), at)
    else {
      const toOffsets = target.offsets
      for (let k = start, t = at; k < end; k++, t++) {
        to[t] = values[k]
        toOffsets[t] = offsets[k]
      }
      target.indptr[r + 1] = at + end - start
    }
    at += end - start
    target.norms[r] = norms[row]
  }
}

function makeMatrix(
  engine: Engine,
  dense: boolean,
  rows: number,
  cols: number,
  nonZeros: number,
  exact: boolean,
): EngineMatrix {
  const stored = dense ? rows * cols : nonZeros
  const pointer = engine.allocate(MATRIX_BYTES)
  const matrix = {
    pointer,
    dense,
    cols,
    indptr: engine.array(Uint32Array, dense ? 1 : rows + 1),
    offsets: engine.array(Uint32Array, dense ? 0 : stored),
    values: engine.array(Float32Array, stored),
    norms: engine.array(Float32Array, rows),
    exact: engine.array(Float64Array, exact ? stored : 0),
    exactNorms: engine.array(Float64Array, exact ? rows : 0),
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

function fillSparse(matrix: Matrix, from: number, to: number, target: EngineMatrix): EngineMatrix {
  const { values } = matrix
  const { offsets, indptr, exact } = target
  const rounded = target.values
  let at = 0
  indptr[0] = 0
  for (let i = from; i < to; i++) {
    const start = firstValue(matrix, i)
    const end = firstValue(matrix, i + 1)
    for (let k = start; k < end; k++) {
      const value = values[k]
      if (value === 0) continue
      offsets[at] = (matrix.kind === 'dense' ? k - start : matrix.indices[k]) * 64
      exact[at] = value
      rounded[at++] = value
    }
    indptr[i - from + 1] = at
  }
  setNorms(target, to - from)
  return target
}

/** The f64 values alone. */
function copyDense(matrix: Matrix, from: number, to: number, { exact }: EngineMatrix): void {
  const { cols, values } = matrix
  if (matrix.kind === 'dense') {
    exact.set(values.subarray(from * cols, to * cols))
    return
  }
  exact.fill(0)
  for (let i = from; i < to; i++) {
    const start = (i - from) * cols
    for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) exact[start + matrix.indices[k]] = values[k]
  }
}

/** Centres the f64 values, then makes of them what else there is. */
function finishDense(target: EngineMatrix, rows: number): EngineMatrix {
  const { exact, values, cols, means } = target
  if (means) {
    for (let i = 0; i < rows; i++) for (let j = 0; j < means.length; j++) exact[i * cols + j] -= means[j]
  }
  values.set(exact)
  setNorms(target, rows)
  return target
}

function columnMeans(values: Float64Array, rows: number, cols: number): Float64Array {
  const means = new Float64Array(cols)
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) means[j] += values[i * cols + j]
  return means.map((sum) => sum / rows)
}

function setNorms(target: EngineMatrix, rows: number): void {
  const { exact, indptr, exactNorms, norms, dense, cols } = target
  for (let i = 0; i < rows; i++) {
    const end = dense ? (i + 1) * cols : indptr[i + 1]
    let sum = 0
    for (let k = dense ? i * cols : indptr[i]; k < end; k++) sum += exact[k] * exact[k]
    exactNorms[i] = sum
    norms[i] = sum
  }
}
