/** The same package trains in a real browser, to the same model as in Node, bit for bit. */
import * as node from 'hyperplane/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, Site } from './pages.ts'

type Hyperplane = typeof node

if (!hasChromium && !process.env.CI)
  console.warn('browser tests are skipped: no /usr/bin/chromium (apt-get install chromium)')

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
