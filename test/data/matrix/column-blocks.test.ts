import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Blocks } from '../../../src/data/matrix/column-blocks.ts'

const make = () => new Blocks(Uint32Array)
const count = (length: number) => Uint32Array.from({ length }, (_, k) => k)

test('whatever is pushed, appended and reserved comes out in order', () => {
  const step = fc.oneof(
    fc.record({ append: fc.integer({ min: 0, max: 5000 }) }),
    fc.record({ push: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ reserve: fc.integer({ min: 0, max: 20_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const blocks = make()
      let length = 0
      for (const { append = 0, push = 0, reserve } of steps as Record<string, number>[]) {
        if (reserve !== undefined) blocks.reserve(reserve)
        blocks.append(count(length + append).subarray(length))
        length += append
        for (let k = 0; k < push; k++) blocks.push(length++)
        expect(blocks.length).toBe(length)
      }
      expect(blocks.join()).toEqual(count(length))
      expect(blocks.length).toBe(0)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('a good guess is used as it is; one that is far too large is not kept', () => {
  for (const [reserved, kept] of [
    [10_000, 10_000],
    [10_500, 10_500],
    [20_000, 10_000],
  ]) {
    const blocks = make()
    blocks.reserve(reserved)
    blocks.append(count(10_000))
    const whole = blocks.join()
    expect(whole).toEqual(count(10_000))
    expect(whole.buffer.byteLength).toBe(4 * kept)
  }
})

test('a guess beyond all memory does no harm', () => {
  const blocks = make()
  blocks.push(7)
  blocks.reserve(2 ** 52)
  blocks.push(8)
  expect(blocks.join()).toEqual(Uint32Array.of(7, 8))
})
