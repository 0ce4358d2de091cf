import { describe, expect, test, vi } from 'vitest'
import { DataError, ParameterError } from '../../../src/base/errors.ts'
import type { ByteSource } from '../../../src/data/codecs/byte-source.ts'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { parseVectors, type ReadProgress } from '../../../src/data/files/parse-vectors.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'

const text = '+1 1:0.5 3:2\n-1 2:7\n'
const bytes = new TextEncoder().encode(text)

describe('every kind of source', () => {
  const sources: [string, () => ByteSource][] = [
    ['text', () => text],
    ['bytes', () => bytes],
    ['a web stream', () => new Blob([text]).stream()],
    [
      'chunks',
      async function* () {
        for (const byte of bytes) yield Uint8Array.of(byte)
      },
    ],
  ]
  test.each(sources)('%s', async (_, source) => {
    expect(await parseVectors(source())).toEqual(parseLibsvm(text))
  })

  test('nothing else', async () => {
    await expect(parseVectors(12 as unknown as string)).rejects.toThrow(
      new DataError('data must be text, bytes or a stream of bytes, got 12'),
    )
    const strings = (async function* () {
      yield '1 1:2'
    })()
    await expect(parseVectors(strings as unknown as AsyncIterable<Uint8Array>)).rejects.toThrow(
      new DataError('chunks must be bytes, got "1 1:2"'),
    )
  })
})

describe('the format', () => {
  test.each([
    ['1 1:2 3:4', 'sparse'],
    ['# note\n\ncat qid:3 1:2', 'sparse'],
    ['1', 'sparse'],
    ['1 2:3 # a, comment', 'sparse'],
    ['1,2', 'dense'],
    ['1;2', 'dense'],
    ['1\t2', 'dense'],
    ['a,b\n1,2', 'dense'],
  ])('%j is told by its content', async (content, kind) => {
    expect((await parseVectors(content)).samples.kind).toBe(kind)
  })

  test.each([
    ['data.csv', 'dense'],
    ['data.csv.gz', 'dense'],
    ['DATA.TSV', 'dense'],
    ['data.svmlight.bz2', 'sparse'],
  ])('%s is told by its name', async (name, kind) => {
    const content = name.includes('svm') ? '1' : name === 'DATA.TSV' ? 'x\ty\n1\t2' : 'x,y\n1,2'
    expect((await parseVectors(content, { name })).samples.kind).toBe(kind)
  })

  test('can be given', async () => {
    expect((await parseVectors('x,y\n1,2', { name: 'data.libsvm', format: 'csv' })).samples.kind).toBe(
      'dense',
    )
  })
})

test('progress counts the bytes, and knows the total when the source does', async () => {
  const seen: ReadProgress[] = []
  await parseVectors(bytes, { onProgress: (progress) => seen.push(progress) })
  expect(seen).toEqual([{ bytesRead: bytes.length, bytesTotal: bytes.length }])
  const large = new TextEncoder().encode(text.repeat(150_000))
  const counts: number[] = []
  await parseVectors(large, { onProgress: ({ bytesRead }) => counts.push(bytesRead) })
  expect(counts.length).toBeGreaterThan(2)
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(counts.at(-1)).toBe(large.length)
})

test('a signal stops reading and closes the source', async () => {
  const controller = new AbortController()
  let closed = false
  const endless = (async function* () {
    try {
      for (;;) yield bytes
    } finally {
      closed = true
    }
  })()
  const read = parseVectors(endless, {
    signal: controller.signal,
    onProgress: ({ bytesRead }) => bytesRead > 1e5 && controller.abort(new Error('enough')),
  })
  await expect(read).rejects.toThrow('enough')
  expect(closed).toBe(true)
  await expect(parseVectors(text, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
    'before',
  )
})

test('other tasks get a turn while a large text is read', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  let turns = 0
  setTimeout(() => turns++)
  await parseVectors(new TextEncoder().encode(text.repeat(100_000)), {
    onProgress: ({ bytesRead, bytesTotal }) => {
      if (bytesRead === bytesTotal) expect(turns).toBe(1)
    },
  })
  clock.mockRestore()
  expect(turns).toBe(1)
})

test.each([
  [{ format: 'arff' }, 'format must be one of auto, libsvm, csv, tsv, parquet, got "arff"'],
  [{ header: 'yes' }, 'header must be \'auto\', true or false, got "yes"'],
  [{ delimiter: ', ' }, 'delimiter must be one character, got ", "'],
  [{ labels: 'text' }, 'labels must be one of auto, number, string, got "text"'],
  [{ features: 1.5 }, 'features must be a whole number >= 0, got 1.5'],
  [{ threads: 0 }, 'threads must be a whole number >= 1, got 0'],
  [{ labelColum: 1 }, 'option must be one of format, name'],
])('refuses %j', async (options, message) => {
  const read = parseVectors(text, options as object)
  await expect(read).rejects.toBeInstanceOf(ParameterError)
  await expect(read).rejects.toThrow(`parseVectors: ${message}`)
})

test('LIBSVM data whose indices start at 0 are noted, as another file may lack index 0', async () => {
  const notes = async (text: string, options = {}) => (await parseDataset(text, options)).report.notes
  expect(await notes('1 0:1 3:2\n-1 2:1\n')).toEqual([
    'feature indices start at 0: read other files of these data with indexBase: 0, in case index 0 does not occur there',
  ])
  expect(await notes('1 0:1 3:2\n-1 2:1\n', { indexBase: 0 })).toEqual([])
  expect(await notes('1 1:1 3:2\n-1 2:1\n')).toEqual([])
  // A precomputed kernel.
  expect(await notes('1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n')).toEqual([])
})

test.each([
  [{ labelColumn: 'class' }, 'labelColumn'],
  [{ weightColumn: 0 }, 'weightColumn'],
  [{ groupColumn: 'patient' }, 'groupColumn'],
])('LIBSVM data have no columns that %o could name', async (options, name) => {
  await expect(parseDataset(text, options)).rejects.toThrow(
    new ParameterError('parseDataset', name, 'needs a table; LIBSVM data have no columns'),
  )
})
