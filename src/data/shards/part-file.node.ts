/**
 * Rows on their way into a block, in their own file: appended segment by segment while the data are read, and read back
 * when all rows are there. A segment is its length (f64) and a block of rows in packed form.
 */
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { DataError } from '../../base/errors.ts'
import { pack, unpack } from '../../base/packing.ts'
import { type ShardBlock, selectBlock, stackBlocks } from './shard-block.ts'

const LENGTH_BYTES = Float64Array.BYTES_PER_ELEMENT

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
    const bytes = pack(selectBlock(block, rows))
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
  const segments: ShardBlock[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = view.getFloat64(at, true)
    at += LENGTH_BYTES
    segments.push(unpack(bytes.subarray(at, at + length)) as ShardBlock)
    at += length
  }
  const block = stackBlocks(segments)
  const { samples } = block
  if (samples.kind === 'sparse' && first > 0) {
    for (let k = 0; k < samples.indices.length; k++) samples.indices[k] -= first
  }
  // Segments are as wide as the rows that had been seen by then.
  return { ...block, samples: { ...samples, cols } }
}
