/** What `predict -o` writes by the ending of the name, and sets and intervals from `train --conformal` to `evaluate`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDataset } from '../../../src/data/files/read-dataset.node.ts'
import { writeDataset } from '../../../src/data/files/write-dataset.node.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { readModel } from '../../../src/models/files/read-model.node.ts'
import type { SvcModel } from '../../../src/models/svc-model.ts'
import type { SvrModel } from '../../../src/models/svr-model.ts'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()
const text = (name: string) => readFileSync(path(name), 'utf8')
const ok = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const refused = async (...words: string[]) => {
  const { code, stderr } = await run(...words)
  expect(code).not.toBe(0)
  return stderr
}

/** Labels that a careless writer would break, and an id. */
const plans = ['free, "old"', 'pro']
const customers = Array.from({ length: 40 }, (_, i) => ({
  customer: `c;${i}`,
  age: 20 + ((i * 13) % 40),
  plan: plans[Number((i * 13) % 40 > 20)],
}))
const csvCell = (cell: unknown) => `"${String(cell).replaceAll('"', '""')}"`
const csvOf = (rows: readonly object[]) =>
  [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('')

beforeAll(async () => {
  writeFileSync(path('customers.csv'), csvOf(customers))
  await writeDataset(path('sine.csv'), generate('sine', { n: 80, seed: 1 }))
  await writeDataset(path('sine.new.csv'), generate('sine', { n: 200, seed: 2 }))
  await writeDataset(
    path('three.libsvm'),
    generate('blobs', { n: 90, centers: 3, classes: 3, spread: 2, seed: 3 }),
  )
  await ok(
    'train',
    'customers.csv',
    '--label',
    'plan',
    '--ignore',
    'customer',
    '--probability',
    'sigmoid',
    '-o',
    'plan.json',
  )
  await ok('train', 'sine.csv', '--type', 'svr', '--C', '10', '--conformal', '0.8', '-o', 'sine.json')
  await ok('train', 'three.libsvm', '--conformal', '0.95', '-o', 'three.json')
})

describe('the ending of the name decides', () => {
  const flags = ['--id', 'customer', '--decision', '--probability'] as const

  it('.csv and .tsv: a header, a row per sample, fields quoted where they must be', async () => {
    await ok('predict', 'customers.csv', 'plan.json', ...flags, '-o', 'plan.csv')
    const [header, first] = text('plan.csv').split('\n')
    expect(header).toBe('customer,prediction,decision,"probability_free, ""old""",probability_pro')
    expect(first).toMatch(/^c;0,"free, ""old""",-[\d.]+,0\.\d+,0\.\d+$/)
    // It reads back as what --json says.
    const answer = await json('predict', 'customers.csv', 'plan.json', ...flags)
    const back = await readDataset(path('plan.csv'), {
      labelColumn: 'prediction',
      columns: { customer: 'ignored' },
    })
    expect(back.labels).toEqual(answer.labels)
    const rows = text('plan.csv').trimEnd().split('\n').slice(1)
    const numbers = rows.map((row) => row.split(',').slice(-3).map(Number))
    expect(numbers.map(([decision]) => decision)).toEqual(answer.decisions)
    expect(numbers.flatMap(([, ...probabilities]) => probabilities)).toEqual(answer.probabilities)
    expect(answer.ids).toEqual(customers.map(({ customer }) => customer))
    await ok('predict', 'customers.csv', 'plan.json', ...flags, '-o', 'plan.tsv')
    expect(text('plan.tsv').split('\n')[0].split('\t').length).toBe(5)
    await ok('predict', 'customers.csv', 'plan.json', ...flags, '-o', 'plan.csv.gz')
    expect(gunzipSync(readFileSync(path('plan.csv.gz'))).toString()).toBe(text('plan.csv'))
  })

  it('.jsonl: an object per line; .json: a list of them', async () => {
    await ok('predict', 'customers.csv', 'plan.json', ...flags, '-o', 'plan.jsonl')
    const lines = text('plan.jsonl').trimEnd().split('\n')
    const objects = lines.map((line) => JSON.parse(line))
    const answer = await json('predict', 'customers.csv', 'plan.json', ...flags)
    expect(objects[3]).toEqual({
      customer: 'c;3',
      prediction: answer.labels[3],
      decision: answer.decisions[3],
      probability: { [plans[0]]: answer.probabilities[6], [plans[1]]: answer.probabilities[7] },
    })
    await ok('predict', 'customers.csv', 'plan.json', ...flags, '-o', 'list.json')
    expect(JSON.parse(text('list.json'))).toEqual(objects)
  })

  it('any other: lines, the label first, as svm-predict', async () => {
    await ok('predict', 'three.libsvm', 'three.json', '--no-conformal', '-o', 'three.labels')
    expect(text('three.labels')).toMatch(/^(\d\n){90}$/)
    expect(await ok('predict', 'three.libsvm', 'three.json', '--no-conformal')).toBe(text('three.labels'))
  })

  it('several scores are named by their classes', async () => {
    await ok('predict', 'three.libsvm', 'three.json', '--decision', '-o', 'scores.csv')
    expect(text('scores.csv').split('\n')[0]).toBe('prediction,decision_1,decision_2,decision_3,set,set_size')
  })

  it('a format that is not written is refused, and so is an id that is not there', async () => {
    expect(await refused('predict', 'customers.csv', 'plan.json', '-o', 'plan.parquet')).toBe(
      'error: plan.parquet: predictions cannot be written as .parquet; allowed: .csv, .tsv, .jsonl, .json and .txt\n',
    )
    expect(await refused('predict', 'customers.csv', 'plan.json', '--id', 'name')).toContain(
      'no column is named "name"',
    )
    expect(await refused('predict', 'three.libsvm', 'three.json', '--id', 'name')).toContain(
      '--id needs a table',
    )
  })
})

describe('train --conformal', () => {
  it('keeps intervals in the model, which predict writes and evaluate counts', async () => {
    const model = (await readModel(path('sine.json'))) as SvrModel
    expect(model.conformal).toMatchObject({ level: 0.8, by: 'residuals', from: 'folds', samples: 80 })
    const unseen = generate('sine', { n: 200, seed: 2 })
    const { predicted, lower, upper } = model.predictInterval(unseen.samples)
    const answer = await json('predict', 'sine.new.csv', 'sine.json')
    expect(answer).toMatchObject({ interval: 0.8, lower: Array.from(lower), upper: Array.from(upper) })
    await ok('predict', 'sine.new.csv', 'sine.json', '-o', 'sine.out.csv')
    expect(text('sine.out.csv').split('\n').slice(0, 2)).toEqual([
      'prediction,lower,upper',
      [predicted[0], lower[0], upper[0]].join(','),
    ])
    const inside = Array.from(unseen.labels as Float64Array, (y, i) => lower[i] <= y && y <= upper[i])
    const { conformal } = await json('evaluate', 'sine.new.csv', 'sine.json')
    expect(conformal.coverage).toBe(inside.filter(Boolean).length / 200)
    expect(conformal.width).toBeCloseTo(2 * (model.conformal?.quantile ?? 0), 12)
    expect(await ok('evaluate', 'sine.new.csv', 'sine.json')).toMatch(
      /\ncoverage +[\d.]+% of the intervals, for a promised 80.00%\ninterval width +[\d.]+\n$/,
    )
    expect(await ok('info', 'sine.json')).toMatch(
      /^conformal +intervals of ±[\d.]+ contain the true value with probability 80.00%/m,
    )
    expect(await ok('predict', 'sine.new.csv', 'sine.json', '--no-conformal')).not.toContain(' ')
    expect(await refused('predict', 'sine.new.csv', 'sine.json', '--interval', '0.5')).toContain(
      'sine.json: the model has no intervals of level 0.5, only of 0.8',
    )
  })

  it('keeps sets of classes', async () => {
    const model = (await readModel(path('three.json'))) as unknown as SvcModel
    const { samples, labels } = await readDataset(path('three.libsvm'))
    const sets = model.predictSets(samples as never)
    const answer = await json('predict', 'three.libsvm', 'three.json')
    expect(answer).toMatchObject({ level: 0.95, sets })
    const sizes = sets.map(({ length }) => length)
    const { conformal } = await json('evaluate', 'three.libsvm', 'three.json')
    expect(conformal).toEqual({
      level: 0.95,
      coverage: sets.filter((set, i) => set.includes(labels[i])).length / 90,
      meanSetSize: sizes.reduce((sum, size) => sum + size, 0) / 90,
      single: sizes.filter((size) => size === 1).length / 90,
      empty: sizes.filter((size) => size === 0).length / 90,
    })
    const [line] = (await ok('predict', 'three.libsvm', 'three.json')).split('\n')
    expect(line).toBe(`${answer.labels[0]} {${sets[0].join(',')}}`)
    await ok('predict', 'three.libsvm', 'three.json', '-o', 'three.csv')
    const last = text('three.csv').trimEnd().split('\n').at(-1)
    expect(last).toBe(`${answer.labels[89]},${sets[89].join(' | ')},${sets[89].length}`)
  })

  it('works in tune, with a threshold and with probabilities', async () => {
    const tuned = await json(
      ...[
        'tune',
        'customers.csv',
        '--label',
        'plan',
        '--ignore',
        'customer',
        '--C',
        '1,10',
        '--gamma',
        '0.01',
      ],
      ...['--calibrate', 'sigmoid', '--threshold', 'f1', '--conformal', '0.9', '-o', 'tuned.json'],
    )
    expect(tuned.conformal).toMatchObject({ level: 0.9, by: 'scores', from: 'folds', samples: 40 })
    const model = await readModel(path('tuned.json'))
    expect(model).toMatchObject({ conformal: tuned.conformal, threshold: tuned.threshold })
    expect(model.probability).toBeDefined()
  })

  it('is refused where it means nothing', async () => {
    expect(await refused('train', 'sine.csv', '--type', 'one-class', '--conformal', '0.9')).toContain(
      '--conformal does not apply to --type one-class',
    )
    expect(await refused('train', 'sine.csv', '--type', 'svr', '--conformal', '90')).toContain(
      '--conformal must be a number above 0 and below 1, got "90"',
    )
    expect(
      await refused('train', 'sine.csv', '--type', 'svr', '--conformal', '0.9', '-o', 'sine.model'),
    ).toContain('cannot hold what conformal prediction goes by')
    expect(await refused('predict', 'customers.csv', 'plan.json', '--conformal')).toContain(
      'the model has no sets or intervals; train it with --conformal LEVEL',
    )
  })
})
