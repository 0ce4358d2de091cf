import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { generate, toDense } from '../../../src/index.ts'
import { cliInFolder, resultOf, startCli } from '../run-cli.ts'

const { folder, path, run, json, feed } = cliInFolder()

describe('generate', () => {
  const options = { n: 30, noise: 0.2, seed: 7 }
  const flags = ['-n', '30', '--noise', '0.2', '--seed', '7']
  const expected = generate('moons', options)

  it('writes the generator’s data to stdout, a file or JSON', async () => {
    const { code, stdout, stderr } = await run('generate', 'moons', ...flags)
    expect([code, stderr]).toEqual([0, ''])
    const read = await parseVectors(stdout)
    expect(toDense(read.samples)).toEqual(expected.samples)
    expect(read.labels).toEqual(expected.labels)

    const summary = await json('generate', 'moons', ...flags, '-o', 'moons.csv')
    expect(summary).toEqual({
      name: 'moons',
      task: 'classification',
      options,
      samples: 30,
      features: 2,
      output: 'moons.csv',
    })
    const csv = await parseVectors(readFileSync(path('moons.csv'), 'utf8'), { format: 'csv' })
    expect(csv.samples).toEqual(expected.samples)

    const { rows, labels } = await json('generate', 'moons', ...flags)
    expect(rows.flat()).toEqual(Array.from(expected.samples.values))
    expect(labels).toEqual(Array.from<number | string>(expected.labels))
  })

  it('gives sparse rows as indices and values', async () => {
    const { rows, features } = await json('generate', 'text', '-n', '4')
    expect(rows).toHaveLength(4)
    for (const { indices, values } of rows) {
      expect(indices.length).toBe(values.length)
      expect(Math.max(...indices)).toBeLessThan(features)
    }
  })

  it('ends quietly when the reader has had enough', async () => {
    const child = startCli(['generate', 'moons', '-n', '60000'], folder)
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { code, stderr } = await resultOf(child)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('leaves nothing behind when it cannot write', async () => {
    const before = readdirSync(folder).sort()
    const { code, stdout, stderr } = await run('generate', 'moons', '-o', 'nowhere/moons.libsvm')
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'error: nowhere/moons.libsvm: the folder nowhere does not exist or cannot be written to\n',
    ])
    expect((await run('generate', 'moons', '-o', 'moons.xz')).code).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(before)
  })
})

describe('scale', () => {
  const table = 'a,b,label\n0,10,no\n5,20,yes\n10,40,no\n'

  it('scales to a range, remembers it, and does the same to other data', async () => {
    writeFileSync(path('table.csv'), table)
    const summary = await json('scale', 'table.csv', '--save-range', 'table.range', '-o', 'scaled.csv')
    expect(summary).toEqual({
      scaler: 'range',
      saveRange: 'table.range',
      samples: 3,
      features: 2,
      output: 'scaled.csv',
    })
    expect(readFileSync(path('table.range'), 'utf8')).toBe('x\n-1 1\n1 0 10\n2 10 40\n')
    expect(readFileSync(path('scaled.csv'), 'utf8')).toBe(
      'a,b,label\n-1,-1,no\n0,-0.33333333333333337,yes\n1,1,no\n',
    )
    const other = await feed('1 1:20 2:25\n', 'scale', '-', '--restore', 'table.range')
    expect(other.stdout).toBe('1 1:3\n')
  })

  it('scales to unit variance and remembers that too', async () => {
    const { stdout } = await feed(
      table,
      'scale',
      '-',
      '--to',
      'standard',
      '--format',
      'csv',
      '--save-range',
      's.json',
    )
    const { samples } = await parseVectors(stdout, { format: 'csv' })
    const { values } = toDense(samples)
    for (const j of [0, 1]) {
      const column = [values[j], values[2 + j], values[4 + j]]
      expect(column.reduce((sum, v) => sum + v, 0)).toBeCloseTo(0, 12)
      expect(column.reduce((sum, v) => sum + v * v, 0)).toBeCloseTo(3, 12)
    }
    const again = await feed(table, 'scale', '-', '--restore', 's.json', '--format', 'csv')
    expect(again.stdout).toBe(stdout)
  })

  it('refuses a file that holds no scaling', async () => {
    writeFileSync(path('bad.json'), '{"kind":"standard","mean":[0],"scale":[0]}')
    const { code, stderr } = await feed('1 1:2\n', 'scale', '-', '--restore', 'bad.json')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: bad\.json: not a scaler: scale\.0: .*\n$/)
  })
})

it('counts features from 0 in every file when told so, not only where 0 occurs', async () => {
  writeFileSync(path('from-0.libsvm'), '1 1:5\n-1 2:6\n')
  expect((await json('scale', 'from-0.libsvm')).features).toBe(2)
  expect((await json('scale', 'from-0.libsvm', '--index-base', '0')).features).toBe(3)
  const { code, stderr } = await run('info', 'from-0.libsvm', '--index-base', '2')
  expect([code, stderr]).toEqual([2, 'error: info: --index-base must be one of 0, 1, got "2"\n'])
})

describe('info', () => {
  it('describes a table with names, classes and the ends of its values', async () => {
    writeFileSync(path('flowers.csv'), 'width,height,kind\n1,-2,rose\n3,0,tulip\n5,7,rose\n')
    const info = await json('info', 'flowers.csv')
    expect(info).toEqual({
      kind: 'data',
      table: {
        columns: ['width', 'height'].map((name) => ({ name, kind: 'number', chosen: false, missing: 0 })),
        label: 'kind',
        dropped: 0,
        notes: [
          'labels are taken from the last column, "kind", as none is named label, class, target, y (--label chooses another)',
        ],
      },
      samples: 3,
      features: 2,
      storage: 'dense',
      stored: 6,
      density: 5 / 6,
      min: -2,
      max: 7,
      weighted: false,
      featureNames: ['width', 'height'],
      classes: [
        { label: 'rose', samples: 2 },
        { label: 'tulip', samples: 1 },
      ],
      distinctLabels: 2,
    })
    writeFileSync(path('numbers.csv'), '1,10,100\n2,20,200\n1,30,300\n')
    const { stdout } = await run('info', 'numbers.csv', '--label', '0')
    expect(stdout).toContain('labels    1 (2), 2 (1)')
  })
})
