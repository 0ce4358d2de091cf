import type { Certificate } from '../../certify/certificate.ts'

/**
 * How many coefficients of each side are at their upper bound. Models do not keep their bounds, but the certificate says how
 * many coefficients were there, and those that are share one value: C of both sides, or C of each. Where that does not add
 * up, as with weights of single samples, undefined.
 */
export function boundedCounts(
  sides: readonly Float64Array[],
  certificate: Certificate | undefined,
): number[] | undefined {
  const total = certificate?.boundedSupportVectors
  if (total === undefined) return undefined
  const largest = sides.map((side) => side.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
  const counts = (bounds: readonly number[]): number[] =>
    sides.map((side, s) =>
      side.reduce((count, value) => (Math.abs(value) === bounds[s] ? count + 1 : count), 0),
    )
  const nothing = Number.NaN
  const guesses = [
    sides.map(() => nothing),
    sides.map(() => Math.max(...largest)),
    largest,
    ...sides.map((_, own) => largest.map((bound, s) => (s === own ? bound : nothing))),
  ]
  return guesses.map(counts).find((found) => found.reduce((a, b) => a + b, 0) === total)
}
