import { expect, test } from 'vitest'
import { Extrapolation } from '../../src/base/extrapolation.ts'

test('goes to the limit of a linear map, and never uphill', () => {
  // Epochs that leave so much of what is missing to the minimum of ½‖d − limit‖².
  const rates = [0.9, 0.8, 0.5, 0.2]
  const limit = [1, 2, 3, 4]
  const d = new Float64Array(4)
  const image = new Float64Array(4)
  let goal = limit
  const extrapolation = new Extrapolation(d, image, (own, twice) =>
    own.reduce((sum, x, j) => sum + 0.25 * x * twice[j] - goal[j] * x, 0),
  )
  extrapolation.begin()
  for (let epoch = 0; epoch < 6; epoch++) {
    for (let j = 0; j < 4; j++) d[j] = limit[j] + rates[j] * (d[j] - limit[j])
    image.set(d.map((own) => 2 * own))
    extrapolation.next()
  }
  for (let j = 0; j < 4; j++) {
    // Epochs alone leave 0.9⁶, about a half, of the first.
    expect(Math.abs(d[j] - limit[j])).toBeLessThan(0.01)
    expect(image[j]).toBeCloseTo(2 * d[j], 10)
  }
  // Where the combination is worse, iterates stay what they are.
  goal = [-1000, -1000, -1000, -1000]
  d.fill(0)
  extrapolation.begin()
  for (let epoch = 0; epoch < 6; epoch++) {
    for (let j = 0; j < 4; j++) d[j] += 0.5 ** epoch
    image.set(d.map((own) => 2 * own))
    extrapolation.next()
  }
  expect([...d]).toEqual(new Array(4).fill(2 - 0.5 ** 5))
})
