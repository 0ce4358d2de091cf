/** The model of all samples, which is solved with the folds that calibrate it, and what comes of points that are no solutions. */
import { describe, expect, test } from 'vitest'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { OneClassSVM } from '../../../src/estimators/one-class-svm.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { fitCalibrated } from '../../../src/selection/calibrate/calibrate.ts'
import type { Estimator } from '../../../src/selection/search/estimator.ts'
import { sharedFolds } from '../../../src/selection/share/shared-folds.ts'
import { kFold } from '../../../src/selection/split/splits.ts'
import { expectClose } from '../../close.ts'
import { clouds, curve } from '../../suites/tool-data.ts'

const kernel = rbf({ gamma: 0.25 })
const tol = 1e-7
const two = clouds(1, 160, [1, -1])
const three = clouds(2, 180, [4, 2, 9])
const wave = curve(4, 150)
const cases = [
  ['SVC', new SVC({ kernel, C: 2, tol }), two],
  ['SVC, polynomial', new SVC({ kernel: polynomial({ gamma: 0.2, coef0: 1 }), tol }), two],
  ['SVC, three classes', new SVC({ kernel, tol }), three],
  ['NuSVC', new NuSVC({ kernel, nu: 0.6, tol }), two],
  ['NuSVC, three classes', new NuSVC({ kernel, nu: 0.4, tol }), three],
  ['SVR', new SVR({ kernel, C: 3, tol }), wave],
  ['NuSVR', new NuSVR({ kernel, tol }), wave],
  ['OneClassSVM', new OneClassSVM({ kernel, nu: 0.3, tol }), two],
] as const

describe.each(cases)('%s', (_, estimator, data) => {
  /** What folds and all samples have come to. */
  const solveAll = (machine: object = estimator) => {
    const folds = [...kFold(data, { folds: 3, seed: 1 })]
    return sharedFolds(data, folds, () => machine as Estimator, { withWhole: true })
  }

  test('decides as a separate fit does, and is certified', async () => {
    const model = await fitCalibrated(estimator as SVC, data)
    const alone = await (estimator as SVC).fit(data)
    expectClose(model.decisionFunction(data.samples), alone.decisionFunction(data.samples), 1e-5)
    const { stopReason, maxViolation, evidence } = model.certificate
    expect(stopReason).toBe('converged')
    expect(maxViolation + (evidence?.violationError ?? Number.NaN)).toBeLessThanOrEqual(tol)
  })

  test('takes no step beyond those of its path', async () => {
    const { found = [], iterations } = (await solveAll()).at(-1) ?? {}
    const model = await (estimator as SVC).fitFound(data, found, {})
    expect(model.certificate.iterations).toBe(iterations)
    expect(model.certificate.stopReason).toBe('converged')
  })

  test('is not taken in by a point that is no solution', async () => {
    // Another kernel has the same feasible points, and other solutions.
    const Same = estimator.constructor as typeof SVC
    const other = new Same({ ...(estimator as SVC).options, kernel: rbf({ gamma: 3 }) })
    const { found: wrong = [] } = (await solveAll(other)).at(-1) ?? {}
    const model = await (estimator as SVC).fitFound(data, wrong, {})
    expect(model.certificate.stopReason).toBe('converged')
    const alone = await (estimator as SVC).fit(data)
    expectClose(model.decisionFunction(data.samples), alone.decisionFunction(data.samples), 1e-5)
  })
})
