/**
 * Every reader, given what is damaged. Whatever it does, it ends; it throws errors of the library alone; and where it takes
 * the input, what it takes is judged by something else: a second reader, the sound input, or what the result is good for.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { gzipSync } from 'node:zlib'
import { HyperplaneError } from '../../src/base/errors.ts'
import type { Random } from '../../src/base/random.ts'
import { decompress } from '../../src/data/codecs/decompress.ts'
import { parseVectors } from '../../src/data/files/parse-vectors.ts'
import { parseLibsvm } from '../../src/data/libsvm/libsvm-parser.ts'
import { plainLineReader, readNoLines } from '../../src/data/libsvm/plain-lines.ts'
import { formatScaler, parseScaler } from '../../src/data/scaling/scaler-file.ts'
import type { VectorDataset } from '../../src/data/table/dataset.ts'
import { linesOnEngine } from '../../src/engine/text/parse-lines.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import { type EstimatorSpec, estimatorSpec } from '../../src/selection/search/estimator-params.ts'
import { Journal } from '../../src/selection/search/journal.node.ts'
import { parseJob, type TuningJob } from '../../src/selection/search/tuning-job.ts'
import { compressedFixtures } from './compressed-fixtures.ts'
import { damageBytes, damageJson, damageText } from './mutate.ts'
import { naiveLibsvm } from './naive-libsvm.ts'
import { parquetBody, parquetFooter, randomParquet, withFooter } from './parquet-files.ts'
import { pick } from './random-data.ts'
import { csvText, liblinearModelText, libsvmModelText, libsvmText, rangeText } from './reader-inputs.ts'
import { editTree, nodeAt, readTree, writeNode } from './thrift-tree.ts'

/** One damaged input, ready to be read. Returns what is wrong with what the reader took; throws what the reader throws. */
export type Attempt = () => Promise<string | undefined> | string | undefined

/** A reader by name, and what makes attempts on it. */
export interface ReaderCase {
  readonly name: string
  readonly attempt: (random: Random) => Attempt | Promise<Attempt>
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** All readers. */
export const readerCases: readonly ReaderCase[] = [
  {
    name: 'libsvm',
    attempt(random) {
      const bytes = damageText(random, libsvmText(random))
      const options = pick(random, [
        {},
        {},
        { indexBase: 0 as const },
        { features: 9 },
        { labels: 'string' as const },
      ])
      return () => {
        const byEngine = outcome(() =>
          withReader(linesOnEngine({ run: 32, window: 128, text: 0 }), () => parseLibsvm(bytes, options)),
        )
        const byParser = outcome(() => withReader(readNoLines, () => parseLibsvm(bytes, options)))
        if (!same(byEngine, byParser)) return `engine and parser differ: ${show(byEngine)}, ${show(byParser)}`
        if ('error' in byParser) throw byParser.error
        const { labels, samples } = byParser.value
        return same(naiveLibsvm(text(bytes), options), { labels, samples })
          ? undefined
          : 'other data than a naive reader finds'
      }
    },
  },
  {
    name: 'csv',
    attempt(random) {
      const bytes = damageText(random, csvText(random))
      const options = {
        format: pick(random, ['auto', 'csv', 'tsv'] as const),
        ...pick(random, [{}, { header: true }, { labelColumn: 0 }]),
      }
      return async () => soundTable(await parseVectors(bytes, options))
    },
  },
  {
    name: 'any data',
    attempt(random) {
      const sound = pick(random, [
        () => new TextEncoder().encode(libsvmText(random)),
        () => new TextEncoder().encode(csvText(random)),
        () => new Uint8Array(gzipSync(libsvmText(random))),
        () => randomParquet(random),
      ])()
      const bytes = damageBytes(random, sound)
      return async () => soundTable(await parseVectors(bytes))
    },
  },
  {
    name: 'parquet footer',
    async attempt(random) {
      const sound = randomParquet(random)
      const wanted = await parseVectors(sound)
      const tree = readTree(parquetFooter(sound))
      const path = editTree(random, tree)
      const bytes = withFooter(parquetBody(sound), writeNode(tree))
      return async () => {
        const got = await parseVectors(bytes)
        // What a column means or is called, and that its bytes are not compressed, is for the footer alone to say.
        const codec = /^4\.\d+\.1\.\d+\.3\.4$/.test(path) ? nodeAt(tree, path) : undefined
        const isPlain = codec?.type === 'i32' && codec.value === 0n
        const meaning = isPlain || /^2\.\d+(\.(4|6|7|8|10)(\..*)?)?$/.test(path)
        if (meaning ? sameShape(wanted, got) : same(wanted, got)) return undefined
        return `an edit of field ${path} gives other data`
      }
    },
  },
  {
    name: 'parquet bytes',
    async attempt(random) {
      const sound = randomParquet(random)
      const wanted = await parseVectors(sound)
      const bytes = damageBytes(random, sound)
      return async () => {
        const got = await parseVectors(bytes, { format: 'parquet' })
        return sameShape(wanted, got) ? soundTable(got) : `${got.samples.rows} rows of ${wanted.samples.rows}`
      }
    },
  },
  ...compressedFixtures.map(({ name, plain, packed }) => ({
    name,
    attempt(random: Random): Attempt {
      const bytes = damageBytes(random, packed)
      return async () => {
        const parts: Uint8Array[] = []
        const source = (async function* () {
          for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50)
        })()
        for await (const part of decompress(source)) parts.push(part)
        const got = text(Buffer.concat(parts))
        // Whole streams may be there twice, and what has lost its magic is no compressed data.
        if (got === text(bytes) || got.replaceAll(plain, '') === '') return undefined
        return `damaged ${name} data give other data`
      }
    },
  })),
  {
    name: 'scaler',
    attempt(random) {
      const bytes =
        random.int(3) > 0
          ? damageText(random, rangeText(random))
          : damageJson(
              random,
              pick(random, [
                { kind: 'standard', mean: [0, 1, 2.5], scale: [1, 2, 0.5] },
                {
                  kind: 'range',
                  lower: -1,
                  upper: 1,
                  min: [0, 1],
                  max: [1, 1],
                  target: { lower: 0, upper: 1, min: -1, max: 5 },
                },
              ]),
            )
      return () => {
        const written = formatScaler(parseScaler(text(bytes)))
        return formatScaler(parseScaler(written)) === written
          ? undefined
          : 'a scaler is not what is written of it'
      }
    },
  },
  ...[libsvmModelText, liblinearModelText].map((make, k) => ({
    name: ['libsvm model', 'liblinear model'][k],
    attempt(random: Random): Attempt {
      const bytes = damageText(random, make(random))
      return () => usableModel(text(bytes))
    },
  })),
  {
    name: 'json model',
    attempt(random) {
      const model = parseModel(pick(random, [libsvmModelText, liblinearModelText])(random))
      const bytes = damageJson(random, JSON.parse(JSON.stringify(model)))
      return () => usableModel(text(bytes))
    },
  },
  {
    name: 'job',
    attempt(random) {
      const document = parsedOr(job, text(damageJson(random, job)))
      return () => {
        parseJob(document)
        return undefined
      }
    },
  },
  {
    name: 'journal',
    async attempt(random) {
      const path = joinPath(tmpdir(), `hyperplane-torture-${process.pid}.journal`)
      rmSync(path, { force: true })
      const sound = await Journal.open(path, job, 'accuracy')
      const scores = Array.from({ length: 5 }, (_, fold) => random.int(100) / 100 + fold)
      for (const [fold, score] of scores.entries()) sound.add({ C: 1 }, fold, { score, seconds: 0.5 })
      sound.close()
      const bytes =
        random.int(2) === 0
          ? damageBytes(random, readFileSync(path))
          : damageText(random, readFileSync(path, 'utf8'))
      writeFileSync(path, bytes)
      return async () => {
        let journal: Journal
        try {
          journal = await Journal.open(path, job, 'accuracy')
        } catch (error) {
          if (!readFileSync(path).equals(bytes)) return 'a journal that is refused is changed'
          throw error
        }
        journal.close()
        const wrong = scores.some((score, fold) => (journal.get({ C: 1 }, fold)?.score ?? score) !== score)
        return wrong || journal.known > scores.length ? 'a damaged journal gives other scores' : undefined
      }
    },
  },
]

const job: TuningJob = {
  format: 'hyperplane-job',
  version: 1,
  data: '0123456789abcdef'.repeat(4),
  estimator: estimatorSpec(new SVC({ kernel: rbf({ gamma: 1 }) })) as EstimatorSpec as TuningJob['estimator'],
  folds: { kind: 'k-fold', folds: 5, seed: 2 },
  cells: [{ C: 1 }, { C: 10, gamma: 0.5 }],
}

function parsedOr(fallback: unknown, input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return fallback
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly message: string }

function outcome<T>(read: () => T): Outcome<T> {
  try {
    return { value: read() }
  } catch (error) {
    return { error, message: String(error) }
  }
}

function withReader<T>(reader: typeof readNoLines, read: () => T): T {
  const replaced = plainLineReader.install(reader)
  try {
    return read()
  } finally {
    plainLineReader.install(replaced)
  }
}

function soundTable({ samples, labels, weights }: VectorDataset): string | undefined {
  if (labels.length !== samples.rows || samples.rows === 0)
    return `${labels.length} labels, ${samples.rows} rows`
  if (weights && weights.length !== samples.rows) return `${weights.length} weights, ${samples.rows} rows`
  if (samples.kind === 'dense' && samples.values.length !== samples.rows * samples.cols)
    return 'cells are missing'
  return samples.values.every(Number.isFinite) ? undefined : 'values that are not finite'
}

/** A model that is taken must be of use: it says what it is, decides, and can be written and read again. */
function usableModel(input: string): string | undefined {
  const model = parseModel(input)
  model.info()
  const width = model.features ?? 3
  const written = JSON.stringify(model)
  if (JSON.stringify(parseModel(written)) !== written) return 'a model is not what is written of it'
  if (width > 1000) return undefined
  const values = Float64Array.from({ length: 2 * width }, (_, k) => (k % 5) - 2)
  try {
    model.predict({ kind: 'dense', rows: 2, cols: width, values } as never)
  } catch (error) {
    if (!(error instanceof HyperplaneError)) throw error
  }
  return undefined
}

function sameShape(a: VectorDataset, b: VectorDataset): boolean {
  return a.samples.rows === b.samples.rows && a.samples.cols === b.samples.cols
}

/** Equal in all parts; functions and errors aside. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a instanceof Error) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
}

function show(one: Outcome<unknown>): string {
  return 'error' in one ? one.message : 'data'
}
