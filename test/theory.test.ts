/** docs/theory/: its figures are what the script draws, its formulas and links can be rendered, its statements hold. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { theoryFigures } from '../scripts/theory-figures.js'
import * as calibration from '../src/calibration.ts'
import { DualMeasures } from '../src/certify/dual-measures.ts'
import { selectRows } from '../src/data/matrix/matrix.ts'
import * as main from '../src/index.ts'
import * as kernels from '../src/kernels.ts'
import * as metrics from '../src/metrics.ts'
import { drawFigure } from '../src/plots/figure.ts'
import { drawSeries } from '../src/plots/series.ts'
import * as plots from '../src/plots.ts'
import { linearParts, makeCrammerSinger } from '../src/problems/linear-problem.ts'
import { biasInterval } from '../src/solve/dual/bias.ts'
import * as solvers from '../src/solvers.ts'
import { renderPage } from '../web/build/documents.ts'
import { topics } from '../web/words/topics.ts'
import { solveLinearSync } from './solve-linear.ts'

const { coupleProbabilities } = calibration
const { generate } = main
const { checkKernel, custom, featureMap, kernelMatrix, linear, rbf } = kernels
const {
  diagnose,
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeProblem,
  makeSvrProblem,
  measure,
  sdca,
  smo,
  smoMvp,
  smoPlatt,
  solveSync,
} = solvers

const folder = fileURLToPath(new URL('../docs/theory/', import.meta.url))
const pages = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(folder + name, 'utf8')]),
)
const figureNames = readdirSync(`${folder}figures`)

describe('figures of the theory', () => {
  it('are what the script draws', async () => {
    const drawn = await theoryFigures({
      ...{ ...main, ...kernels, ...metrics, ...solvers, ...calibration, ...plots },
      ...{ drawFigure, drawSeries, selectRows },
    })
    expect(Object.keys(drawn).sort()).toEqual(figureNames.sort())
    for (const [name, svg] of Object.entries(drawn)) {
      expect(svg.length, name).toBeLessThan(60_000)
      expect(svg === readFileSync(`${folder}figures/${name}`, 'utf8'), `${name} is out of date`).toBe(true)
    }
  })

  it('are all shown, with words for those who cannot see them', () => {
    const shown = [...pages.values()].flatMap((text) => [
      ...text.matchAll(/!\[([^\]]*)\]\(figures\/([^)]+)\)/g),
    ])
    expect([...new Set(shown.map(([, , name]) => name))].sort()).toEqual(figureNames.sort())
    for (const [, words, name] of shown) expect(words, name).not.toBe('')
  })
})

describe('pages of the theory', () => {
  const names = new Set([...pages.keys()].map((name) => `theory/${name}`))
  const rendered = new Map(
    [...pages].map(([name, text]) => [name, renderPage(`theory/${name}`, text, names)] as const),
  )
  const anchors = new Map(
    [...rendered].map(([name, html]) => [name, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
  )

  it('have formulas that become MathML, every one', () => {
    for (const [name, text] of pages) {
      const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
      const formulas = [...prose.matchAll(/\$\$\n[\s\S]+?\n\$\$|\$[^$\n]+\$/g)]
      const html = rendered.get(name)!
      expect(html.split('<math').length - 1, name).toBe(formulas.length)
      expect(html.replace(/<(pre|code|annotation)[\s\S]*?<\/\1>/g, ''), name).not.toContain('$')
      for (const [formula] of formulas) {
        // Code hosts read Markdown first: these would not arrive.
        expect(formula, name).not.toMatch(/\\[^A-Za-z]|[*|]/)
      }
    }
    expect(rendered.get('kkt.md')).toContain('<msub>')
  })

  it('link to sections that exist', () => {
    const links = [...pages].flatMap(([from, text]) =>
      [...text.matchAll(/\]\(([^)\s]*)#([^)\s]+)\)/g)].map(([, file, anchor]) => [file || from, anchor]),
    )
    expect(links.length).toBeGreaterThan(50)
    for (const [file, anchor] of links) {
      if (file.startsWith('http')) continue
      expect(anchors.get(file), file).toContain(anchor)
    }
  })

  it('have what the Lab points to', () => {
    for (const { title, theory } of Object.values(topics)) {
      const [page, anchor] = theory.replace('.html', '.md').split('#')
      expect(anchors.get(page), title).toContain(anchor)
    }
  })

  it('are all in the table of contents', () => {
    const contents = pages.get('README.md')!
    for (const name of pages.keys()) if (name !== 'README.md') expect(contents).toContain(`(${name})`)
  })
})

const moons = generate('moons', { n: 60, noise: 0.25, seed: 3 })
const labels = moons.labels as Float64Array
const moonsProblem = makeProblem({ samples: moons.samples, kernel: rbf({ gamma: 1 }), y: labels, C: 10 })
const exact = { engine: false, precision: 'f64' } as const
const solved = (problem: solvers.Problem, tol = 1e-9) => solveSync(problem, smo, exact, { tol })

/** g_i = Σ_j β_j K_ij */
function valuesOf(kernel: kernels.Kernel, samples: main.Samples, beta: Float64Array): Float64Array {
  const { values, rows } = kernelMatrix(kernel, samples)
  return beta.map((_, i) => {
    let sum = 0
    for (let j = 0; j < rows; j++) sum += beta[j] * values[i * rows + j]
    return sum
  })
}
const rowsOf = (samples: main.VectorDataset['samples']) => main.toDense(samples).values
const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0)

describe('what the theory says', () => {
  it('of example 3.7: α, b and the values for any C', () => {
    const { samples, labels: y } = generate('example37')
    const kernel = featureMap(([x]: Float64Array) => [x, x * x], { name: 'psi' })
    for (const C of [0.3, 1, 1.9, 2, 7]) {
      const problem = makeProblem({ samples, kernel, y: y as Float64Array, C })
      const { alpha, bias, certificate } = solved(problem, 1e-12)
      const a = Math.min(1, C / 2)
      expect(Array.from(alpha)).toEqual([a, 2 * a, a].map((value) => expect.closeTo(value, 12)))
      expect(bias).toBeCloseTo(1 - 2 * a, 12)
      expect(certificate.primal).toBeCloseTo(C < 2 ? 2 * C - C ** 2 / 2 : 2, 12)
      expect(certificate.dual).toBeCloseTo(-certificate.primal, 12)
      expect(diagnose(problem, { alpha, bias }).marginWidth).toBeCloseTo(C < 2 ? 2 / C : 1, 12)
    }
  })

  it('of the gap: a sum over samples, bounded by the violation, and a bound of ‖w − w*‖', () => {
    const best = solved(moonsProblem, 1e-10)
    const { kernel, y, C } = moonsProblem
    for (const maxIter of [0, 5, 20, 80]) {
      const { alpha, bias: midpoint, certificate } = solveSync(moonsProblem, smoMvp, {}, { maxIter })
      const g = valuesOf(
        kernel as kernels.Kernel,
        moons.samples,
        alpha.map((a, i) => a * y[i]),
      )
      const f = g.map((value, i) => value - y[i])
      const { bUp, bLow } = biasInterval(alpha, y, C, f)
      for (const bias of [midpoint, 0.3, -2]) {
        const gap = alpha.reduce((total, a, i) => {
          const s = 1 - y[i] * (g[i] + bias)
          return total + (C[i] - a) * Math.max(0, s) + a * Math.max(0, -s)
        }, 0)
        expect(measure(moonsProblem, { alpha, bias }).gap).toBeCloseTo(gap, 8)
      }
      expect(certificate.maxViolation).toBeCloseTo(bLow - bUp, 10)
      expect(certificate.gap).toBeLessThanOrEqual((bLow - bUp) * sum(C))
      const difference = alpha.map((a, i) => y[i] * (a - best.alpha[i]))
      const moved = valuesOf(kernel as kernels.Kernel, moons.samples, difference)
      const distance = difference.reduce((total, d, i) => total + d * moved[i], 0)
      expect(Math.sqrt(distance)).toBeLessThanOrEqual(Math.sqrt(2 * certificate.gap) + 1e-6)
    }
  })

  it('of the squared hinge: slack is α / 2C', () => {
    const problem = makeProblem({
      samples: moons.samples,
      kernel: rbf({ gamma: 1 }),
      y: labels,
      C: 3,
      loss: 'squared-hinge',
      bias: 'none',
    })
    const { alpha, bias } = solveSync(problem, sdca, {}, { tol: 1e-10 })
    const { slacks } = diagnose(problem, { alpha, bias })
    for (const [i, slack] of slacks.entries()) expect(slack).toBeCloseTo(alpha[i] / 6, 8)
  })

  it('of a step: the gain of an unclipped one, and the bias that follows', () => {
    const { kernel, y } = moonsProblem
    const K = kernelMatrix(kernel as kernels.Kernel, moons.samples).values
    const at = (i: number, j: number) => K[i * y.length + j]
    const dual = (alpha: Float64Array) => {
      const beta = alpha.map((a, i) => a * y[i])
      const g = valuesOf(kernel as kernels.Kernel, moons.samples, beta)
      return 0.5 * beta.reduce((total, b, i) => total + b * g[i], 0) - sum(alpha)
    }
    const alpha = new Float64Array(y.length)
    let unclipped = 0
    let steps = 0
    const onStep = (step: solvers.SmoStep) => {
      const { i, j, eta, errorI, errorJ, alphaI, alphaJ, oldAlphaI, oldAlphaJ, low, high } = step
      const before = dual(alpha)
      const g = valuesOf(
        kernel as kernels.Kernel,
        moons.samples,
        alpha.map((a, p) => a * y[p]),
      )
      expect(errorI - errorJ).toBeCloseTo(g[i] - y[i] - g[j] + y[j], 8)
      expect(eta).toBeCloseTo(at(i, i) + at(j, j) - 2 * at(i, j), 12)
      alpha[i] = alphaI
      alpha[j] = alphaJ
      const gain = before - dual(alpha)
      expect(gain).toBeGreaterThan(0)
      if (alphaJ > low && alphaJ < high) {
        unclipped++
        expect(gain).toBeCloseTo((errorI - errorJ) ** 2 / (2 * eta), 8)
      }
      expect(y[i] * alphaI + y[j] * alphaJ).toBeCloseTo(y[i] * oldAlphaI + y[j] * oldAlphaJ, 10)
      // b_i makes the error of sample i zero, whatever b was.
      const b = 0.4
      const error = g[i] + b - y[i]
      const next = b - error - y[i] * (alphaI - oldAlphaI) * at(i, i) - y[j] * (alphaJ - oldAlphaJ) * at(i, j)
      const after = valuesOf(
        kernel as kernels.Kernel,
        moons.samples,
        alpha.map((a, p) => a * y[p]),
      )
      expect(after[i] + next).toBeCloseTo(y[i], 8)
      steps++
    }
    solveSync(moonsProblem, smoPlatt, {}, { tol: 1e-2, maxIter: 60, onStep })
    expect(steps).toBe(60)
    expect(unclipped).toBeGreaterThan(5)
  })

  it('of functions that are no kernels, and of distances in single precision', () => {
    const points = main.toMatrix([[0], [Math.sqrt(3)]])
    const falling = custom(([x]: Float64Array, [z]: Float64Array) => 1 - (x - z) ** 2, { name: 'falling' })
    expect(checkKernel(falling, points).smallestEigenvalue).toBeCloseTo(-1, 12)
    expect(Math.tanh(2) * Math.tanh(10) - Math.tanh(4) ** 2).toBeCloseTo(-0.0346, 4)
    const r = Math.fround
    const [x, z] = [10_000, 10_001]
    expect(r(r(x * x) + r(z * z))).toBe(200_020_000)
    expect(r(2 * x * z)).toBe(200_020_000)
    expect(r(r(r(0.25) + r(0.25)) - r(2 * -0.5 * 0.5))).toBe(1)
  })

  it('of small γ: the linear machine of 2γC', () => {
    const gamma = 1e-6
    const wide = solved(
      makeProblem({ samples: moons.samples, kernel: rbf({ gamma }), y: labels, C: 1 / (2 * gamma) }),
      1e-8,
    )
    const flat = solved(makeProblem({ samples: moons.samples, kernel: linear(), y: labels, C: 1 }), 1e-8)
    const values = (kernel: kernels.Kernel, { alpha, bias }: solvers.Solution) =>
      valuesOf(
        kernel,
        moons.samples,
        alpha.map((a, i) => a * labels[i]),
      ).map((g) => g + bias)
    const straight = values(linear(), flat)
    for (const [i, f] of values(rbf({ gamma }), wide).entries()) expect(f).toBeCloseTo(straight[i], 3)
  })

  it('of ν-SVC: shares, ρ ≥ 0, and the machine of C = 1/ρ', () => {
    const kernel = rbf({ gamma: 1 })
    for (const nu of [0.2, 0.5]) {
      const problem = makeNuSvcProblem({ samples: moons.samples, kernel, y: labels, nu })
      const { alpha, bias, width: rho = Number.NaN, certificate } = solved(problem)
      expect(sum(alpha)).toBeCloseTo(nu * 60, 8)
      expect(certificate.gap).toBeLessThan(1e-6)
      expect(certificate.dual).toBeGreaterThan(0)
      expect(rho).toBeGreaterThan(0)
      const g = valuesOf(
        kernel,
        moons.samples,
        alpha.map((a, i) => a * labels[i]),
      )
      const errors = g.filter((value, i) => labels[i] * (value + bias) < rho - 1e-6).length
      expect(errors).toBeLessThanOrEqual(nu * 60)
      expect(alpha.filter((a) => a > 0).length).toBeGreaterThanOrEqual(nu * 60)
      const point = new DualMeasures(problem)
      point.set({ alpha, bias, width: rho })
      const [up, low] = point.extremes({ values: g, errors: new Float64Array(g.length) })
      expect(up.m.value).toBeCloseTo(bias - rho, 6)
      expect(low.m.value).toBeCloseTo(bias + rho, 6)
      const priced = solved(makeProblem({ samples: moons.samples, kernel, y: labels, C: 1 / rho }))
      expect(priced.bias).toBeCloseTo(bias / rho, 5)
      for (const [i, a] of priced.alpha.entries()) expect(a).toBeCloseTo(alpha[i] / rho, 4)
    }
  })

  it('of one class: shares and the boundary', () => {
    const kernel = rbf({ gamma: 2 })
    const nu = 0.15
    const { alpha, bias, certificate } = solved(makeOneClassProblem({ samples: moons.samples, kernel, nu }))
    const g = valuesOf(kernel, moons.samples, alpha)
    expect(certificate.gap).toBeLessThan(1e-6)
    expect(g.filter((value) => value + bias < -1e-6).length).toBeLessThanOrEqual(nu * 60)
    expect(alpha.filter((a) => a > 0).length).toBeGreaterThanOrEqual(nu * 60)
    for (const [i, a] of alpha.entries()) if (a > 0 && a < 1) expect(g[i]).toBeCloseTo(-bias, 7)
  })

  it('of regression: the cases, and the share outside the tube that ν-SVR chooses', () => {
    const { samples, labels: targets } = generate('sinc', { n: 50, noise: 0.12, seed: 2 })
    const z = targets as Float64Array
    const kernel = rbf({ gamma: 0.15 })
    const epsilon = 0.1
    const { alpha: beta, bias } = solved(makeSvrProblem({ samples, kernel, z, C: 2, epsilon }))
    const g = valuesOf(kernel, samples, beta)
    for (const [i, b] of beta.entries()) {
      const error = z[i] - g[i] - bias
      if (b === 0) expect(Math.abs(error)).toBeLessThanOrEqual(epsilon + 1e-7)
      else if (Math.abs(b) < 2) expect(error).toBeCloseTo(Math.sign(b) * epsilon, 7)
      else expect(error * Math.sign(b)).toBeGreaterThanOrEqual(epsilon - 1e-7)
    }
    const nu = 0.3
    const chosen = solved(makeNuSvrProblem({ samples, kernel, z, C: 2, nu }))
    const halves = [chosen.alpha.subarray(0, 50), chosen.alpha.subarray(50)]
    for (const half of halves) expect(Math.abs(sum(half))).toBeCloseTo((nu * 100) / 2, 8)
    const found = halves[0].map((a, i) => a + halves[1][i])
    const around = valuesOf(kernel, samples, found)
    const width = chosen.width ?? Number.NaN
    expect(width).toBeGreaterThan(0)
    const outside = around.filter((value, i) => Math.abs(z[i] - value - chosen.bias) > width + 1e-6).length
    expect(outside).toBeLessThanOrEqual(nu * 50)
    expect(found.filter((b) => b !== 0).length).toBeGreaterThanOrEqual(nu * 50)
    const again = solved(makeSvrProblem({ samples, kernel, z, C: 2, epsilon: width }))
    expect(again.bias).toBeCloseTo(chosen.bias, 5)
  })

  it('of Crammer–Singer: for two classes the machine of 2C', () => {
    const samples = moons.samples
    const both = makeCrammerSinger({ samples, y: labels.map((y) => (y > 0 ? 1 : 0)), classes: 2, C: 0.7 })
    const parts = linearParts(both, solveLinearSync(both, { tol: 1e-10 }))
    const two = makeProblem({ samples, kernel: linear(), y: labels, C: 1.4, bias: 'regularised' })
    const { alpha, bias } = solveSync(two, sdca, {}, { tol: 1e-10 })
    expect(parts.bias[0]).toBeCloseTo(-parts.bias[1], 7)
    expect(parts.bias[1] - parts.bias[0]).toBeCloseTo(bias, 6)
    const w = [0, 1].map((k) =>
      alpha.reduce((total, a, i) => total + a * labels[i] * rowsOf(samples)[2 * i + k], 0),
    )
    for (const k of [0, 1]) expect(parts.coef[2 + k] - parts.coef[k]).toBeCloseTo(w[k], 6)
  })

  it('of pairwise coupling: consistent pairs give back their probabilities', () => {
    const p = [0.5, 0.3, 0.15, 0.05]
    const pairs = p.flatMap((a) => p.map((b) => a / (a + b)))
    for (const [i, value] of coupleProbabilities(pairs, 4).entries()) expect(value).toBeCloseTo(p[i], 12)
  })
})
