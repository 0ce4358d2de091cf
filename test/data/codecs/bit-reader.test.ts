import { describe, expect, it } from 'vitest'
import { BitReader, DecodeError } from '../../../src/data/codecs/bit-reader.ts'

async function* chunks(...parts: number[][]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Uint8Array.from(part)
}

describe('bits from chunks', () => {
  it('come with the highest first, across bytes and chunks', async () => {
    const reader = new BitReader(chunks([0b10110011], [], [0b01010101, 0xff]))
    expect(await reader.fill(3)).toBe(true)
    expect([reader.read(1), reader.read(3), reader.read(6), reader.read(2)]).toEqual([
      1, 0b011, 0b001101, 0b01,
    ])
    reader.toByte()
    expect(reader.read(8)).toBe(0xff)
  })

  it('make words of 32 bits without a sign', async () => {
    const reader = new BitReader(chunks([0xff, 0xfe], [0xfd, 0xfc]))
    await reader.fill(4)
    expect(reader.word()).toBe(0xfffefdfc)
  })

  it('end where the chunks end', async () => {
    const reader = new BitReader(chunks([1]))
    expect(await reader.fill(2)).toBe(true)
    expect(reader.read(8)).toBe(1)
    expect(await reader.fill(1)).toBe(false)
    expect(() => reader.read(1)).toThrow(DecodeError)
  })
})
