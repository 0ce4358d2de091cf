/**
 * The matrix that paths on the engine (./c-paths.ts) are over: squared distances, products or kernel values of samples with each
 * other.
 */
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../matrix/engine-matrix.ts'
import { rowsInOrder } from '../matrix/place-rows.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { EXACT_QUERIES } from '../memory/structures.ts'
import { PADDING, strideFor } from './path-bytes.ts'

/** Samples that are on the engine with the matrix of their squared distances or products, for any number of paths. */
export interface MeasuredSamples {
  readonly matrix: EngineMatrix
  readonly rows: number
  readonly cols: number
  readonly distances: number
  readonly stride: number
  /** Whether these are the values of a kernel already: then all paths must have that one. */
  readonly transformed?: boolean
  /** Of kernel values with products in f32: their standard deviation, as a share of them. */
  readonly valueError?: number
}

/** Σ Δβ² of a path as it usually is, as a share of what its boxes hold: of a third of all variables at their bounds, about. */
const USUAL_SHARE = 0.3
/** Of tol: an error of v that is let pass, and four standard deviations (assembly/paths/path.ts, path-exact.ts). */
const SMALL_ERROR = 0.2
const DEVIATIONS = 4
/**
 * The worst row of K has errors some times as large as the mean: paths go by that one. Where this is too low, a path makes v
 * exact.
 */
const WORST_ROW = 2

/** Values of a row that are compared, about: eight rows of them tell a standard deviation to a hundredth. */
const COMPARED = 1024

/** Products may be f32 where v, for this many variables with boxes of this size, stays within a small share of tol. */
export interface RoughValues {
  readonly variables: number
  readonly bound: number
  readonly tol: number
}

/** What is wanted of a matrix that has the values of the one kernel. */
export interface WantedValues {
  /** Whether products may be f32; never, if absent. */
  readonly roughly?: RoughValues
}

/** Uploads samples and makes the matrix of their distances, or of the values of the kernel themselves where that is wanted. */
export function measureSamples(
  engine: Engine,
  samples: Matrix,
  kernel: EngineKernel,
  wanted?: WantedValues,
): MeasuredSamples {
  const { rows, cols } = samples
  engine.reserveScratch(cols)
  const matrix = uploadMatrix(engine, samples, kernel, rowsInOrder)
  const stride = strideFor(rows)
  const distances = engine.allocate(rows * stride)
  const mark = engine.mark()
  const numbers = engine.array(Uint32Array, rows)
  for (let i = 0; i < rows; i++) numbers[i] = i
  const shared = { matrix: matrix.pointer, kernel: uploadKernel(engine, kernel), count: rows }
  const measured = { matrix, rows, cols, distances, stride }
  const valueError = wanted?.roughly && errorOfValues(engine, shared, rows, numbers, wanted.roughly)
  if (valueError !== undefined) {
    const pointers = engine.array(Uint32Array, rows)
    for (let i = 0; i < rows; i++) pointers[i] = distances + i * stride
    const queries = { queryMatrix: matrix.pointer, queries: numbers.pointer }
    engine.run({ kind: 'kernel-matrix', ...shared, ...queries, from: 0, rows: pointers.pointer })
    engine.release(mark)
    putDiagonals(engine, kernel, measured)
    return { ...measured, valueError }
  }
  const transformed = Number(wanted !== undefined)
  engine.run({ kind: 'distances', ...shared, samples: numbers.pointer, distances, stride, transformed })
  engine.release(mark)
  return measured
}

/**
 * Standard deviation of kernel values whose products are f32, as a share of the values: measured on a few rows. Undefined where it would be
 * felt: then sums in f64 would have to make up for it, which takes more time than products in f64.
 */
function errorOfValues(
  engine: Engine,
  { matrix, kernel }: { readonly matrix: number; readonly kernel: number },
  rows: number,
  samples: EngineArray<Uint32Array>,
  { variables, bound, tol }: RoughValues,
): number | undefined {
  const mark = engine.mark()
  const count = Math.min(rows, EXACT_QUERIES)
  const queries = engine.array(Uint32Array, count)
  const rough = Array.from({ length: count }, () => engine.array(Float32Array, rows + PADDING))
  const exact = Array.from({ length: count }, () => engine.array(Float64Array, rows + PADDING))
  const pointersTo = (arrays: readonly { readonly pointer: number }[]) => {
    const pointers = engine.array(Uint32Array, count)
    for (let q = 0; q < count; q++) pointers[q] = arrays[q].pointer
    return pointers.pointer
  }
  const apart = Math.ceil(rows / COMPARED)
  for (let q = 0; q < count; q++) queries[q] = Math.floor((q * rows) / count)
  const shared = { matrix, kernel, from: 0, to: rows, queries: queries.pointer, count }
  engine.run({ kind: 'kernel-rows', ...shared, queryMatrix: matrix, rows: pointersTo(rough), parts: 1 })
  engine.run({ kind: 'exact-rows', ...shared, samples: samples.pointer, rows: pointersTo(exact) })
  let errors = 0
  let squares = 0
  for (let q = 0; q < count; q++) {
    const [error, square] = differences(rough[q].subarray(0, rows), exact[q], apart)
    errors += error
    squares += square
  }
  engine.release(mark)
  const meanError = errors / (count * Math.ceil(rows / apart))
  const ofV = WORST_ROW * DEVIATIONS * bound * Math.sqrt(USUAL_SHARE * variables * meanError)
  return ofV <= SMALL_ERROR * tol ? Math.sqrt(errors / (squares || 1)) : undefined
}

/** Σ (a − b)² and Σ b² over every so many of the first list. */
function differences(values: Float32Array, exact: Float64Array, apart: number): [number, number] {
  let errors = 0
  let squares = 0
  for (let j = 0; j < values.length; j += apart) {
    errors += (values[j] - exact[j]) ** 2
    squares += exact[j] ** 2
  }
  return [errors, squares]
}

/** k(x, x) as it should be: a product of a sample with itself rounds like any other. */
function putDiagonals(
  engine: Engine,
  kernel: EngineKernel,
  { matrix, rows, distances, stride }: MeasuredSamples,
): void {
  const { kind, gamma, coef0, degree } = kernel
  const step = stride / 4 + 1
  const values = engine.view(Float32Array, distances, (rows * stride) / 4)
  for (let i = 0; i < rows; i++) {
    const norm = matrix.exactNorms[i]
    const argument = gamma * norm + coef0
    values[i * step] =
      kind === 'rbf'
        ? 1
        : kind === 'linear'
          ? norm
          : kind === 'polynomial'
            ? argument ** degree
            : Math.tanh(argument)
  }
}
