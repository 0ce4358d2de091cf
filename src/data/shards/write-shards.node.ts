/**
 * Makes a sharded data set of anything the readers read, in one pass over it and within bounded memory: batches of rows are
 * dealt (./row-dealer.ts) to part files, and each part becomes a block once all rows have been seen. What was done is noted
 * every few seconds; the same call continues from there, whatever ended the one before.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkNumber } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { countUp } from '../../base/lists.ts'
import { pack, unpack } from '../../base/packing.ts'
import type { ByteSource } from '../codecs/byte-source.ts'
import { type BatchPosition, type DatasetBatch, datasetBatches } from '../files/dataset-batches.ts'
import { FileChunks } from '../files/file-chunks.node.ts'
import { explainFileError } from '../files/file-error.node.ts'
import type { ReadProgress, VectorOptions } from '../files/parse-vectors.ts'
import { writeFileAtomically } from '../files/write-file.node.ts'
import { type Matrix, SPARSE_VALUE_BYTES, storedValues } from '../matrix/matrix.ts'
import {
  applyPreparation,
  type ColumnPreparation,
  fitPreparation,
  preparedNames,
} from '../preparation/column-preparation.ts'
import { type Dataset, selectSamples } from '../table/dataset.ts'
import { isTable, type Table } from '../table/table.ts'
import { formatBlock, formatNumbers, parseBlock } from './arrow-block.ts'
import { STATISTICS_BYTES, StatisticsGatherer } from './column-statistics.ts'
import { PartFile, readPart } from './part-file.node.ts'
import { type DealPlan, RowDealer } from './row-dealer.ts'
import type { ShardBlock } from './shard-block.ts'
import { MANIFEST_NAME, MOST_CLASSES, type ShardEntry, type ShardManifest } from './shard-manifest.ts'

/** How {@link writeShards} works. */
export interface ShardOptions extends Omit<VectorOptions, 'onProgress'> {
  /** Approximate number of rows per block. Default: as many as take `blockBytes`. */
  readonly rows?: number
  /** Approximate bytes per block, if `rows` is not given. Default 32 MB. */
  readonly blockBytes?: number
  /** Seed that determines which row goes to which block. Default 0. */
  readonly seed?: number
  /** Approximate memory limit, in addition to what Node itself takes. Default 256 MB. */
  readonly memoryBytes?: number
  readonly onProgress?: (progress: ShardProgress) => void
}

/** Progress of {@link writeShards}. */
export interface ShardProgress {
  /** Reading the source, or writing blocks. */
  readonly phase: 'reading' | 'writing'
  /** Of the phase, from 0 to 1; NaN where the length of the source is not known. */
  readonly fraction: number
  readonly rows: number
}

/** What the options are by default. A block is read and solved as one: large enough for long reads, small beside the memory. */
const BLOCK_BYTES = 32e6
const MEMORY_BYTES = 256e6
/** Blocks that rows are dealt among at a time: of a batch of 32 MB, each still gets 32 kB in one piece. */
const MOST_OPEN = 1000
/** Where the length of the source is not known, rows are dealt among this many blocks at a time. */
const OPEN_AT_UNKNOWN_LENGTH = 16
/** A row takes a label, and an offset in two lists. */
const ROW_BYTES = 16
/** Share of the memory for a batch: it is there as parsed, as dealt and as packed, beside what is being parsed. */
const BATCH_SHARE = 1 / 16
/** Milliseconds between two notes of what was done. */
const NOTE_MS = 5000
const STATE_NAME = 'sharding.state'
const STATISTICS_NAME = 'columns.arrow'

/** What a call notes for the one that continues. */
interface ShardState {
  readonly key: string
  readonly plan: DealPlan
  readonly position: BatchPosition
  readonly firstColumn: 0 | 1
  readonly cols: number
  readonly layout: 'sparse' | 'dense'
  readonly weighted: boolean
  readonly featureNames?: readonly string[] | undefined
  /** Labels that are strings, by their codes; undefined where labels are numbers. */
  readonly words?: readonly string[] | undefined
  readonly dealer: ReturnType<RowDealer['save']>
  readonly statistics: ReturnType<StatisticsGatherer['save']>
  /** Bytes in each part. */
  readonly parts: readonly number[]
  readonly isRead: boolean
}

/** What is not kept elsewhere while reading. */
type ReadState = Omit<ShardState, 'dealer' | 'statistics' | 'parts' | 'words'>

/** What shards are made of: a file, a stream, or data that are in memory: those of a table as models see them, with what was learned about its columns. */
export type ShardSource = string | Exclude<ByteSource, string> | TableRows

/** Rows in memory. */
type TableRows = Omit<Dataset, 'samples'> & { readonly samples: Matrix | Table }

/** Writes a source as a sharded data set to `folder`, in one pass and within bounded memory. */
export async function writeShards(
  source: ShardSource,
  folder: string,
  options: ShardOptions = {},
): Promise<ShardManifest> {
  const { rows, blockBytes = BLOCK_BYTES, seed = 0, memoryBytes = MEMORY_BYTES, ...read } = options
  if (rows !== undefined) checkNumber('writeShards', 'rows', rows, { min: 1, integer: true })
  checkNumber('writeShards', 'seed', seed, { integer: true })
  try {
    await mkdir(folder, { recursive: true })
    const writer = new ShardWriter(folder, { rows, blockBytes, seed, memoryBytes, ...read })
    return await writer.write(source)
  } catch (error) {
    throw explainFileError(folder, error)
  }
}

/** Where a file is and when it was last written: other content has another text. */
export async function sourceKey(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return JSON.stringify([await realpath(path), size, mtimeMs])
}

type WriterOptions = ShardOptions & Required<Pick<ShardOptions, 'blockBytes' | 'seed' | 'memoryBytes'>>

class ShardWriter {
  private readonly folder: string
  private readonly options: WriterOptions
  private readonly statistics = new StatisticsGatherer()
  private readonly parts: PartFile[] = []
  private dealer: RowDealer | undefined
  private preparation: ColumnPreparation | undefined
  private codes: Map<string, number> | undefined
  private state: ReadState | undefined
  private bytes: ReadProgress = { bytesRead: 0 }
  private notedMs = performance.now()

  constructor(folder: string, options: WriterOptions) {
    this.folder = folder
    this.options = options
  }

  async write(source: ShardSource): Promise<ShardManifest> {
    const key = await this.keyOf(source)
    const noted = await this.noted(key)
    if (isInMemory(source)) await this.readAll(source, key)
    else if (!noted?.isRead) await this.read(source, key, noted)
    const manifest = await this.finish(this.state!)
    await rm(this.path(STATE_NAME), { force: true })
    return manifest
  }

  /** Nothing can be gone on with unless source and options are the same; a stream cannot be read again. */
  private async keyOf(source: ShardSource): Promise<string> {
    const { onProgress: _, signal: __, ...options } = this.options
    const where = typeof source === 'string' ? await sourceKey(source) : `stream ${Math.random()}`
    return JSON.stringify([where, options])
  }

  /** What a call before has noted, where this one can continue from there; else nothing is left of it. */
  private async noted(key: string): Promise<ShardState | undefined> {
    const state = await readFile(this.path(STATE_NAME)).then(
      (bytes) => unpack(bytes) as ShardState,
      () => undefined,
    )
    if (state?.key === key && (state.isRead || (await this.reopen(state)))) {
      this.restore(state)
      return state
    }
    this.parts.length = 0
    for (const name of await readdir(this.folder)) {
      if (/^(part-\d+|block-\d+\.arrow|sharding\.state)$/.test(name)) await rm(this.path(name))
    }
    return undefined
  }

  private async reopen({ parts }: ShardState): Promise<boolean> {
    this.parts.push(...parts.map((length, k) => new PartFile(this.path(partName(k)), length)))
    for (const part of this.parts) if (!(await part.cut())) return false
    return true
  }

  private restore({ words, dealer, statistics, ...state }: ShardState): void {
    this.state = state
    this.dealer = new RowDealer(state.plan)
    this.dealer.restore(dealer)
    this.statistics.restore(statistics)
    this.codes = words && new Map(words.map((word, code) => [word, code]))
  }

  private async read(
    source: string | Exclude<ByteSource, string>,
    key: string,
    noted: ShardState | undefined,
  ): Promise<void> {
    const { rows: _, blockBytes: __, seed: ___, memoryBytes, onProgress, ...read } = this.options
    const isFile = typeof source === 'string'
    const bytesTotal = isFile ? (await stat(source)).size : undefined
    const options = {
      ...(isFile && { name: source }),
      ...(bytesTotal !== undefined && { bytesTotal }),
      ...read,
      onProgress: (progress: ReadProgress) => {
        this.bytes = progress
        const { bytesRead, bytesTotal: total = Number.NaN } = progress
        onProgress?.({ phase: 'reading', fraction: bytesRead / total, rows: this.state?.position.rows ?? 0 })
      },
    }
    const batches = datasetBatches(
      isFile ? new FileChunks(source) : source,
      options,
      BATCH_SHARE * memoryBytes,
      noted?.position,
    )
    try {
      for await (const batch of batches) {
        await this.take(key, batch)
        if (performance.now() - this.notedMs > NOTE_MS) await this.note()
      }
      this.state = { ...this.state!, isRead: true }
    } finally {
      if (this.state) await this.note()
    }
  }

  /** Rows that are in memory, in batches all the same: as many of them are copied at a time. */
  private async readAll({ samples: given, ...others }: TableRows, key: string): Promise<void> {
    this.preparation = isTable(given) ? fitPreparation(given) : undefined
    const samples = this.preparation ? applyPreparation(this.preparation, given as Table) : (given as Matrix)
    const featureNames = this.preparation ? preparedNames(this.preparation) : others.featureNames
    const { memoryBytes, onProgress, signal } = this.options
    const { rows } = samples
    const rowBytes = ROW_BYTES + (SPARSE_VALUE_BYTES * storedValues(samples)) / Math.max(1, rows)
    const most = Math.max(1, Math.floor((BATCH_SHARE * memoryBytes) / rowBytes))
    for (let from = 0; from < rows; from += most) {
      signal?.throwIfAborted()
      const chosen = countUp(Math.min(most, rows - from)).map((i) => from + i)
      const dataset = selectSamples({ ...others, samples, ...(featureNames && { featureNames }) }, chosen)
      const done = from + chosen.length
      this.bytes = { bytesRead: done, bytesTotal: rows }
      await this.take(key, { dataset, firstColumn: 0, position: { rows: done } })
      onProgress?.({ phase: 'reading', fraction: done / rows, rows: done })
    }
    if (!this.state) throw new DataError('there are no rows to write')
  }

  private async take(key: string, { dataset, firstColumn, position }: DatasetBatch): Promise<void> {
    const { samples, weights, featureNames } = dataset
    if (samples.cols * STATISTICS_BYTES > this.options.memoryBytes) {
      throw new DataError(
        `${samples.cols} columns are too many for ${this.options.memoryBytes / 1e6} MB of memory`,
      )
    }
    const labels = this.numbersOf(dataset.labels)
    const block: ShardBlock = { samples, labels, ...(weights && { weights }) }
    this.dealer ??= new RowDealer(this.state?.plan ?? this.planFrom(block))
    this.statistics.add(samples)
    const rowsOf: number[][] = []
    for (let i = 0; i < labels.length; i++) {
      const k = this.dealer.blockOf(labels[i])
      rowsOf[k] ??= []
      rowsOf[k].push(i)
    }
    for (const [k, rows] of rowsOf.entries()) {
      if (!rows) continue
      while (this.parts.length <= k) this.parts.push(new PartFile(this.path(partName(this.parts.length))))
      await this.parts[k].append(block, rows)
    }
    this.state = {
      key,
      plan: this.dealer.plan,
      position,
      firstColumn,
      cols: Math.max(samples.cols, this.state?.cols ?? 0),
      layout: samples.kind,
      weighted: weights !== undefined,
      featureNames,
      isRead: false,
    }
  }

  /** By what the first batch tells of the others. */
  private planFrom({ samples, labels }: ShardBlock): DealPlan {
    const { rows: wanted, blockBytes, seed } = this.options
    const rowBytes = ROW_BYTES + (SPARSE_VALUE_BYTES * storedValues(samples)) / labels.length
    const rowsPerBlock = wanted ?? Math.max(1, Math.floor(blockBytes / rowBytes))
    const { bytesRead, bytesTotal } = this.bytes
    const inAll =
      bytesTotal === undefined ? Number.NaN : (labels.length * bytesTotal) / Math.max(1, bytesRead)
    const blocks = Math.max(1, Math.round(inAll / rowsPerBlock))
    if (blocks <= MOST_OPEN) return { seed, open: blocks, rowsPerWindow: Number.POSITIVE_INFINITY }
    const open = Number.isNaN(blocks) ? OPEN_AT_UNKNOWN_LENGTH : MOST_OPEN
    return { seed, open, rowsPerWindow: open * rowsPerBlock }
  }

  private numbersOf(labels: Float64Array | readonly string[]): Float64Array {
    if (labels instanceof Float64Array) return labels
    this.codes ??= new Map()
    const { codes } = this
    return Float64Array.from(labels, (word) => {
      let code = codes.get(word)
      if (code === undefined) {
        code = codes.size
        codes.set(word, code)
        if (codes.size > MOST_CLASSES) throw new DataError(`there are more than ${MOST_CLASSES} classes`)
      }
      return code
    })
  }

  private async note(): Promise<void> {
    const state: ShardState = {
      ...this.state!,
      words: this.codes && [...this.codes.keys()],
      dealer: this.dealer!.save(),
      statistics: this.statistics.save(),
      parts: this.parts.map(({ length }) => length),
    }
    await writeFileAtomically(this.path(STATE_NAME), pack(state))
    this.notedMs = performance.now()
  }

  /** Makes blocks of all parts, then the manifest: where that is, everything is. */
  private async finish({ firstColumn, cols, ...state }: ReadState): Promise<ShardManifest> {
    const { onProgress, signal, seed, features } = this.options
    const columns = features ?? cols - firstColumn
    const classes = this.classes()
    const blocks: ShardEntry[] = []
    const parts = await this.partsAndBlocks()
    const total = parts.length
    for (const [done, k] of parts.entries()) {
      signal?.throwIfAborted()
      onProgress?.({ phase: 'writing', fraction: done / total, rows: state.position.rows })
      const name = `block-${String(k).padStart(5, '0')}.arrow`
      blocks.push(await this.finishBlock(k, name, firstColumn, columns, state, classes))
    }
    const statistics = formatNumbers({ ...this.statistics.end(firstColumn, columns) })
    await writeFileAtomically(this.path(STATISTICS_NAME), statistics)
    const manifest: ShardManifest = {
      format: 'hyperplane-shards',
      version: 1,
      rows: blocks.reduce((sum, block) => sum + block.rows, 0),
      columns,
      values: blocks.reduce((sum, block) => sum + block.values, 0),
      layout: state.layout,
      labels: this.codes ? 'string' : 'number',
      ...(classes && {
        classes: this.codes ? classes.map((code) => [...this.codes!.keys()][code]) : classes,
      }),
      weighted: state.weighted,
      ...(state.featureNames && { featureNames: state.featureNames }),
      ...(this.preparation && { preparation: this.preparation }),
      seed,
      statistics: { name: STATISTICS_NAME, sha256: sha256Of(statistics) },
      blocks,
    }
    await writeFileAtomically(this.path(MANIFEST_NAME), `${JSON.stringify(manifest, null, 1)}\n`)
    return manifest
  }

  /** The numbers of parts that are to become blocks or have done so. */
  private async partsAndBlocks(): Promise<number[]> {
    const numbers = (await readdir(this.folder)).flatMap((name) => {
      const [, number] = /^(?:part-(\d+)|block-(\d+)\.arrow)$/.exec(name)?.filter(Boolean) ?? []
      return number === undefined ? [] : [Number(number)]
    })
    return [...new Set(numbers)].sort((a, b) => a - b)
  }

  /** A part that is gone has become its block before this call. */
  private async finishBlock(
    k: number,
    name: string,
    firstColumn: number,
    columns: number,
    { layout, weighted }: Pick<ShardState, 'layout' | 'weighted'>,
    classes: readonly number[] | undefined,
  ): Promise<ShardEntry> {
    const part = this.path(partName(k))
    const hasPart = await stat(part).then(
      () => true,
      () => false,
    )
    let block: ShardBlock
    let bytes: Uint8Array
    if (hasPart) {
      block = await readPart(part, firstColumn, columns)
      if (this.codes && classes) {
        const position = new Map(classes.map((code, c) => [code, c]))
        block = { ...block, labels: block.labels.map((code) => position.get(code) as number) }
      }
      bytes = formatBlock(block)
      await writeFileAtomically(this.path(name), bytes)
      await rm(part)
    } else {
      bytes = await readFile(this.path(name))
      block = parseBlock(bytes, { columns, layout, weighted }, false, name)
    }
    const { samples, labels } = block
    const counted = this.codes ? classes?.map((_, c) => c) : classes
    return {
      name,
      sha256: sha256Of(bytes),
      bytes: bytes.length,
      rows: samples.rows,
      values: storedValues(samples),
      ...(counted && { classes: countsOf(labels, counted) }),
    }
  }

  /** The classes as they are in parts, in their order; undefined where labels are targets. */
  private classes(): number[] | undefined {
    const labels = this.dealer!.labels
    if (labels.length > MOST_CLASSES) return undefined
    if (!this.codes) return labels.map((label) => label + 0).sort((a, b) => a - b)
    const words = [...this.codes.keys()]
    return labels.sort((a, b) => (words[a] < words[b] ? -1 : 1))
  }

  private path(name: string): string {
    return join(this.folder, name)
  }
}

function isInMemory(source: ShardSource): source is TableRows {
  return typeof source === 'object' && 'samples' in source
}

function partName(k: number): string {
  return `part-${String(k).padStart(5, '0')}`
}

function countsOf(labels: Float64Array, classes: readonly number[]): number[] {
  const counts = new Map(classes.map((label) => [label, 0]))
  for (const label of labels) counts.set(label + 0, (counts.get(label + 0) as number) + 1)
  return [...counts.values()]
}

/** SHA-256 in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
