import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import { formatCsv } from '../../../src/data/csv/csv-writer.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { copyRow, type Matrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { columnRanges } from '../../../src/data/scaling/range-scaler.ts'
import { fitStandardScaler, standardScalerOf } from '../../../src/data/scaling/standard-scaler.ts'
import { formatBlock, parseBlock } from '../../../src/data/shards/arrow-block.ts'
import { RowDealer } from '../../../src/data/shards/row-dealer.ts'
import type { ShardBlock } from '../../../src/data/shards/shard-block.ts'
import { parseManifest } from '../../../src/data/shards/shard-manifest.ts'
import { ShardStore } from '../../../src/data/shards/shard-store.node.ts'
import { writeShards } from '../../../src/data/shards/write-shards.node.ts'
import { makeDataset, type VectorDataset } from '../../../src/data/table/dataset.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-shards-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(folder, String(folders++))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Rows of about `density` of their columns; the labels come sorted, as files often have them. */
function sample(
  seed: number,
  rows: number,
  cols: number,
  labels: readonly (number | string)[],
): VectorDataset {
  const random = new Random(seed)
  const values = Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => (random.uniform() < 0.4 ? random.normal() : 0)),
  )
  return makeDataset(
    values,
    Array.from({ length: rows }, (_, i) => labels[Math.floor((i * labels.length) / rows)]),
  )
}

/** A row and its label as one text, to compare rows whatever their order. */
function rowTexts({ samples, labels }: { samples: Matrix; labels: ArrayLike<number | string> }): string[] {
  const row = new Float64Array(samples.cols)
  return Array.from(labels, (label, i) => {
    copyRow(samples, i, row)
    return `${label}: ${row.join(' ')}`
  })
}

async function allRows(store: ShardStore): Promise<string[]> {
  const { classes, labels } = store.manifest
  const texts: string[] = []
  for (let k = 0; k < store.manifest.blocks.length; k++) {
    const block = await store.block(k)
    const own = labels === 'string' ? Array.from(block.labels, (c) => classes![c]) : block.labels
    texts.push(...rowTexts({ samples: block.samples, labels: own }))
  }
  return texts
}

const data = sample(1, 300, 7, [2, -1, 5])

describe('writeShards', () => {
  test.each([
    ['LIBSVM', 'a.libsvm', (set: VectorDataset) => formatLibsvm(set), {}],
    ['LIBSVM from index 0', 'a0.libsvm', (set: VectorDataset) => formatLibsvm(set, { indexBase: 0 }), {}],
    ['gzip', 'a.libsvm.gz', (set: VectorDataset) => gzipSync(formatLibsvm(set)), {}],
    ['CSV', 'a.csv', (set: VectorDataset) => formatCsv(set), {}],
  ])('keeps every row and label of %s, and the shares of classes', async (_, name, format, options) => {
    const store = await shard(write(name, format(data)), { rows: 50, memoryBytes: 1e5, ...options })
    expect((await allRows(store)).sort()).toEqual(rowTexts(data).sort())
    const { blocks, classes } = store.manifest
    expect(classes).toEqual([-1, 2, 5])
    expect(blocks.length).toBeGreaterThanOrEqual(5)
    for (const block of blocks) {
      for (const count of block.classes!) expect(Math.abs(count - 100 / blocks.length)).toBeLessThanOrEqual(1)
    }
  })

  test('keeps labels that are words, and feature names', async () => {
    const words = { ...sample(2, 60, 3, ['no', 'yes', 'cat']), featureNames: ['a', 'b', 'c'] }
    const store = await shard(write('w.csv', formatCsv(words)), { rows: 20 })
    expect(store.manifest.classes).toEqual(['cat', 'no', 'yes'])
    expect(store.manifest.featureNames).toEqual(['a', 'b', 'c'])
    expect((await allRows(store)).sort()).toEqual(rowTexts(words).sort())
  })

  test('takes a stream whose length nobody knows', async () => {
    const bytes = new TextEncoder().encode(formatLibsvm(data))
    async function* stream() {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
    }
    const to = newFolder()
    await writeShards(stream(), to, { rows: 10 })
    const store = await ShardStore.open(to)
    expect(store.manifest.blocks.length).toBeGreaterThan(16)
    expect((await allRows(store)).sort()).toEqual(rowTexts(data).sort())
  })

  test('knows the columns as scalers do that see all rows', async () => {
    for (const set of [data, { ...data, samples: toSparse(data.samples) }]) {
      const isSparse = set.samples.kind === 'sparse'
      const path = isSparse ? write('s.libsvm', formatLibsvm(set)) : write('s.csv', formatCsv(set))
      const statistics = await (await shard(path, { rows: 50, memoryBytes: 1e5 })).statistics()
      const { min, max } = columnRanges(set.samples)
      expect([...statistics.min]).toEqual([...min])
      expect([...statistics.max]).toEqual([...max])
      const scaler = standardScalerOf('test', statistics, 300, true)
      const wanted = fitStandardScaler(set.samples, { mean: true })
      for (const [j, mean] of scaler.mean.entries()) expect(mean).toBeCloseTo(wanted.mean[j], 13)
      for (const [j, scale] of scaler.scale.entries()) expect(scale).toBeCloseTo(wanted.scale[j], 13)
    }
  })

  test('goes on after an end in the middle, to the same bytes', async () => {
    // Long enough for several batches of a megabyte of text each.
    const long = sample(3, 12_000, 30, [1, -1])
    for (const [name, text] of [
      ['long.libsvm', formatLibsvm(long)],
      ['long.csv', formatCsv(long)],
    ] as const) {
      const path = write(name, text)
      const options = { rows: 2000, memoryBytes: 2e6 }
      const whole = newFolder()
      await writeShards(path, whole, options)
      const stopped = newFolder()
      const controller = new AbortController()
      const ended = writeShards(path, stopped, {
        ...options,
        signal: controller.signal,
        onProgress: ({ rows }) => rows > 3000 && controller.abort(),
      })
      await expect(ended).rejects.toThrow()
      expect(readdirSync(stopped)).toContain('sharding.state')
      // What came after the last note does not count.
      appendFileSync(join(stopped, 'part-00000'), 'rest of a segment')
      const seen: number[] = []
      await writeShards(path, stopped, { ...options, onProgress: ({ rows }) => seen.push(rows) })
      expect(seen[0]).toBeGreaterThan(3000)
      expect(readdirSync(stopped).sort()).toEqual(readdirSync(whole).sort())
      for (const file of readdirSync(whole)) {
        expect(readFileSync(join(stopped, file)).equals(readFileSync(join(whole, file))), file).toBe(true)
      }
    }
  })

  test('the seed decides; targets of a regression are no classes', async () => {
    const targets = makeDataset(
      Array.from({ length: 12_000 }, (_, i) => [i]),
      Array.from({ length: 12_000 }, (_, i) => i / 7),
    )
    const path = write('t.libsvm', formatLibsvm(targets))
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => shard(path, { rows: 2000, seed })))
    const hashes = (store: ShardStore) => store.manifest.blocks.map(({ sha256 }) => sha256)
    expect(a.manifest.classes).toBeUndefined()
    expect(hashes(a)).toEqual(hashes(b))
    expect(hashes(a)).not.toEqual(hashes(c))
  })
})

test('a dealer that was restored deals as it would have gone on', () => {
  const plan = { seed: 5, open: 7, rowsPerWindow: 40 }
  const labels = Array.from({ length: 200 }, (_, i) => i % 3)
  const whole = new RowDealer(plan)
  const dealt = labels.map((label) => whole.blockOf(label))
  for (const at of [0, 1, 13, 99]) {
    const first = new RowDealer(plan)
    for (const label of labels.slice(0, at)) first.blockOf(label)
    const second = new RowDealer(plan)
    second.restore(first.save())
    expect(labels.slice(at).map((label) => second.blockOf(label))).toEqual(dealt.slice(at))
  }
})

describe('damage', () => {
  const block: ShardBlock = {
    samples: toSparse(data.samples),
    labels: data.labels as Float64Array,
    weights: new Float64Array(300).fill(2),
  }
  const shape = { columns: 7, layout: 'sparse', weighted: true } as const

  test('blocks read back bit by bit', () => {
    expect(parseBlock(formatBlock(block), shape, true)).toEqual(block)
    const dense: ShardBlock = { samples: data.samples, labels: block.labels }
    expect(parseBlock(formatBlock(dense), { ...shape, layout: 'dense', weighted: false }, true)).toEqual(
      dense,
    )
  })

  test('of a block ends in a FormatError, wherever it is', () => {
    const bytes = formatBlock(block)
    const random = new Random(8)
    for (let trial = 0; trial < 200; trial++) {
      const broken = bytes.slice(0, trial % 4 === 0 ? random.int(bytes.length) : bytes.length)
      for (let k = 0; k < 3 && broken.length > 0; k++) broken[random.int(broken.length)] = random.int(256)
      try {
        parseBlock(broken, shape, true, 'block')
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
  })

  test('indices and values that do not belong there are found', () => {
    const { samples } = block as { samples: Extract<Matrix, { kind: 'sparse' }> }
    const damaged = (change: Partial<typeof samples>) =>
      parseBlock(formatBlock({ ...block, samples: { ...samples, ...change } }), shape, true, 'b.arrow')
    const with0 = <A extends Float64Array | Uint32Array>(list: A, value: number) => {
      const copy = list.slice() as A
      copy[0] = value
      return copy
    }
    expect(() => damaged({ indices: with0(samples.indices, 7) })).toThrow(/b.arrow: .*below 7, got 7/)
    expect(() => damaged({ values: with0(samples.values, Number.NaN) })).toThrow(/not a finite number/)
  })

  test('of files that the manifest lists is named', async () => {
    const path = write('d.libsvm', formatLibsvm(data))
    const to = newFolder()
    const { blocks } = await writeShards(path, to, { rows: 100 })
    const file = join(to, blocks[0].name)
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(file, bytes)
    await expect((await ShardStore.open(to)).block(0)).rejects.toThrow(/SHA-256/)
    truncateSync(file, 100)
    await expect((await ShardStore.open(to)).block(0)).rejects.toThrow(/has 100 bytes/)
    rmSync(file)
    await expect((await ShardStore.open(to)).block(0)).rejects.toThrow(/no such file/)
  })

  test('a folder that is not there, and one without a manifest', async () => {
    const folder = newFolder()
    const missing = join(folder, 'missing')
    mkdirSync(folder)
    await expect(ShardStore.open(missing)).rejects.toThrow(`${missing}: no such file or directory`)
    await expect(ShardStore.open(folder)).rejects.toThrow(`${folder}: is a directory without manifest.json`)
  })

  test.each([
    ['not JSON', '{'],
    ['version 2 is newer', '{"format":"hyperplane-shards","version":2}'],
    ['format: ', '{"format":"other","version":1}'],
    ['rows must be those of all blocks', manifestText({ rows: 8 })],
    ['blocks.0.name: must be the name of a file', manifestText({}, { name: '../../etc/passwd' })],
    ['blocks.0.sha256', manifestText({}, { sha256: 'abc' })],
    ['every block must count every class', manifestText({ classes: [1, 2] })],
    ['labels that are strings need classes', manifestText({ labels: 'string' })],
  ])('a manifest is refused: %s', (message, text) => {
    expect(() => parseManifest(text, 'm/manifest.json')).toThrow(message)
  })
})

function manifestText(change: object, block: object = {}): string {
  const sha256 = '0'.repeat(64)
  return JSON.stringify({
    ...{ format: 'hyperplane-shards', version: 1, rows: 3, columns: 2, values: 4, layout: 'sparse' },
    ...{ labels: 'number', weighted: false, seed: 0, statistics: { name: 'columns.arrow', sha256 } },
    blocks: [{ name: 'a.arrow', sha256, bytes: 9, rows: 3, values: 4, ...block }],
    ...change,
  })
}

async function shard(path: string, options: object): Promise<ShardStore> {
  const to = newFolder()
  await writeShards(path, to, options)
  return ShardStore.open(to)
}
