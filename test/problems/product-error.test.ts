import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { productError } from '../../src/problems/product-error.ts'

test('a product and what rounding took from it are the product of the whole numbers', () => {
  const random = new Random(5)
  let rounded = 0
  for (let k = 0; k < 200; k++) {
    const a = Math.round((random.uniform() - 0.5) * 2 ** 53)
    const b = Math.round((random.uniform() - 0.5) * 2 ** 53)
    const error = productError(a, b, a * b)
    expect(BigInt(a * b) + BigInt(error)).toBe(BigInt(a) * BigInt(b))
    if (error !== 0) rounded++
  }
  expect(rounded).toBeGreaterThan(150)
})
