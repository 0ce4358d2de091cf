import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gather } from '../../../src/data/codecs/byte-source.ts'

async function* numbered(lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let next = 0
  for (const length of lengths) yield Uint8Array.from({ length }, () => next++)
}

test('gathered chunks hold the same bytes, and are long but for those before a long one', async () => {
  const lengths = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 40 })))
  await fc.assert(
    fc.asyncProperty(lengths, async (given) => {
      const bytes: number[] = []
      const seen: number[] = []
      for await (const chunk of gather(numbered(given), 16)) {
        seen.push(chunk.length)
        bytes.push(...chunk)
      }
      const total = given.reduce((sum, length) => sum + length, 0)
      expect(bytes).toEqual(Array.from({ length: total }, (_, k) => k % 256))
      expect(seen.every((length) => length > 0)).toBe(true)
      const short = seen.filter((length, k) => length < 16 && k + 1 < seen.length && seen[k + 1] < 16)
      expect(short).toEqual([])
    }),
    { seed: 1, numRuns: 300 },
  )
})
