/**
 * Rows on their way into a block, in their own file: appended segment by segment while the data are read, and read back
 * when all rows are there. A segment is its length (f64) and the rows in packed form.
 */
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { DataError } from '../../base/errors.ts'
import { joinArrays, pickNumbers } from '../../base/lists.ts'
import { pack, unpack } from '../../base/packing.ts'
import { type Matrix, selectRows } from '../matrix/matrix.ts'
import type { ShardBlock } from './arrow-block.ts'

const LENGTH_BYTES = Float64Array.BYTES_PER_ELEMENT

/** Rows as they are appended: how many values each has instead of where they end. */
interface Segment {
  readonly labels: Float64Array
  readonly weights?: Float64Array
  readonly lengths?: Uint32Array
  readonly indices?: Uint32Array
  readonly values: Float64Array
}

/** See the header of the file. It is open only while rows are appended: there may be more parts than a process may have open. */
export class PartFile {
  /** Bytes that are in it. */
  length: number
  private readonly path: string

  /** A part of which `length` bytes are to be kept. */
  constructor(path: string, length = 0) {
    this.path = path
    this.length = length
  }

  /** Cuts off what came after the bytes that are to be kept; false where there are not as many. */
  async cut(): Promise<boolean> {
    const { path, length } = this
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    )
    if (size > length) await truncate(path, length)
    return size >= length
  }

  /** Appends the chosen rows. */
  async append(block: ShardBlock, rows: readonly number[]): Promise<void> {
    const bytes = pack(segmentOf(block, rows))
    const head = new Uint8Array(Float64Array.of(bytes.length).buffer)
    const file = await open(this.path, this.length > 0 ? 'r+' : 'w')
    try {
      const { bytesWritten } = await file.writev([head, bytes], this.length)
      if (bytesWritten < head.length + bytes.length)
        throw new DataError(`${this.path}: no space left on the disk`)
      this.length += bytesWritten
    } finally {
      await file.close()
    }
  }
}

/** All rows of a part; `cols` columns of them, from `first` on. Throws where the file is not what was appended. */
export async function readPart(path: string, first: number, cols: number): Promise<ShardBlock> {
  const bytes = await readFile(path)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const segments: Segment[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = view.getFloat64(at, true)
    at += LENGTH_BYTES
    segments.push(unpack(bytes.subarray(at, at + length)) as Segment)
    at += length
  }
  const labels = joinArrays(
    Float64Array,
    segments.map((segment) => segment.labels),
  )
  const values = joinArrays(
    Float64Array,
    segments.map((segment) => segment.values),
  )
  const weights = segments.flatMap((segment) => segment.weights ?? [])
  const lengths = segments.flatMap((segment) => segment.lengths ?? [])
  const rows = labels.length
  let samples: Matrix = { kind: 'dense', rows, cols, values }
  if (lengths.length > 0) {
    const indptr = new Uint32Array(rows + 1)
    indptr.set(joinArrays(Uint32Array, lengths), 1)
    for (let i = 0; i < rows; i++) indptr[i + 1] += indptr[i]
    const indices = joinArrays(
      Uint32Array,
      segments.map((segment) => segment.indices as Uint32Array),
    )
    if (first > 0) for (let k = 0; k < indices.length; k++) indices[k] -= first
    samples = { kind: 'sparse', rows, cols, indptr, indices, values }
  }
  return { samples, labels, ...(weights.length > 0 && { weights: joinArrays(Float64Array, weights) }) }
}

function segmentOf({ samples, labels, weights }: ShardBlock, rows: readonly number[]): Segment {
  const chosen = selectRows(samples, rows)
  const common = {
    labels: pickNumbers(labels, rows),
    ...(weights && { weights: pickNumbers(weights, rows) }),
    values: chosen.values,
  }
  if (chosen.kind === 'dense') return common
  const { indptr, indices } = chosen
  const lengths = Uint32Array.from(rows, (_, r) => indptr[r + 1] - indptr[r])
  return { ...common, lengths, indices }
}
