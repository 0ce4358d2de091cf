import { type Matrix, selectRows } from './matrix.ts'

/** As {@link selectRows}, but values are copied only when somebody asks for them. */
export function lateRows(matrix: Matrix, chosen: ArrayLike<number>): Matrix {
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
