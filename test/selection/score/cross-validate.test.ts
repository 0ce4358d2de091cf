import { describe, expect, it } from 'vitest'
import { generators } from '../../../src/data/generators/generators.ts'
import { toDense } from '../../../src/data/matrix/matrix.ts'
import { applyScaler } from '../../../src/data/scaling/scaler.ts'
import { fitStandardScaler } from '../../../src/data/scaling/standard-scaler.ts'
import { type Dataset, makeDataset, selectSamples } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../../src/estimators/linear-svr.ts'
import { NuSVC } from '../../../src/estimators/nu-svc.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { accuracy, f1, precision } from '../../../src/metrics/classification.ts'
import { rocAuc } from '../../../src/metrics/ranking.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { leaveOneOutValues } from '../../../src/selection/score/leave-one-out-svc.ts'
import { nestedCrossValidate } from '../../../src/selection/score/nested-cross-validate.ts'
import { validateAndTest } from '../../../src/selection/score/validate-and-test.ts'
import type { Estimator } from '../../../src/selection/search/estimator.ts'
import {
  estimatorFromSpec,
  estimatorSpec,
  type Params,
  type Tunable,
} from '../../../src/selection/search/estimator-params.ts'
import { kFold, leaveOneOut } from '../../../src/selection/split/splits.ts'

const moons = generators.moons.generate({ n: 120, noise: 0.25, seed: 3 })
const apart = generators.moons.generate({ n: 120, noise: 0.05, seed: 3 })
const svc = new SVC({ kernel: rbf({ gamma: 1 }), C: 2, tol: 1e-7 })

/** Predicts the mean target of what it saw, and remembers what that was. */
function meanEstimator(): Estimator & { readonly seen: number[] } {
  const seen: number[] = []
  return {
    seen,
    async fit({ labels }: Dataset) {
      seen.push(labels.length)
      const targets = labels as Float64Array
      const mean = targets.reduce((sum, one) => sum + one, 0) / targets.length
      return { predict: (rows) => new Float64Array((rows as { rows: number }).rows).fill(mean) }
    },
  }
}

describe('crossValidate', () => {
  it('does what fitting and predicting fold by fold does', async () => {
    const folds = kFold(moons, { folds: 4, seed: 9 })
    const scoring = ['accuracy', 'f1', 'precision', 'roc-auc'] as const
    const result = await crossValidate(svc, moons, { protocol: folds, scoring })
    const said = folds.map(({ train, test }) => {
      const model = svc.fitSync(selectSamples(moons, train) as never)
      const { labels, samples } = selectSamples(moons, test)
      return { labels, predicted: model.predict(samples), decisions: model.decisionFunction(samples) }
    })
    const expected = [
      said.map(({ labels, predicted }) => accuracy(labels, predicted)),
      said.map(({ labels, predicted }) => f1(labels, predicted)),
      said.map(({ labels, predicted }) => precision(labels, predicted)),
      said.map(({ labels, decisions }) => rocAuc(labels, decisions)),
    ]
    expect(result.scores.map(({ name }) => name)).toEqual(scoring)
    expect(result.scores.map(({ scores }) => scores)).toEqual(expected)
    const [{ scores, mean, standardError }] = result.scores
    expect(mean).toBeCloseTo(scores.reduce((sum, one) => sum + one) / 4, 14)
    const squares = scores.reduce((sum, one) => sum + (one - mean) ** 2, 0)
    expect(standardError).toBeCloseTo(Math.sqrt(squares / 3 / 4), 14)
    folds.forEach(({ test }, f) => {
      test.forEach((i, k) => {
        expect(Math.abs((result.outOfFold.decisions?.[i] ?? 9) - said[f].decisions[k])).toBeLessThan(1e-5)
      })
    })
    expect(result.outOfFold.truth).toEqual(moons.labels)
    expect(result.folds.map(({ train, test, stopReason }) => [train, test, stopReason])).toEqual(
      folds.map(({ train, test }) => [train.length, test.length, 'converged']),
    )
  })

  it('gives the same on any number of threads, and hears of progress', async () => {
    const heard: [number, number][] = []
    const [one, many] = await Promise.all(
      [1, 5].map((threads) =>
        crossValidate(svc, moons, {
          threads,
          seed: 2,
          onProgress: (done, total) => heard.push([done, total]),
        }),
      ),
    )
    expect(one.outOfFold).toEqual(many.outOfFold)
    expect(heard.sort()).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((done) => [done, 5]))
  })

  it('takes any estimator, for targets too', async () => {
    const data = makeDataset([[0], [1], [2], [3], [4], [5]], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
    const estimator = meanEstimator()
    const { scores, outOfFold } = await crossValidate(estimator, data, {
      protocol: { kind: 'k-fold', folds: 3 },
      scoring: ['mse', 'r2'],
    })
    expect(estimator.seen).toEqual([4, 4, 4])
    expect(scores[0].greaterIsBetter).toBe(false)
    expect(scores[0].scores.every((one) => one > 0)).toBe(true)
    expect(outOfFold.decisions).toBeUndefined()
    const byDefault = await crossValidate(estimator, data, { protocol: { kind: 'k-fold', folds: 2 } })
    expect(byDefault.scores[0].name).toBe('r2')
  })

  it('says of each sample what was said first, of those that were tested', async () => {
    const held = await crossValidate(svc, moons, { protocol: 'hold-out' })
    expect(held.outOfFold.indices.length).toBe(24)
    expect(held.outOfFold.predicted.length).toBe(24)
    const twice = await crossValidate(svc, moons, {
      protocol: { kind: 'repeated-k-fold', folds: 2, repeats: 2 },
    })
    expect(twice.scores[0].scores).toHaveLength(4)
    expect(twice.outOfFold.indices.length).toBe(120)
  })

  it('fits the scaler inside each fold: the answer differs from scaling everything first', async () => {
    // One far-off sample in each fold of two: a scaler that has seen it squeezes the rest.
    const { samples, labels } = generators.moons.generate({ n: 40, noise: 0.3, seed: 1 })
    const { values } = toDense(samples)
    const far = makeDataset({ values: values.map((v, k) => (k < 2 ? 50 : v)), shape: [40, 2] }, labels)
    const folds = kFold(far, { folds: 2, seed: 1 })
    const inside = new LinearSVC({ scaler: 'standard' })
    const leaked = { ...far, samples: applyScaler(fitStandardScaler(far.samples), far.samples) }
    const honest = await crossValidate(inside, far, { protocol: folds })
    const outside = await crossValidate(new LinearSVC(), leaked, { protocol: folds })
    expect(honest.outOfFold.decisions).not.toEqual(outside.outOfFold.decisions)
    const byHand = folds.flatMap(({ train, test }) => {
      const part = selectSamples(far, train)
      const scaler = fitStandardScaler(part.samples)
      const scaled = { ...part, samples: applyScaler(scaler, part.samples) }
      const model = new LinearSVC().fitSync(scaled as never)
      const seen = model.decisionFunction(applyScaler(scaler, selectSamples(far, test).samples))
      return Array.from(test, (i, k) => [i, seen[k]] as const)
    })
    for (const [i, value] of byHand) expect(honest.outOfFold.decisions?.[i]).toBe(value)
  })

  it('ends with the folds that are done when a signal is raised', async () => {
    const scoring = ['accuracy', 'f1'] as const
    const whole = await crossValidate(svc, moons, { scoring, threads: 1 })
    expect(whole.complete).toBe(true)
    const stop = new AbortController()
    const onProgress = (done: number): void => {
      if (done === 2) stop.abort()
    }
    const part = await crossValidate(svc, moons, {
      ...{ scoring, threads: 1, signal: stop.signal, onProgress },
    })
    expect(part).toMatchObject({ complete: false, fits: 2 })
    expect(part.folds.map(({ test }) => test)).toEqual(whole.folds.slice(0, 2).map(({ test }) => test))
    expect(part.scores.map(({ scores }) => scores)).toEqual(
      whole.scores.map(({ scores }) => scores.slice(0, 2)),
    )
    expect(part.outOfFold.indices).toHaveLength(part.folds.reduce((sum, { test }) => sum + test, 0))
    const nothing = crossValidate(svc, moons, { signal: AbortSignal.abort() })
    await expect(nothing).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('passes on what a fit throws, and checks what it is given', async () => {
    const failing: Estimator = {
      async fit() {
        throw new RangeError('no memory')
      },
    }
    await expect(crossValidate(failing, moons)).rejects.toThrow('no memory')
    await expect(crossValidate({} as Estimator, moons)).rejects.toThrow('crossValidate: estimator must be')
    await expect(crossValidate(svc, moons, { protocol: 'k-folds' as 'k-fold' })).rejects.toThrow(
      'protocol: kind must be one of',
    )
    await expect(
      crossValidate(svc, moons, { protocol: { kind: 'leave-one-out', folds: 3 } }),
    ).rejects.toThrow('protocol leave-one-out: option must be one of groups')
  })
})

describe('leave-one-out of a kernel machine', () => {
  const cases = [
    ['overlapping classes', new SVC({ kernel: rbf({ gamma: 1 }), C: 1, tol: 1e-6 }), moons],
    ['a hard margin', new SVC({ kernel: rbf({ gamma: 1 }), C: Number.POSITIVE_INFINITY, tol: 1e-6 }), apart],
    [
      'class weights',
      new SVC({ kernel: rbf({ gamma: 0.5 }), C: 3, tol: 1e-6, classWeight: { '1': 3 } }),
      moons,
    ],
    [
      'sample weights',
      new SVC({ kernel: rbf({ gamma: 0.5 }), C: 1, tol: 1e-6 }),
      { ...moons, weights: Float64Array.from({ length: 120 }, (_, i) => (i % 5 === 0 ? 0 : 1 + (i % 3))) },
    ],
  ] as const

  it.each(cases)('equals training without each sample: %s', async (_, estimator, data) => {
    const result = await crossValidate(estimator, data, { protocol: 'leave-one-out' })
    const brute = await crossValidate(estimator, data, { protocol: leaveOneOut(data), scoring: () => 0 })
    const few = estimator.fitSync(data as never).supportIndices as Uint32Array
    expect(result.fits).toBe(1 + few.length)
    expect(brute.fits).toBe(120)
    result.outOfFold.decisions?.forEach((value, i) => {
      expect(value).toBeCloseTo(brute.outOfFold.decisions?.[i] as number, 4)
    })
    expect(result.outOfFold.predicted).toEqual(brute.outOfFold.predicted)
  })

  it('needs no kernel matrix', async () => {
    const small = generators.moons.generate({ n: 40, noise: 0.3, seed: 1 })
    const estimator = new SVC({ kernel: rbf({ gamma: 1 }), tol: 1e-6 })
    const table = await leaveOneOutValues(estimator, small)
    const fits = await leaveOneOutValues(estimator, small, { cacheBytes: 0 })
    expect(fits.fits).toBe(table.fits)
    fits.decisions.forEach((value, i) => {
      expect(value).toBeCloseTo(table.decisions[i], 4)
    })
  })

  it('scores samples one by one where the score is a mean, else all together', async () => {
    const { scores, outOfFold } = await crossValidate(svc, moons, {
      protocol: 'leave-one-out',
      scoring: ['accuracy', 'f1'],
    })
    expect(scores[0].scores).toHaveLength(120)
    expect(scores[0].mean).toBeCloseTo(accuracy(moons.labels, outOfFold.predicted), 12)
    expect(scores[1].scores).toEqual([f1(moons.labels, outOfFold.predicted)])
  })

  it('trains for every sample where each changes the problem of all', async () => {
    const small = generators.moons.generate({ n: 30, noise: 0.2, seed: 1 })
    for (const estimator of [
      new SVC(),
      new SVC({ kernel: rbf({ gamma: 1 }), scaler: 'standard' }),
      new SVC({ kernel: rbf({ gamma: 1 }), classWeight: 'balanced' }),
    ]) {
      const { fits } = await crossValidate(estimator, small, { protocol: 'leave-one-out' })
      expect(fits).toBe(30)
    }
  })

  it('needs two samples of each class, and stops on a signal', async () => {
    const lonely = makeDataset([[0], [1], [2]], [1, 1, -1])
    await expect(crossValidate(svc, lonely, { protocol: 'leave-one-out' })).rejects.toThrow(
      'each class needs at least 2 samples',
    )
    const aborted = crossValidate(svc, moons, { protocol: 'leave-one-out', signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('nestedCrossValidate', () => {
  it('shows the tuner no sample of the outer test side', async () => {
    const folds = kFold(moons, { folds: 3, seed: 4 })
    const sizes: number[] = []
    const result = await nestedCrossValidate(
      async (train) => {
        sizes.push(train.labels.length)
        const inner = await crossValidate(svc, train)
        return {
          bestParams: { C: sizes.length },
          bestScore: inner.scores[0].mean,
          model: svc.fitSync(train as never),
        }
      },
      moons,
      { protocol: folds },
    )
    expect(sizes).toEqual(folds.map(({ train }) => train.length))
    expect(result.choices.map(({ bestParams }) => bestParams.C)).toEqual([1, 2, 3])
    const plain = await crossValidate(svc, moons, { protocol: folds })
    expect(result.scores).toEqual(plain.scores)
  })
})

describe('validateAndTest', () => {
  const cells: Params[] = [
    { C: 0.001, gamma: 1e4 },
    { C: 2, gamma: 1 },
    { C: 2, gamma: 1, tol: 1e-3 },
  ]

  it('chooses by the validation part, the first of equals, and reports on the test part', async () => {
    const chosen = await validateAndTest(svc, moons, { cells, scoring: ['accuracy', 'f1'], seed: 1 })
    expect(chosen.bestParams).toEqual(cells[1])
    expect(chosen.cells.map(({ mean }) => mean)[1]).toBe(chosen.cells[2].mean)
    expect(chosen.validationScore).toBeGreaterThan(chosen.cells[0].mean)
    const { train, validation, test } = chosen.split
    const both = Uint32Array.from([...train, ...validation]).sort()
    const model = svc.fitSync(selectSamples(moons, both) as never)
    const { labels, samples } = selectSamples(moons, test)
    expect(chosen.testScores).toEqual({
      accuracy: accuracy(labels, model.predict(samples)),
      f1: f1(labels, model.predict(samples)),
    })
    const without = await validateAndTest(svc, moons, { cells: [{ C: 2 }], refit: false, seed: 1 })
    const small = svc.fitSync(selectSamples(moons, train) as never)
    expect(without.model.predict(samples)).toEqual(small.predict(samples))
  })

  it('refuses cells that no estimator can take', async () => {
    await expect(validateAndTest(svc, moons, { cells: [{ C: -1 }] })).rejects.toThrow('SVC: C must be > 0')
    await expect(validateAndTest(svc, moons, { cells: [] })).rejects.toThrow('cells must be a list')
  })
})

describe('every estimator', () => {
  const three = generators.blobs.generate({ n: 60, centers: 3, classes: 3, seed: 2 })
  const curve = generators.friedman.generate({ n: 60, seed: 2 })
  const cases: [string, Tunable, Dataset, string][] = [
    ['SVC', new SVC(), three, 'accuracy'],
    ['NuSVC', new NuSVC({ nu: 0.3 }), three, 'accuracy'],
    ['LinearSVC', new LinearSVC(), three, 'accuracy'],
    ['SVR', new SVR({ C: 10 }), curve, 'r2'],
    ['NuSVR', new NuSVR({ C: 10 }), curve, 'r2'],
    ['LinearSVR', new LinearSVR(), curve, 'r2'],
  ]

  it.each(cases)('%s is judged, and made again from plain data', async (_, tunable, data, score) => {
    const result = await crossValidate(tunable as Estimator, data)
    expect(result.scores[0].name).toBe(score)
    expect(result.scores[0].mean).toBeGreaterThan(-2)
    const spec = JSON.parse(JSON.stringify(estimatorSpec(tunable)))
    const again = await crossValidate(estimatorFromSpec(spec), data)
    expect(again.outOfFold).toEqual(result.outOfFold)
  })
})
