// Draws the figures of docs/theory/ into docs/theory/figures/, with the library's own plots.
// Run: node scripts/theory-figures.js (needs `npm run build` first). A test holds the files to what this makes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** All in doubles and in plain code: the same on every machine. */
const EXACT = { engine: false, precision: 'f64' }
const TOL = 1e-9

/**
 * The figures by file name, as SVG text. `library` is what the entries of the package export, and three functions behind
 * them.
 */
export async function theoryFigures(library) {
  const made = {
    'margin.svg': await margin(library),
    'losses.svg': await losses(library),
    'effect-of-c.svg': await effectOfC(library),
    'bounds.svg': await bounds(library),
    'lift.svg': await lift(library),
    'effect-of-gamma.svg': await effectOfGamma(library),
    'box.svg': await box(library),
    'closing.svg': await closing(library),
    'choices.svg': await choices(library),
    'tube.svg': await tube(library),
    'one-class.svg': await oneClass(library),
    'calibration.svg': await calibration(library),
  }
  return Object.fromEntries(Object.entries(made).map(([name, svg]) => [name, settled(svg)]))
}

/** Two clouds that overlap. */
function clouds({ Random, makeDataset }, n, seed, distance = 1.15) {
  const random = new Random(seed)
  const rows = []
  const labels = []
  for (let i = 0; i < n; i++) {
    const label = i % 2 === 0 ? 1 : -1
    rows.push([label * distance + 0.8 * random.normal(), 0.5 * label * distance + random.normal()])
    labels.push(label)
  }
  return makeDataset(rows, labels)
}

/** Solves a problem of two classes; returns what figures need of it. */
function classify(library, data, kernel, C) {
  const { makeProblem, solveSync, smo, diagnose } = library
  const problem = makeProblem({ samples: data.samples, kernel, y: data.labels, C })
  const solution = solveSync(problem, smo, EXACT, { tol: TOL })
  const coefficients = solution.alpha.map((a, i) => a * problem.y[i])
  return {
    problem,
    solution,
    decide: decider(library, problem, coefficients, solution.bias),
    diagnosis: diagnose(problem, solution, { tol: 1e-6 }),
  }
}

/** f(x) = Σ c_i k(x_i, x) + b for the rows of a matrix. */
function decider({ kernelMatrix, selectRows }, { kernel, samples }, coefficients, bias) {
  const support = Array.from(coefficients.keys()).filter((i) => coefficients[i] !== 0)
  const vectors = selectRows(samples, Uint32Array.from(support))
  return (rows) => {
    const { values, cols } = kernelMatrix(kernel, rows, vectors)
    return Float64Array.from({ length: rows.rows }, (_, r) => {
      let sum = bias
      for (let s = 0; s < cols; s++) sum += coefficients[support[s]] * values[r * cols + s]
      return sum
    })
  }
}

function boundary(library, data, kernel, C, options) {
  const { decide, diagnosis } = classify(library, data, kernel, C)
  const { samples, labels } = data
  const cases = diagnosis.positions.map((position, i) =>
    diagnosis.multipliers[i] === 'zero' ? 'outside' : position,
  )
  const drawn = typeof options === 'function' ? options(diagnosis) : options
  return library.boundaryFigure({ samples, labels, classes: [-1, 1], decide, cases }, drawn)
}

function margin(library) {
  return boundary(
    library,
    clouds(library, 60, 5),
    library.linear(),
    1,
    ({ marginWidth, positionCounts }) => ({
      title: 'The margin, and the samples that determine it',
      subtitle: `Linear kernel, C = 1: margins ${marginWidth.toFixed(2)} apart, ${positionCounts.misclassified} of 60 samples on the wrong side`,
      width: 720,
      height: 520,
    }),
  )
}

function losses({ drawSeries }) {
  const at = Array.from({ length: 81 }, (_, k) => -2 + k / 20)
  const curve = (label, colour, loss, more = {}) => ({
    label,
    colour,
    points: at.map((m) => ({ x: m, y: loss(m) })),
    ...more,
  })
  return drawSeries({
    title: 'What a margin costs',
    subtitle: 'Losses as functions of the functional margin y f(x)',
    width: 640,
    height: 380,
    x: { label: 'functional margin y f(x)', domain: [-2, 2] },
    y: { label: 'loss', domain: [0, 4] },
    series: [
      curve('hinge', '#0072b2', (m) => Math.max(0, 1 - m)),
      curve('squared hinge', '#d55e00', (m) => Math.max(0, 1 - m) ** 2),
      curve('error (0 or 1)', '#1f2328', (m) => (m > 0 ? 0 : 1), { dash: '5,4', curve: 'step-before' }),
    ],
  })
}

async function effectOfC(library) {
  const data = clouds(library, 60, 5)
  const panels = []
  for (const C of [0.01, 0.1, 10]) {
    panels.push(
      await boundary(library, data, library.linear(), C, ({ marginWidth, multiplierCounts }) => ({
        title: `C = ${C}`,
        subtitle: `margins ${marginWidth.toFixed(2)} apart, ${multiplierCounts.free + multiplierCounts.bound} support vectors`,
        width: 340,
        height: 330,
        legend: false,
      })),
    )
  }
  return library.panelFigure(panels, { title: 'What C trades: width of the margin against slack' })
}

async function effectOfGamma(library) {
  const data = library.generate('moons', { n: 70, noise: 0.22, seed: 4 })
  const panels = []
  for (const gamma of [0.05, 1, 40]) {
    panels.push(
      await boundary(library, data, library.rbf({ gamma }), 10, ({ multiplierCounts, positionCounts }) => ({
        title: `γ = ${gamma}`,
        subtitle: `${multiplierCounts.free + multiplierCounts.bound} support vectors, ${positionCounts.misclassified} errors`,
        width: 340,
        height: 330,
        legend: false,
      })),
    )
  }
  return library.panelFigure(panels, { title: 'The width of the Gaussian, C = 10' })
}

/** A problem that takes some steps. */
function moonsProblem({ generate, makeProblem, rbf }) {
  const { samples, labels } = generate('moons', { n: 60, noise: 0.2, seed: 3 })
  return makeProblem({ samples, kernel: rbf({ gamma: 1 }), y: labels, C: 10 })
}

function bounds(library) {
  const { solveSync, smoMvp, boundsFigure } = library
  const { trace } = solveSync(moonsProblem(library), smoMvp, {}, { tol: 1e-3, trace: { every: 1 } })
  const shown = 100
  return boundsFigure(
    { name: 'smo-mvp', trace: trace.slice(0, shown + 1) },
    {
      title: 'The optimum lies between the two curves',
      subtitle: `Primal and dual value of every point that SMO visits; the first ${shown} of ${trace.length - 1} steps`,
      width: 640,
      height: 360,
    },
  )
}

/** Example 3.7: on the line no cut parts the classes, in the plane of (x, x²) a line does. */
async function lift(library) {
  const { drawFigure, panelFigure } = library
  const colours = { 1: '#0072b2', [-1]: '#d55e00' }
  const points = [-1, 0, 1].map((x) => ({ x, square: x * x, label: x === 0 ? -1 : 1, f: 2 * x * x - 1 }))
  const at = Array.from({ length: 81 }, (_, k) => -1.6 + k * 0.04)
  const axis = (label, domain, ticks) => ({
    label,
    domain,
    ticks,
    labelAnchor: 'center',
    labelArrow: 'none',
  })
  const marks = (plot, y) =>
    [-1, 1].map((label) =>
      plot.dot(
        points.filter((point) => point.label === label),
        { x: 'x', y, r: 7, symbol: label > 0 ? 'circle' : 'triangle', fill: colours[label], stroke: '#fff' },
      ),
    )
  const legend = [
    { symbol: `<path d="M0,-5.5L5,3.5H-5Z" fill="${colours[-1]}"/>`, label: 'class −1' },
    { symbol: `<circle r="5" fill="${colours[1]}"/>`, label: 'class 1' },
  ]
  const size = { width: 420, height: 350 }
  const around = { marginLeft: 52, marginBottom: 44, marginRight: 20 }
  const lifted = await drawFigure(
    { title: 'Lifted to (x, x²)', subtitle: 'a straight line half way up separates them', legend },
    size,
    (plot) => ({
      ...around,
      x: axis('x', [-1.6, 1.6], 7),
      y: axis('x²', [-0.4, 1.8], 6),
      marks: [
        plot.frame({ stroke: '#d0d7de' }),
        plot.line(
          at.map((x) => ({ x, y: x * x })),
          { x: 'x', y: 'y', stroke: '#8c959f', strokeDasharray: '2,4', clip: true },
        ),
        plot.ruleY([0.5], { stroke: '#1f2328', strokeWidth: 2 }),
        plot.ruleY([0, 1], { stroke: '#1f2328', strokeDasharray: '5,4' }),
        plot.text([{ x: 1.3, y: 0.5, text: 'f = 0' }], { x: 'x', y: 'y', text: 'text', dy: -9 }),
        plot.text([{ x: 1.3, y: 0, text: 'f = −1' }], { x: 'x', y: 'y', text: 'text', dy: 11 }),
        plot.text([{ x: -1.3, y: 1, text: 'f = 1' }], { x: 'x', y: 'y', text: 'text', dy: 11 }),
        ...marks(plot, 'square'),
      ],
    }),
  )
  const onLine = await drawFigure(
    { title: 'Back on the line: f(x) = 2x² − 1', subtitle: 'the same f cuts the line twice', legend },
    size,
    (plot) => ({
      ...around,
      x: axis('x', [-1.6, 1.6], 7),
      y: axis('f(x)', [-1.8, 2.6], 6),
      marks: [
        plot.frame({ stroke: '#d0d7de' }),
        plot.ruleY([0], { stroke: '#1f2328', strokeWidth: 1.2 }),
        plot.ruleY([-1, 1], { stroke: '#1f2328', strokeDasharray: '5,4', strokeOpacity: 0.6 }),
        plot.line(
          at.map((x) => ({ x, y: 2 * x * x - 1 })),
          { x: 'x', y: 'y', stroke: '#009e73', strokeWidth: 2.2, clip: true },
        ),
        plot.ruleX(
          [Math.SQRT1_2, -Math.SQRT1_2].map((x) => ({ x })),
          { x: 'x', y1: -1.8, y2: 0, stroke: '#8c959f', strokeDasharray: '3,3' },
        ),
        plot.dot(
          points.map(({ x, label }) => ({ x, y: 0, label })),
          { x: 'x', y: 'y', r: 3, fill: '#8c959f' },
        ),
        ...marks(plot, 'f'),
      ],
    }),
  )
  return panelFigure([lifted, onLine], { title: 'Example 3.7: −1 and 1 against 0' })
}

/** Two steps with clipping, one for each direction that the balance can have. */
async function box({ boxFigure, panelFigure }) {
  const C = 1
  const [kii, kjj, kij] = [1, 1, 0.3]
  const eta = kii + kjj - 2 * kij
  const panels = []
  for (const { yi, yj, oldAlphaI, oldAlphaJ, errorI, errorJ } of [
    { yi: 1, yj: -1, oldAlphaI: 0.25, oldAlphaJ: 0.5, errorI: -0.5, errorJ: 0.7 },
    { yi: 1, yj: 1, oldAlphaI: 0.3, oldAlphaJ: 0.35, errorI: -0.8, errorJ: 0.1 },
  ]) {
    const sign = yi * yj
    const low = sign > 0 ? Math.max(0, oldAlphaI + oldAlphaJ - C) : Math.max(0, oldAlphaJ - oldAlphaI)
    const high = sign > 0 ? Math.min(C, oldAlphaI + oldAlphaJ) : Math.min(C, C + oldAlphaJ - oldAlphaI)
    const unclipped = oldAlphaJ + (yj * (errorI - errorJ)) / eta
    const alphaJ = Math.min(high, Math.max(low, unclipped))
    const alphaI = oldAlphaI + sign * (oldAlphaJ - alphaJ)
    const objective = (a, b) => {
      const [di, dj] = [yi * (a - oldAlphaI), yj * (b - oldAlphaJ)]
      return errorI * di + errorJ * dj + 0.5 * (kii * di * di + kjj * dj * dj) + kij * di * dj
    }
    panels.push(
      await boxFigure(
        { yi, yj, low, high, unclipped, oldAlphaI, oldAlphaJ, alphaI, alphaJ },
        {
          Ci: C,
          Cj: C,
          objective,
          title: sign > 0 ? 'Same class: α_i + α_j is constant' : 'Two classes: α_j − α_i is constant',
          width: 420,
          height: 488,
        },
      ),
    )
  }
  return panelFigure(panels, {
    title: 'One step of SMO: along the diagonal to the minimum, but not out of the box',
    subtitle: 'Grey: contour lines of the dual as a function of the two variables',
  })
}

/** b_up and b_low as the maximal violating pair brings them together. */
function closing(library) {
  const { solveSync, smoMvp, drawSeries } = library
  const up = []
  const low = []
  const onStep = ({ iteration, errorI, errorJ }) => {
    low.push({ x: iteration, y: errorI })
    up.push({ x: iteration, y: errorJ })
  }
  const { bias } = solveSync(moonsProblem(library), smoMvp, {}, { tol: 1e-3, onStep })
  const shown = 120
  return drawSeries({
    title: 'b_low and b_up close in on −b',
    subtitle: `Maximal violating pair, 60 samples, Gaussian kernel; the first ${shown} of ${up.length} steps`,
    width: 720,
    height: 380,
    x: { label: 'step', domain: [0, shown] },
    y: { label: 'f of the chosen pair', domain: [-3, 3] },
    series: [
      { label: 'b_low = max f over I_low', colour: '#d55e00', points: low.slice(0, shown) },
      { label: 'b_up = min f over I_up', colour: '#0072b2', points: up.slice(0, shown) },
      {
        label: '−b at the optimum',
        colour: '#1f2328',
        dash: '5,4',
        points: [0, shown].map((x) => ({ x, y: -bias })),
      },
    ],
  })
}

/** The violation after so many steps for three ways to choose the pair. */
function choices(library) {
  const { solveSync, smo, smoMvp, smoRandom, convergenceFigure } = library
  const problem = moonsProblem(library)
  const every = { tol: 1e-4, trace: { every: 4 } }
  const run = (name, solver, options, more = {}) => ({
    name,
    trace: solveSync(problem, solver, options, { ...every, ...more }).trace,
  })
  return convergenceFigure(
    [
      run('second order (smo)', smo, { ...EXACT, shrinking: false }),
      run('maximal violating pair (smo-mvp)', smoMvp, {}),
      run('random pairs (smo-random)', smoRandom, {}, { maxIter: 800 }),
    ],
    'violation',
    {
      title: 'How the pair is chosen decides how many steps it takes',
      subtitle: 'The same problem; all three make the same kind of step',
      width: 720,
      height: 380,
    },
  )
}

function tube(library) {
  const { generate, makeSvrProblem, solveSync, smo, rbf, regressionFigure } = library
  const { samples, labels } = generate('sinc', { n: 60, noise: 0.12, seed: 2 })
  const problem = makeSvrProblem({ samples, kernel: rbf({ gamma: 0.15 }), z: labels, C: 2, epsilon: 0.15 })
  const { alpha, bias, certificate } = solveSync(problem, smo, EXACT, { tol: TOL })
  return regressionFigure(
    { samples, targets: labels, decide: decider(library, problem, alpha, bias), epsilon: 0.15 },
    {
      title: 'The tube: errors below ε cost nothing',
      subtitle: `ε = 0.15, C = 2: ${certificate.supportVectors} of 60 samples are support vectors, ${certificate.boundedSupportVectors} of them at ±C`,
      tol: 1e-6,
      width: 720,
      height: 400,
    },
  )
}

function oneClass(library) {
  const { generate, makeOneClassProblem, solveSync, smo, rbf, boundaryFigure, selectRows } = library
  const { samples: all } = generate('moons', { n: 160, noise: 0.12, seed: 6 })
  const samples = selectRows(
    all,
    Uint32Array.from({ length: 80 }, (_, i) => i),
  )
  const nu = 0.15
  const problem = makeOneClassProblem({ samples, kernel: rbf({ gamma: 2 }), nu })
  const { alpha, bias, certificate } = solveSync(problem, smo, EXACT, { tol: TOL })
  // In units of ρ: −1 is where the samples have no say at all.
  const decide = decider(
    library,
    problem,
    alpha.map((a) => a / -bias),
    -1,
  )
  const values = decide(samples)
  const cases = Array.from(alpha, (a) => (a === 0 ? 'outside' : a < 1 ? 'on-margin' : 'misclassified'))
  const labels = Array.from(values, (value) => (value < -1e-6 ? 'outside' : 'normal'))
  const { supportVectors, boundedSupportVectors } = certificate
  return boundaryFigure(
    { samples, labels, classes: ['outside', 'normal'], decide, cases },
    {
      title: 'One class: the region that contains most samples',
      subtitle: `ν = ${nu} of 80 samples is 12: ${boundedSupportVectors} lie outside, ${supportVectors} are support vectors`,
      margins: false,
      ringLabels: { 'on-margin': 'support vector on the boundary', misclassified: 'outside, at its bound' },
      width: 640,
      height: 480,
    },
  )
}

/** Probabilities from decision values of samples that the model has not seen, three ways. */
function calibration(library) {
  const { fitSigmoid, sigmoidProbability, fitIsotonic, isotonicProbability, calibrationFigure } = library
  const { calibrationCurve, rbf } = library
  const part = (n, seed) => clouds(library, n, seed, 0.55)
  const train = part(300, 11)
  const { decide } = classify(library, train, rbf({ gamma: 0.5 }), 10)
  const held = part(2000, 12)
  const test = part(8000, 13)
  const heldValues = decide(held.samples)
  const positives = Array.from(held.labels, (label) => label > 0)
  const values = decide(test.samples)
  const sigmoid = fitSigmoid(heldValues, positives)
  const isotonic = fitIsotonic(heldValues, positives)
  const curve = (name, probability) => ({
    name,
    bins: calibrationCurve(test.labels, values.map(probability), { positive: 1, bins: 6 }),
  })
  return calibrationFigure(
    [
      curve('(1 + f) / 2, cut to [0, 1]', (f) => Math.min(1, Math.max(0, (1 + f) / 2))),
      curve("Platt's sigmoid", (f) => sigmoidProbability(f, sigmoid.a, sigmoid.b)),
      curve('isotonic', (f) => isotonicProbability(f, isotonic.x, isotonic.y)),
    ],
    {
      title: 'Calibration',
      subtitle: '300 samples to train on, 2000 others to calibrate with, 8000 more to look at',
      width: 640,
      height: 480,
    },
  )
}

/** Small and the same every time: paths without points that nobody would miss, one decimal of a pixel, ids counted anew. */
function settled(svg) {
  const ids = [...new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]
  const renamed = ids.reduce(
    (text, id, k) => text.replaceAll(`"${id}"`, `"clip-${k + 1}"`).replaceAll(`#${id})`, `#clip-${k + 1})`),
    svg,
  )
  const thin = renamed.replace(/ d="([^"]*)"/g, (_, path) => ` d="${thinnedPath(path)}"`)
  const places = / (?:x|y|x1|x2|y1|y2|cx|cy|d|transform)="[^"]*"/g
  return `${thin.replace(places, (attribute) => attribute.replace(/-?\d+\.\d{2,}/g, shortNumber))}\n`
}

function shortNumber(number) {
  return String(Number(Number(number).toFixed(1)) || 0)
}

/** A path of straight pieces, each thinned; any other as it is. */
function thinnedPath(path) {
  if (!/^[MLZ\d.,e-]+$/.test(path)) return path
  return path.replace(/M([^MZ]*)/g, (_, piece) => {
    const points = piece.split('L').map((pair) => pair.split(',').map(Number))
    return `M${thinned(points)
      .map((pair) => pair.map((value) => shortNumber(value)).join(','))
      .join('L')}`
  })
}

/** Leaves out what is within a quarter of a pixel of the straight way (Douglas, Peucker 1973). */
function thinned(points) {
  if (points.length < 3) return points
  const [[x0, y0], [x1, y1]] = [points[0], points[points.length - 1]]
  const length = Math.hypot(x1 - x0, y1 - y0)
  const off = points.map(([x, y]) =>
    length > 0 ? Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length : Math.hypot(x - x0, y - y0),
  )
  const farthest = off.indexOf(Math.max(...off))
  if (off[farthest] < 0.25) return [points[0], points[points.length - 1]]
  return [...thinned(points.slice(0, farthest + 1)).slice(0, -1), ...thinned(points.slice(farthest))]
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const entries = ['index', 'kernels', 'metrics', 'solvers', 'calibration', 'plots']
  const modules = [...entries, 'plots/figure', 'plots/series', 'data/matrix/matrix']
  const loaded = await Promise.all(modules.map((name) => import(`../dist/${name}.js`)))
  const library = Object.assign({}, ...loaded)
  const folder = fileURLToPath(new URL('../docs/theory/figures/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  for (const [name, svg] of Object.entries(await theoryFigures(library))) writeFileSync(folder + name, svg)
}
