import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import { decompress } from '../../../src/data/codecs/decompress.ts'

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/data/${name}`, import.meta.url))

async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function unpack(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of decompress(chunks, { name: 'some.file' })) parts.push(part)
  return Buffer.concat(parts).toString()
}

const text = Buffer.from(fixture('tiny.libsvm')).toString()
const more = '1 4:0.25\n'

describe.each([
  ['gz', 'gzip'],
  ['bz2', 'bzip2'],
  ['xz', 'xz'],
])('%s', (ending, format) => {
  const one = fixture(`tiny.libsvm.${ending}`)
  const two = fixture(`two-streams.libsvm.${ending}`)

  test('whatever the chunks', async () => {
    for (const length of [1, 2, 3, 7, 50, 1 << 16]) expect(await unpack(inChunks(one, length))).toBe(text)
  })

  test('streams one after the other, cut at any byte', async () => {
    for (let cut = 1; cut < two.length; cut++) {
      const halves = (async function* () {
        yield two.subarray(0, cut)
        yield two.subarray(cut)
      })()
      expect(await unpack(halves)).toBe(text + more)
    }
  })

  test('cut short anywhere should be truncated', async () => {
    for (let length = 6; length < two.length; length++) {
      if (length === one.length) continue
      const read = unpack(inChunks(two.subarray(0, length), 64))
      await expect(read).rejects.toThrow(`some.file: ${format} data is truncated`)
    }
  })

  test('never gives wrong data for damaged data', async () => {
    for (let at = 6; at < one.length; at++) {
      const damaged = Uint8Array.from(one)
      damaged[at] ^= 0x10
      const got = await unpack(inChunks(damaged, 64)).catch((error: unknown) => error)
      if (got !== text) expect(got).toBeInstanceOf(FormatError)
    }
  })

  test('an error of the source passes as it is, and a reader that stops early closes the source', async () => {
    const failure = new Error('the line broke')
    let closed = false
    const broken = (async function* () {
      yield one.subarray(0, 20)
      throw failure
    })()
    await expect(unpack(broken)).rejects.toBe(failure)
    const endless = (async function* () {
      try {
        for (;;) yield two
      } finally {
        closed = true
      }
    })()
    for await (const _ of decompress(endless)) break
    await vi.waitFor(() => expect(closed).toBe(true))
  })
})

test('several files at a time', async () => {
  const jobs = Array.from({ length: 12 }, (_, k) =>
    unpack(inChunks(fixture(`two-streams.libsvm.${['gz', 'bz2', 'xz'][k % 3]}`), 5 + k)),
  )
  expect(await Promise.all(jobs)).toEqual(jobs.map(() => text + more))
})

test('other bytes pass as they are', async () => {
  expect(await unpack(inChunks(new TextEncoder().encode('1 1:2\n'), 1))).toBe('1 1:2\n')
  expect(await unpack(inChunks(new Uint8Array(0), 1))).toBe('')
})

test('zeros between and behind xz streams are padding', async () => {
  const zeros = new Uint8Array(8)
  const one = fixture('tiny.libsvm.xz')
  const padded = Buffer.concat([one, zeros, zeros, one, zeros])
  for (const length of [1, 4, 13, 1 << 16]) expect(await unpack(inChunks(padded, length))).toBe(text + text)
})

test('other bytes behind compressed data are refused', async () => {
  const tail = Buffer.from('and then some other text')
  for (const [name, message] of [
    ['tiny.libsvm.gz', 'gzip data is damaged: incorrect header check'],
    ['tiny.libsvm.bz2', 'bzip2 data is damaged'],
    ['tiny.libsvm.xz', 'xz data is truncated'],
  ]) {
    await expect(unpack(inChunks(Buffer.concat([fixture(name), tail]), 64))).rejects.toThrow(message)
  }
})

test('many gzip members of many blocks', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i % 2} 1:${i} 2:${Math.sin(i)}\n`)
  const members = Array.from({ length: 10 }, (_, k) =>
    gzipSync(lines.slice(k * 2000, (k + 1) * 2000).join('')),
  )
  expect(await unpack(inChunks(Buffer.concat(members), 1000))).toBe(lines.join(''))
})

test.each([
  [
    'a dictionary of 512 MiB',
    'fd377a585a000004e6d6b44602002101220000008240acdc01000c3120313a320a2d3120313a330a000000006255b28646c266ab0001250d7119c4b61fb6f37d010000000004595a',
    'xz data needs a dictionary of more than 64 MiB: compress it with xz -9 or less',
  ],
  [
    'a checksum of SHA-256',
    'fd377a585a00000ae1fb0ca10200210116000000742fe5a301000c3120313a320a2d3120313a330a000000005627f49882d70bc7026f29a5987c8177b70d79f60be53db6d772d6a9de962d1a00013d0d2881df34189b4b9a01000000000a595a',
    'xz data ',
  ],
])('xz data with %s are refused with what to do', async (_, hex, message) => {
  const read = unpack(inChunks(Buffer.from(hex, 'hex'), 64))
  await expect(read).rejects.toThrow(FormatError)
  await expect(unpack(inChunks(Buffer.from(hex, 'hex'), 64))).rejects.toThrow(message)
})
