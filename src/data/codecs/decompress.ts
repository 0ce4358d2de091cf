import { FormatError } from '../../base/errors.ts'
import { joinBytes, streamChunks, streamOf } from './byte-source.ts'
import { GrowthLimit, type GrowthOptions } from './growth-limit.ts'

/** Compression formats that are recognised by their first bytes. */
export type Compression = 'gzip' | 'bzip2' | 'xz'

const magic: Readonly<Record<Compression, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  bzip2: [0x42, 0x5a, 0x68],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
}
/** Bytes that {@link detectCompression} needs. */
export const longestMagic = 6

/** How `head`, the first bytes of some data, says that they are compressed; undefined when they are not. */
export function detectCompression(head: Uint8Array): Compression | undefined {
  const names = Object.keys(magic) as Compression[]
  return names.find((name) => magic[name].every((byte, k) => head[k] === byte))
}

/** How data are to be decompressed. */
export interface DecompressOptions extends GrowthOptions {
  /** Name of the source, for error messages. */
  readonly name?: string
}

/** Decompresses gzip, bzip2 and xz data, detected from their first bytes; other data pass as they are. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  options: DecompressOptions = {},
): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(chunks, longestMagic)
  const format = detectCompression(head)
  if (format === undefined) {
    yield* all
    return
  }
  const { name: file } = options
  const growth = new GrowthLimit(`${format} data`, options, file)
  let failure: { readonly error: unknown } | undefined
  const counted = (async function* () {
    try {
      for await (const chunk of all) {
        growth.consumed(chunk.length)
        yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  })()
  try {
    for await (const chunk of await decoder(format, counted, file)) {
      growth.produced(chunk.length)
      yield chunk
    }
  } catch (error) {
    // A failure of the source is not one of the data, whatever a decoder makes of it.
    throw failure ? failure.error : error
  }
}

async function decoder(
  format: Compression,
  chunks: AsyncGenerator<Uint8Array>,
  file: string | undefined,
): Promise<AsyncGenerator<Uint8Array>> {
  if (format === 'gzip') return gunzip(chunks, file)
  if (format === 'bzip2') return (await import('./bzip2.ts')).bunzip2(chunks, file)
  return (await import('./xz.ts')).unxz(chunks, file)
}

/** Reads until `count` bytes are there, or all; returns these, and a generator of everything. */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let length = 0
  let done = false
  while (!done && length < count) {
    const next = await iterator.next()
    if (next.done) done = true
    else {
      parts.push(next.value)
      length += next.value.length
    }
  }
  const head = joinBytes(parts)
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head
      if (!done) yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { head, all: all() }
}

/** Node and the browsers word their errors differently. */
function gzipProblem(reason: string): string {
  if (/truncated|end of file|unexpected end|incomplete/i.test(reason)) return 'is truncated'
  if (/junk|after the end/i.test(reason))
    return 'goes on after its first member, which a browser does not read'
  return `is damaged: ${reason}`
}

/** Several members one after the other work in Node; browsers refuse all but the first. */
async function* gunzip(chunks: AsyncGenerator<Uint8Array>, file?: string): AsyncGenerator<Uint8Array> {
  const unzip = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
  try {
    yield* streamChunks(streamOf(chunks).pipeThrough(unzip))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FormatError(`gzip data ${gzipProblem(reason)}`, { file })
  }
}
