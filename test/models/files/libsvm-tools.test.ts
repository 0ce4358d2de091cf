/** Models written here and read by LIBSVM's own commands, and the other way round. Needs Debian's libsvm-tools. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { copyRow } from '../../../src/data/matrix/matrix.ts'
import { makeDataset, type VectorDataset } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import type { Kernel, KernelSpec } from '../../../src/kernels/kernel.ts'
import { kernelMatrix } from '../../../src/kernels/kernel-matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { precomputed, precomputedSamples } from '../../../src/kernels/precomputed.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { sigmoid } from '../../../src/kernels/sigmoid.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { parseLibsvmModel } from '../../../src/models/files/parse-libsvm-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { toolsInstalled } from '../../suites/installed-tools.ts'

const installed = toolsInstalled('libsvm-tools', ['svm-train', 'svm-predict'])

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-libsvm-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = (name: string) => join(folder, name)

/** Two overlapping clouds in `cols` dimensions, about half of the values zero. */
function clouds(seed: number, rows: number, cols: number, labels: readonly [number, number]): VectorDataset {
  const random = new Random(seed)
  const y = Array.from({ length: rows }, (_, i) => labels[i % 2])
  const x = y.map((label) =>
    Array.from({ length: cols }, () =>
      random.uniform() < 0.5 ? 0 : random.normal() + (label === labels[0] ? 0.7 : -0.7),
    ),
  )
  return makeDataset(x, y)
}

function svmPredict(model: string, data: string, ...options: string[]): string[] {
  execFileSync('svm-predict', [...options, data, model, path('out')])
  return readFileSync(path('out'), 'utf8').trim().split('\n')
}

/** The spec with its numbers in single precision. */
function roundedSpec(spec: KernelSpec): object {
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]) => [key, typeof value === 'number' ? Math.fround(value) : value]),
  )
}

const kernels: readonly (readonly [string, Kernel, readonly string[]])[] = [
  ['linear', linear(), ['-t', '0']],
  ['polynomial', polynomial({ gamma: 0.3, coef0: 0.5, degree: 3 }), ['-t', '1', '-g', '0.3', '-r', '0.5']],
  ['rbf', rbf({ gamma: 0.2 }), ['-t', '2', '-g', '0.2']],
  ['sigmoid', sigmoid({ gamma: 0.05, coef0: -0.25 }), ['-t', '3', '-g', '0.05', '-r', '-0.25']],
]

describe.skipIf(!installed)('models of ours in svm-predict', () => {
  const train = clouds(1, 120, 6, [1, -1])
  const test_ = clouds(2, 200, 6, [1, -1])
  const check = (model: Model, samples = test_.samples, text = formatLibsvm(test_)) => {
    writeFileSync(path('ours.model'), formatLibsvmModel(model))
    writeFileSync(path('test'), text)
    expect(svmPredict(path('ours.model'), path('test')).map(Number)).toEqual([...model.predict(samples)])
  }

  test.each(kernels)('%s', (_, kernel) => {
    check(new SVC({ kernel, C: 2 }).fitSync(train))
  })

  test('linear, without support vectors', () => {
    check(new LinearSVC().fitSync(train))
  })

  test('labels 3 and 7', () => {
    const model = new SVC().fitSync(clouds(1, 120, 6, [3, 7]))
    writeFileSync(path('ours.model'), formatLibsvmModel(model))
    writeFileSync(path('test'), formatLibsvm(test_))
    expect(svmPredict(path('ours.model'), path('test')).map(Number)).toEqual([
      ...model.predict(test_.samples),
    ])
  })

  test('precomputed', () => {
    const kernel = rbf({ gamma: 0.2 })
    const gram = precomputedSamples(kernelMatrix(kernel, train.samples))
    const model = new SVC({ kernel: precomputed() }).fitSync({ samples: gram, labels: train.labels })
    const rows = precomputedSamples(kernelMatrix(kernel, test_.samples, train.samples))
    check(model, rows, formatLibsvm({ samples: rows, labels: test_.labels }, { indexBase: 0 }))
  })
})

describe.skipIf(!installed)('models of svm-train here', () => {
  for (const labels of [
    [1, -1],
    [-1, 1],
    [3, 7],
  ] as const) {
    const train = clouds(3, 120, 6, labels)
    const test_ = clouds(4, 150, 6, labels)
    writeFileSync(path(`train${labels}`), formatLibsvm(train))
    writeFileSync(path(`test${labels}`), formatLibsvm(test_))

    test.each(kernels)(`%s, labels ${labels}`, (_, kernel, options) => {
      const file = path('theirs.model')
      execFileSync('svm-train', ['-q', ...options, path(`train${labels}`), file])
      const text = readFileSync(file, 'utf8')
      const model = parseLibsvmModel(text)
      expect([...model.predict(test_.samples)]).toEqual(svmPredict(file, path(`test${labels}`)).map(Number))
      // Debian's build keeps parameters in single precision.
      expect(roundedSpec(model.kernel.spec)).toEqual(roundedSpec(kernel.spec))
      // The decision values by the book, from numbers taken from the file by other means.
      const rho = Number(/^rho (.*)$/m.exec(text)?.[1])
      const vectors = parseLibsvm(text.slice(text.indexOf('SV\n') + 3), { indexBase: 1 })
      const values = kernelMatrix(model.kernel, test_.samples, vectors.samples)
      const found = model.decisionFunction(test_.samples)
      for (let i = 0; i < found.length; i++) {
        let expected = -rho
        for (let s = 0; s < values.cols; s++) {
          expected += (vectors.labels[s] as number) * values.values[i * values.cols + s]
        }
        // f > 0 means the first label there, the larger one here.
        if (labels[0] === 3) expected = -expected
        expect(Math.abs(found[i] - expected)).toBeLessThan(1e-10 * Math.max(1, Math.abs(expected)))
      }
    })
  }

  test('the same optimum is found here', () => {
    const train = clouds(3, 120, 6, [1, -1])
    writeFileSync(path('train'), formatLibsvm(train))
    execFileSync('svm-train', ['-q', '-e', '1e-6', '-g', '0.2', path('train'), path('theirs.model')])
    const theirs = parseLibsvmModel(readFileSync(path('theirs.model'), 'utf8'))
    const ours = new SVC({ kernel: rbf({ gamma: 0.2 }), tol: 1e-6 }).fitSync(train)
    const a = theirs.decisionFunction(train.samples)
    const b = ours.decisionFunction(train.samples)
    // Its vectors are rounded to 8 digits in the file.
    for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-4)
    expect(ours.supportCount).toBe(theirs.supportCount)
  })

  test('a feature that no support vector has counts in the distance, as in svm-predict', () => {
    writeFileSync(path('train'), '1 1:1\n-1 1:-1\n')
    execFileSync('svm-train', ['-q', '-g', '1', path('train'), path('theirs.model')])
    const wide = '1 1:0.5 5:30\n-1 1:-0.5\n'
    writeFileSync(path('test'), wide)
    const model = parseLibsvmModel(readFileSync(path('theirs.model'), 'utf8'))
    const { samples } = parseLibsvm(wide)
    expect([...model.predict(samples)]).toEqual(svmPredict(path('theirs.model'), path('test')).map(Number))
    const row = new Float64Array(samples.cols)
    copyRow(samples, 0, row)
    // exp(-900) is nothing beside 1: f is the bias alone.
    expect(model.decisionFunction([row])[0]).toBeCloseTo(model.bias, 12)
  })
})
