import { DataError, show } from '../base/errors.ts'

/** Where bytes may come from: text, bytes, a web stream, or anything that yields chunks (a Node stream does). */
export type ByteSource = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

const sliceBytes = 1 << 20

/** The bytes of `source` as they come; long arrays in slices, so that there is room for progress and cancelling. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') yield* slices(new TextEncoder().encode(source))
  else if (source instanceof Uint8Array) yield* slices(source)
  else if (source instanceof ReadableStream) yield* streamChunks(source)
  else if (typeof source?.[Symbol.asyncIterator] === 'function') yield* checkedChunks(source)
  else throw new DataError(`data must be text, bytes or a stream of bytes, got ${show(source)}`)
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
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
  let finished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        finished = true
        return
      }
      yield value
    }
  } catch (error) {
    finished = true
    throw error
  } finally {
    // Decoders may fail when they are stopped half way; whoever stops them does not care.
    if (!finished) await reader.cancel().catch(() => {})
  }
}

/**
 * The same bytes in chunks of at least `length` bytes, but for the last one. A chunk is overwritten when the next one
 * is asked for.
 */
export async function* gather(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let pending = new Uint8Array(0)
  let fill = 0
  for await (const chunk of chunks) {
    if (fill === 0 && chunk.length >= length) {
      yield chunk
      continue
    }
    if (pending.length < fill + chunk.length) {
      const larger = new Uint8Array(Math.max(fill + chunk.length, 2 * length))
      larger.set(pending.subarray(0, fill))
      pending = larger
    }
    pending.set(chunk, fill)
    fill += chunk.length
    if (fill < length) continue
    yield pending.subarray(0, fill)
    fill = 0
  }
  if (fill > 0) yield pending.subarray(0, fill)
}

/** Several runs of bytes as one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
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
