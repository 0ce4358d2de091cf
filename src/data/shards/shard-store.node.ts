/** A sharded data set in a folder, to be read block by block. */
import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DataError, FormatError } from '../../base/errors.ts'
import { explainFileError } from '../files/file-error.node.ts'
import type { VectorDataset } from '../table/dataset.ts'
import { parseBlock, parseNumbers } from './arrow-block.ts'
import { type ColumnStatistics, STATISTICS } from './column-statistics.ts'
import { type ShardBlock, stackBlocks } from './shard-block.ts'
import { MANIFEST_NAME, parseManifest, type ShardManifest } from './shard-manifest.ts'
import { sha256Of } from './write-shards.node.ts'

/** A sharded data set in a folder. A block is checked against its SHA-256, and value by value, when it is first read. */
export class ShardStore {
  readonly folder: string
  readonly manifest: ShardManifest
  private readonly checked = new Set<number>()

  private constructor(folder: string, manifest: ShardManifest) {
    this.folder = folder
    this.manifest = manifest
  }

  /** Opens the sharded data set in a folder. */
  static async open(folder: string): Promise<ShardStore> {
    const path = join(folder, MANIFEST_NAME)
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code !== 'ENOENT') throw explainFileError(path, error)
      throw existsSync(folder)
        ? new DataError(
            `${folder}: is a directory without ${MANIFEST_NAME}, neither a file nor a folder of shards`,
          )
        : explainFileError(folder, error)
    })
    return new ShardStore(folder, parseManifest(text, path))
  }

  /** Bytes of the largest block. */
  get largestBlock(): number {
    return this.manifest.blocks.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  }

  /** Reads block k, into `buffer` where it has room for it: what is returned then lasts until the next block is read there. */
  async block(k: number, buffer?: Uint8Array): Promise<ShardBlock> {
    const { name, sha256, bytes: size, rows, values } = this.manifest.blocks[k]
    const path = join(this.folder, name)
    const bytes = await this.bytesOf(path, size, buffer)
    const isNew = !this.checked.has(k)
    if (isNew && sha256Of(bytes) !== sha256) throw damaged(path, 'its SHA-256 is another one')
    const block = parseBlock(bytes, this.manifest, isNew, path)
    if (block.samples.rows !== rows || block.samples.values.length !== values) {
      throw damaged(path, 'it has not as many rows and values')
    }
    this.checked.add(k)
    return block
  }

  /** All blocks as one data set in memory, one after the other. */
  async dataset(): Promise<VectorDataset> {
    const { blocks, labels: kind, classes, featureNames } = this.manifest
    const parts: ShardBlock[] = []
    for (const k of blocks.keys()) parts.push(await this.block(k))
    const { samples, labels, weights } = stackBlocks(parts)
    return {
      samples,
      labels: kind === 'string' ? Array.from(labels, (c) => String(classes?.[c])) : labels,
      ...(weights && { weights }),
      ...(featureNames && { featureNames }),
    }
  }

  /** Minimum, maximum, mean and squared deviations of every column. */
  async statistics(): Promise<ColumnStatistics> {
    const { statistics, columns } = this.manifest
    const path = join(this.folder, statistics.name)
    const bytes = await readFile(path).catch((error) => {
      throw explainFileError(path, error)
    })
    if (sha256Of(bytes) !== statistics.sha256) throw damaged(path, 'its SHA-256 is another one')
    const read = parseNumbers(bytes, STATISTICS, path)
    if (read.min.length !== columns) throw damaged(path, `it has ${read.min.length} columns`)
    return read
  }

  private async bytesOf(path: string, size: number, buffer: Uint8Array | undefined): Promise<Uint8Array> {
    try {
      const file = await open(path)
      try {
        const { size: there } = await file.stat()
        if (there !== size) throw damaged(path, `it has ${there} bytes, not ${size}`)
        const bytes = buffer && buffer.length >= size ? buffer.subarray(0, size) : new Uint8Array(size)
        let at = 0
        while (at < size) {
          const { bytesRead } = await file.read(bytes, at, size - at, at)
          if (bytesRead === 0) throw damaged(path, `it ends after ${at} bytes`)
          at += bytesRead
        }
        return bytes
      } finally {
        await file.close()
      }
    } catch (error) {
      throw explainFileError(path, error)
    }
  }
}

function damaged(path: string, how: string): DataError {
  return new FormatError(`not the block that the manifest lists: ${how}; shard the data again`, {
    file: path,
  })
}
