/** Shards of a data file of any kind: numbers within bounded memory; a table with columns of other kinds is read whole. */
import { FormatError } from '../../base/errors.ts'
import type { ShardManifest } from '../../data/shards/shard-manifest.ts'
import { type ShardOptions, writeShards } from '../../data/shards/write-shards.node.ts'
import { type DataFlags, readData, readOptionsFrom } from '../options/data-options.ts'
import { type TableFlags, tableOptionsFrom } from '../tables/table-options.ts'

/** See the header of the file. */
export async function makeShards(
  path: string,
  folder: string,
  flags: DataFlags & TableFlags,
  options: ShardOptions,
): Promise<ShardManifest> {
  const { delimiter, header, ...columns } = tableOptionsFrom(flags)
  const shape = { ...(delimiter !== undefined && { delimiter }), ...(header !== undefined && { header }) }
  if (Object.keys(columns).length === 0) {
    try {
      const { onProgress: _, ...read } = readOptionsFrom(flags)
      const source = path === '-' ? process.stdin : path
      return await writeShards(source, folder, { ...read, ...shape, ...options })
    } catch (error) {
      // Cells that are no numbers: as a table they may be something else. A stream is over by then.
      if (!(error instanceof FormatError) || path === '-') throw error
    }
  }
  return writeShards(await readData(path, flags), folder, options)
}
