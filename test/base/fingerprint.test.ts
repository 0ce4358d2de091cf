import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentFingerprint, fingerprint } from '../../src/base/fingerprint.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('fingerprint', () => {
  // Files hold them: what was written once must be known for good. Computed apart, with integers of any length.
  test.each([
    ['', 'a18c8391c53348fd066d047b661a21fb'],
    ['a', '0e8ff0974247a279105cc0d47440e91d'],
    ['The quick brown fox jumps over the lazy dog', '7b7d31029ea7a87adc1d26b10ac9d54c'],
  ])('of %j is known', (text, expected) => {
    expect(fingerprint(bytesOf(text))).toBe(expected)
  })

  test('does not depend on where the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.integer({ min: 1, max: 15 }), (bytes, shift) => {
        const moved = new Uint8Array(bytes.length + shift + 3).fill(99)
        moved.set(bytes, shift)
        expect(fingerprint(moved.subarray(shift, shift + bytes.length))).toBe(fingerprint(bytes))
      }),
      { seed: 2 },
    )
  })

  test('changes with any bit and with the length, in about half of its bits', () => {
    const bytes = Uint8Array.from({ length: 53 }, (_, i) => (i * 37) % 256)
    const seen = new Set([fingerprint(bytes)])
    const own = BigInt(`0x${fingerprint(bytes)}`)
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const other = bytes.with(bit >> 3, bytes[bit >> 3] ^ (1 << (bit & 7)))
      const changed = own ^ BigInt(`0x${fingerprint(other)}`)
      const count = changed.toString(2).replaceAll('0', '').length
      expect(count).toBeGreaterThan(30)
      expect(count).toBeLessThan(98)
      seen.add(fingerprint(other))
    }
    for (let zeros = 1; zeros <= 40; zeros++)
      seen.add(fingerprint(new Uint8Array([...bytes, ...Array(zeros).fill(0)])))
    expect(seen.size).toBe(1 + 8 * bytes.length + 40)
  })
})

describe('contentFingerprint', () => {
  test('is the same whatever the order of names, and changes with any value', () => {
    const one = contentFingerprint({ a: 1, b: [Float64Array.of(1, 2), { c: Number.NaN }] })
    expect(contentFingerprint({ b: [Float64Array.of(1, 2), { c: Number.NaN }], a: 1 })).toBe(one)
    const others = [
      { a: 2, b: [Float64Array.of(1, 2), { c: Number.NaN }] },
      { a: 1, b: [Float64Array.of(1, 3), { c: Number.NaN }] },
      { a: 1, b: [{ c: Number.NaN }, Float64Array.of(1, 2)] },
      { a: 1, b: [Float64Array.of(1, 2), { c: Number.POSITIVE_INFINITY }] },
      { a: 1, b: [Float32Array.of(1, 2), { c: Number.NaN }] },
    ]
    expect(new Set([one, ...others.map(contentFingerprint)]).size).toBe(1 + others.length)
  })
})
