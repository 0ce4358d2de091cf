import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DataError, FormatError, ParameterError } from '../../../src/base/errors.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import type { DenseMatrix } from '../../../src/data/matrix/matrix.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { custom } from '../../../src/kernels/user-kernels.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { readModel } from '../../../src/models/files/read-model.node.ts'
import { writeModel } from '../../../src/models/files/write-model.node.ts'
import type { SvcParts } from '../../../src/models/model-parts.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperplane-model-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const model = new SVC().fitSync(generate('moons', { n: 30, seed: 1 }))
const json = formatJsonModel(model)
const libsvm = formatLibsvmModel(model)

test.each([
  ['a.json', {}, json],
  ['a', {}, json],
  ['a.txt', {}, json],
  ['a.model', {}, libsvm],
  ['a.libsvm', {}, libsvm],
  ['a.svm', {}, libsvm],
  ['b.model', { format: 'json' }, json],
  ['b.json', { format: 'libsvm' }, libsvm],
] as const)('%s is written with %o in the format that was asked for', async (name, options, text) => {
  const path = join(folder, name)
  await writeModel(path, model, options)
  expect(readFileSync(path, 'utf8')).toBe(text)
  const back = await readModel(path)
  expect(text === json ? formatJsonModel(back) : formatLibsvmModel(back)).toBe(text)
})

test.each(['a.onnx', 'a.PKL', 'a.joblib.gz'])('%s promises a format of another program', async (name) => {
  const path = join(folder, name)
  await expect(writeModel(path, model)).rejects.toThrow(
    `${path}: models cannot be written as ${name.slice(1)}; `,
  )
  expect(readdirSync(folder)).not.toContain(name)
  await writeModel(path, model, { format: 'json' })
  await expect(readModel(path)).resolves.toBeInstanceOf(SvcModel)
})

test('.gz is compressed, and read again', async () => {
  for (const [name, text] of [
    ['c.json.gz', json],
    ['c.model.gz', libsvm],
  ] as const) {
    const path = join(folder, name)
    await writeModel(path, model)
    expect(gunzipSync(readFileSync(path)).toString()).toBe(text)
    expect((await readModel(pathToFileURL(path))).bias).toBe(model.bias)
  }
  await expect(writeModel(join(folder, 'c.json.xz'), model)).rejects.toThrow(
    new DataError(`${join(folder, 'c.json.xz')}: models can be written plain or as .gz only`),
  )
})

test('a model that cannot be written leaves the old file alone', async () => {
  const path = join(folder, 'kept.model')
  await writeModel(path, model)
  const scaled = new SVC({ scaler: 'range' }).fitSync(generate('moons', { n: 30, seed: 1 }))
  await expect(writeModel(path, scaled)).rejects.toThrow('cannot hold a scaler')
  expect(readFileSync(path, 'utf8')).toBe(libsvm)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test.each([
  ['a bias', (parts: SvcParts) => ({ ...parts, biases: Float64Array.of(Number.NaN) }), 'its biases'],
  [
    'a coefficient',
    (parts: SvcParts) => ({ ...parts, dualCoef: parts.dualCoef.map(() => Number.POSITIVE_INFINITY) }),
    'its dualCoef',
  ],
  [
    'a support vector',
    (parts: SvcParts) => {
      const vectors = parts.supportVectors as DenseMatrix
      return { ...parts, supportVectors: { ...vectors, values: vectors.values.map(() => Number.NaN) } }
    },
    'its supportVectors.values',
  ],
  [
    'a probability',
    (parts: SvcParts) => ({
      ...parts,
      probability: { method: 'sigmoid' as const, a: Float64Array.of(Number.NaN), b: Float64Array.of(0) },
    }),
    'its probability.a',
  ],
  [
    'a scaler',
    (parts: SvcParts) => ({
      ...parts,
      scaler: { kind: 'standard' as const, mean: [0, Number.NaN], scale: [1, 1] },
    }),
    'its scaler.mean.1',
  ],
])('a model that would not load is not written: %s', async (_, spoil, words) => {
  const spoilt = new SvcModel(spoil(model))
  for (const name of ['spoilt.json', 'spoilt.json.gz']) {
    const path = join(folder, name)
    await expect(writeModel(path, spoilt)).rejects.toThrow(`cannot be saved: ${words} must be finite`)
    expect(existsSync(path)).toBe(false)
  }
  expect(() => parseModel(formatJsonModel(spoilt))).toThrow(FormatError)
})

test('functions are passed on', async () => {
  const path = join(folder, 'custom.json')
  const product = (x: Float64Array, z: Float64Array) => x[0] * z[0] + x[1] * z[1]
  const own = new SVC({ kernel: custom(product) }).fitSync(generate('blobs', { n: 20, seed: 1 }))
  await writeModel(path, own)
  const back = await readModel(path, { functions: { product } })
  expect(back.decisionFunction([[1, 2]])).toEqual(own.decisionFunction([[1, 2]]))
  await expect(readModel(path)).rejects.toThrow(FormatError)
})

test('errors name the file', async () => {
  await expect(readModel(join(folder, 'none.json'))).rejects.toThrow(
    new DataError(`${join(folder, 'none.json')}: no such file or directory`),
  )
  const path = join(folder, 'broken.json')
  writeFileSync(path, '{"format": "other"}')
  await expect(readModel(path)).rejects.toThrow(
    new FormatError('format: must be "hyperplane-model", got "other"', { file: path }),
  )
})

test('options are checked', async () => {
  const path = join(folder, 'unused')
  await expect(writeModel(path, model, { format: 'onnx' as 'json' })).rejects.toThrow(
    new ParameterError('writeModel', 'format', 'one of auto, json, libsvm, liblinear', 'onnx'),
  )
  await expect(readModel(path, { function: {} } as object)).rejects.toThrow(
    'readModel: option must be one of functions, maxBytes, got "function" (did you mean functions?)',
  )
})
