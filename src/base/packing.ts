/**
 * Plain values (numbers, strings, lists, objects, typed arrays) as bytes and back, every bit of them:
 *
 *   u32 length | JSON, in which arrays and numbers that JSON lacks are { "$": … } | the arrays, one after the other
 *
 * All of it is little-endian, and each piece begins at a multiple of 8. An array with many zeros is a bit for each entry that
 * is not 0, and then these entries.
 */

const ARRAYS = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const

type ArrayKind = keyof typeof ARRAYS
type NumberArray = InstanceType<(typeof ARRAYS)[ArrayKind]>

/** Stands for an array in the JSON: its kind, its length, and how many entries follow where zeros are left out. */
interface ArrayNote {
  readonly $: ArrayKind
  readonly length: number
  readonly kept?: number
}

/** Zeros are left out where they are more than this share: a bit for each entry costs 1/64 of doubles, 1/8 of bytes. */
const MANY_ZEROS = 1 / 8

/** The bytes of a value. Fields that are undefined are left out. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  const json = new TextEncoder().encode(JSON.stringify(described(value, pieces)))
  const size = pieces.reduce((sum, piece) => sum + padded(piece.length), padded(4 + json.length))
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, 4)
  let end = padded(4 + json.length)
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += padded(piece.length)
  }
  return bytes
}

/** The value of bytes that {@link pack} has made. */
export function unpack(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const length = view.getUint32(0, true)
  const json = new TextDecoder().decode(bytes.subarray(4, 4 + length))
  let end = padded(4 + length)
  const take = (count: number): Uint8Array => {
    end += padded(count)
    // Not slice: that of Node's buffers does not copy.
    return new Uint8Array(bytes.subarray(end - padded(count), end - padded(count) + count))
  }
  return restored(JSON.parse(json), take)
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8
}

function described(value: unknown, pieces: Uint8Array[]): unknown {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
    return { $: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => described(entry, pieces))
  const kind = (Object.keys(ARRAYS) as ArrayKind[]).find((name) => value instanceof ARRAYS[name])
  if (kind) return describedArray(kind, value as NumberArray, pieces)
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, described(entry, pieces)]))
}

function describedArray($: ArrayKind, array: NumberArray, pieces: Uint8Array[]): ArrayNote {
  const { length } = array
  let kept = 0
  // −0 is not a zero that may be left out.
  for (let i = 0; i < length; i++) if (!Object.is(array[i], 0)) kept++
  if (length - kept <= MANY_ZEROS * length) {
    pieces.push(bytesOf(array))
    return { $, length }
  }
  const mask = new Uint8Array(Math.ceil(length / 8))
  const entries = new ARRAYS[$](kept)
  for (let i = 0, k = 0; i < length; i++) {
    if (Object.is(array[i], 0)) continue
    mask[i >> 3] |= 1 << (i & 7)
    entries[k++] = array[i]
  }
  pieces.push(mask, bytesOf(entries))
  return { $, length, kept }
}

/** Which bits of a NaN are set need not be kept. */
function bytesOf(array: NumberArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function restored(value: unknown, take: (count: number) => Uint8Array): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => restored(entry, take))
  const { $ } = value as { $?: string }
  if ($ === undefined) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, restored(entry, take)]))
  }
  return $ in ARRAYS ? restoredArray(value as ArrayNote, take) : Number($)
}

function restoredArray({ $, length, kept }: ArrayNote, take: (count: number) => Uint8Array): NumberArray {
  const NumberList = ARRAYS[$]
  const read = (count: number) =>
    new NumberList(take(count * NumberList.BYTES_PER_ELEMENT).buffer as ArrayBuffer)
  if (kept === undefined) return read(length)
  const mask = take(Math.ceil(length / 8))
  const entries = read(kept)
  const array = new NumberList(length)
  for (let i = 0, k = 0; i < length; i++) if (mask[i >> 3] & (1 << (i & 7))) array[i] = entries[k++]
  return array
}
