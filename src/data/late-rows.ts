import { type Matrix, selectRows } from './matrix.ts'

/** Rows of another matrix. */
export interface ChosenRows {
  readonly matrix: Matrix
  readonly chosen: ArrayLike<number>
}

const origins = new WeakMap<Matrix, ChosenRows>()

/** Where {@link lateRows} come from: who only looks at some of them need not have all of them copied. */
export function originOf(rows: Matrix): ChosenRows | undefined {
  return origins.get(rows)
}

/** As {@link selectRows}, but values are copied only when somebody asks for them. */
export function lateRows(matrix: Matrix, chosen: ArrayLike<number>): Matrix {
  const rows = makeLateRows(matrix, chosen)
  origins.set(rows, { matrix, chosen })
  return rows
}

function makeLateRows(matrix: Matrix, chosen: ArrayLike<number>): Matrix {
  let made: Matrix | undefined
  const make = () => {
    made ??= selectRows(matrix, chosen)
    return made
  }
  const shape = { rows: chosen.length, cols: matrix.cols }
  if (matrix.kind === 'dense') {
    return {
      kind: 'dense',
      ...shape,
      get values() {
        return make().values
      },
    }
  }
  const sparse = make as () => Extract<Matrix, { kind: 'sparse' }>
  return {
    kind: 'sparse',
    ...shape,
    get indptr() {
      return sparse().indptr
    },
    get indices() {
      return sparse().indices
    },
    get values() {
      return sparse().values
    },
  }
}
