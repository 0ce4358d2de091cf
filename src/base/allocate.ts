import { DataError } from './errors.ts'

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
