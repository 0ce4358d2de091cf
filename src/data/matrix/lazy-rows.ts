import { type Matrix, type SparseMatrix, selectRows } from './matrix.ts'

/** Rows of another matrix. */
export interface ChosenRows {
  readonly matrix: Matrix
  readonly chosen: ArrayLike<number>
}

/** Where {@link lazyRows} come from: who only looks at some of them need not have all of them copied. */
export function originOf(rows: Matrix): ChosenRows | undefined {
  return rows instanceof LazyRows ? rows.origin : undefined
}

/** As {@link selectRows}, but values are copied only when they are read. */
export function lazyRows(matrix: Matrix, chosen: ArrayLike<number>): Matrix {
  return new LazyRows(matrix, chosen) as unknown as Matrix
}

class LazyRows {
  readonly kind: Matrix['kind']
  readonly rows: number
  readonly cols: number
  #matrix: Matrix
  #chosen: ArrayLike<number>
  #made: Matrix | undefined

  constructor(matrix: Matrix, chosen: ArrayLike<number>) {
    this.kind = matrix.kind
    this.rows = chosen.length
    this.cols = matrix.cols
    this.#matrix = matrix
    this.#chosen = chosen
  }

  get origin(): ChosenRows {
    return { matrix: this.#matrix, chosen: this.#chosen }
  }

  get values(): Float64Array {
    return this.#all.values
  }

  get indptr(): Uint32Array {
    return (this.#all as SparseMatrix).indptr
  }

  get indices(): Uint32Array {
    return (this.#all as SparseMatrix).indices
  }

  get #all(): Matrix {
    this.#made ??= selectRows(this.#matrix, this.#chosen)
    return this.#made
  }
}
