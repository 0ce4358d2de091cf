import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseDataset } from '../../../src/data/files/parse-dataset.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { readModel } from '../../../src/models/files/read-model.node.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import { thresholdFromFolds } from '../../../src/selection/calibrate/choose-threshold.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { nestedCrossValidate } from '../../../src/selection/score/nested-cross-validate.ts'
import type { Protocol } from '../../../src/selection/score/protocols.ts'
import { validateAndTest } from '../../../src/selection/score/validate-and-test.ts'
import { gridCells } from '../../../src/selection/search/search-cells.ts'
import { tune } from '../../../src/selection/search/tune.ts'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()

/** Patients of six visits each, days that do not ascend with the rows. */
const visits = (length: number) => {
  const rows = Array.from({ length }, (_, i) => {
    const day = (i * 37) % length
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
    return `p${Math.floor(i / 6)},${date},${Math.sin(i)},${Math.cos(3 * i)},${Math.sin(i) + Math.cos(5 * i) > 0.3 ? 'yes' : 'no'}`
  })
  return `patient,day,a,b,left\n${rows.join('\n')}\n`
}
const table = visits(60)
const years = visits(240)
const columns = { day: 'ignored', patient: 'ignored' } as const

beforeAll(() => {
  writeFileSync(path('visits.csv'), table)
  writeFileSync(path('years.csv'), years)
})

/** What a command says of folds: how many samples each had, and its accuracy. */
const outcome = ({ folds, scores }: { folds: { train: number; test: number }[]; scores: unknown }) => ({
  sizes: folds.map(({ train, test }) => [train, test]),
  scores,
})

describe('--groups', () => {
  it('keeps groups together, as the library does, and takes the column for no feature', async () => {
    const data = await parseDataset(table, { groupColumn: 'patient', columns: { day: 'ignored' } })
    expect(Array.from(data.groups ?? []).slice(0, 7)).toEqual(['p0', 'p0', 'p0', 'p0', 'p0', 'p0', 'p1'])
    const words = ['cv', 'visits.csv', '--groups', 'patient', '--ignore', 'day', '--scoring', 'accuracy']
    const said = await json(...words)
    const own = await crossValidate(new SVC(), data as never, {
      protocol: { kind: 'k-fold', groups: data.groups as string[] },
    })
    expect(outcome(said)).toEqual(outcome(own as never))
    expect(said.folds.every(({ test }: { test: number }) => test % 6 === 0)).toBe(true)
  })

  it('holds for tune, path, learning-curve and thresholds of train', async () => {
    const split = ['--groups', 'patient', '--ignore', 'day']
    const grid = ['--C', '1,10', '--gamma', '0.5']
    const tuned = await json('tune', 'visits.csv', ...split, ...grid, '--threshold', 'f1', '-o', 't.json')
    const random = await json('tune', 'visits.csv', '--ignore', 'day,patient', ...grid)
    expect(tuned.cells.map(({ scores }: { scores: unknown }) => scores)).not.toEqual(
      random.cells.map(({ scores }: { scores: unknown }) => scores),
    )
    expect((await json('info', 't.json')).threshold).toBe(tuned.threshold)
    expect((await json('path', 'visits.csv', ...split, '--C', '1')).points).toHaveLength(1)
    expect((await json('learning-curve', 'visits.csv', ...split)).points.length).toBeGreaterThan(1)
    const trained = await json('train', 'visits.csv', ...split, '--threshold', 'f1')
    const data = await parseDataset(table, { groupColumn: 'patient', columns: { day: 'ignored' } })
    const protocol = { kind: 'k-fold', folds: 5, groups: data.groups as string[] } as const
    const chosen = await thresholdFromFolds(new SVC(), data as never, { maximise: 'f1' }, { protocol })
    expect(trained.threshold).toBe(chosen.threshold)
    expect(trained.onFolds.f1).toBe(chosen.f1)
    const reported = await json('cv', 'visits.csv', ...split, '--threshold', 'f1')
    expect([reported.threshold, reported.onFolds.f1]).toEqual([chosen.threshold, chosen.f1])
  })
})

describe('--time', () => {
  it('trains on what came before, by numbers or dates; --time-series by rows', async () => {
    const data = await parseDataset(table, { timeColumn: 'day', columns: { patient: 'ignored' } })
    const words = ['cv', 'visits.csv', '--ignore', 'patient', '--folds', '3', '--scoring', 'accuracy']
    const said = await json(...words, '--time', 'day', '--gap', '2')
    const own = await crossValidate(new SVC(), data as never, {
      protocol: { kind: 'time-series', folds: 3, gap: 2, times: data.times as Float64Array },
    })
    expect(outcome(said)).toEqual(outcome(own as never))
    expect(outcome(said).sizes).toEqual([
      [13, 15],
      [28, 15],
      [43, 15],
    ])
    const inRows = await json('cv', 'visits.csv', '--ignore', 'patient,day', '--folds', '3', '--time-series')
    const plain = await parseDataset(table, { columns })
    const byRows = await crossValidate(new SVC(), plain as never, {
      protocol: { kind: 'time-series', folds: 3 },
      scoring: 'accuracy',
    })
    expect(inRows.scores[0].scores).toEqual(byRows.scores[0].scores)
    const held = await json(...words.slice(0, 4), '--time', 'day', '--protocol', 'hold-out')
    expect(held.folds).toMatchObject([{ train: 48, test: 12 }])
  })
})

describe('folds within folds', () => {
  const byPatient = { groupColumn: 'patient', columns: { day: 'ignored' } } as const
  const byDay = { timeColumn: 'day', columns: { patient: 'ignored' } } as const

  it('of calibrations go by groups and time, as in the library', async () => {
    const words = ['--probability', 'sigmoid', '--scale', 'standard']
    const probabilityOf = async (file: string) =>
      ((await readModel(path(file))) as { probability?: unknown }).probability
    const machine = new SVC({ scaler: 'standard' })
    await json('train', 'visits.csv', '--groups', 'patient', '--ignore', 'day', ...words, '-o', 'g.json')
    const grouped = (await parseDataset(table, byPatient)) as never
    expect(await probabilityOf('g.json')).toEqual((await fitCalibrated(machine, grouped)).probability)
    await json(
      'train',
      'visits.csv',
      '--time',
      'day',
      '--gap',
      '3',
      '--ignore',
      'patient',
      ...words,
      '-o',
      't.json',
    )
    const timed = (await parseDataset(table, byDay)) as never
    const protocol = { kind: 'time-series', gap: 3 } as const
    expect(await probabilityOf('t.json')).toEqual(
      (await fitCalibrated(machine, timed, { protocol })).probability,
    )
    const said = await json(
      'cv',
      'visits.csv',
      '--groups',
      'patient',
      '--ignore',
      'day',
      ...words,
      '--scoring',
      'log-loss',
    )
    const inner = { fit: (part: never) => fitCalibrated(machine, part), learns: 'classes' }
    const own = await crossValidate(inner as never, grouped, { scoring: 'log-loss' })
    expect(said.scores[0].scores).toEqual(own.scores[0].scores)
  })

  it('of nested cross-validation, too', async () => {
    const words = ['--protocol', 'nested', '--log2c', '-1,3,2', '--log2g', '-3,-1,2', '--scoring', 'accuracy']
    const grid = { C: [0.5, 2, 8], gamma: [0.125, 0.5] }
    const tuner = (folds?: Protocol) => (part: never) =>
      tune(new SVC(), part, { grid, ...(folds && { folds }) })
    const said = await json('cv', 'visits.csv', ...words, '--groups', 'patient', '--ignore', 'day')
    const grouped = (await parseDataset(table, byPatient)) as never
    const own = await nestedCrossValidate(tuner() as never, grouped, { scoring: 'accuracy' })
    expect([said.scores[0].scores, said.choices]).toEqual([own.scores[0].scores, own.choices])
    expect(said.folds.every(({ test }: { test: number }) => test % 6 === 0)).toBe(true)
    const split = ['--time', 'day', '--gap', '2', '--folds', '3', '--ignore', 'patient']
    const later = await json('cv', 'years.csv', ...words, ...split)
    const timed = (await parseDataset(years, byDay)) as never
    const gap = { kind: 'time-series', gap: 2 } as const
    const inTime = await nestedCrossValidate(tuner(gap) as never, timed, {
      scoring: 'accuracy',
      protocol: { ...gap, folds: 3 },
    })
    expect([later.scores[0].scores, later.choices]).toEqual([inTime.scores[0].scores, inTime.choices])
  })

  it('of train-validation-test: three parts, whole patients or one after the other', async () => {
    const words = ['--protocol', 'train-validation-test', '--log2c', '1,3,2', '--log2g', '-1,1,2']
    const said = await json('cv', 'visits.csv', ...words, '--groups', 'patient', '--ignore', 'day')
    expect([said.train, said.validation, said.test]).toEqual([36, 12, 12])
    const later = await json('cv', 'years.csv', ...words, '--time', 'day', '--ignore', 'patient')
    const timed = (await parseDataset(years, byDay)) as never
    const cells = gridCells({ C: [2, 8], gamma: [0.5, 2] })
    const own = await validateAndTest(new SVC(), timed, { cells })
    expect([later.bestParams, later.testScores.accuracy]).toEqual([own.bestParams, own.testScores.accuracy])
  })

  it('of few groups are as many as there are', async () => {
    writeFileSync(path('three.csv'), table.split('\n').slice(0, 19).join('\n'))
    const words = ['three.csv', '--groups', 'patient', '--ignore', 'day']
    expect((await json('cv', ...words)).folds).toHaveLength(3)
    const { stdout } = await run('tune', ...words, '--C', '1', '--gamma', '1')
    expect(stdout).toContain('1 cell on 3 folds')
  })
})

it.each([
  [
    ['cv', 'visits.csv', '--groups', 'patient', '--time', 'day'],
    '--groups cannot be used together with --time',
  ],
  [['cv', 'visits.csv', '--gap', '3'], '--gap needs --time or --time-series'],
  [['cv', 'visits.csv', '--protocol', 'group-k-fold'], '--protocol group-k-fold needs --groups COLUMN'],
  [
    ['cv', 'visits.csv', '--protocol', 'libsvm', '--groups', 'patient'],
    '--groups does not apply to --protocol libsvm',
  ],
  [['train', 'visits.csv', '--time', 'day'], '--time does not apply to training without folds'],
  [['cv', 'visits.csv', '--threshold', '0.5'], '--threshold must be f1, accuracy'],
  [
    ['cv', 'visits.csv', '--type', 'svr', '--label', 'a', '--threshold', 'f1'],
    '--threshold does not apply to --type svr',
  ],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await run(...words)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

it('names the column that is not there, or has no time', async () => {
  const near = await run('cv', 'visits.csv', '--groups', 'pateint')
  expect(near.stderr).toContain('no column is named "pateint"')
  expect(near.stderr).toContain('(did you mean "patient"?)')
  const text = await run('cv', 'visits.csv', '--time', 'patient')
  expect(text.stderr).toMatch(
    /^error: visits\.csv:2:1: .*must be a number or a date such as 2024-05-31, got "p0"\n$/,
  )
})
