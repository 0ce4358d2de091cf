import { contentFingerprint } from '../../src/base/fingerprint.ts'

/**
 * The same function, which computes once per process what it is asked for again with arguments of the same contents: what is
 * expected of several builds and precisions.
 */
export function remembered<A extends unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  const known = new Map<string, R>()
  return (...args) => {
    const key = contentFingerprint(args)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = compute(...args)
    known.set(key, made)
    return made
  }
}
