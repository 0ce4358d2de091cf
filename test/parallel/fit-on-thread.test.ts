/** Fitting on a thread. Threads cannot load TypeScript, so this tests the built package. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { custom, precomputed, precomputedSamples } from 'hyperplane/kernels'
import {
  DataError,
  generate,
  LinearSVC,
  linear,
  ParameterError,
  type Progress,
  polynomial,
  rbf,
  SVC,
  type SvcOptions,
  toSparse,
} from 'hyperplane/node'
import type { SmoStep } from 'hyperplane/solvers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const moons = generate('moons', { n: 120, noise: 0.25, seed: 1 })
/** Takes long enough to be interrupted on any machine. */
const endless = {
  C: 1e9,
  kernel: rbf({ gamma: 50 }),
  solver: 'smo-simplified',
  tol: 1e-15,
  maxIter: 1e12,
} as const
const board = generate('checkerboard', { n: 2000, seed: 1 })

/** Slices of work on the calling thread hand over by `setImmediate`: none means that it was left alone. */
let slices = 0
const { setImmediate: original } = globalThis
beforeEach(() => {
  slices = 0
  globalThis.setImmediate = Object.assign((...call: Parameters<typeof original>) => {
    slices++
    return original(...call)
  }, original)
})
afterEach(() => {
  globalThis.setImmediate = original
})

describe('gives the same bits as fitSync', () => {
  const cases: readonly (readonly [string, SvcOptions, typeof moons])[] = [
    ['rbf', { kernel: rbf({ gamma: 2 }), C: 10 }, moons],
    ['gamma by rule, scaled', { scaler: 'standard' }, moons],
    ['linear, sparse', { kernel: linear() }, { ...moons, samples: toSparse(moons.samples) }],
    ['polynomial, random pairs', { kernel: polynomial(), solver: 'smo-random', seed: 5 }, moons],
    ['weights', { classWeight: { 1: 3 } }, { ...moons, weights: new Float64Array(120).fill(0.5) }],
    ['solver settings', { solver: { name: 'pegasos', batchSize: 4 }, seed: 2 }, moons],
  ]

  test('threads that take turns with the classes', async () => {
    const data = generate('blobs', { n: 8000, centers: 10, classes: 10, features: 40, spread: 5, seed: 4 })
    const alone = new LinearSVC({ C: 0.01 }).fitSync(data)
    const gaps = (model: typeof alone) => model.certificates?.map(({ gap }) => gap)
    for (const threads of [1, 2, 3]) {
      slices = 0
      const shared = await new LinearSVC({ C: 0.01, threads }).fit(data)
      expect(slices).toBe(0)
      expect(shared.coef).toEqual(alone.coef)
      expect(shared.biases).toEqual(alone.biases)
      expect(gaps(shared)).toEqual(gaps(alone))
    }
  })

  test.each(['ovr', 'crammer-singer'] as const)('many classes, %s', async (multiClass) => {
    const labels = Float64Array.from(moons.labels as Float64Array, (label, i) => label + (i % 2) * 5)
    const data = { ...moons, labels }
    const estimator = new LinearSVC({ multiClass, seed: 3 })
    const onThread = await estimator.fit(data)
    expect(slices).toBe(0)
    const here = estimator.fitSync(data)
    expect(onThread.classes).toHaveLength(4)
    expect(onThread.coef).toEqual(here.coef)
    expect(onThread.biases).toEqual(here.biases)
  })

  test.each(cases)('%s', async (_, options, data) => {
    const [threaded, direct] = [await new SVC(options).fit(data), new SVC(options).fitSync(data)]
    expect(slices).toBe(0)
    expect({ ...threaded.toJSON(), machines: [], certificates: [] }).toStrictEqual({
      ...direct.toJSON(),
      machines: [],
      certificates: [],
    })
    expect(threaded.dualCoef).toStrictEqual(direct.dualCoef)
    expect(threaded.bias).toBe(direct.bias)
    expect({ ...threaded.certificate, seconds: 0 }).toStrictEqual({ ...direct.certificate, seconds: 0 })
  })

  test('LinearSVC', async () => {
    const [threaded, direct] = [await new LinearSVC().fit(moons), new LinearSVC().fitSync(moons)]
    expect(threaded.coef).toStrictEqual(direct.coef)
  })

  test('precomputed', async () => {
    const gram = precomputedSamples(
      Array.from({ length: 20 }, (_, i) => Array.from({ length: 20 }, (_, j) => Math.min(i, j))),
    )
    const data = { samples: gram, labels: Float64Array.from({ length: 20 }, (_, i) => (i < 10 ? 0 : 1)) }
    const kernel = precomputed()
    const [threaded, direct] = [await new SVC({ kernel }).fit(data), new SVC({ kernel }).fitSync(data)]
    expect(threaded.dualCoef).toStrictEqual(direct.dualCoef)
  })

  test('on any number of threads', async () => {
    const fits = [1, 2, 3].map((threads) => new SVC({ threads, C: 10 }).fit(board))
    const [one, two, three] = await Promise.all(fits)
    expect(two.dualCoef).toStrictEqual(one.dualCoef)
    expect(three.dualCoef).toStrictEqual(one.dualCoef)
  })

  test('many at once', async () => {
    const values = Array.from({ length: 12 }, (_, k) => 2 ** k)
    const models = await Promise.all(values.map((C) => new SVC({ C }).fit(moons)))
    models.forEach((model, k) => {
      expect(model.dualCoef).toStrictEqual(new SVC({ C: values[k] }).fitSync(moons).dualCoef)
    })
  })
})

test('a kernel made of a function stays on the calling thread, in slices', async () => {
  const kernel = custom(
    (x: Float64Array, z: Float64Array) => Math.exp(-((x[0] - z[0]) ** 2) - (x[1] - z[1]) ** 2),
    { name: 'gauss' },
  )
  const data = generate('moons', { n: 400, noise: 0.4, seed: 2 })
  const model = await new SVC({ kernel, C: 100 }).fit(data)
  expect(slices).toBeGreaterThan(0)
  expect(model.certificate.stopReason).toBe('converged')
})

describe('abort', () => {
  test('returns the best so far', async () => {
    const controller = new AbortController()
    const model = await new SVC(endless).fit(board, {
      signal: controller.signal,
      onProgress: ({ iteration }) => {
        if (iteration > 0) controller.abort()
      },
    })
    expect(slices).toBe(0)
    expect(model.certificate.stopReason).toBe('aborted')
    expect(model.certificate.iterations).toBeGreaterThan(0)
    expect(model.certificate.primal).toBeGreaterThanOrEqual(-model.certificate.dual)
    expect(model.predict(board.samples).length).toBe(2000)
  })

  test('before the start', async () => {
    const model = await new SVC(endless).fit(board, { signal: AbortSignal.abort() })
    expect(model.certificate).toMatchObject({ stopReason: 'aborted', iterations: 0 })
  })

  test('while waiting for a thread', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const fits = Array.from({ length: 40 }, () => new SVC(endless).fit(board, { signal }))
    setTimeout(() => controller.abort(), 20)
    for (const model of await Promise.all(fits)) expect(model.certificate.stopReason).toBe('aborted')
  })
})

test('progress is heard, and tells where the solver is', async () => {
  const controller = new AbortController()
  const heard: Progress[] = []
  await new SVC(endless).fit(board, {
    signal: controller.signal,
    onProgress: (progress) => {
      heard.push(progress)
      // On a busy machine two reports may be of the same iteration.
      if (progress.iteration > heard[0].iteration) controller.abort()
    },
  })
  expect(heard[0]).toMatchObject({ solver: 'smo-simplified', tol: 1e-15 })
  expect(heard.at(-1)?.iteration).toBeGreaterThan(heard[0].iteration)
})

test('steps arrive all, in order', async () => {
  const options: SvcOptions = { kernel: rbf({ gamma: 5 }), C: 100, solver: 'smo-mvp' }
  const here: SmoStep[] = []
  const there: SmoStep[] = []
  new SVC(options).fitSync(moons, { onStep: (step) => here.push({ ...step }) })
  await new SVC(options).fit(moons, { onStep: (step) => there.push(step) })
  expect(here.length).toBeGreaterThan(256)
  expect(there).toStrictEqual(here)
})

test('the trace comes back with its snapshots', async () => {
  const trace = { every: 20, snapshots: true }
  const strip = (points: readonly object[]) => points.map((point) => ({ ...point, seconds: 0 }))
  const [threaded, direct] = [await new SVC().fit(moons, { trace }), new SVC().fitSync(moons, { trace })]
  expect(strip(threaded.trace)).toStrictEqual(strip(direct.trace))
})

describe('errors', () => {
  test('of the solver keep their class and message', async () => {
    const fit = new SVC({ solver: { name: 'pegasos', batchSize: -1 } }).fit(moons)
    const error = await fit.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ParameterError)
    expect(error).toMatchObject({ who: 'pegasos', parameter: 'batchSize' })
    expect((error as Error).message).toBe('pegasos: batchSize must be a whole number >= 1, got -1')
  })

  test('of the data come before any thread', async () => {
    await expect(
      new SVC().fit(generate('moons', { n: 2, seed: 1 }), { trace: { every: 0 } }),
    ).rejects.toThrow(ParameterError)
    const { samples } = moons
    await expect(new SVC().fit({ samples, labels: new Float64Array(120) })).rejects.toThrow(DataError)
  })

  test('of a callback end the fit with it, and the thread is used again', async () => {
    const own = new Error('from the callback')
    for (let round = 0; round < 4; round++) {
      const fit = new SVC(endless).fit(board, {
        onProgress: () => {
          throw own
        },
      })
      expect(await fit.catch((reason: unknown) => reason)).toBe(own)
    }
    expect((await new SVC().fit(moons)).certificate.stopReason).toBe('converged')
  })
})

describe('a process', () => {
  const run = (script: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      timeout: 50_000,
    })

  test('ends by itself after a fit', () => {
    const { status, stdout, stderr } = run(`
      import { generate, SVC } from 'hyperplane/node'
      const model = await new SVC().fit(generate('moons', { n: 50, seed: 1 }))
      console.log(model.certificate.stopReason)
    `)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'converged\n', stderr: '' })
  })

  test('ends by itself after fitSync, whatever flags it was started with', () => {
    const { status, stdout, stderr } = run(`
      import { generate, SVC } from 'hyperplane/node'
      console.log(new SVC().fitSync(generate('checkerboard', { n: 4000, seed: 1 })).certificate.stopReason)
    `)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'converged\n', stderr: '' })
  })

  test('waits for a fit that nothing else waits for', () => {
    const { status, stdout, stderr } = run(`
      import { generate, SVC } from 'hyperplane/node'
      new SVC().fit(generate('moons', { n: 50, seed: 1 })).then((model) => console.log(model.certificate.stopReason))
    `)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'converged\n', stderr: '' })
  })
})
