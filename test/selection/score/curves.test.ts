import { describe, expect, it } from 'vitest'
import { generators } from '../../../src/data/generators/generators.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { crossValidate } from '../../../src/selection/score/cross-validate.ts'
import { learningCurve } from '../../../src/selection/score/learning-curve.ts'
import type { Estimator } from '../../../src/selection/search/estimator.ts'
import { cPath } from '../../../src/selection/share/c-path.ts'
import { kFold } from '../../../src/selection/split/splits.ts'

const data = generators.moons.generate({ n: 150, noise: 0.3, seed: 5 })
const folds = kFold(data, { folds: 3, seed: 1 })

describe('cPath', () => {
  const values = [0.1, 1, 10, 100]

  it.each([
    ['plain', {}],
    ['scaled in the fold', { scaler: 'standard' }],
    ['with class weights', { classWeight: { '1': 2 } }],
  ] as const)('gives what separate fits give: %s', async (_, options) => {
    const svc = new SVC({ kernel: rbf({ gamma: 1 }), tol: 1e-6, ...options })
    const path = await cPath(svc, data, { C: values, protocol: folds, scoring: 'roc-auc' })
    expect(path.warm).toBe(true)
    for (const [k, C] of values.entries()) {
      const estimator = new SVC({ ...svc.options, C })
      const separate = await crossValidate(estimator, data, { protocol: folds, scoring: 'roc-auc' })
      path.points[k].test.scores.forEach((score, f) => {
        expect(score).toBeCloseTo(separate.scores[0].scores[f], 3)
      })
    }
    const best = path.points.find(({ C }) => C === path.bestC)
    expect(best?.test.mean).toBe(Math.max(...path.points.map(({ test }) => test.mean)))
  })

  it('starts each solution at the one before: fewer steps than from nothing', async () => {
    const svc = new SVC({ kernel: rbf({ gamma: 1 }) })
    const warm = await cPath(svc, data, { C: [8, 16], protocol: folds })
    const cold = await cPath(svc, data, { C: [16], protocol: folds })
    expect(warm.points[1].iterations).toBeLessThan(cold.points[0].iterations as number)
    expect(warm.points[1].supportVectors).toBeGreaterThan(0)
  })

  it('starts linear machines at the model before, to the same answers', async () => {
    const loss = 'hinge' as const
    const values = [0.5, 0.6, 0.7]
    const path = await cPath(new LinearSVC({ loss }), data, { C: values, protocol: folds })
    expect(path.warm).toBe(true)
    for (const [k, C] of values.entries()) {
      const direct = await crossValidate(new LinearSVC({ C, loss }), data, { protocol: folds })
      path.points[k].test.scores.forEach((score, fold) => {
        expect(score).toBeCloseTo(direct.scores[0].scores[fold], 10)
      })
    }
    const cold = await cPath(new LinearSVC({ loss }), data, { C: [0.7], protocol: folds })
    expect(cold.warm).toBe(false)
    expect(path.points[2].iterations).toBeLessThan(cold.points[0].iterations as number)
  })

  it('fits each C on its own where it must', async () => {
    const path = await cPath(new LinearSVC({ solver: 'sdca', loss: 'hinge' }), data, {
      C: [1, 0.01],
      protocol: folds,
    })
    expect(path.warm).toBe(false)
    expect(path.points.map(({ C }) => C)).toEqual([0.01, 1])
    expect(path.points[0].iterations).toBeGreaterThan(0)
    expect(path.points[0].supportVectors).toBeUndefined()
    const one = new LinearSVC({ C: 1, solver: 'sdca', loss: 'hinge' })
    const direct = await crossValidate(one, data, { protocol: folds })
    expect(path.points[1].test.scores).toEqual(direct.scores[0].scores)
    const small = await cPath(new SVC({ kernel: rbf({ gamma: 1 }) }), data, {
      C: [1],
      protocol: folds,
      cacheBytes: 0,
    })
    expect(small.warm).toBe(false)
  })

  it('checks its options and stops on a signal', async () => {
    const svc = new SVC()
    await expect(cPath(svc, data, { C: [] })).rejects.toThrow('cPath: C must be a list of numbers')
    await expect(cPath(svc, data, { C: [0] })).rejects.toThrow('cPath: each C must be > 0, got 0')
    const stop = new AbortController()
    const stopped = cPath(svc, data, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('ends with the folds or sizes that are done when a signal is raised', async () => {
    const svc = new SVC({ kernel: rbf({ gamma: 1 }) })
    const stopAt = (count: number) => {
      const stop = new AbortController()
      const onProgress = (done: number): void => {
        if (done === count) stop.abort()
      }
      return { signal: stop.signal, onProgress }
    }
    const [whole, part] = [
      await cPath(svc, data, { C: [1, 10] }),
      await cPath(svc, data, { C: [1, 10], ...stopAt(5) }),
    ]
    expect([whole.complete, part.complete]).toEqual([true, false])
    expect(part.points.map(({ test }) => test.scores)).toEqual(
      whole.points.map(({ test }) => test.scores.slice(0, 2)),
    )
    const curve = await learningCurve(svc, data, { folds: 3, sizes: [0.3, 0.6, 1], ...stopAt(7) })
    expect([curve.complete, curve.points.length]).toEqual([false, 2])
    await expect(cPath(svc, data, { C: [1, 10], ...stopAt(1) })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('learningCurve', () => {
  /** Remembers how many samples of each class it saw. */
  function counting(): Estimator & { readonly seen: [number, number][] } {
    const seen: [number, number][] = []
    return {
      seen,
      async fit({ labels }) {
        const positive = Array.from(labels as Float64Array).filter((label) => label > 0).length
        seen.push([labels.length, positive])
        return { predict: (rows) => new Float64Array((rows as { rows: number }).rows).fill(1) }
      },
    }
  }

  it('learns from so many samples, classes in their shares', async () => {
    const estimator = counting()
    const heard: number[] = []
    const curve = await learningCurve(estimator, data, {
      sizes: [0.2, 50, 1, 1],
      protocol: folds,
      onProgress: (done) => heard.push(done),
    })
    expect(curve.points.map(({ samples }) => samples)).toEqual([20, 50, 100])
    expect(estimator.seen.map(([count]) => count)).toEqual([20, 20, 20, 50, 50, 50, 100, 100, 100])
    for (const [count, positive] of estimator.seen)
      expect(Math.abs(positive - count / 2)).toBeLessThanOrEqual(1)
    expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const { train, test } of curve.points) {
      expect(train.scores).toHaveLength(3)
      expect(test.mean).toBeCloseTo(0.5, 1)
    }
  })

  it('ends at what crossValidate says', async () => {
    const svc = new SVC({ kernel: rbf({ gamma: 1 }) })
    const { points, scoring } = await learningCurve(svc, data, { protocol: folds, sizes: [1], scoring: 'f1' })
    const whole = await crossValidate(svc, data, { protocol: folds, scoring: 'f1' })
    expect(scoring).toBe('f1')
    expect(points[0].test.scores).toEqual(whole.scores[0].scores)
  })

  it('checks sizes', async () => {
    await expect(learningCurve(new SVC(), data, { sizes: [1000] })).rejects.toThrow(
      'learningCurve: sizes must be a whole number >= 2 and <= 120, got 1000',
    )
    await expect(learningCurve(new SVC(), data, { sizes: [] })).rejects.toThrow(
      'sizes must be a list of sizes',
    )
  })
})
