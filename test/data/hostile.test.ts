/** Files that were made, or damaged, to hurt their reader. */

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parquetMetadata } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { beforeAll, describe, expect, test } from 'vitest'
import { DataError, FormatError, HyperplaneError } from '../../src/base/errors.ts'
import { bunzip2 } from '../../src/data/codecs/bzip2.ts'
import { memoryBytes } from '../../src/data/codecs/growth-limit.ts'
import { loadZstd } from '../../src/data/codecs/unzstd.ts'
import { parseVectors } from '../../src/data/files/parse-vectors.ts'
import { parseLibsvm } from '../../src/data/libsvm/libsvm-parser.ts'
import { decompressors } from '../../src/data/parquet/parquet-codecs.ts'
import { parseRangeFile } from '../../src/data/scaling/range-file.ts'
import { parseScaler } from '../../src/data/scaling/scaler-file.ts'
import { numberFromText } from '../../src/data/text/number-text.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import {
  parquetBody,
  parquetFooter,
  compressors as tortureCompressors,
  withFooter,
} from '../torture/parquet-files.ts'
import { i32, i64, type Node, readTree, writeNode } from '../torture/thrift-tree.ts'

/** How much processor time a call takes, in milliseconds. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('Parquet', () => {
  const table = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'a', data: [1, 2, 3], type: 'DOUBLE' },
        { name: 'b', data: [4, 4, 4], type: 'INT32' },
        { name: 'label', data: ['x', 'y', 'x'], type: 'STRING' },
      ],
    }),
  )

  /** The table with the field at `path` (ids of fields, positions in lists) replaced. */
  function edited(path: readonly number[], node: Node): Uint8Array {
    const tree = readTree(parquetFooter(table))
    let at = tree
    for (const step of path.slice(0, -1)) at = at.type === 'list' ? at.items[step] : field(at, step).node
    field(at, path.at(-1)!).node = node
    return withFooter(parquetBody(table), writeNode(tree))
  }

  function field(node: Node, id: number): { node: Node } {
    const found = node.type === 'struct' ? node.fields.find((one) => one.id === id) : undefined
    if (!found) throw new Error(`no field ${id}`)
    return found
  }

  test.each<[string, readonly number[], Node, string]>([
    ['rows of the file', [3], i64(1_000_000), 'the file says 1000000 rows, its row groups say 3'],
    ['rows of a group', [4, 0, 3], i64(1e8), 'column "a" has 3 values in a row group of 100000000 rows'],
    ['values of a column', [4, 0, 1, 1, 3, 5], i64(2), 'column "b" has 2 values in a row group of 3 rows'],
    ['number of columns', [2, 0, 5], i32(2), 'the schema announces 2 columns and has 3'],
    ['a type', [2, 2, 1], i32(4), 'a row group has INT32 "b" in the place of FLOAT column "b"'],
    ['a place', [4, 0, 1, 0, 3, 9], i64(1e9), 'are not those of one column alone'],
    ['a size', [4, 0, 1, 0, 3, 7], i64(12), 'bytes'],
  ])('an edited footer is refused: %s', async (_, path, node, message) => {
    await expect(parseVectors(edited(path, node), { name: 't' })).rejects.toThrow(FormatError)
    await expect(parseVectors(edited(path, node), { name: 't' })).rejects.toThrow(message)
  })

  test('rows beyond what the file can hold are refused before memory is set aside for them', async () => {
    const tree = readTree(parquetFooter(table))
    const rows = 2 ** 40
    field(tree, 3).node = i64(rows)
    const groups = field(tree, 4).node
    if (groups.type !== 'list') throw new Error('no row groups')
    field(groups.items[0], 3).node = i64(rows)
    const chunks = field(groups.items[0], 1).node
    if (chunks.type !== 'list') throw new Error('no columns')
    for (const chunk of chunks.items) field(field(chunk, 3).node, 5).node = i64(rows)
    const bytes = withFooter(parquetBody(table), writeNode(tree))
    expect(parquetMetadata(bytes.buffer as ArrayBuffer).num_rows).toBe(BigInt(rows))
    await expect(parseVectors(bytes)).rejects.toThrow('Parquet data grow beyond 67108864 bytes')
  })
})

describe('compressed data that grow without bound', () => {
  const bomb = gzipSync(new Uint8Array(80 * 2 ** 20).fill(0x20))

  test('are refused, with the limit and what raises it', async () => {
    expect(bomb.length).toBeLessThan(100_000)
    const limit = Math.max(2 ** 26, 1000 * bomb.length)
    await expect(parseVectors(bomb, { name: 'bomb.gz' })).rejects.toThrow(
      `bomb.gz: gzip data grow beyond ${limit} bytes: decompress them first, or allow more with maxBytes (--max-bytes)`,
    )
    await expect(parseVectors(bomb, { maxBytes: 1e6 })).rejects.toThrow('gzip data grow beyond 1000000 bytes')
    await expect(parseVectors(bomb, { maxBytes: 1e9 })).rejects.toThrow('no samples')
    await expect(parseVectors(bomb, { maxBytes: -1 })).rejects.toThrow('maxBytes must be')
  })

  test('have no more than the memory of the machine', async () => {
    memoryBytes.install(1e6)
    try {
      await expect(parseVectors(bomb)).rejects.toThrow('gzip data grow beyond 1000000 bytes')
    } finally {
      memoryBytes.install(Number.POSITIVE_INFINITY)
    }
  })

  test('a bzip2 block whose run is longer than any block', async () => {
    // Bits: a block with one byte in use, two codes of three symbols, and forty times the first digit of a run.
    const bits = [
      ...['425a6839', '314159265359', '00000000'].map((hex) =>
        BigInt(`0x${hex}`)
          .toString(2)
          .padStart(4 * hex.length, '0'),
      ),
      `0${'0'.repeat(24)}`, // not randomised, first place 0
      `1${'0'.repeat(15)}1${'0'.repeat(15)}`, // byte 0 is in use
      `010${'1'.padStart(15, '0')}0`, // two codes, one selector
      ...['00001010010', '00001010010'], // lengths 1, 2, 2
      '0'.repeat(40),
    ].join('')
    const bytes = Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, k) =>
      Number.parseInt(bits.slice(8 * k, 8 * k + 8).padEnd(8, '0'), 2),
    )
    const read = async () => {
      const chunks = (async function* () {
        yield bytes
      })()
      for await (const _ of bunzip2(chunks, 'f')) {
        // Nothing comes.
      }
    }
    await expect(read()).rejects.toThrow('f: bzip2 data is damaged')
  })
})

describe('time grows with the length of the input, not with its square', () => {
  test.each<[string, () => unknown]>([
    ['a number of 400,000 digits and a letter', () => numberFromText(`${'1'.repeat(400_000)}x`)],
    ['a feature of 400,000 digits', () => parseLibsvm(`1 1:${'1'.repeat(400_000)}e-399999 2:1\n`)],
    [
      '800,000 line ends behind a range file',
      () => parseRangeFile(`x\n-1 1\n1 0 1\n${'\n'.repeat(800_000)}`),
    ],
  ])('%s', (_, run) => {
    expect(cpuMs(run)).toBeLessThan(2000)
  })
})

describe('deep nesting is refused', () => {
  const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000)

  test('in models', () => {
    const kernel = `${'{"kind":"exp","of":'.repeat(5000)}{"kind":"linear"}${'}'.repeat(5000)}`
    for (const text of [deep('[', ']'), `{"a":${deep('[', ']')}}`, `{"kernel":${kernel}}`]) {
      expect(() => parseModel(`{"format":"hyperplane-model","a":${text}}`)).toThrow(
        'nested more than 100 levels deep',
      )
    }
  })

  test('in scalers', () => {
    expect(() => parseScaler(`{"kind":"standard","mean":${deep('[', ']')}}`)).toThrow(
      '<input>: not a scaler: it is nested more than 100 levels deep',
    )
  })
})

describe('models that announce more than they hold', () => {
  const head = '"format":"hyperplane-model","version":1'

  test('features', () => {
    const machines = '[{"negative":0,"positive":1,"bias":0,"coef":[1]}]'
    const text = `{${head},"type":"linear-svc","classes":[0,1],"features":4294967295,"machines":${machines}}`
    expect(() => parseModel(text)).toThrow(
      'machines[0].coef: must be 4294967295 numbers, one per feature, got 1',
    )
  })

  test('support vectors without features', () => {
    const samples = '{"kind":"dense","rows":4294967295,"cols":0,"values":[]}'
    const support = `{"counts":[4294967294,1],"samples":${samples}}`
    const machines = '[{"negative":0,"positive":1,"bias":0,"dualCoef":[]}]'
    const text = `{${head},"type":"svc","classes":[0,1],"kernel":{"kind":"linear"},"support":${support},"machines":${machines}}`
    expect(() => parseModel(text)).toThrow(HyperplaneError)
  })
})

describe('texts at the edge of their format', () => {
  test('the largest index is a column, the next one an error', () => {
    expect(parseLibsvm('1 4294967294:1\n').samples.cols).toBe(4294967294)
    expect(() => parseLibsvm('1 4294967295:1\n')).toThrow('index must be at most 4294967294, got 4294967295')
  })

  test('an index in a range file takes no more memory than the text is worth', () => {
    expect(parseRangeFile('x\n-1 1\n4000000 0 1\n').min).toHaveLength(4_000_000)
    expect(() => parseRangeFile('x\n-1 1\n60000000 0 1\n')).toThrow(
      'feature index must be a whole number from 1 to',
    )
  })

  test('a mark of byte order inside the text is part of a word', () => {
    const { labels } = parseLibsvm('\ufeffa 1:1\n\ufeffa 1:2\na 1:3\n')
    expect(labels).toEqual(['a', '\ufeffa', 'a'])
  })

  test('labels that are not UTF-8 are refused: they would become equal', () => {
    const bytes = Uint8Array.from([0xe9, ...new TextEncoder().encode(' 1:1\n')])
    expect(() => parseLibsvm(bytes, { name: 'f' })).toThrow('f:1:1: label must be UTF-8 text')
  })

  test('every kind of line end ends a record of CSV', async () => {
    const text = 'a,b\r1,2\n3,4\r\n5,6\r7,8'
    const { samples, labels } = await parseVectors(text, { format: 'csv' })
    expect(samples.values).toEqual(Float64Array.of(1, 3, 5, 7))
    expect(labels).toEqual(Float64Array.of(2, 4, 6, 8))
  })

  test('an unfinished line of more than 256 MiB is refused', async () => {
    const block = new Uint8Array(2 ** 24).fill(0x31)
    const endless = (async function* () {
      for (;;) yield block
    })()
    const read = parseVectors(endless, { format: 'libsvm', name: 'f' })
    await expect(read).rejects.toThrow('f:1: the line is longer than 268435456 bytes')
  })

  test('a record of CSV without end is refused', async () => {
    const block = new TextEncoder().encode('x'.repeat(2 ** 22))
    const endless = (async function* () {
      yield new TextEncoder().encode('a,"')
      for (;;) yield block
    })()
    const read = parseVectors(endless, { format: 'csv', name: 'f' })
    await expect(read).rejects.toThrow('f:1:2: a record is longer than 33554432 bytes')
  })

  test('numbers that do not fit memory are a DataError', async () => {
    const { Blocks } = await import('../../src/data/matrix/column-blocks.ts')
    class SmallArray extends Float64Array {
      constructor(length: number) {
        if (length > 2000) throw new RangeError('Array buffer allocation failed')
        super(length)
      }
    }
    const blocks = new Blocks(SmallArray)
    const fill = () => {
      for (let k = 0; k < 1e5; k++) blocks.push(k)
    }
    expect(fill).toThrow(DataError)
  })
})

describe('codecs of Parquet give just as many bytes as the page says', () => {
  beforeAll(loadZstd)

  const page = new Uint8Array(5000).map((_, k) => (k * k) % 7)
  const packed: Record<string, Uint8Array> = {
    GZIP: new Uint8Array(gzipSync(page)),
    BROTLI: new Uint8Array(brotliCompressSync(page)),
    LZ4_RAW: tortureCompressors.LZ4_RAW(page),
    LZ4: tortureCompressors.LZ4_RAW(page),
    ZSTD: tortureCompressors.ZSTD(page),
  }

  test.each(Object.keys(packed))('%s', (codec) => {
    const decompress = decompressors[codec as keyof typeof decompressors]!
    expect(decompress(packed[codec], page.length)).toEqual(page)
    for (const length of [0, 1, 4999, 5001, 6000]) expect(() => decompress(packed[codec], length)).toThrow()
  })

  test('Brotli data that ask for more and more', () => {
    const bomb = new Uint8Array(brotliCompressSync(new Uint8Array(2 ** 26)))
    expect(bomb.length).toBeLessThan(1000)
    expect(() => decompressors.BROTLI!(bomb, 1000)).toThrow('Brotli: data become more than 1000 bytes')
  })
})
