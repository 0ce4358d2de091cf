/** The stops of the story, from two points to one class. Loaded when the story is opened. */
import { inspected } from '../plane/inspected.ts'
import { shown } from '../plane/live.ts'
import { pointCase } from '../plane/point-case.ts'
import { viewOf } from '../plane/presets.ts'
import { finished } from '../race/race-state.ts'
import { initialState, type LabState, type Point, type Settings } from '../state/lab-state.ts'
import { points, state } from '../state/store.ts'
import { cells } from '../tune/tune-state.ts'
import { frame, take, told } from '../watch/player.ts'
import {
  balance,
  box,
  cases,
  clipped,
  expansion,
  gaussian,
  hardMargin,
  lambda,
  lift,
  machines,
  nuBounds,
  pairStep,
  primal,
  slack,
  stepSize,
  tubeLoss,
  width,
  wOfAlpha,
} from '../words/formulas.ts'
import { frac, gap, group, n, o, row, sub, sup, text, v } from '../words/math.ts'
import type { Stop } from './stop.ts'

const { settings: start } = initialState

function drawn(
  list: readonly (readonly [x: number, y: number, c: 0 | 1])[],
): Pick<LabState, 'source' | 'view'> {
  const all: readonly Point[] = list.map(([x, y, c]) => ({ x, y, c }))
  const { half, ...view } = viewOf(all)
  return { source: { kind: 'drawn', points: all }, view: { ...view, half: 1.35 * half } }
}

function model(part: Partial<Settings>): Pick<LabState, 'settings'> {
  return { settings: { ...start, ...part } }
}

const linear = { kind: 'linear' } as const

/** Two clouds with a street between them. */
const apart = [
  [-2.2, 0.9, 0],
  [-2, -0.4, 0],
  [-2.6, -0.9, 0],
  [-1.2, 1.5, 0],
  [-3, 0.3, 0],
  [-1.9, 2, 0],
  [1.7, -0.6, 1],
  [2.1, 0.4, 1],
  [1.1, -1.7, 1],
  [2.8, -0.9, 1],
  [2.3, -1.9, 1],
  [1.7, 1.2, 1],
] as const

/** The same with one point of the first class far over on the other side. */
const withOutlier = [...apart, [0.7, -0.35, 0]] as const

/** Clouds that overlap. */
const overlapping = {
  source: { kind: 'preset', name: 'blobs', size: 60, noise: 1.6, seed: 4 },
  view: { x: 0, y: 0, half: 6, stretch: 1 },
} as const

/** The picture, where it belongs to the points and settings as they are. */
function current() {
  const now = shown.value
  return now && now.points === points.value && now.settings === state.value.settings ? now : undefined
}

function once(test: () => boolean): () => () => boolean {
  return () => test
}

/** All stops, in their order. */
export const stops: readonly Stop[] = [
  {
    name: 'two-points',
    title: 'Two points and the widest street',
    words: [
      'A classifier sorts points into classes, here triangles and circles: it learns from points whose class is known, and is then asked about new ones.',
      'It lays a street between the two, as wide as it can be, and the line in the middle decides: a triangle on this side, a circle on that side.',
      'The edges of the street, dashed, go through the points, so a new point near a known one is least likely to be on the wrong side.',
    ],
    formulas: [width],
    theory: 'primal-and-dual.html#the-hard-margin',
    state: {
      ...drawn([
        [-1, -0.4, 0],
        [1, 0.4, 1],
      ]),
      ...model({ kernel: linear, C: 1000 }),
      mode: 'plane',
    },
    task: 'Drag one of the two points somewhere else.',
    seen: 'The line stays half way between the points, and turns so that the street is as wide as possible.',
    watch: once(() => {
      const [a, b] = points.value
      return points.value.length === 2 && Math.hypot(b.x - a.x - 2, b.y - a.y - 0.8) > 0.5
    }),
  },
  {
    name: 'margin',
    title: 'What the margin is',
    words: [
      'With more points many lines separate the classes; only one of them has the widest street, and its edges are called the margins.',
      'The ringed points touch the margins: they are the support vectors, and they alone hold the street in place.',
      'The decision value f is 0 on the line and ±1 on the margins; with y = +1 for circles and −1 for triangles, y f(x) says how far a point is on its own side.',
    ],
    formulas: [hardMargin],
    theory: 'primal-and-dual.html#the-hard-margin',
    state: { ...drawn(apart), ...model({ kernel: linear, C: 1000 }), mode: 'plane' },
    task: 'Erase a point that has no ring: choose Erase, then click it.',
    seen: 'Nothing else changed: the points without a ring could be anywhere behind their margin.',
    watch: () => {
      let width: number | undefined
      return () => {
        const now = current()
        if (!now) return false
        if (now.points.length === apart.length) width ??= now.picture.marginWidth
        const change = Math.abs(now.picture.marginWidth / (width ?? Number.NaN) - 1)
        return now.points.length < apart.length && change < 1e-3
      }
    },
  },
  {
    name: 'outlier',
    title: 'An outlier, and what C trades',
    words: [
      'One triangle is now far over on the other side: the street still separates all points, but it has become very narrow.',
      'One point has turned the whole line, which will do worse on new points; it would be better to let that point be wrong.',
      'C is the price that a point pays for missing its margin, per unit: a small C accepts such points for a wider street.',
    ],
    formulas: [primal],
    theory: 'primal-and-dual.html#what-c-trades',
    state: { ...drawn(withOutlier), ...model({ kernel: linear, C: 1000 }), mode: 'plane' },
    task: 'Lower the penalty C, a slider in the card “Model”, until the street is at least twice as wide; its width is under the plane.',
    seen: 'The outlier is now on the wrong side of its margin, and the line is back where the other points want it.',
    watch: () => {
      let width: number | undefined
      return () => {
        const now = current()
        if (!now) return false
        if (now.settings.C === 1000) width ??= now.picture.marginWidth
        return now.picture.marginWidth > 2 * (width ?? Number.POSITIVE_INFINITY)
      }
    },
  },
  {
    name: 'slack',
    title: 'Slack',
    words: [
      'These classes overlap, so no line separates them, and some points must miss their margin.',
      'By how much a point misses it is its slack ξ, drawn as a short line: between 0 and 1 the point is in the street on its own side, above 1 it is misclassified.',
      'The machine minimises the sum that you saw in the stop before: half the squared length of w, which is small for a wide street, plus C times all slack.',
    ],
    formulas: [slack],
    theory: 'primal-and-dual.html#the-soft-margin',
    state: { ...overlapping, ...model({ kernel: linear, C: 1 }), mode: 'plane' },
    task: 'Point at, or tap, a point whose slack is above 1; its numbers are in the card below the plane.',
    seen: 'y f(x) is negative there: f has the wrong sign, and the point is on the wrong side of the line.',
    watch: once(() => {
      const now = current()
      return now !== undefined && inspected.value >= 0 && pointCase(now, inspected.value).slack > 1
    }),
  },
  {
    name: 'dual',
    title: 'The dual and its α',
    words: [
      'The problem so far is called the primal; it has a twin, the dual, which asks for one number per point instead: its multiplier α between 0 and C, the force with which the point pushes the line away.',
      'Only support vectors push, and w is the sum of their pushes; the strip below the plane shows all α, upwards for one class and downwards for the other.',
      'The pushes of the two classes balance exactly, and at the best solution, the optimum, the dual value is minus the primal value.',
    ],
    formulas: [wOfAlpha, row(balance, gap, box)],
    theory: 'primal-and-dual.html#the-dual',
    state: { ...overlapping, ...model({ kernel: linear, C: 1 }), mode: 'plane' },
    task: 'Lower C to 0.05 or less, and compare the strip before and after.',
    seen: 'More bars have reached full height, which is C, and the two sums under the strip are still equal.',
    watch: once(() => (current()?.settings.C ?? 1) <= 0.05),
  },
  {
    name: 'cases',
    title: 'Three cases, and no others',
    words: [
      'At the optimum, the multiplier of a point and its place belong together: these are the conditions of Karush, Kuhn and Tucker.',
      'A point behind its margin has α = 0, a point exactly on it may have any α between, and a point that misses it has α = C.',
      'So one can check a solution point by point without knowing how it was found.',
    ],
    formulas: cases,
    theory: 'kkt.html#the-cases-of-a-sample',
    state: { ...overlapping, ...model({ kernel: linear, C: 1, tol: 1e-6 }), mode: 'plane' },
    task: 'Point at one point of each case: no ring, a solid ring, and a dashed or thick ring.',
    seen: 'Every point met its condition, up to the tolerance of the solver.',
    watch: () => {
      const found = new Set<string>()
      return () => {
        const now = current()
        if (now && inspected.value >= 0) {
          const { alpha, bound } = pointCase(now, inspected.value)
          found.add(alpha === 0 ? 'none' : alpha < bound ? 'free' : 'bounded')
        }
        return found.size === 3
      }
    },
  },
  {
    name: 'lift',
    title: 'The lift',
    words: [
      'Three points on a line: the outer two are of one class, the one between them of the other.',
      'No single cut separates them; but if each point x gets a second coordinate, x², they lie on a parabola.',
      'Up there one straight line does it, and seen from the line below it is a pair of cuts.',
    ],
    formulas: [lift],
    symbols: { x: 'the place of a point on the line', φ: 'the lifted point' },
    theory: 'primal-and-dual.html#an-example-by-hand',
    state: {
      source: { kind: 'preset', name: 'example37', size: 3, noise: 0, seed: 1 },
      view: { x: 0, y: 0.5, half: 1, stretch: 1 },
      ...model({ kernel: linear, C: 10 }),
      mode: 'plane',
    },
    task: 'Press “Lift to (x, x²)”, in the card “Points”.',
    seen: 'All three points are right now, and the line runs at half the height.',
    watch: once(() => current()?.picture.score === 1 && points.value.some(({ y }) => y > 0.9)),
  },
  {
    name: 'kernels',
    title: 'Kernels and γ',
    words: [
      'A kernel k(x, z) says how alike two points are: it is the inner product of the lifted points, the sum of the products of their coordinates, computed without lifting them; the machine needs nothing else.',
      'The Gaussian kernel compares places: 1 for the same place, almost 0 for far ones, and γ says what far means.',
      'With a small γ the boundary is nearly straight, with a large γ every point has its own hill and the machine learns the points by heart.',
    ],
    formulas: [gaussian, expansion],
    symbols: { f: 'the decision value' },
    theory: 'kernels.html#the-gaussian-and-its-width',
    state: {
      source: { kind: 'preset', name: 'circles', size: 100, noise: 0.15, seed: 1 },
      view: { x: 0, y: 0, half: 1.7, stretch: 1 },
      ...model({ kernel: { kind: 'rbf', gamma: 1 }, C: 10 }),
      mode: 'plane',
    },
    task: 'Raise γ, in the card “Model”, until more than three quarters of the points are support vectors.',
    seen: 'Every training point is right, and between the points the machine knows nothing: it has learned them by heart.',
    watch: once(() => {
      const { coefficients = new Float64Array(1) } = current()?.picture ?? {}
      return coefficients.filter((value) => value !== 0).length > 0.75 * coefficients.length
    }),
  },
  {
    name: 'box',
    title: 'The box of SMO',
    words: [
      'How is the dual solved? Because of the balance one α cannot move alone, so sequential minimal optimisation, SMO for short, moves two, called i and j, and leaves all others as they are.',
      'Both must stay between 0 and C, a box, and on the diagonal that keeps the balance; along it the dual is a parabola.',
      'The step goes to the lowest point of the parabola or, if that is outside, to the end of the segment from L to H: it is clipped.',
    ],
    formulas: [pairStep, clipped],
    symbols: { η: 'how sharply the parabola bends' },
    theory: 'smo.html#the-box-and-its-segment',
    state: { ...drawn(withOutlier), ...model({ kernel: linear, C: 0.3, solver: 'smo-mvp' }), mode: 'watch' },
    task: 'Step forward, with → or the button, until a step is clipped: its lowest point lies outside the segment.',
    seen: 'The figure of the box shows it: the lowest point is beyond the end, and the step stopped at the end.',
    watch: once(() => {
      const step = told.value
      return (
        step !== undefined &&
        Number.isFinite(step.unclipped) &&
        (step.unclipped < step.low || step.unclipped > step.high)
      )
    }),
  },
  {
    name: 'pair',
    title: 'Choosing the pair',
    words: [
      'Any pair that violates the conditions of stop 6 makes progress, but some pairs make far more of it than others.',
      'The second-order rule takes the sample that violates most, and the partner that promises the largest decrease of the dual.',
      'Pairs drawn at random arrive too, after many more steps.',
    ],
    formulas: [
      row(
        text('decrease'),
        o('='),
        frac(sup(group(sub(v('v'), v('i')), o('−'), sub(v('v'), v('j'))), n(2)), row(n(2), v('η'))),
      ),
    ],
    symbols: {
      η: 'how sharply the parabola of the pair bends',
      v: 'the label of a point minus its decision value without b',
    },
    theory: 'smo.html#second-order',
    state: {
      source: { kind: 'preset', name: 'moons', size: 80, noise: 0.25, seed: 2 },
      view: initialState.view,
      race: ['smo', 'smo-random'],
      ...model({ C: 10 }),
      mode: 'race',
    },
    task: 'Tick “SMO, maximal violating pair” in the card “Solvers”, and press “Race again”.',
    seen: 'Compare the numbers of steps: choosing well is worth a look at all samples in every step.',
    watch: once(() => finished.value?.solvers.includes('smo-mvp') ?? false),
  },
  {
    name: 'noise',
    title: 'Steps with noise',
    words: [
      'One can also walk down the primal itself: Pegasos draws one sample at random and moves w a little, in the direction that is downhill for this sample, its sub-gradient.',
      'One sample knows little about all of them, so the line swings; the faint lines are ten more runs that drew other samples.',
      'The steps become smaller like 1/t, so it settles; it never arrives exactly, but each step costs one sample only, however many there are.',
    ],
    formulas: [row(stepSize, gap, lambda)],
    symbols: { η: 'the size of step t', t: 'counts the steps' },
    theory: 'primal-and-dual.html#steps-on-the-primal',
    state: {
      source: { kind: 'preset', name: 'blobs', size: 40, noise: 1.2, seed: 4 },
      view: { x: 0, y: 0, half: 6, stretch: 1 },
      ...model({ kernel: linear, C: 1, solver: 'pegasos', tol: 0.05 }),
      mode: 'watch',
    },
    task: 'Play the run to its end, with Space or the button; the speed has its own slider.',
    seen: 'Wide swings at first, hardly any at the end, and the faint lines have gathered: the step size has fallen like 1/t.',
    watch: once(
      () => take.value !== undefined && frame.value > 3 && frame.value === take.value.recording.frames - 1,
    ),
  },
  {
    name: 'validation',
    title: 'Overfitting and validation',
    words: [
      'Which C and γ are good? All training points right says nothing, because a large γ always gets there.',
      'So split the points into five parts: train on four, count what is right in the fifth, which was held out, and let each part be the fifth once.',
      'One map shows that accuracy, the other the accuracy on the training points; where they differ much, the machine has learned the noise: it overfits.',
    ],
    formulas: [row(text('accuracy'), o('='), frac(text('points right while held out'), text('all points')))],
    theory: 'kernels.html#the-gaussian-and-its-width',
    state: {
      source: { kind: 'preset', name: 'moons', size: 100, noise: 0.3, seed: 3 },
      view: initialState.view,
      tune: initialState.tune,
      ...model({ C: 1, kernel: { kind: 'rbf', gamma: 1 } }),
      mode: 'tune',
    },
    task: 'Click a cell that overfits: all training points right, and at least 10 % fewer of those held out.',
    seen: 'Look at the plane below the maps: islands around single points. Now press “Use the best”.',
    watch: once(() => {
      const { C, kernel } = state.value.settings
      const gamma = 'gamma' in kernel ? kernel.gamma : undefined
      const cell = cells.value.find((one) => one?.C === C && one.gamma === gamma)
      return cell !== undefined && cell.training > 0.985 && cell.training - cell.validation >= 0.1
    }),
  },
  {
    name: 'classes',
    title: 'Many classes',
    words: [
      'A machine knows two sides only; for more classes one is trained for every pair, on the points of these two alone, and each has a vote.',
      'The class with the most votes wins: full colour where it wins all its pairs, pale where it has fewer votes, stripes where several have as many.',
      'Three kinds of iris make three machines, dashed; ten classes would make forty-five, each on few points.',
    ],
    formulas: [machines],
    symbols: { k: 'the number of classes' },
    theory: 'more-problems.html#several-classes',
    state: {
      source: { kind: 'preset', name: 'iris', size: 150, noise: 0, seed: 1 },
      view: { x: 4, y: 1.3, half: 2.2, stretch: 1 },
      tool: 3,
      votes: true,
      ...model({ C: 10, kernel: { kind: 'rbf', gamma: 1 } }),
      mode: 'plane',
    },
    task: 'Add a few points of the fourth class, which is chosen above the plane, somewhere free.',
    seen: 'A region of its own, and six machines instead of three.',
    watch: once(
      () =>
        new Set(points.value.map(({ c }) => c)).size === 4 &&
        (current()?.picture.certificates.length ?? 0) === 6,
    ),
  },
  {
    name: 'tube',
    title: 'Numbers instead of classes: the tube',
    words: [
      'The same idea predicts numbers: the street becomes a tube around a curve, and now points should be inside it.',
      'An error up to ε costs nothing; a point beyond the tube pays C for every unit.',
      'Points inside have no multiplier: the wider the tube, the fewer support vectors.',
    ],
    formulas: [tubeLoss],
    symbols: {
      y: 'the number to be predicted: the height of a point',
      f: 'the prediction',
      x: 'the place of a point; xᵢ is that of point i',
    },
    theory: 'more-problems.html#ε-svr',
    state: {
      source: { kind: 'preset', name: 'sine', size: 80, noise: 0.2, seed: 1 },
      view: { x: 0, y: 0, half: 2, stretch: 1.6 },
      ...model({ problem: 'svr', kernel: { kind: 'rbf', gamma: 1 }, C: 10, epsilon: 0.1 }),
      mode: 'plane',
    },
    task: 'Widen the tube ε, in the card “Model”, until fewer than a quarter of the points are support vectors.',
    seen: 'The curve still follows the points: it rests on the few that touch the rim or are beyond it.',
    watch: once(() => {
      const now = current()
      if (now?.picture.kind !== 'regression') return false
      const { coefficients } = now.picture
      return coefficients.filter((value) => value !== 0).length < 0.25 * coefficients.length
    }),
  },
  {
    name: 'one-class',
    title: 'ν, and one class alone',
    words: [
      'Without any labels the machine can still learn where points usually are, and call the rest outliers.',
      'ν is a fraction: at most ν of the points are outside, and at least ν are support vectors.',
      'The same ν can replace C in classification, and is often easier to choose: it is a share of the points, not a price.',
    ],
    formulas: [nuBounds],
    symbols: { ν: 'a fraction; on both sides are shares of the points' },
    theory: 'more-problems.html#one-class',
    state: {
      source: { kind: 'preset', name: 'moons', size: 120, noise: 0.15, seed: 1 },
      view: initialState.view,
      ...model({ problem: 'one-class', kernel: { kind: 'rbf', gamma: 2 }, nu: 0.1 }),
      mode: 'plane',
    },
    task: 'Set ν, in the card “Model”, to 0.4 or more, and compare the share that is inside.',
    seen: 'About that share of the points is outside now. This was the last stop: everything you saw can be changed and tried.',
    watch: once(() => current()?.picture.kind === 'one-class' && state.value.settings.nu >= 0.4),
  },
]
