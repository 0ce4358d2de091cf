/** What is packed comes back, bit by bit; zeros cost next to nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, unpack } from '../../src/base/packing.ts'

const arrays = fc.oneof(
  fc.float64Array({ noNaN: false }),
  fc.float32Array(),
  fc.uint32Array(),
  fc.int32Array(),
  fc.uint16Array(),
  fc.uint8Array(),
  // Mostly zeros of either sign, which are stored in another form.
  fc.array(fc.constantFrom(0, 0, 0, 0, -0, 1.5, Number.NaN)).map((list) => Float64Array.from(list)),
)

// JSON has no place for the key "$", which marks an array, nor for undefined.
const name = fc.string().filter((text) => text !== '$' && text !== '__proto__')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.double(),
    fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    arrays,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('any plain value comes back as it was, from any place in memory', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 7 }), (given, shift) => {
      const packed = pack(given)
      expect(packed.length % 8).toBe(0)
      const moved = new Uint8Array(packed.length + shift)
      moved.set(packed, shift)
      expect(unpack(moved.subarray(shift))).toStrictEqual(given)
      expect(pack(unpack(packed))).toEqual(packed)
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('what comes back is a copy', () => {
  const packed = pack({ list: Float64Array.of(1, 2, 3) })
  const { list } = unpack(Buffer.from(packed.buffer)) as { list: Float64Array }
  list[0] = 9
  expect(unpack(packed)).toEqual({ list: Float64Array.of(1, 2, 3) })
})

test('a view of a part of an array is packed as that part', () => {
  expect(unpack(pack(Float64Array.of(7, 8, 9, 10).subarray(1, 3)))).toEqual(Float64Array.of(8, 9))
})

test('fields that are undefined are left out', () => {
  expect(unpack(pack({ a: 1, b: undefined }))).toStrictEqual({ a: 1 })
})

test('a bit for each entry where many are 0, and eight bytes where few are', () => {
  const sparse = new Float64Array(8000)
  sparse[17] = 1
  expect(pack(sparse).length).toBeLessThan(1000 + 8 + 64)
  expect(pack(sparse.fill(2, 0, 7500)).length).toBeGreaterThanOrEqual(64_000)
})
