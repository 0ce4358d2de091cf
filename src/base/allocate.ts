import { DataError } from './errors.ts'
import { slot } from './slot.ts'

/**
 * A typed array of `length` zeros, for lengths that data decide: as many as there are features, say, which one large index
 * makes billions. Where memory has no room for it, that is said.
 */
export function allocate<A>(Type: new (length: number) => A, length: number): A {
  try {
    return new Type(length)
  } catch {
    throw new DataError(`there is not enough memory for an array of ${length} numbers`)
  }
}

/**
 * Makes the arrays that a file and what is in it are read into; what they hold at first does not matter. Commands have them made in
 * the memory where solvers want them (../engine/matrix/samples-in-place.ts).
 */
export const longArrays = slot<typeof allocate>(allocate)
