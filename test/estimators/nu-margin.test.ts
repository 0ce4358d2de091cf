/** ν so small that no margin is left: a model that says so, whichever way rounding falls, as LIBSVM trains there too. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { makeDataset } from '../../src/data/table/dataset.ts'
import { NuSVC } from '../../src/estimators/nu-svc.ts'
import { linear } from '../../src/kernels/linear.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import { crossValidate } from '../../src/selection/score/cross-validate.ts'

/** Two clouds that overlap. */
function overlapping(flip = 1) {
  const random = new Random(4)
  const labels = Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? 1 : -1))
  const rows = labels.map((label) => [label + random.normal(), random.normal(), random.normal()])
  return makeDataset(
    rows,
    labels.map((label) => flip * label),
  )
}

describe('a margin that is 0 within the tolerance', () => {
  const shares = [0.01, 0.02, 0.05, 0.1, 0.15]

  it.each(shares)('is no error at nu %f, and the certificate says so, labels swapped or not', (nu) => {
    for (const flip of [1, -1]) {
      const model = new NuSVC({ nu, kernel: linear() }).fitSync(overlapping(flip))
      expect(model.certificate).toMatchObject({ stopReason: 'converged', noMargin: true })
      expect(model.certificate.width).toBeLessThanOrEqual(1e-3)
      expect(model.dualCoef.every(Number.isFinite)).toBe(true)
      expect(parseModel(JSON.stringify(model)).certificate).toEqual(model.certificate)
    }
  })

  it('goes when nu is large enough', () => {
    const model = new NuSVC({ nu: 0.6, kernel: linear() }).fitSync(overlapping())
    expect(model.certificate).not.toHaveProperty('noMargin')
    expect(model.certificate.width).toBeGreaterThan(0.1)
  })

  it('does not end cross-validation', async () => {
    const { folds } = await crossValidate(new NuSVC({ nu: 0.05, kernel: linear() }), overlapping(), {
      folds: 5,
    })
    expect(folds.every(({ stopReason }) => stopReason === 'converged')).toBe(true)
  })
})

describe('nu that a pair of classes cannot hold', () => {
  const labels = Float64Array.from({ length: 60 }, (_, i) => (i < 40 ? 0 : i < 55 ? 1 : 2))
  const rows = Array.from(labels, (label, i) => [label, i % 5])

  it('is refused before anything is solved, and the pair is named', () => {
    expect(() => new NuSVC({ nu: 0.5 }).fitSync(makeDataset(rows, labels))).toThrow(
      'NuSVC: nu must be at most 0.222222 to be feasible, twice the share of class 2 among 2 and 0, got 0.5',
    )
  })

  it('is allowed up to the share itself, whatever rounding makes of it', () => {
    const one = (count: number) => Array.from({ length: count }, (_, i) => [i % 3])
    const weights = [...Array(3).fill(0.1), ...Array(7).fill(0.1)]
    const data = makeDataset([...one(3), ...one(7)], [...Array(3).fill(0), ...Array(7).fill(1)], { weights })
    expect(new NuSVC({ nu: 0.6 }).fitSync(data).certificate.stopReason).toBe('converged')
  })
})
