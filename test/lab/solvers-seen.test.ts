/** What Watch shows of solvers, held against the library: shrinking, other runs, w, other problems, pairs, and votes. */

import { pathToFileURL } from 'node:url'
import { makeDataset, OneClassSVM, rbf, SVC, SVR } from 'hyperplane'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialState, type Settings } from '../../web/state/lab-state.ts'
import { isLeftOut, LabSite, linkTo, trained } from './lab-site.ts'

const { settings: start } = initialState
const model = (part: Partial<Settings>) => ({ settings: { ...start, ...part } })

/** The model at the last frame of the run. */
async function lastModel(page: Page) {
  return page.evaluate(() => {
    const { samples, recording } = lab.take()!
    const { frames, coefficients, bias } = recording
    const last = coefficients.subarray((frames - 1) * samples.length)
    return { beta: Array.from(last), bias: bias[frames - 1], samples }
  })
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe.skipIf(isLeftOut)('solvers seen', { timeout: 400_000 }, () => {
  let site: LabSite
  beforeAll(async () => {
    site = await LabSite.open()
  })
  afterAll(() => site?.close())

  it('makes samples that are shrunk pale, and brings all back before the end', async () => {
    const { page, errors } = await site.page({
      hash: await linkTo({ mode: 'watch', ...model({ C: 100, tol: 1e-5 }) }),
    })
    await page.waitForFunction(() => lab.take()?.recording.shrunk !== undefined)
    const { shrunk, bounded } = await page.evaluate(() => {
      const { recording } = lab.take()!
      const { samples: count, coefficients } = recording
      const sets = recording.shrunk!.map(({ from, samples }) => ({ from, samples: Array.from(samples) }))
      const { from, samples } = sets[0]
      const sizes = samples.map((i) => Math.abs(coefficients[from * count + i]))
      return { shrunk: sets, bounded: sizes.every((size) => size === 0 || size === 100) }
    })
    expect(shrunk[0].samples.length).toBeGreaterThan(0)
    expect(bounded).toBe(true)
    const slider = page.getByRole('slider', { name: /^Step \d+ of/ })
    await slider.fill(String(shrunk[0].from - 1))
    await page.getByText('All samples take part.').waitFor()
    await slider.fill(String(shrunk[0].from))
    await page.getByText(`${shrunk[0].samples.length} of 120 samples are shrunk`).waitFor()
    await page.waitForFunction(
      (count) => lab.painted().shot?.pale?.filter(Boolean).length === count,
      shrunk[0].samples.length,
    )
    expect(await page.locator('.legend').textContent()).toContain('shrunk')
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('shows ten other runs of Pegasos that gather, and the way of w', async () => {
    const points = { kind: 'preset', name: 'blobs', size: 40, noise: 1.2, seed: 4 } as const
    const view = { x: 0, y: 0, half: 6, stretch: 1 }
    const { page, errors } = await site.page({
      hash: await linkTo({
        mode: 'watch',
        source: points,
        view,
        ...model({ kernel: { kind: 'linear' }, C: 1, solver: 'pegasos', tol: 0.05 }),
      }),
    })
    await page.waitForFunction(() => lab.take()?.recording.others !== undefined)
    // How far apart the lines are where they are on the plane: mean distance of their middles.
    const spreads = await page.evaluate(() => {
      const { lines } = lab.take()!.recording.others!
      const spread = (all: Float32Array) => {
        const heights: number[] = []
        for (let k = 0; k < all.length; k += 2) if (!Number.isNaN(all[k])) heights.push(all[k] + all[k + 1])
        const mean = heights.reduce((sum, value) => sum + value, 0) / heights.length
        return Math.sqrt(heights.reduce((sum, value) => sum + (value - mean) ** 2, 0) / heights.length)
      }
      const count = (all: Float32Array) => all.filter((value) => Number.isNaN(value)).length / 2
      return {
        early: spread(lines[4]),
        late: spread(lines.at(-1)!),
        lines: count(lines.at(-1)!),
      }
    })
    expect(spreads.lines).toBe(10)
    expect(spreads.late).toBeLessThan(spreads.early)
    await press(page, 'One step forward')
    await page.waitForFunction(() => (lab.painted().shot?.others?.length ?? 0) > 0)
    await page.getByLabel('Show 10 other runs, faint').press('Space')
    await page.waitForFunction(() => lab.painted().shot?.others === undefined)
    await page.getByRole('img', { name: /^w = / }).waitFor()

    // Coordinate ascent: each move of w is parallel to its sample.
    await page.getByLabel('Solver').selectOption('sdca')
    await page.waitForFunction(() => lab.take()?.settings.solver === 'sdca')
    for (let k = 0; k < 3; k++) await press(page, 'One step forward')
    const { turn, w } = await page.evaluate(() => {
      const { samples, recording } = lab.take()!
      const { coefficients, moves } = recording
      const at = lab.frame()
      const wAt = (frame: number) => {
        const beta = coefficients.subarray(frame * samples.length, (frame + 1) * samples.length)
        const along = (read: (point: { x: number; y: number }) => number) =>
          beta.reduce((sum, b, i) => sum + b * read(samples[i]), 0)
        return [along(({ x }) => x), along(({ y }) => y)]
      }
      const [before, after] = [wAt(at - 1), wAt(at)]
      const { x, y } = samples[moves![at * 4 + 2]]
      return { turn: (after[0] - before[0]) * y - (after[1] - before[1]) * x, w: after }
    })
    expect(Math.abs(turn)).toBeLessThan(1e-9)
    const number = (value: number) => String(Number(value.toPrecision(3))).replace('-', '−')
    await page.getByRole('img', { name: `w = (${number(w[0])}, ${number(w[1])})` }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it.each([
    { problem: 'svr', kind: 'regression', preset: 'sine' },
    { problem: 'one-class', kind: 'one-class', preset: 'moons' },
    { problem: 'nu-svc', kind: 'binary', preset: 'moons' },
  ] as const)('watches $problem to the model of the library', async ({ problem, kind, preset }) => {
    const kernel = { kind: 'rbf', gamma: 2 } as const
    const { page, errors } = await site.page({
      hash: await linkTo({
        mode: 'watch',
        source: { kind: 'preset', name: preset, size: 60, noise: 0.2, seed: 1 },
        ...model({ problem, kernel, C: 5, nu: 0.3, epsilon: 0.15, tol: 1e-6 }),
      }),
    })
    await page.waitForFunction((wanted) => lab.take()?.recording.kind === wanted, kind)
    for (let k = 0; k < 2; k++) await press(page, 'One step forward')
    await page.getByRole('img', { name: /α_j may lie between/ }).waitFor()
    const bounds = page.getByRole('img', { name: 'b_low and b_up, closing on −b' })
    expect(await bounds.count()).toBe(problem === 'nu-svc' ? 0 : 1)
    await press(page, 'To the end')
    await page.waitForFunction(
      (wanted) =>
        lab.painted().shot?.field?.kind === wanted && lab.frame() === lab.take()!.recording.frames - 1,
      kind,
    )
    const last = await lastModel(page)
    const { beta, samples } = last
    const common = { kernel: rbf({ gamma: 2 }), tol: 1e-6 }
    const rows = samples.map(({ x, y }) => (problem === 'svr' ? [x] : [x, y]))
    if (problem === 'svr') {
      const data = makeDataset(
        rows,
        samples.map(({ y }) => y),
      )
      const expected = await new SVR({ ...common, C: 5, epsilon: 0.15 }).fit(data)
      compare(last, rows, 2, expected.predict(rows))
    } else if (problem === 'one-class') {
      const expected = await new OneClassSVM({ ...common, nu: 0.3 }).fit(rows)
      compare(last, rows, 2, expected.decisionFunction(rows))
    } else {
      // Divided by ρ the margins are at ±1: those of the picture.
      const values = await page.evaluate(() => Array.from(lab.painted().shot!.field!.fields[0]))
      expect(Math.max(...values)).toBeGreaterThan(1)
      expect(Math.min(...values)).toBeLessThan(-1)
      expect(beta.reduce((sum, b) => sum + Math.abs(b), 0)).toBeCloseTo(0.3 * samples.length, 6)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('watches a chosen pair of many classes, and shows how the pairs vote', async () => {
    const { page, errors } = await site.page({
      hash: await linkTo({
        mode: 'watch',
        source: { kind: 'preset', name: 'iris', size: 150, noise: 0, seed: 1 },
        view: { x: 4, y: 1.3, half: 2.2, stretch: 1 },
        ...model({ tol: 1e-6 }),
      }),
    })
    await page.waitForFunction(() => lab.take()?.samples.length === 100)
    await page.getByLabel('Pair of classes').selectOption('class 2 against class 3')
    await page.waitForFunction(() => String(lab.take()?.signs) === '1,2')
    await press(page, 'To the end')
    await page.waitForFunction(() => lab.painted().shot?.points?.heldOut?.filter(Boolean).length === 50)
    const last = await lastModel(page)
    const { samples } = last
    const options = { kernel: rbf({ gamma: 1 }), C: 10, tol: 1e-6 }
    const rows = (list: typeof samples) => list.map(({ x, y }) => [x, y])
    const labels = (list: typeof samples) => list.map(({ c }) => c)
    const two = await new SVC(options).fit(makeDataset(rows(samples), labels(samples)))
    compare(last, rows(samples), 1, two.decisionFunction(rows(samples)))

    // All three machines on the plane, and their votes for every point: the most are what the library predicts.
    await page.getByRole('navigation').getByRole('button', { name: 'Plane' }).click()
    await trained(page)
    await page.getByLabel('Show the votes on the plane').press('Space')
    await page.waitForFunction(() => lab.painted().shot?.field?.kind === 'votes')
    await page.getByText('stripes: a tie').waitFor()
    const { votes, points } = await page.evaluate(() => ({
      votes: Array.from(lab.shown()!.picture.votes!),
      points: lab.points(),
    }))
    const all = await new SVC(options).fit(makeDataset(rows(points), labels(points)))
    const predicted = Array.from(all.predict(rows(points)))
    const winners = points.map((_, i) => {
      const own = votes.slice(3 * i, 3 * i + 3)
      expect(own[0] + own[1] + own[2]).toBe(3)
      return own.indexOf(Math.max(...own))
    })
    expect(winners).toEqual(predicted)
    await page.locator('.plane').focus()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: /^Votes for point \d+/ }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('says what to do when it is opened as a file', async () => {
    const context = await site.newContext()
    const page = await context.newPage()
    await page.goto(pathToFileURL('dist/lab/index.html').href)
    await page.getByText('npx hyperplane lab --open').waitFor()
    await page.getByRole('link', { name: 'theory' }).click()
    await page.getByRole('heading', { name: 'Theory' }).waitFor()
    await page.goto(site.plainUrl)
    await page.getByText('npx hyperplane lab --open').waitFor({ state: 'hidden' })
    await context.close()
  })
})

/** A run ends at the model of the library, up to the tolerance of both: compared by values, as equal samples may share α. */
function compare(
  { beta, bias }: { readonly beta: readonly number[]; readonly bias: number },
  rows: readonly (readonly number[])[],
  gamma: number,
  expected: ArrayLike<number>,
): void {
  const apart = rows.map((row, i) => {
    const squared = (other: readonly number[]) => row.reduce((sum, x, d) => sum + (x - other[d]) ** 2, 0)
    const value = beta.reduce((sum, b, j) => sum + b * Math.exp(-gamma * squared(rows[j])), bias)
    return Math.abs(value - expected[i])
  })
  expect(Math.max(...apart)).toBeLessThan(1e-4)
}
