import { describe, expect, it } from 'vitest'
import { unlz4, unlz4Hadoop } from '../../../src/data/codecs/unlz4.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytes = (...parts: (number | string)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])),
  )

/** "abc", then six bytes from three back (a copy that reads what it writes), then "xyz". */
const block = bytes(0x32, 'abc', 3, 0, 0x30, 'xyz')

describe('LZ4 blocks', () => {
  it('are literals and copies, which may overlap themselves', () => {
    expect(text(unlz4(block, 12))).toBe('abcabcabcxyz')
  })

  it('have long sizes in further bytes, each 255 but the last', () => {
    const long = bytes(0x1f, 'a', 1, 0, 255, 6, 0)
    expect(text(unlz4(long, 1 + 4 + 15 + 255 + 6))).toBe('a'.repeat(281))
  })

  it.each([
    ['more than was said', block, 11, 'data become more than 11 bytes'],
    ['less than was said', block, 13, 'data become 12 bytes, not 13'],
    ['a copy from before the start', bytes(0x10, 'a', 2, 0, 0), 5, 'a copy from 2 bytes back'],
    ['a copy from nowhere', bytes(0x10, 'a', 0, 0, 0), 5, 'a copy from 0 bytes back'],
    ['literals that are missing', bytes(0x40, 'ab'), 4, '4 bytes are expected, but 2 are left'],
  ])('refuse %s', (_, data, length, message) => {
    expect(() => unlz4(data, length)).toThrow(message)
  })

  it('may come behind their sizes, as Hadoop writes them, or alone', () => {
    const framed = bytes(0, 0, 0, 12, 0, 0, 0, block.length, ...block)
    expect(text(unlz4Hadoop(bytes(...framed, ...framed), 24))).toBe('abcabcabcxyzabcabcabcxyz')
    expect(text(unlz4Hadoop(block, 12))).toBe('abcabcabcxyz')
  })
})
