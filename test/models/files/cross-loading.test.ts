/**
 * Models of LIBSVM's and LIBLINEAR's own commands, every type and kernel, loaded here: they predict what the commands
 * predict, and so do the commands with the files that we write. Needs Debian's libsvm-tools and liblinear-tools.
 */
import { describe, expect, test } from 'vitest'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import type { VectorDataset } from '../../../src/data/table/dataset.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { formatLiblinearModel } from '../../../src/models/files/format-liblinear-model.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { parseJsonModel } from '../../../src/models/files/parse-json-model.ts'
import { type LiblinearModel, parseLiblinearModel } from '../../../src/models/files/parse-liblinear-model.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { isClassifier, type Model } from '../../../src/models/model.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { clouds, curve, kernelRows } from '../../suites/tool-data.ts'

const libsvm = toolsInstalled('libsvm-tools', ['svm-train', 'svm-predict'])
const liblinear = toolsInstalled('liblinear-tools', ['liblinear-train', 'liblinear-predict'])
const { write, read, run } = toolFolder()

const kernels = {
  linear: ['-t', '0'],
  polynomial: ['-t', '1', '-g', '0.25', '-r', '0.5', '-d', '2'],
  rbf: ['-t', '2', '-g', '0.25'],
  sigmoid: ['-t', '3', '-g', '0.03125', '-r', '-0.25'],
  precomputed: ['-t', '4'],
} as const

/** Labels of two classes in either order, and of more, in orders of their own. */
const labelSets = [
  [1, -1],
  [3, 7],
  [5, -2, 9],
  [4, 0, 3, 8, 1, 2, 9, 7, 6, 5],
]

interface Case {
  readonly train: VectorDataset
  readonly test: VectorDataset
  readonly indexBase: 0 | 1
}

function dataOf(type: string, labels: readonly number[], kernel: string): Case {
  const size = 30 * labels.length
  const regression = type === 'epsilon_svr' || type === 'nu_svr'
  const train = regression ? curve(1, 90) : clouds(1, Math.max(90, size), labels)
  const test = regression ? curve(2, 150) : clouds(2, 150, labels)
  if (kernel !== 'precomputed') return { train, test, indexBase: 1 }
  return {
    train: { ...train, samples: kernelRows(train.samples, train.samples) },
    test: { ...test, samples: kernelRows(test.samples, train.samples) },
    indexBase: 0,
  }
}

/** What svm-predict writes: one number per line, and with -b 1 the probabilities after it. */
function predictions(command: string, model: string, options: readonly string[] = []) {
  run(command, options, 'test', model, 'out')
  const lines = read('out').trim().split('\n')
  const header = /^labels (.*)$/.exec(lines[0])?.[1]
  const rows = (header === undefined ? lines : lines.slice(1)).map((line) =>
    line.trim().split(' ').map(Number),
  )
  return { order: header?.trim().split(' ').map(Number), labels: rows.map(([label]) => label), rows }
}

/** Labels are equal, real numbers to what the text of the vectors (8 digits) leaves. */
function expectPredictions(model: Model, found: ArrayLike<number>, expected: readonly number[]): void {
  if (model.type === 'svr' || model.type === 'nu-svr' || model.type === 'linear-svr') {
    expected.forEach((value, i) => {
      expect(Math.abs(found[i] - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)))
    })
  } else expect(Array.from(found)).toEqual(expected)
}

/** Probabilities as the command prints them, six digits, whatever the order of its labels. */
function expectProbabilities(
  model: Model,
  found: Float64Array,
  theirs: ReturnType<typeof predictions>,
): void {
  if (!isClassifier(model)) throw new Error('no classifier')
  const k = model.classes.length
  theirs.rows.forEach((row, i) => {
    theirs.order?.forEach((label, p) => {
      const own = found[i * k + model.classes.indexOf(label)]
      expect(Math.abs(own - row[p + 1])).toBeLessThan(2e-6)
    })
  })
  expect(theirs.order?.length).toBe(k)
}

const types = { c_svc: 0, nu_svc: 1, one_class: 2, epsilon_svr: 3, nu_svr: 4 } as const
const cases = Object.keys(types).flatMap((type) =>
  (type.endsWith('svc') ? labelSets : [[1]]).flatMap((labels) =>
    Object.keys(kernels).map(
      (kernel) => [type, labels.length > 5 ? '10 classes' : String(labels), kernel, labels] as const,
    ),
  ),
)

describe.skipIf(!libsvm)('LIBSVM', () => {
  test.each(cases)('%s, %s, %s', (type, _, kernel, labels) => {
    const { train, test: unseen, indexBase } = dataOf(type, labels, kernel)
    write('train', formatLibsvm(train, { indexBase }))
    write('test', formatLibsvm(unseen, { indexBase }))
    const settings = ['-q', '-s', String(types[type as keyof typeof types]), '-n', '0.3']
    for (const probability of type === 'one_class' ? ['0'] : ['0', '1']) {
      const options = [...settings, ...kernels[kernel as keyof typeof kernels], '-b', probability]
      run('svm-train', options, 'train', 'theirs')
      const model = parseModel(read('theirs'))
      expect('probability' in model && model.probability !== undefined).toBe(probability === '1')
      const theirs = predictions('svm-predict', 'theirs')
      const byVotes = isClassifier(model)
        ? model.predict(unseen.samples, { by: 'votes' })
        : model.predict(unseen.samples)
      expectPredictions(model, byVotes as Float64Array, theirs.labels)
      // What we write is read there, and says the same; through JSON, too.
      const again = parseJsonModel(formatJsonModel(model))
      write('ours', formatLibsvmModel(again))
      expect(read('ours')).toBe(formatLibsvmModel(model))
      expectPredictions(model, predictions('svm-predict', 'ours').labels, theirs.labels)
      if (probability === '0' || !isClassifier(model)) continue
      const likely = predictions('svm-predict', 'theirs', ['-b', '1'])
      const found = model.predictProbability(unseen.samples, { coupling: 'libsvm' })
      expectProbabilities(model, found, likely)
      expect([...model.labelsOfProbabilities(found)]).toEqual(likely.labels)
      expect(predictions('svm-predict', 'ours', ['-b', '1'])).toEqual(likely)
    }
  })

  test('one class in the data: a model of no pairs', () => {
    write('train', '4 1:1\n4 1:2\n')
    write('test', '4 1:1\n3 1:7\n')
    run('svm-train', ['-q'], 'train', 'theirs')
    const model = parseModel(read('theirs'))
    expect(model.predict([[1], [7]])).toEqual(Float64Array.of(4, 4))
    expect(predictions('svm-predict', 'theirs').labels).toEqual([4, 4])
    write('ours', formatLibsvmModel(model))
    expect(predictions('svm-predict', 'ours').labels).toEqual([4, 4])
  })
})

const classifiers = {
  L2R_LR: 0,
  L2R_L2LOSS_SVC_DUAL: 1,
  L2R_L2LOSS_SVC: 2,
  L2R_L1LOSS_SVC_DUAL: 3,
  MCSVM_CS: 4,
  L1R_L2LOSS_SVC: 5,
  L1R_LR: 6,
  L2R_LR_DUAL: 7,
}
const others = { L2R_L2LOSS_SVR: 11, L2R_L2LOSS_SVR_DUAL: 12, L2R_L1LOSS_SVR_DUAL: 13 }
const linearCases = [
  ...Object.entries(classifiers).flatMap(([name, solver]) =>
    labelSets.map(
      (labels) => [name, labels.length > 5 ? '10 classes' : String(labels), solver, labels] as const,
    ),
  ),
  ...Object.entries(others).map(([name, solver]) => [name, '-', solver, [1]] as const),
]

describe.skipIf(!liblinear)('LIBLINEAR', () => {
  test.each(linearCases)('%s, labels %s', (name, _, solver, labels) => {
    const regression = name.includes('SVR')
    const train = regression ? curve(1, 120) : clouds(1, Math.max(120, 30 * labels.length), labels)
    const unseen = regression ? curve(2, 150) : clouds(2, 150, labels)
    write('train', formatLibsvm(train))
    write('test', formatLibsvm(unseen))
    for (const bias of [[], ['-B', '1'], ['-B', '2.5']]) {
      run('liblinear-train', ['-q', '-s', String(solver), ...bias], 'train', 'theirs')
      const model = parseModel(read('theirs')) as LiblinearModel
      expect(model.liblinearSolver).toBe(name)
      const theirs = predictions('liblinear-predict', 'theirs')
      expectPredictions(model, model.predict(unseen.samples) as Float64Array, theirs.labels)
      write('ours', formatLiblinearModel(parseJsonModel(formatJsonModel(model))))
      expectPredictions(model, predictions('liblinear-predict', 'ours').labels, theirs.labels)
      const again = parseLiblinearModel(read('ours'))
      expect(again.decisionFunction(unseen.samples)).toEqual(model.decisionFunction(unseen.samples))
      if (!name.includes('LR')) continue
      const likely = predictions('liblinear-predict', 'theirs', ['-b', '1'])
      expectProbabilities(
        model,
        (again as typeof model & { type: 'linear-svc' }).predictProbability(unseen.samples),
        likely,
      )
    }
  })

  test.skipIf(!libsvm)('linear models in svm-predict: w in place of support vectors', () => {
    for (const solver of [1, 4, 12]) {
      for (const labels of labelSets) {
        const unseen = clouds(2, 150, labels)
        write('train', formatLibsvm(clouds(1, 300, labels)))
        write('test', formatLibsvm(unseen))
        run('liblinear-train', ['-q', '-s', String(solver), '-B', '1'], 'train', 'theirs')
        const model = parseModel(read('theirs'))
        write('ours', formatLibsvmModel(model))
        const found = predictions('svm-predict', 'ours').labels
        expectPredictions(model, model.predict(unseen.samples) as Float64Array, found)
      }
    }
  })
})
