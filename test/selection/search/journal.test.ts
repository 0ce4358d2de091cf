import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { generators } from '../../../src/data/generators/generators.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { estimators } from '../../../src/estimators/estimators.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { evaluateCells } from '../../../src/selection/score/evaluate-cells.ts'
import { makeScorer } from '../../../src/selection/score/scoring.ts'
import { datasetHash } from '../../../src/selection/search/content-hash.ts'
import {
  type EstimatorSpec,
  estimatorFromSpec,
  estimatorMaker,
  estimatorSpec,
  onOneThread,
  type Params,
} from '../../../src/selection/search/estimator-params.ts'
import { inProcessExecutor } from '../../../src/selection/search/executor.ts'
import { Journal } from '../../../src/selection/search/journal.node.ts'
import {
  foldsOfJob,
  jobKey,
  makeJob,
  parseJob,
  type TuningJob,
} from '../../../src/selection/search/tuning-job.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(folder, `${++files}.journal`)

const data = generators.moons.generate({ n: 60, noise: 0.2, seed: 1 })
const svc = new SVC({ kernel: rbf({ gamma: 1 }) })
const spec = estimatorSpec(svc) as EstimatorSpec
const cells: Params[] = [{ C: 1 }, { C: 10, gamma: 0.5 }]
const job = await makeJob(data, spec, { kind: 'k-fold', folds: 3, seed: 2 }, cells)

async function filled(path: string): Promise<string[]> {
  const journal = await Journal.open(path, job, 'accuracy')
  journal.add(cells[0], 0, { score: 0.9, seconds: 0.5 })
  journal.add(cells[0], 1, { score: Number.NaN, seconds: 0.25 })
  journal.add(cells[1], 2, { score: 0.1 + 0.2, seconds: 1 / 3 })
  journal.close()
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

describe('a job', () => {
  it('names data by content: dense and sparse rows are the same data, other labels and weights are not', async () => {
    const dense = makeDataset(
      [
        [1, 0],
        [0, 2],
      ],
      [1, -1],
    )
    const hash = await datasetHash(dense)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await datasetHash({ ...dense, samples: toSparse(dense.samples) })).toBe(hash)
    const withZero = {
      kind: 'sparse',
      rows: 2,
      cols: 2,
      indptr: Uint32Array.of(0, 2, 3),
      indices: Uint32Array.of(0, 1, 1),
      values: Float64Array.of(1, 0, 2),
    } as const
    expect(await datasetHash({ ...dense, samples: withZero })).toBe(hash)
    const others = [
      { ...dense, labels: Float64Array.of(1, 1) },
      { ...dense, labels: ['1', '-1'] },
      { ...dense, weights: Float64Array.of(1, 1) },
      makeDataset(
        [
          [1, 0],
          [0, 2 + 1e-15],
        ],
        [1, -1],
      ),
      makeDataset(
        [
          [1, 0, 0],
          [0, 2, 0],
        ],
        [1, -1],
      ),
      { samples: ['a', 'b'], labels: dense.labels },
    ]
    const hashes = await Promise.all([dense, ...others].map(datasetHash))
    expect(new Set(hashes).size).toBe(7)
  })

  it('survives JSON, and is checked when it comes back', async () => {
    expect(parseJob(JSON.parse(JSON.stringify(job)))).toEqual(job)
    expect(() => parseJob({ ...job, version: 2 })).toThrow(
      'job version 2 is not supported; this program reads version 1',
    )
    expect(() => parseJob({})).toThrow('this is not a job')
    expect(() => parseJob({ ...job, data: 'abc' })).toThrow('job: data: must be a SHA-256')
    expect(() => parseJob({ ...job, cells: [{ C: null }] })).toThrow('job: cells.0.C')
  })

  it('makes the same folds anywhere, from a protocol or written out', async () => {
    const folds = foldsOfJob(job, data)
    const written = await makeJob(data, spec, folds, cells)
    expect(foldsOfJob(parseJob(JSON.parse(JSON.stringify(written))), data)).toEqual(folds)
  })

  it('limits estimators of every type to one thread, where nothing else was said', () => {
    for (const Estimator of Object.values(estimators)) {
      expect(onOneThread(new Estimator())).toMatchObject({ options: { threads: 1 } })
      expect(onOneThread(new Estimator({ threads: 3 }))).toMatchObject({ options: { threads: 3 } })
    }
  })

  it('makes the same estimators from plain data as from the estimator', () => {
    const made = estimatorFromSpec(JSON.parse(JSON.stringify(spec)), cells[1]) as SVC
    const direct = estimatorMaker(svc)(cells[1]) as SVC
    for (const one of [made, direct]) {
      expect(one.options.C).toBe(10)
      expect(one.options.kernel?.spec).toEqual({ kind: 'rbf', gamma: 0.5 })
    }
    const poly = estimatorMaker(svc)({ kernel: 'poly', degree: 2 }) as SVC
    expect(poly.options.kernel?.spec).toMatchObject({ kind: 'polynomial', degree: 2 })
    expect(() => estimatorMaker(svc)({ degree: 2 })).toThrow('degree does not apply to the rbf kernel')
    expect(() => estimatorMaker(svc)({ kernel: 'rbv' })).toThrow('kernel must be one of linear')
    expect(() => estimatorFromSpec({ type: 'tree', options: {} })).toThrow('job: estimator must be one of')
    expect(() => estimatorMaker({ fit: svc.fit })).toThrow('tune: estimator must be')
  })

  it('has a key of its own but for its cells', async () => {
    const key = await jobKey(job, 'accuracy')
    expect(await jobKey({ ...job, cells: [] }, 'accuracy')).toBe(key)
    expect(await jobKey(job, 'f1')).not.toBe(key)
    expect(await jobKey({ ...job, folds: { kind: 'k-fold', folds: 3, seed: 3 } }, 'accuracy')).not.toBe(key)
  })
})

describe('Journal', () => {
  it('gives back what was added, to the last digit, and knows nothing else', async () => {
    const path = newFile()
    const lines = await filled(path)
    expect(lines).toHaveLength(4)
    expect(JSON.parse(lines[0])).toMatchObject({
      format: 'hyperplane-journal',
      version: 1,
      scoring: 'accuracy',
    })
    const journal = await Journal.open(path, job, 'accuracy')
    expect(journal.known).toBe(3)
    expect(journal.get({ gamma: 0.5, C: 10 }, 2)).toEqual({ score: 0.1 + 0.2, seconds: 1 / 3 })
    expect(journal.get(cells[0], 1)).toEqual({ score: Number.NaN, seconds: 0.25 })
    expect(journal.get(cells[0], 2)).toBeUndefined()
    journal.close()
  })

  it('drops a last line that was cut off anywhere, and goes on after the one before', async () => {
    const path = newFile()
    const lines = await filled(path)
    const whole = lines
      .slice(0, 3)
      .map((line) => `${line}\n`)
      .join('')
    for (const length of [1, 20, lines[3].length - 1, lines[3].length]) {
      writeFileSync(path, whole + lines[3].slice(0, length))
      const journal = await Journal.open(path, job, 'accuracy')
      expect(journal.known).toBe(2)
      journal.add(cells[1], 2, { score: 0.1 + 0.2, seconds: 1 / 3 })
      journal.close()
      expect(readFileSync(path, 'utf8')).toBe(`${whole}${lines[3]}\n`)
    }
  })

  it('begins again where not even the first line was finished', async () => {
    const path = newFile()
    const [head] = await filled(path)
    for (const length of [0, 10, head.length]) {
      writeFileSync(path, head.slice(0, length))
      const journal = await Journal.open(path, job, 'accuracy')
      expect(journal.known).toBe(0)
      journal.close()
      expect(readFileSync(path, 'utf8')).toBe(`${head}\n`)
    }
  })

  it('passes over a line that was cut off in the middle of the file, and keeps what follows it', async () => {
    const path = newFile()
    const lines = await filled(path)
    for (const length of [1, 20, lines[2].length - 1]) {
      const torn = lines.with(2, lines[2].slice(0, length) + lines[3]).with(3, lines[1])
      writeFileSync(path, torn.map((line) => `${line}\n`).join(''))
      const before = readFileSync(path, 'utf8')
      const journal = await Journal.open(path, job, 'accuracy')
      expect(journal.known).toBe(2)
      expect(journal.get(cells[1], 2)).toEqual({ score: 0.1 + 0.2, seconds: 1 / 3 })
      journal.close()
      expect(readFileSync(path, 'utf8')).toBe(before)
    }
  })

  it('begins again after the first line of another job that was cut off', async () => {
    const path = newFile()
    const other = newFile()
    await filled(other)
    const [head] = readFileSync(other, 'utf8').split('\n')
    writeFileSync(path, head.slice(0, -10))
    const journal = await Journal.open(path, { ...job, data: 'f'.repeat(64) }, 'accuracy')
    journal.close()
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"format":"hyperplane-journal",.*f{64}.*\}\n$/)
  })

  it('refuses a damaged line with its place, and leaves the file alone', async () => {
    const path = newFile()
    const lines = await filled(path)
    const damaged = lines
      .with(2, lines[2].replace('0.25', '0.26'))
      .map((line) => `${line}\n`)
      .join('')
    writeFileSync(path, damaged)
    await expect(Journal.open(path, job, 'accuracy')).rejects.toThrow(
      `${path}:3: this line of the journal is damaged`,
    )
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })

  it.each([
    ['other data', { data: 'f'.repeat(64) }, 'accuracy'],
    [
      'another estimator, or other options of it',
      { estimator: { type: 'svc', options: { tol: 1e-5 } } },
      'accuracy',
    ],
    ['other folds', { folds: { kind: 'k-fold', folds: 5, seed: 2 } }, 'accuracy'],
    ['other folds, another score', { folds: { kind: 'k-fold', folds: 5, seed: 2 } }, 'f1'],
  ] as const)('says when it was begun with %s', async (words, change, scoring) => {
    const path = newFile()
    await filled(path)
    const before = readFileSync(path, 'utf8')
    await expect(Journal.open(path, { ...job, ...change } as TuningJob, scoring)).rejects.toThrow(
      `${path}: this journal was started with ${words}; use another file, or delete it to start again`,
    )
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it.each([
    ['a data file', '1 1:0.5\n-1 1:2\n'],
    ['one line without an end', 'my notes'],
    ['an empty object', '{}\n'],
  ])('leaves %s alone', async (_, text) => {
    const path = newFile()
    writeFileSync(path, text)
    await expect(Journal.open(path, job, 'accuracy')).rejects.toThrow('is not a journal')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('knows its version, and lines of other jobs', async () => {
    const path = newFile()
    const other = newFile()
    const lines = await filled(path)
    const stranger = await Journal.open(other, { ...job, data: 'e'.repeat(64) }, 'accuracy')
    stranger.add(cells[0], 0, { score: 1, seconds: 1 })
    stranger.close()
    const [, foreign] = readFileSync(other, 'utf8').split('\n')
    appendFileSync(path, `${foreign}\n${lines[1]}\n`)
    await expect(Journal.open(path, job, 'accuracy')).rejects.toThrow(
      `${path}:5: this line does not belong to this journal`,
    )
  })
})

describe('evaluateCells', () => {
  it('computes cells that depend on each other together', async () => {
    const path = newFile()
    const many = [
      { C: 1, gamma: 1 },
      { C: 2, gamma: 1 },
      { C: 1, gamma: 2 },
    ]
    const work = { data, folds: foldsOfJob(job, data), cells: many, make: estimatorMaker(svc), job }
    const journal = await Journal.open(path, job, 'accuracy')
    await evaluateCells(work, makeScorer('accuracy'), { store: journal })
    journal.close()
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(
      path,
      lines.filter((line) => !line.includes('"fold":1,') || !line.includes('"C":2')).join('\n'),
    )
    const cut = await Journal.open(path, job, 'accuracy')
    expect(cut.known).toBe(8)
    const computed: string[] = []
    const executor = {
      ...inProcessExecutor(),
      together: (_: unknown, cell: number) => String(many[cell].gamma),
    }
    const results = await evaluateCells(work, makeScorer('accuracy'), {
      store: cut,
      executor,
      onOutput: (cell, fold) => computed.push(`${cell}.${fold}`),
    })
    cut.close()
    expect(computed.sort()).toEqual(['0.1', '1.1'])
    expect(results.every((cell) => cell?.scores.every(Number.isFinite))).toBe(true)
  })

  it('computes only what no journal knows, and ends with the same table', async () => {
    const work = { data, folds: foldsOfJob(job, data), cells, make: estimatorMaker(svc), job }
    const scorer = makeScorer('accuracy')
    const clean = await evaluateCells(work, scorer)
    const path = newFile()
    const stop = new AbortController()
    const first = await Journal.open(path, job, 'accuracy')
    const part = await evaluateCells(work, scorer, {
      store: first,
      signal: stop.signal,
      onCell: () => stop.abort(),
    })
    first.close()
    expect(part.map((cell) => cell?.scores)).toEqual([clean[0]?.scores, undefined])
    const second = await Journal.open(path, job, 'accuracy')
    expect(second.known).toBe(3)
    let computed = 0
    const whole = await evaluateCells(work, scorer, { store: second, onOutput: () => computed++ })
    second.close()
    expect(computed).toBe(3)
    expect(whole.map((cell) => [cell?.params, cell?.scores])).toEqual(
      clean.map((cell) => [cell?.params, cell?.scores]),
    )
  })
})
