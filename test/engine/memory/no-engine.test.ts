/** Where WebAssembly has no shared memory, plain code gives what it would give anyway. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

type Library = typeof import('../../../src/index.ts') &
  typeof import('../../../src/selection.ts') &
  typeof import('../../../src/solvers.ts')

let hyperplane: Library

beforeAll(async () => {
  const { Memory } = WebAssembly
  vi.spyOn(WebAssembly, 'Memory').mockImplementation(function noSharedMemory(descriptor) {
    if (descriptor.shared) throw new RangeError('no shared memory')
    return new Memory(descriptor)
  })
  vi.resetModules()
  const [main, selection, solvers] = await Promise.all([
    import('../../../src/index.ts'),
    import('../../../src/selection.ts'),
    import('../../../src/solvers.ts'),
  ])
  hyperplane = { ...main, ...selection, ...solvers }
})
afterAll(() => vi.restoreAllMocks())

describe('without shared memory', () => {
  it('says so', () => {
    expect(hyperplane.engineInfo()).toEqual({
      build: undefined,
      threads: 1,
      singleThreaded:
        'there is no WebAssembly with shared memory here, or no address space for it (see ulimit -v)',
    })
  })

  it('trains and predicts', () => {
    const { SVC, SVR, LinearSVC, OneClassSVM, generate, makeProblem, rbf, smo, solveSync } = hyperplane
    const data = generate('moons', { n: 300, noise: 0.2, seed: 1 })
    const kernel = rbf({ gamma: 1 })
    const model = new SVC({ kernel, C: 10 }).fitSync(data)
    expect(model.certificate.stopReason).toBe('converged')
    const y = Float64Array.from(data.labels as Float64Array, (label) => (label === model.classes[1] ? 1 : -1))
    const plain = solveSync(makeProblem({ samples: data.samples, kernel, y, C: 10 }), smo, { engine: false })
    expect(model.bias).toBe(plain.bias)
    const many = generate('moons', { n: 20_000, seed: 2 }).samples
    expect(model.decisionFunction(many)[19_999]).toBe(
      model.decide(Array.from(many.values.subarray(2 * 19_999))),
    )

    const classes = generate('blobs', { n: 150, centers: 3, classes: 3, seed: 1 })
    expect(new SVC({ kernel }).fitSync(classes).certificate.stopReason).toBe('converged')
    const wide = generate('blobs', { n: 2000, features: 20, seed: 1 })
    expect(new LinearSVC().fitSync(wide).certificate.stopReason).toBe('converged')
    const targets = { samples: data.samples, labels: Float64Array.from(y, (sign, i) => sign + i / 300) }
    expect(new SVR({ kernel }).fitSync(targets).certificate.stopReason).toBe('converged')
    expect(new OneClassSVM({ kernel }).fitSync(data).certificate.stopReason).toBe('converged')
  })

  it('tunes', async () => {
    const { SVC, generate, rbf, sharedWorkExecutor, tune } = hyperplane
    const data = generate('moons', { n: 60, noise: 0.2, seed: 1 })
    const estimator = new SVC({ kernel: rbf({ gamma: 1 }) })
    const result = await tune(estimator, data, { grid: { C: [1, 10] }, executor: sharedWorkExecutor() })
    expect(result.cells.map(({ params }) => params.C)).toEqual(expect.arrayContaining([1, 10]))
    expect(result.complete).toBe(true)
  })
})
