import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { formatLiblinearModel } from '../../../src/models/files/format-liblinear-model.ts'
import { type LiblinearModel, parseLiblinearModel } from '../../../src/models/files/parse-liblinear-model.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { OneClassModel } from '../../../src/models/one-class-model.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { SvrModel } from '../../../src/models/svr-model.ts'
import { dataOf, someLinearSvc, someSingleLinear } from '../some-models.ts'

const twoClasses = `solver_type L2R_L2LOSS_SVC_DUAL
nr_class 2
label 1 -1
nr_feature 3
bias 1
w
0.5
-0
2e-7
0.25
`

describe('the text', () => {
  test('is in the order of LIBLINEAR, positive class first, the bias as a last row', () => {
    const model = new LinearSvcModel({
      classes: [-1, 1],
      coef: Float64Array.of(0.5, -0, 2e-7),
      biases: Float64Array.of(0.25),
    })
    expect(formatLiblinearModel(model)).toBe(twoClasses)
    const back = parseLiblinearModel(twoClasses) as LinearSvcModel
    expect(back).toMatchObject({ classes: [-1, 1], labelOrder: undefined, features: 3 })
    expect(back.decisionFunction([[2, 0, 0]])).toEqual(Float64Array.of(1.25))
  })

  test('is told from LIBSVM by its content', () => {
    expect(parseModel(twoClasses).type).toBe('linear-svc')
    expect(parseModel(`nr_class 2\n${twoClasses.replace('nr_class 2\n', '')}`).type).toBe('linear-svc')
  })

  test('smaller label first: signs change, f = 0 is still its second label', () => {
    const text = 'solver_type L2R_LR\nnr_class 2\nlabel 3 7\nnr_feature 1\nbias -1\nw\n2 \n'
    const model = parseLiblinearModel(text) as LinearSvcModel
    expect(model.decisionFunction([[1], [0], [-1]])).toEqual(Float64Array.of(-2, 0, 2))
    expect(model.predict([[1], [0], [-1]], { by: 'votes' })).toEqual(Float64Array.of(3, 7, 7))
    // P(3) = 1 / (1 + exp(−2))
    const [three, seven] = model.predictProbability([[1]])
    expect(three).toBeCloseTo(1 / (1 + Math.exp(-2)), 15)
    expect(three + seven).toBe(1)
    expect(formatLiblinearModel(model)).toBe(text.replace('2 \n', '2\n'))
  })

  test('several classes: the largest value wins, the first of equal ones in the order of the file', () => {
    const text =
      'solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 3\nlabel 7 3 5\nnr_feature 2\nbias 2\nw\n1 0 -1\n0 1 -1\n0.5 0.5 0\n'
    const model = parseLiblinearModel(text) as LinearSvcModel
    expect(model.classes).toEqual([3, 5, 7])
    // Columns are those of 3, 5, 7; the bias is 2 times its row.
    expect(model.decisionFunction([[1, 2]])).toEqual(Float64Array.of(3, -3, 2))
    expect(
      model.predict([
        [1, 2],
        [2, 1],
        [1, 1],
        [-2, -2],
      ]),
    ).toEqual(Float64Array.of(3, 7, 7, 5))
    const back = parseLiblinearModel(formatLiblinearModel(model)) as LinearSvcModel
    expect(dataOf(back)).toStrictEqual(dataOf(model))
  })

  test('one class: rho in place of a bias', () => {
    const text = 'solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\nrho 0.5\nw\n1\n0.25\n'
    const model = parseLiblinearModel(text)
    expect(
      model.predict([
        [1, 0],
        [0, 2],
        [0, 1],
      ]),
    ).toEqual(Float64Array.of(1, -1, -1))
    expect(formatLiblinearModel(model)).toBe(text)
  })
})

describe('round trip', () => {
  test.each<[string, fc.Arbitrary<LiblinearModel>]>([
    ['classifier', someLinearSvc(true)],
    ['model of one function', someSingleLinear(true)],
  ])('brings back every bit of a %s', (_, some) => {
    fc.assert(
      fc.property(some, (model) => {
        const text = formatLiblinearModel(model)
        const back = parseLiblinearModel(text)
        // The line of the bias says something of the training.
        expect(dataOf(back)).toStrictEqual({ ...dataOf(model), training: back.training })
        expect(formatLiblinearModel(back)).toBe(text)
      }),
    )
  })
})

describe('kernel models with a linear kernel', () => {
  const parts = {
    kernel: linear(),
    supportVectors: { kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, 4) },
  } as const
  const rows = [
    [1, 0],
    [0, 1],
    [-2, 1],
  ]

  test('are written through w', () => {
    const dualCoef = Float64Array.of(-1, 1)
    const svc = new SvcModel({ ...parts, classes: [0, 1], dualCoef, biases: Float64Array.of(0.5) })
    const svr = new SvrModel({ ...parts, dualCoef, bias: 0.5 })
    const one = new OneClassModel({ ...parts, dualCoef, bias: -0.5 })
    for (const model of [svc, svr, one]) {
      const back = parseLiblinearModel(formatLiblinearModel(model))
      expect(back.decisionFunction(rows)).toEqual(model.decisionFunction(rows))
      expect(back.predict(rows)).toEqual(model.predict(rows))
    }
  })

  test('are refused where the format has no place for them', () => {
    const refused = (model: Model, what: string) =>
      expect(() => formatLiblinearModel(model)).toThrow(
        new DataError(`LIBLINEAR's model format cannot hold ${what}`),
      )
    const dualCoef = Float64Array.of(1, 1)
    refused(
      new SvrModel({ ...parts, kernel: rbf({ gamma: 1 }), dualCoef, bias: 0 }),
      'the kernel "rbf": save it as JSON',
    )
    refused(
      new SvrModel({ ...parts, dualCoef, bias: 0, probability: { method: 'laplace', sigma: 1 } }),
      'laplace probabilities: save it as JSON',
    )
    refused(
      new SvcModel({
        ...parts,
        classes: [0, 1, 2],
        supportCounts: Uint32Array.of(1, 1, 0),
        dualCoef: new Float64Array(4),
        biases: new Float64Array(3),
      }),
      'pairs of 3 classes: save it as JSON',
    )
    const linearParts = { coef: Float64Array.of(1, 2), biases: Float64Array.of(0) }
    refused(
      new LinearSvcModel({ ...linearParts, classes: ['a', 'b'] }),
      'the label "a": save it as JSON, or train with whole numbers as labels',
    )
    refused(
      new LinearSvcModel({
        ...linearParts,
        classes: [0, 1],
        probability: { method: 'sigmoid', a: Float64Array.of(-2), b: Float64Array.of(0) },
      }),
      'sigmoid probabilities: save it as JSON',
    )
    const scaler = { kind: 'standard', mean: [0, 0], scale: [1, 1] } as const
    refused(
      new LinearSvcModel({ ...linearParts, classes: [0, 1], scaler }),
      'a scaler (standard): save it as JSON, or scale the data beforehand and train without one',
    )
  })
})
