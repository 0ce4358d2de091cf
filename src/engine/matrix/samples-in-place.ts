/**
 * Data sets that are read into the engine's memory, where linear machines want the values: these need not be copied there, and
 * memory that is written to for the first time takes five times as long as the copy. A data set stays until the engine is gone:
 * that is for commands, which train on one.
 */
import { allocate, longArrays } from '../../base/allocate.ts'
import { type Engine, giveEngine, keepingEngine, tryEngine } from '../memory/engine.ts'

/** A quarter of the engine's memory: the rest is for what solvers make of the samples. */
const MOST_BYTES = 2 ** 30

/**
 * Whose memory a buffer is, and up to where the arrays of data sets are: first of all, since others are released. A memory that has
 * grown has another buffer, so that an engine may have several.
 */
const owners = new WeakMap<ArrayBufferLike, { readonly engine: Engine; readonly end: number }>()

/** Does work that reads a data set and trains on it: the data are read into the engine's memory. */
export async function readingInPlace<R>(work: () => Promise<R>): Promise<R> {
  const before = longArrays.install((Type, length) => onEngine(Type, length) ?? allocate(Type, length))
  try {
    return await keepingEngine(work)
  } finally {
    longArrays.install(before)
  }
}

/** Where an array is in the engine's memory that was made there, or a part of one; undefined for others. */
export function placeIn(engine: Engine, { buffer, byteOffset }: ArrayBufferView): number | undefined {
  const owner = owners.get(buffer)
  return owner?.engine === engine && byteOffset < owner.end ? byteOffset : undefined
}

function onEngine<A>(Type: new (length: number) => A, length: number): A | undefined {
  const type = Type as unknown as Parameters<typeof Engine.prototype.array<A & ArrayBufferView>>[0]
  const engine = tryEngine(1)
  if (!engine) return undefined
  try {
    if (engine.mark() + length * type.BYTES_PER_ELEMENT > MOST_BYTES) return undefined
    const array = engine.array(type, length)
    owners.set(array.buffer, { engine, end: engine.mark() })
    return array
  } catch {
    return undefined
  } finally {
    // Whoever takes the engine next begins behind the array.
    giveEngine(engine, engine.mark())
  }
}
