import xz from 'xz-decompress'
import { FormatError } from '../../base/errors.ts'
import { abandon, joinBytes, streamChunks, streamOf } from './byte-source.ts'

/** How an .xz stream starts: its magic and a zero byte of flags; the next byte, the kind of check, is below 16. */
const startMark = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00]
const startBytes = startMark.length + 1
/** How an .xz stream ends: "YZ". */
const endMark = 0x595a

/** A run of compressed bytes; `starts` says whether a stream begins with it. */
interface Piece {
  readonly bytes: Uint8Array
  readonly starts: boolean
}

/** Decompresses .xz data, also several streams one after the other with zeros between; checksums are verified. */
export async function* unxz(chunks: AsyncIterable<Uint8Array>, file?: string): AsyncGenerator<Uint8Array> {
  const pieces = splitStreams(chunks)
  try {
    let next = await pieces.next()
    while (!next.done) {
      const stream = (async function* () {
        let piece = next.value
        for (;;) {
          next = await pieces.next()
          yield piece.bytes
          if (next.done || next.value.starts) return
          piece = next.value
        }
      })()
      yield* streamChunks(new xz.XzReadableStream(streamOf(stream)))
      // What the decoder left is padding.
      while (!next.done && !next.value.starts) next = await pieces.next()
    }
  } catch (error) {
    if (error === truncated) throw new FormatError('xz data is truncated', { file })
    const code = error instanceof Error && /error code (\d+)$/.exec(error.message)?.[1]
    if (code) throw new FormatError(`xz data ${problems[code] ?? 'is damaged'}`, { file })
    throw error
  } finally {
    abandon(pieces)
  }
}

/** What the decoder's codes mean; all others are damage. */
const problems: Readonly<Record<string, string>> = {
  2: 'has a checksum that this reader does not know: compress it with xz --check=crc64',
  3: 'needs more memory than there is',
  4: 'needs a dictionary of more than 64 MiB: compress it with xz -9 or less',
  6: 'uses filters that this reader does not know: compress it with xz -6',
  8: 'is truncated',
}

const truncated = Symbol('truncated')

/**
 * Cuts the bytes where a stream starts, since the decoder stops at the end of the first one without saying how far
 * it has read. Streams start at multiples of four bytes; that 60 bits of compressed data look like a start by
 * chance is less likely than a fault of the machine, and would end in an error, not in wrong data.
 */
async function* splitStreams(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece, undefined> {
  let held: Uint8Array = new Uint8Array(0)
  let offset = 0
  let starts = true
  let lastBytes = 0
  for await (const chunk of chunks) {
    const bytes = joinBytes([held, chunk])
    let from = 0
    for (let at = -offset & 3; at + startBytes <= bytes.length; at += 4) {
      if (offset + at === 0 || !isStart(bytes, at)) continue
      yield { bytes: bytes.subarray(from, at), starts }
      starts = true
      from = at
    }
    const keep = Math.max(from, bytes.length - startBytes + 1)
    if (keep > from) {
      yield { bytes: bytes.subarray(from, keep), starts }
      starts = false
    }
    held = bytes.subarray(keep)
    offset += keep
    lastBytes = lastNonZero(chunk, lastBytes)
  }
  if (lastBytes !== endMark) throw truncated
  yield { bytes: held, starts }
}

function isStart(bytes: Uint8Array, at: number): boolean {
  return startMark.every((byte, k) => bytes[at + k] === byte) && bytes[at + startMark.length] < 16
}

/** The last byte that is not zero with the one before it, as one number; `before` stands for earlier chunks. */
function lastNonZero(chunk: Uint8Array, before: number): number {
  let at = chunk.length - 1
  while (at >= 0 && chunk[at] === 0) at--
  if (at < 0) return before
  return ((at > 0 ? chunk[at - 1] : before & 0xff) << 8) | chunk[at]
}
