import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataError, ParameterError } from '../../../src/base/errors.ts'
import { readCsv } from '../../../src/data/csv/csv-reader.ts'
import { formatCsv } from '../../../src/data/csv/csv-writer.ts'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { parseVectors, type VectorOptions } from '../../../src/data/files/parse-vectors.ts'
import { toDense, toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset, type VectorDataset } from '../../../src/data/table/dataset.ts'
import type { Table } from '../../../src/data/table/table.ts'
import { finite, rows as rowLists } from '../arbitrary.ts'

function read(text: string, options: VectorOptions = {}): Promise<VectorDataset> {
  return parseVectors(text, { format: 'csv', ...options })
}

describe('the header', () => {
  test('is found, and names the features', async () => {
    const data = await read('length,width,species\n1,2,setosa\n3,4,virginica\n')
    expect(data.featureNames).toEqual(['length', 'width'])
    expect(data.labels).toEqual(['setosa', 'virginica'])
    expect(data.samples).toEqual({ kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, 4) })
  })

  test('is not there when a field is a number', async () => {
    const data = await read('1,2,setosa\n3,4,virginica\n')
    expect(data.samples.rows).toBe(2)
    expect(data).not.toHaveProperty('featureNames')
  })

  test('can be asked for or denied', async () => {
    expect((await read('0,1,2\n3,4,5\n', { header: true })).featureNames).toEqual(['0', '1'])
    await expect(read('a,b,c\n1,2,3\n', { header: false })).rejects.toThrow(
      '<input>:1:1: column 1 must be a number, got "a"',
    )
  })

  test('may have a column without a name, as an index column has', async () => {
    expect((await read(',a,label\n0,1,2\n')).featureNames).toEqual(['', 'a'])
  })

  test('that gives a name twice leaves each column one of its own', async () => {
    expect((await read('a,a,a.1,label\n0,1,2,3\n')).featureNames).toEqual(['a', 'a.2', 'a.1'])
    const { report, samples } = await parseDataset('a,a,label\n1,x,0\n2,y,1\n', { format: 'csv' })
    expect(report.notes).toEqual(['columns have the same name: the second "a" is called "a.1"'])
    expect((samples as Table).columns.map(({ name }) => name)).toEqual(['a', 'a.1'])
  })
})

describe('the label column', () => {
  test.each([
    ['a,Label,y', 1],
    ['class,a,b', 0],
    ['y,target,b', 1],
    ['y,a,b', 0],
    ['a,b,c', 2],
  ])('%s', async (header, position) => {
    const { labels, featureNames } = await read(`${header}\n0,1,2\n`)
    expect(labels).toEqual(Float64Array.of(position))
    expect(featureNames).toEqual(header.split(',').filter((_, k) => k !== position))
  })

  test.each([
    ['b', 1],
    [0, 0],
    [-1, 2],
    [-3, 0],
  ])('as the caller says: %s', async (labelColumn, position) => {
    expect((await read('a,b,c\n0,1,2\n', { labelColumn })).labels).toEqual(Float64Array.of(position))
  })

  test('can be absent: every label is then 0', async () => {
    const data = await read('a,label\n1,2\n3,4\n', { labelColumn: false })
    expect(data.labels).toEqual(Float64Array.of(0, 0))
    expect(data.featureNames).toEqual(['a', 'label'])
  })

  test('can be kept as text', async () => {
    expect((await read('1,01\n2,x\n', { labels: 'string' })).labels).toEqual(['01', 'x'])
  })
})

test('weights have a column of their own', async () => {
  const data = await read('a,w,label\n1,0.5,0\n2,0,1\n', { weightColumn: 'w' })
  expect(data.weights).toEqual(Float64Array.of(0.5, 0))
  expect(data.featureNames).toEqual(['a'])
})

describe('fields and lines', () => {
  test('quotes, line ends, blank lines, white space, exponents, no newline at the end', async () => {
    const text =
      '\ufeff"a, b","say ""x""", label \r\n"1" , +2.5e-1,"one, ""1"""\r\n\r\n .5,-3.,"two\r\nlines"'
    const data = await read(text)
    expect(data.featureNames).toEqual(['a, b', 'say "x"'])
    expect(data.labels).toEqual(['one, "1"', 'two\r\nlines'])
    expect(toDense(data.samples).values).toEqual(Float64Array.of(1, 0.25, 0.5, -3))
  })

  test('a chunk may end at any byte', async () => {
    const bytes = new TextEncoder().encode('a,"é ""q""",label\r\n1,2e3,"x\r\ny"\r\n4,5,ü\r\n')
    const whole = await readCsv(chunks(bytes))
    expect(whole.labels).toEqual(['x\r\ny', 'ü'])
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await readCsv(chunks(bytes.subarray(0, cut), bytes.subarray(cut)))).toEqual(whole)
    }
  })

  test.each([';', '\t', '|', ','])('the delimiter %j is found', async (delimiter) => {
    const text = [
      ['a', '"b,;|\t"', 'label'],
      [1, 2, 'x'],
      [3, 4, 'y'],
    ].map((line) => line.join(delimiter))
    const data = await read(text.join('\n'))
    expect(data.featureNames).toEqual(['a', 'b,;|\t'])
    expect(data.labels).toEqual(['x', 'y'])
  })

  test('the delimiter can be given', async () => {
    expect((await read('a b,c d\n1 2 x\n', { delimiter: ' ' })).featureNames).toEqual(['a', 'b,c'])
  })

  test('empty cells of tab-separated text are not lost', async () => {
    await expect(parseVectors('1\t\t3\n', { format: 'tsv' })).rejects.toThrow(
      '<input>:1:2: column 2 is missing',
    )
  })
})

describe('writing', () => {
  const data = makeDataset(
    [
      [1.5, -0],
      [1e-300, 0.1],
    ],
    ['a', 'b, "c"'],
    {
      featureNames: ['x', 'y, z'],
      weights: [1, 0.25],
    },
  )

  test('all columns', () => {
    expect(formatCsv(data)).toBe('x,"y, z",weight,label\n1.5,-0,1,a\n1e-300,0.1,0.25,"b, ""c"""\n')
  })

  test('no header, another delimiter', () => {
    expect(formatCsv(data, { header: false, delimiter: '\t' })).toBe(
      '1.5\t-0\t1\ta\n1e-300\t0.1\t0.25\t"b, ""c"""\n',
    )
  })

  test('makes up names when a header is asked for', () => {
    expect(formatCsv(makeDataset([[1, 2]], [3]), { header: true })).toBe('x1,x2,label\n1,2,3\n')
  })

  test('refuses names that would be taken for each other', () => {
    const clash = makeDataset([[1, 2]], [3], { featureNames: ['a', 'label'] })
    expect(() => formatCsv(clash)).toThrow(DataError)
    expect(() => formatCsv(clash)).toThrow('two columns would be named "label": choose another labelColumn')
    expect(formatCsv(clash, { labelColumn: 'kind' })).toBe('a,label,kind\n1,2,3\n')
    expect(() => formatCsv(data, { weightColumn: 'x' })).toThrow('choose another weightColumn')
  })

  test('refuses a delimiter that could not be read', () => {
    expect(() => formatCsv(data, { delimiter: '"' })).toThrow(ParameterError)
  })

  test('reads back bit by bit', async () => {
    await fc.assert(
      fc.asyncProperty(rowLists, fc.infiniteStream(finite), async (rows, numbers) => {
        const labels = rows.map(() => numbers.next().value)
        const weights = rows.map(() => Math.abs(numbers.next().value))
        const featureNames = rows[0].map((_, j) => `feature ${j}`)
        const written = makeDataset(rows, labels, { weights, featureNames })
        expect(await read(formatCsv(written), { weightColumn: 'weight' })).toEqual(written)
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  test('text labels read back, whatever they are', async () => {
    const word = fc.string({ minLength: 1, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (labels) => {
        const written = makeDataset(
          labels.map((_, i) => [i]),
          labels,
        )
        expect((await read(formatCsv(written), { labels: 'string', header: false })).labels).toEqual(labels)
      }),
      { numRuns: 100, seed: 5 },
    )
  })

  test('sparse samples are written with their zeros', () => {
    const dense = makeDataset(
      [
        [0, 2],
        [3, 0],
      ],
      [0, 1],
    )
    expect(formatCsv({ ...dense, samples: toSparse(dense.samples) })).toBe('0,2,0\n3,0,1\n')
  })
})

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}
