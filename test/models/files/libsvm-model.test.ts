import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataError, FormatError } from '../../../src/base/errors.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { type Matrix, toDense, toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { custom } from '../../../src/kernels/user-kernels.ts'
import { formatLibsvmModel } from '../../../src/models/files/format-libsvm-model.ts'
import { type LibsvmModel, parseLibsvmModel } from '../../../src/models/files/parse-libsvm-model.ts'
import { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { someOneClass, someSvc, someSvr } from '../some-models.ts'

describe('the text', () => {
  test('is in the order of LIBSVM, positive class first, rho = -bias', () => {
    const model = new SvcModel<unknown>({
      classes: [-1, 1],
      biases: Float64Array.of(-0.25),
      kernel: polynomial({ gamma: 0.5, coef0: 1, degree: 2 }),
      supportVectors: {
        kind: 'dense',
        rows: 3,
        cols: 2,
        values: Float64Array.of(0.1, 0, 1 / 3, 1e-7, 0, 3e21),
      },
      dualCoef: Float64Array.of(-0.5, 1, -0.5),
      probability: { method: 'sigmoid', a: Float64Array.of(-2), b: Float64Array.of(0) },
    })
    expect(formatLibsvmModel(model)).toBe(`svm_type c_svc
kernel_type polynomial
degree 2
gamma 0.5
coef0 1
nr_class 2
total_sv 3
rho 0.25
label 1 -1
probA -2
probB 0
nr_sv 1 2
SV
1 1:0.3333333333333333 2:1e-7
-0.5 1:0.1
-0.5 2:3e+21
`)
  })

  test('keeps the orientation of the file, whichever label is larger', () => {
    const text = `svm_type c_svc
kernel_type linear
nr_class 2
total_sv 1
rho 0.5
label 3 7
nr_sv 1 0
SV
1 1:2
`
    const model = parseLibsvmModel(text)
    expect(model).toMatchObject({ classes: [3, 7], labelOrder: [0, 1] })
    // f > 0 means the larger label here: the sign is not the file's.
    expect(model.decisionFunction([[1], [0.25], [0]])).toEqual(Float64Array.of(-1.5, 0, 0.5))
    // f > 0 votes for the first label, a tie for the second.
    expect(model.predict([[1], [0.25], [0]])).toEqual(Float64Array.of(3, 7, 7))
    expect(formatLibsvmModel(model)).toBe(text)
  })

  test('may have Windows line ends and spaces at the end, and fields in any order', () => {
    const text =
      'label 1 0 \r\nrho -1 \r\nnr_class 2\r\nnr_sv 1 1\r\ntotal_sv 2\r\nsvm_type c_svc\r\nkernel_type linear\r\nSV\r\n1 1:1 \r\n-1 2:1 \r\n'
    expect(parseLibsvmModel(text).decisionFunction([[3, 1]])).toEqual(Float64Array.of(3))
  })

  describe('vectors are data lines, but for what only data may have', () => {
    const head =
      'svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 0\nnr_sv 1 1\nSV\n'

    test('explicit zeros change nothing', () => {
      const model = parseLibsvmModel(`${head}1 1:1 2:0\n-1 1:0 4:0\n`)
      expect(model.decisionFunction([[3, 1, 5, 7]])).toEqual(Float64Array.of(3))
      expect(() => model.decisionFunction([[3, 1, 5]])).toThrow(DataError)
    })

    test.each([
      ['comments', '1 1:1 # one\n-1 2:1\n', ':9:7: support vector 0: expected index:value, got "#"'],
      ['query ids', '1 qid:3 1:1\n-1 2:1\n', ':9:3: support vector 0: expected index:value, got "qid:3"'],
      ['blank lines', '1 1:1\n\n-1 2:1\n', ':10: a support vector is missing'],
    ])('%s are refused', (_, vectors, message) => {
      expect(() => parseLibsvmModel(head + vectors, { name: 'm' })).toThrow(
        expect.objectContaining({ name: 'FormatError', message: `m${message}` }),
      )
    })
  })

  test('may have no support vectors', () => {
    const text =
      'svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 0\nrho -1\nlabel 1 0\nnr_sv 0 0\nSV\n'
    const model = parseLibsvmModel(text)
    expect(model.predict([[3, 1]])).toEqual(Float64Array.of(1))
    expect(formatLibsvmModel(model)).toBe(text)
  })
})

describe('round trip', () => {
  test.each<[string, fc.Arbitrary<LibsvmModel>]>([
    ['kernel classifier', someSvc(true)],
    ['kernel regression', someSvr(true)],
    ['one-class model', someOneClass(true)],
  ])('of a %s: the same text, and every number to the last bit', (_, some) => {
    fc.assert(
      fc.property(some, (model) => {
        const text = formatLibsvmModel(model)
        const back = parseLibsvmModel(text)
        expect(formatLibsvmModel(back)).toBe(text)
        expect(back.type).toBe(model.type)
        expect(back.dualCoef).toStrictEqual(model.dualCoef)
        expect(back.biases).toStrictEqual(model.biases)
        expect(back.kernel.spec).toStrictEqual(model.kernel.spec)
        expect(back.probability).toStrictEqual(model.probability)
        const vectors = model.supportVectors as Matrix
        const width = (back.supportVectors as Matrix).cols
        // Zeros are left out, whatever their sign.
        const { values } = toDense({ ...toSparse(back.supportVectors as Matrix), cols: vectors.cols })
        expect(values).toEqual(toDense(vectors).values.map((value) => value + 0))
        expect(width).toBeLessThanOrEqual(vectors.cols)
        if (!('classes' in model)) return
        expect(back).toMatchObject({
          classes: model.classes,
          labelOrder: model.labelOrder,
          supportCounts: model.supportCounts,
        })
      }),
    )
  })

  test('a sparse model predicts the same to rounding: only the order of its vectors changes', () => {
    const { labels, samples } = generate('moons', { n: 80, noise: 0.2, seed: 5 })
    const model = new SVC({ kernel: rbf({ gamma: 2 }) }).fitSync({ samples: toSparse(samples), labels })
    const back = parseLibsvmModel(formatLibsvmModel(model))
    const expected = model.decisionFunction(samples)
    back.decisionFunction(samples).forEach((value, i) => {
      expect(Math.abs(value - expected[i])).toBeLessThan(1e-13)
    })
  })

  test('a linear model without support vectors becomes one vector: w', () => {
    const model = new LinearSvcModel({
      classes: [0, 1],
      biases: Float64Array.of(0.5),
      coef: Float64Array.of(1, 0, -2),
      features: 3,
    })
    const text = formatLibsvmModel(model)
    expect(text.split('SV\n')[1]).toBe('1 1:1 3:-2\n')
    expect(parseLibsvmModel(text).decisionFunction([[1, 5, 1]])).toEqual(model.decisionFunction([[1, 5, 1]]))
  })
})

describe('what the format cannot hold is refused', () => {
  const rows = [
    [0, 1],
    [1, 0],
  ]
  const save = (model: Model) => () => formatLibsvmModel(model)

  test('labels that are texts', () => {
    expect(save(new SVC().fitSync(makeDataset(rows, ['cat', 'dog'])))).toThrow(
      new DataError(
        `LIBSVM's model format cannot hold the label "cat": save it as JSON, or train with whole numbers as labels`,
      ),
    )
  })

  test('no label of 32 bits', () => {
    const classes = [-(2 ** 31), 2 ** 31 - 1]
    const model = new SVC().fitSync(makeDataset(rows, classes))
    expect((parseLibsvmModel(formatLibsvmModel(model)) as SvcModel).classes).toEqual(classes)
    expect(save(new SVC().fitSync(makeDataset(rows, [0, 2 ** 31])))).toThrow('the label 2147483648')
  })

  test('labels that are fractions', () => {
    expect(save(new SVC().fitSync(makeDataset(rows, [0.5, 1])))).toThrow('the label 0.5')
  })

  test('scalers', () => {
    expect(save(new SVC({ scaler: 'range' }).fitSync(makeDataset(rows, [0, 1])))).toThrow(
      new DataError(
        `LIBSVM's model format cannot hold a scaler (range): save it as JSON, or scale the data beforehand and train without one`,
      ),
    )
  })

  test('kernels that LIBSVM does not have', () => {
    const kernel = custom((x: Float64Array, z: Float64Array) => x[0] * z[0], { name: 'mine' })
    expect(save(new SVC({ kernel }).fitSync(makeDataset(rows, [0, 1])))).toThrow(
      new DataError(`LIBSVM's model format cannot hold the kernel "custom": save it as JSON`),
    )
  })
})

test('a text cut anywhere is refused, unless the cut leaves whole numbers', () => {
  const text = formatLibsvmModel(
    new SVC({ kernel: linear() }).fitSync(
      makeDataset(
        [
          [1, 2],
          [3, 5],
        ],
        [0, 1],
      ),
    ),
  )
  const lastPair = text.lastIndexOf(' ')
  for (let length = 0; length < lastPair - 1; length++) {
    try {
      parseLibsvmModel(text.slice(0, length))
      // Only a cut inside the last line can leave a model.
      expect(length).toBeGreaterThan(text.trimEnd().lastIndexOf('\n'))
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError)
    }
  }
})
