/** The same package trains in a real browser, to the same model as in Node, bit for bit. */
import * as node from 'hyperplane/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine as EngineClass } from '../../src/engine/memory/engine.ts'
import { hasChromium, Site } from './pages.ts'

type Hyperplane = typeof node

if (!hasChromium && !process.env.CI)
  console.warn('browser tests are skipped: no Chromium (apt-get install chromium-headless-shell)')

/** Data large enough for several rounds and threads, made once: Math.log differs in the last bit between engines. */
const { samples, labels } = node.generate('checkerboard', { n: 3000, noise: 0.05, seed: 3 })
const made = { rows: Array.from(samples.values), labels: Array.from(labels as Float64Array) }

/** Runs in Node and in the page. */
async function train(
  hyperplane: Hyperplane,
  { rows, labels }: typeof made,
  build?: 'simd',
  threads?: number,
) {
  hyperplane.chooseEngineBuild(build)
  const data = hyperplane.makeDataset(
    { values: rows, shape: [labels.length, rows.length / labels.length] },
    labels,
  )
  const settings = { kernel: hyperplane.rbf({ gamma: 4 }), C: 10, ...(threads && { threads }) }
  const model = await new hyperplane.SVC(settings).fit(data)
  const { seconds: _, ...certificate } = model.certificate as NonNullable<typeof model.certificate>
  return {
    bias: model.bias,
    dualCoef: Array.from(model.dualCoef),
    supportIndices: Array.from(model.supportIndices ?? []),
    certificate,
    engine: hyperplane.engineInfo(),
  }
}

/** Two jobs that the calling thread leaves to its helper: in the first one a pointer leads out of the memory. */
async function failAndGoOn(Engine: typeof EngineClass) {
  const engine = new Engine()
  engine.useThreads(2)
  const vector = engine.array(Float64Array, 4).fill(3)
  const row = engine.array(Float32Array, 8).fill(1.5)
  const rows = engine.array(Uint32Array, 1)
  const coefficients = engine.array(Float64Array, 1).fill(2)
  const job = {
    ...({ kind: 'subtract-rows', vector: vector.pointer, from: 0, to: 4 } as const),
    ...{ rows: rows.pointer, coefficients: coefficients.pointer, count: 1 },
  }
  // Where the state of the first helper is: 1 idle, 2 busy.
  const state = new Int32Array(engine.memory.buffer, 49152 + 4, 1)
  while (Atomics.load(state, 0) !== 1) await new Promise((resolve) => setTimeout(resolve, 5))
  const untilIdle = () => {
    while (Atomics.load(state, 0) === 2);
  }
  rows[0] = 0xffff0000
  let message = ''
  try {
    engine.run(job, untilIdle)
  } catch (error) {
    message = (error as Error).message
  }
  rows[0] = row.pointer
  engine.run(job, untilIdle)
  return { message, vector: Array.from(vector) }
}

describe.skipIf(!hasChromium && !process.env.CI)('training in Chromium', () => {
  let site: Site
  let expected: Awaited<ReturnType<typeof train>>

  beforeAll(async () => {
    site = await Site.open()
    expected = await train(node, made, 'simd', 1)
  })
  afterAll(() => site?.close())

  it.each([
    { isolated: true, where: 'on a page that is cross-origin isolated' },
    { isolated: false, where: 'on a page that is not' },
  ])('gives the model of Node to the last bit $where', async ({ isolated }) => {
    const { page, errors } = await site.page(isolated)
    const actual = await page.evaluate(`(${train})(window.hyperplane, ${JSON.stringify(made)}, 'simd')`)
    const { engine, ...model } = actual as typeof expected
    const { engine: _, ...expectedModel } = expected
    expect(model).toEqual(expectedModel)
    expect(model.certificate.stopReason).toBe('converged')
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated)
    if (isolated) expect(engine.threads).toBeGreaterThan(1)
    else {
      expect(engine.threads).toBe(1)
      expect(engine.singleThreaded).toBe(
        'the page is not cross-origin isolated, so memory cannot be shared between threads',
      )
    }
    expect(errors).toEqual([])
    await page.close()
  })

  it('gives that model too where threads cannot be started, and says why', async () => {
    const { page } = await site.page(true, false)
    // Large enough for threads from the start; smaller fits begin without.
    const { samples, labels } = node.generate('blobs', { n: 3000, features: 130, spread: 4, box: 1, seed: 5 })
    const large = {
      rows: Array.from(samples.values, (x) => Math.round(x) / 64),
      labels: Array.from(labels as Float64Array),
    }
    const text = `(${train})(window.hyperplane, ${JSON.stringify(large)}, 'simd')`
    const { engine: _, ...expectedModel } = await train(node, large, 'simd', 1)
    const { engine, ...model } = (await page.evaluate(text)) as typeof expected
    expect(model).toEqual(expectedModel)
    expect(engine).toMatchObject({
      threads: 1,
      singleThreaded: 'threads could not be started: their script could not be loaded',
    })
    await page.close()
  })

  it('throws what fails on a helper thread, and goes on', async () => {
    const { page, errors } = await site.page(true)
    expect(await page.evaluate(`(${failAndGoOn})(window.Engine)`)).toEqual({
      message: 'engine: helper thread 1 failed in a job of subtract-rows: memory access out of bounds',
      vector: [0, 0, 0, 0],
    })
    expect(errors).toEqual([])
    await page.close()
  })

  it('has a build with fused multiply-add, whose model is as good', async () => {
    const { page } = await site.page(true)
    const actual = (await page.evaluate(
      `(${train})(window.hyperplane, ${JSON.stringify(made)})`,
    )) as typeof expected
    expect(actual.engine.build).toBe('relaxed')
    expect(actual.certificate.stopReason).toBe('converged')
    expect(Math.abs(actual.certificate.dual - expected.certificate.dual)).toBeLessThan(
      1e-5 * Math.abs(expected.certificate.dual),
    )
    await page.close()
  })
})
