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
}

/** Copies a matrix into the engine. For rbf, dense columns are centred first: distances stay, rounding shrinks. */
export function uploadMatrix(engine: Engine, matrix: Matrix, kernel: EngineKernel): EngineMatrix {
  const { rows, cols } = matrix
  const nonZeros = countNonZeros(matrix)
  const dense = nonZeros >= DENSE_FROM * rows * cols
  const target = makeMatrix(engine, dense, rows, cols, nonZeros, true)
  if (dense) fillDense(matrix, target, kernel.kind === 'rbf')
  else fillSparse(matrix, target)
  setNorms(target, rows)
  return target
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

function countNonZeros({ values }: Matrix): number {
  let count = 0
  for (let k = 0; k < values.length; k++) if (values[k] !== 0) count++
  return count
}

function fillSparse(matrix: Matrix, target: EngineMatrix): void {
  const { values } = matrix
  const { offsets, indptr, exact } = target
  const rounded = target.values
  let at = 0
  indptr[0] = 0
  for (let i = 0; i < matrix.rows; i++) {
    const start = matrix.kind === 'dense' ? i * matrix.cols : matrix.indptr[i]
    const end = matrix.kind === 'dense' ? start + matrix.cols : matrix.indptr[i + 1]
    for (let k = start; k < end; k++) {
      const value = values[k]
      if (value === 0) continue
      offsets[at] = (matrix.kind === 'dense' ? k - start : matrix.indices[k]) * 64
      exact[at] = value
      rounded[at++] = value
    }
    indptr[i + 1] = at
  }
}

function fillDense(matrix: Matrix, target: EngineMatrix, centre: boolean): void {
  const { rows, cols } = matrix
  const { exact, values } = target
  if (matrix.kind === 'dense') exact.set(matrix.values)
  else {
    exact.fill(0)
    for (let i = 0; i < rows; i++) {
      for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++)
        exact[i * cols + matrix.indices[k]] = matrix.values[k]
    }
  }
  if (centre) centreColumns(exact, rows, cols)
  values.set(exact)
}

function centreColumns(values: Float64Array, rows: number, cols: number): void {
  const means = new Float64Array(cols)
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) means[j] += values[i * cols + j]
  for (let j = 0; j < cols; j++) means[j] /= rows
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) values[i * cols + j] -= means[j]
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
