/**
 * Rows on their way into a block, in a file of their own: appended segment by segment while the data are read, and read back
 * when all rows are there. A segment is its length (f64) and the rows in packed form.
 */
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { DataError } from '../../base/errors.ts'
import { pack, unpack } from '../../base/packing.ts'
import type { Matrix } from '../matrix/matrix.ts'
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

/** See the head of the file. It is open only while rows are appended: there may be more parts than a process may have open. */
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
  const labels = joined(
    Float64Array,
    segments.map((segment) => segment.labels),
  )
  const values = joined(
    Float64Array,
    segments.map((segment) => segment.values),
  )
  const weights = segments.flatMap((segment) => segment.weights ?? [])
  const lengths = segments.flatMap((segment) => segment.lengths ?? [])
  const rows = labels.length
  let samples: Matrix = { kind: 'dense', rows, cols, values }
  if (lengths.length > 0) {
    const indptr = new Uint32Array(rows + 1)
    indptr.set(joined(Uint32Array, lengths), 1)
    for (let i = 0; i < rows; i++) indptr[i + 1] += indptr[i]
    const indices = joined(
      Uint32Array,
      segments.map((segment) => segment.indices as Uint32Array),
    )
    if (first > 0) for (let k = 0; k < indices.length; k++) indices[k] -= first
    samples = { kind: 'sparse', rows, cols, indptr, indices, values }
  }
  return { samples, labels, ...(weights.length > 0 && { weights: joined(Float64Array, weights) }) }
}

function segmentOf({ samples, labels, weights }: ShardBlock, rows: readonly number[]): Segment {
  const common = {
    labels: Float64Array.from(rows, (i) => labels[i]),
    ...(weights && { weights: Float64Array.from(rows, (i) => weights[i]) }),
  }
  if (samples.kind === 'dense') {
    const { cols } = samples
    const values = new Float64Array(rows.length * cols)
    rows.forEach((i, r) => {
      values.set(samples.values.subarray(i * cols, (i + 1) * cols), r * cols)
    })
    return { ...common, values }
  }
  const { indptr } = samples
  const lengths = Uint32Array.from(rows, (i) => indptr[i + 1] - indptr[i])
  const count = lengths.reduce((sum, length) => sum + length, 0)
  const indices = new Uint32Array(count)
  const values = new Float64Array(count)
  let end = 0
  rows.forEach((i) => {
    indices.set(samples.indices.subarray(indptr[i], indptr[i + 1]), end)
    values.set(samples.values.subarray(indptr[i], indptr[i + 1]), end)
    end += indptr[i + 1] - indptr[i]
  })
  return { ...common, lengths, indices, values }
}

function joined<A extends Float64Array | Uint32Array>(
  Type: new (length: number) => A,
  parts: readonly A[],
): A {
  const whole = new Type(parts.reduce((sum, part) => sum + part.length, 0))
  let end = 0
  for (const part of parts) {
    whole.set(part, end)
    end += part.length
  }
  return whole
}
