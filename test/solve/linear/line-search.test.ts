import { expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { lineSearch } from '../../../src/solve/linear/line-search.ts'

/** ½ a t² − start · t + Σ rise_k max(0, t − kink_k): convex, with kinks at any scale. */
function withKinks(random: Random) {
  const kinks = Array.from({ length: 20 }, () => ({
    at: 10 ** (-8 * random.uniform()),
    rise: random.uniform(),
  }))
  const [curvature, start] = [10 ** (4 * random.uniform() - 3), 1 + 10 * random.uniform()]
  const value = (t: number) =>
    kinks.reduce((sum, { at, rise }) => sum + rise * Math.max(0, t - at), 0.5 * curvature * t * t - start * t)
  const slopeAt = (t: number) => ({
    slope: kinks.reduce((sum, { at, rise }) => sum + (t > at ? rise : 0), curvature * t - start),
    bend: curvature,
  })
  return { value, slopeAt, start }
}

test('a convex function is lower where the search ends, however near to 0 its kinks are', () => {
  const random = new Random(1)
  for (let k = 0; k < 500; k++) {
    const { value, slopeAt, start } = withKinks(random)
    expect(value(lineSearch(slopeAt, start))).toBeLessThan(0)
  }
})

test('a slope that is small far behind the minimum does not end it', () => {
  // Steep until 1e-6, then rising by 3% of that: at t = 1 the function is higher than at 0.
  const slopeAt = (t: number) => ({ slope: t < 1e-6 ? -30 : 0.9, bend: 2600 })
  const t = lineSearch(slopeAt, 30)
  expect(t).toBeLessThan(4e-5)
})

test('the minimum of a parabola takes one look', () => {
  let looks = 0
  const slopeAt = (t: number) => {
    looks++
    return { slope: 3 * (t - 1), bend: 3 }
  }
  expect(lineSearch(slopeAt, 3)).toBe(1)
  expect(looks).toBe(1)
})
