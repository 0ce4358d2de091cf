import { DataError, show } from '../../base/errors.ts'
import { joinArrays } from '../../base/lists.ts'

/** Where bytes may come from: text, bytes, a web stream, or anything that yields chunks (a Node stream does). */
export type ByteSource = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** A source that need not make a new array for every chunk. */
export interface LendingSource extends AsyncIterable<Uint8Array> {
  /** From now on a chunk is overwritten when the next one is requested. */
  lend(): void
}

/** Text is parsed in chunks about this long (1 MiB): only long runs of lines are worth sharing between threads. */
export const LONG_CHUNK_BYTES = 1 << 20

/** True for sources that can lend their chunks. */
export function isLending(source: ByteSource): source is LendingSource {
  return typeof (source as Partial<LendingSource>).lend === 'function'
}

/** The bytes of `source` as they come; long arrays in slices, so that there is room for progress and cancelling. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') yield* slices(new TextEncoder().encode(source))
  else if (source instanceof Uint8Array) yield* slices(source)
  // Before the name of web streams is touched: Node loads a good deal of code for it.
  else if (isLending(source)) yield* checkedChunks(source)
  else if (source instanceof ReadableStream) yield* streamChunks(source)
  else if (typeof source?.[Symbol.asyncIterator] === 'function') yield* checkedChunks(source)
  else throw new DataError(`data must be text, bytes or a stream of bytes, got ${show(source)}`)
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += LONG_CHUNK_BYTES) yield bytes.subarray(at, at + LONG_CHUNK_BYTES)
}

async function* checkedChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) throw new DataError(`chunks must be bytes, got ${show(chunk)}`)
    yield chunk
  }
}

/** The chunks of a web stream, which is cancelled when the loop ends early. Not every browser can iterate streams. */
export async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // This does nothing to a stream that has ended. A decoder may fail when it is stopped, which does not matter.
    await reader.cancel().catch(() => {})
  }
}

/**
 * The same bytes, with small chunks joined until they are at least `length` long or a longer one follows. A chunk is
 * overwritten when the next one is requested.
 */
export async function* gather(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  const pending = new Uint8Array(2 * length)
  let fill = 0
  for await (const chunk of chunks) {
    if (fill >= length || (fill > 0 && chunk.length >= length)) {
      yield pending.subarray(0, fill)
      fill = 0
    }
    if (chunk.length >= length) yield chunk
    else {
      pending.set(chunk, fill)
      fill += chunk.length
    }
  }
  if (fill > 0) yield pending.subarray(0, fill)
}

/** Several runs of bytes as one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return joinArrays(Uint8Array, parts)
}

/** Lets go of a generator without waiting, since what it waits for may never come. */
export function abandon(chunks: AsyncGenerator<unknown>): void {
  chunks.return(undefined).catch(() => {})
}

/** A web stream that pulls from `chunks`. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel() {
        abandon(chunks)
      },
    },
    { highWaterMark: 0 },
  )
}
