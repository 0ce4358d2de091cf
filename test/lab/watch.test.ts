/** Runs, races and maps in the Lab, held against the same work in Node. */
import type { KernelSpec, SolverName } from 'hyperplane'
import { kernelFromSpec } from 'hyperplane/kernels'
import { makeProblem, type Solver, solverNames, solvers, solveSync } from 'hyperplane/solvers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WATCHED_ADDED } from '../../web/worker/messages.ts'
import { goTo, isLeftOut, LabSite, trained } from './lab-site.ts'

/** The run of a solver in Node, on the points of the page. */
async function inNode(page: Page, name: SolverName, kernel: KernelSpec, C: number, tol: number) {
  const points = await page.evaluate(() => lab.points())
  const solver = solvers[name] as Solver<object>
  const problem = makeProblem({
    samples: {
      kind: 'dense',
      rows: points.length,
      cols: 2,
      values: Float64Array.from(points.flatMap(({ x, y }) => [x, y])),
    },
    kernel: kernelFromSpec(kernel),
    y: points.map(({ c }) => (c === 1 ? 1 : -1)),
    C,
    bias: solver.biasForms[0],
  })
  const result = solveSync(problem, solver, name === 'working-set' ? { added: WATCHED_ADDED } : {}, {
    tol,
    onStep: () => undefined,
    onModelStep: () => undefined,
  })
  return { ...result, coefficients: result.beta ?? result.alpha.map((a, i) => a * problem.y[i]) }
}

describe.skipIf(isLeftOut)('watching, racing and tuning in the Lab', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('steps every solver to the end, with the model of Node to 1e-9', async () => {
    const { page, errors } = await site.page()
    await page.getByLabel('Preset').selectOption('blobs')
    await page.getByLabel('Kernel').selectOption('linear')
    await page.getByRole('slider', { name: 'points' }).fill('1.6')
    await page.getByRole('slider', { name: 'noise' }).fill('2')
    await goTo(page, 'Watch')
    const seen: string[] = []
    for (const name of solverNames) {
      await page.getByLabel('Solver').selectOption(name)
      await page.waitForFunction((solver) => lab.take()?.settings.solver === solver, name)
      for (let k = 0; k < 3; k++) await page.getByRole('button', { name: 'One step forward' }).click()
      expect(await page.evaluate(() => lab.frame())).toBe(3)
      await page.getByRole('button', { name: 'To the end' }).click()
      const { settings, last, bias, frames, stop } = await page.evaluate(() => {
        const { recording, settings: own } = lab.take()!
        const { samples, frames: count, coefficients, bias: all, certificate } = recording
        return {
          settings: own,
          frames: count,
          last: Array.from(coefficients.subarray((count - 1) * samples)),
          bias: all[count - 1],
          stop: certificate.stopReason,
        }
      })
      expect(await page.evaluate(() => lab.frame())).toBe(frames - 1)
      const expected = await inNode(page, name, { kind: 'linear' }, 10, settings.tol)
      expect(stop).toBe(expected.certificate.stopReason)
      expect(Math.abs(bias - expected.bias), name).toBeLessThan(1e-9)
      const apart = Math.max(...last.map((c, i) => Math.abs(c - expected.coefficients[i])))
      expect(apart, name).toBeLessThan(1e-9)
      seen.push(name)
    }
    expect(seen).toEqual(solverNames)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('shows the pair, the box and the bounds of a step, and scrubs back', async () => {
    const { page } = await site.page()
    await goTo(page, 'Watch')
    await page.waitForFunction(() => lab.take() !== undefined)
    const slider = page.getByRole('slider', { name: /^Step \d+ of/ })
    await page.getByRole('button', { name: 'One step forward' }).click()
    await page.getByRole('img', { name: /α_j may lie between/ }).waitFor()
    await page.getByRole('img', { name: /^The dual along the segment: it falls by/ }).waitFor()
    await page.getByRole('img', { name: 'b_low and b_up, closing on −b' }).waitFor()
    await page.getByRole('button', { name: 'To the end' }).click()
    await slider.fill('5')
    expect(await page.evaluate(() => lab.frame())).toBe(5)
    await page.getByRole('button', { name: 'One step back' }).click()
    expect(await page.evaluate(() => lab.frame())).toBe(4)
    // Slowly: it must not be over before it is paused.
    await page.getByRole('slider', { name: 'speed' }).fill('0.6')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.waitForFunction(() => lab.frame() > 6)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.context().close()
  })

  it('races solvers, and says who was first', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Race')
    await page.getByRole('button', { name: 'Race again' }).waitFor()
    await page.getByLabel('Dual coordinate ascent').check()
    expect(await page.getByLabel('Pegasos').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Race again' }).click()
    await page.waitForFunction(() => lab.race()?.runs.length === 4)
    const runs = await page.evaluate(() => lab.race()?.runs.map((run) => run.certificate.stopReason))
    expect(runs).toEqual(['converged', 'converged', 'converged', 'converged'])
    const outcome = page.getByRole('region', { name: 'Result' })
    await outcome.getByText('have a slightly different optimum').waitFor()
    expect(await outcome.textContent()).toMatch(/was first|too close to tell apart/)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('fills the maps of the tuner, and uses the cell that is clicked', async () => {
    const { page, errors } = await site.page()
    await goTo(page, 'Tune')
    await page.waitForFunction(() => lab.cells().length === 49 && lab.cells().every((cell) => cell))
    const cells = await page.evaluate(() => lab.cells())
    const best = Math.max(...cells.map((cell) => cell?.validation ?? 0))
    expect(best).toBeGreaterThan(0.9)
    // γ = 1000 learns by heart: all right on its own samples, no better than guessing on others.
    const overfit = cells.find((cell) => cell?.gamma === 1000 && cell.C === 10)
    expect(overfit?.training).toBe(1)
    expect(overfit?.validation).toBeLessThan(0.75)
    await page
      .getByRole('button', { name: /for C 100, γ 10$/ })
      .first()
      .click()
    const { settings } = await page.evaluate(() => lab.state())
    expect([settings.C, settings.kernel.gamma]).toEqual([100, 10])
    await trained(page)
    // Maps are made where they were refused before, and a cell is what it was made with: C-SVC.
    await page.getByLabel('Problem').selectOption('svr')
    await page.getByRole('alert').filter({ hasText: 'the maps support only classification' }).waitFor()
    await page.getByLabel('Problem').selectOption('nu-svc')
    await page.getByText('The maps are for C-SVC').waitFor()
    await page.waitForFunction(() => lab.cells().length === 49 && lab.cells().every((cell) => cell))
    await page
      .getByRole('button', { name: /for C 1, γ 1$/ })
      .first()
      .click()
    expect(await page.evaluate(() => lab.state().settings)).toMatchObject({ problem: 'svc', C: 1 })
    expect(errors).toEqual([])
    await page.context().close()
  })
})
