/** Random problems of every type over random data, each solved through the public interface. */
import {
  DataError,
  type FitTask,
  type Kernel,
  LinearSVC,
  LinearSVR,
  linear,
  makeDataset,
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeProblem,
  makeSvrProblem,
  NuSVC,
  type Problem,
  polynomial,
  type Random,
  type RunOptions,
  rbf,
  runInSlices,
  type SolveResult,
  type Solver,
  SVC,
  setFitRunner,
  sigmoid,
  smo,
  solvers,
  solveSync,
  toSparse,
} from '../../src/index.node.ts'
import {
  caseRandom,
  familyNames,
  logUniform,
  pick,
  randomClasses,
  randomFactors,
  randomPoints,
  randomSigns,
  randomTargets,
} from './random-data.ts'
import type { Formula, Points } from './true-expansion.ts'
import type { ClassesMachine, Machine, SingleMachine } from './true-measures.ts'

/** One machine with what a solver made of it. */
export interface Solved {
  readonly machine: Machine
  readonly result: SolveResult
  /** What `converged` is a statement about. */
  readonly goal: 'violation' | 'gap'
  /** The tolerance that was asked for, in the unit of the violation. */
  readonly tol: number
}

/** A problem to be solved. */
export interface Case {
  readonly family: string
  readonly type: string
  readonly kernel: Formula['kind']
  /** All that it takes to know it by. */
  readonly title: string
  solve(): Promise<readonly Solved[]>
}

/** Sizes and limits of a campaign. */
export interface CaseLimits {
  readonly maxRows: number
  /** Seconds a solver may take. */
  readonly timeLimit: number
}

/** How often each type comes up, out of the sum. */
const types = {
  svc: 5,
  'nu-svc': 2,
  'one-class': 2,
  svr: 3,
  'nu-svr': 2,
  'linear-svc': 3,
  'linear-svr': 3,
  'crammer-singer': 2,
  pairs: 1,
  'nu-pairs': 1,
  rest: 1,
  'any-solver': 2,
} as const

type TypeName = keyof typeof types

const typeNames = (Object.keys(types) as TypeName[]).flatMap((name) =>
  Array.from({ length: types[name] }, () => name),
)

/** Multiplications that a naive sum over all pairs may take. */
const mostWork = 4e9

/** The case of this number in the campaign of this seed. */
export function randomCase(seed: number, index: number, limits: CaseLimits): Case {
  const random = caseRandom(seed, index)
  const type = pick(random, typeNames)
  const family = pick(random, familyNames)
  const cols = 1 + random.int(12)
  const width = family === 'text' ? 20 * cols : cols
  const most =
    type === 'any-solver'
      ? Math.min(300, limits.maxRows)
      : Math.min(limits.maxRows, Math.sqrt(mostWork / width))
  const tiny = random.uniform() < 0.05
  const rows = Math.round(tiny ? logUniform(random, 4, 50) : logUniform(random, Math.min(50, most), most))
  const points = randomPoints(random, family, rows, cols)
  const sparse = family === 'text' || random.uniform() < 0.25
  const tol = pick(random, [1e-3, 1e-3, 1e-3, 1e-2, 1e-5])
  const options: RunOptions = {
    tol,
    timeLimit: limits.timeLimit,
    seed: random.int(1000),
    threads: 1 + random.int(2),
    ...(random.uniform() < 0.1 && { cacheBytes: 1e6 }),
  }
  const setting: Setting = {
    random,
    points,
    samples: samplesOf(points, sparse),
    kernel: isLinear(type) ? { kind: 'linear' } : randomKernel(random, points),
    C: logUniform(random, 1e-3, 1e4),
    factors: randomFactors(random, rows),
    options,
  }
  const { detail, solve } = makers[type](setting)
  const { kernel, C } = setting
  const where = `${family} ${rows} x ${width} ${sparse ? 'sparse' : 'dense'}`
  const title = `${type} ${JSON.stringify(kernel)} C ${C.toPrecision(3)} tol ${tol} ${detail} on ${where}`
  return { family, type, kernel: kernel.kind, title, solve }
}

function isLinear(type: TypeName): boolean {
  return type.startsWith('linear') || type === 'crammer-singer' || type === 'rest'
}

/** Samples as the library takes them. */
export function samplesOf({ rows, cols, values }: Points, sparse: boolean) {
  const dense = { kind: 'dense' as const, rows, cols, values }
  return sparse ? toSparse(dense) : dense
}

function randomKernel(random: Random, { cols, values }: Points): Formula {
  let square = 0
  for (const value of values) square += value * value
  const size = square / values.length || 1
  const kind = pick(random, ['rbf', 'rbf', 'rbf', 'polynomial', 'linear', 'sigmoid'] as const)
  const gamma = pick(random, [1, 1 / cols, 1 / (cols * size), logUniform(random, 1e-3, 1e2)])
  if (kind === 'linear') return { kind }
  if (kind === 'rbf') return { kind, gamma }
  const coef0 = pick(random, [0, 1, kind === 'sigmoid' ? -1 : 0.5])
  if (kind === 'sigmoid') return { kind, gamma, coef0 }
  return { kind, gamma, coef0, degree: pick(random, [1, 2, 3, 3, 4]) }
}

/** A kernel of the library for a formula. */
export function kernelOf(formula: Formula): Kernel {
  switch (formula.kind) {
    case 'linear':
      return linear()
    case 'rbf':
      return rbf({ gamma: formula.gamma })
    case 'polynomial':
      return polynomial({ gamma: formula.gamma, coef0: formula.coef0, degree: formula.degree })
    case 'sigmoid':
      return sigmoid({ gamma: formula.gamma, coef0: formula.coef0 })
  }
}

interface Setting {
  readonly random: Random
  readonly points: Points
  readonly samples: ReturnType<typeof samplesOf>
  readonly kernel: Formula
  readonly C: number
  /** What multiplies C for each sample. */
  readonly factors: Float64Array
  readonly options: RunOptions
}

interface Made {
  /** Parameters beyond those of all types. */
  readonly detail: string
  solve(): Promise<readonly Solved[]>
}

const makers: Readonly<Record<TypeName, (setting: Setting) => Made>> = {
  svc(setting) {
    const y = randomSigns(setting.random, setting.points)
    const machine = single(setting, { task: 'svc', y })
    return { detail: '', solve: async () => [solveOne(machine, setting)] }
  },
  'nu-svc'(setting) {
    const y = randomSigns(setting.random, setting.points)
    const nu = largestNu(y, setting.factors) * pick(setting.random, [0.05, 0.3, 0.6, 0.95])
    const machine = single(setting, { task: 'nu-svc', y, nu, bounds: setting.factors })
    return { detail: `nu ${nu}`, solve: async () => [solveOne(machine, setting)] }
  },
  'one-class'(setting) {
    const nu = pick(setting.random, [0.01, 0.1, 0.3, 0.9])
    const machine = single(setting, { task: 'one-class', nu, bounds: setting.factors })
    return { detail: `nu ${nu}`, solve: async () => [solveOne(machine, setting)] }
  },
  svr(setting) {
    const y = randomTargets(setting.random, setting.points)
    const epsilon = pick(setting.random, [0, 0.01, 0.1, 1])
    const machine = single(setting, { task: 'svr', y, epsilon })
    return { detail: `epsilon ${epsilon}`, solve: async () => [solveOne(machine, setting)] }
  },
  'nu-svr'(setting) {
    const y = randomTargets(setting.random, setting.points)
    const nu = pick(setting.random, [0.05, 0.3, 0.6, 1])
    const machine = single(setting, { task: 'nu-svr', y, nu })
    return { detail: `nu ${nu}`, solve: async () => [solveOne(machine, setting)] }
  },
  'linear-svc': (setting) => linearClassifier(setting, 2),
  rest: (setting) => linearClassifier(setting, 3 + setting.random.int(3)),
  'linear-svr'(setting) {
    const { random, points, factors, C, samples, options } = setting
    const y = randomTargets(random, points)
    const epsilon = pick(random, [0, 0.01, 0.1, 1])
    const squared = random.uniform() < 0.5
    const { bias, scaling, fitIntercept, interceptScaling } = randomIntercept(random)
    const machine = single(setting, { task: 'svr', y, epsilon, squared, bias, scaling })
    const loss = squared ? 'squared-epsilon-insensitive' : 'epsilon-insensitive'
    return {
      detail: `${loss} epsilon ${epsilon} bias ${bias} ${scaling}`,
      async solve() {
        const estimator = new LinearSVR({
          C,
          epsilon,
          loss,
          fitIntercept,
          interceptScaling,
          ...limitsOf(setting),
        })
        const [result] = await resultsOf(() => estimator.fit(makeDataset(samples, y, { weights: factors })))
        return [{ machine, result, goal: 'violation', tol: (options.tol as number) * meanViolation(machine) }]
      },
    }
  },
  'crammer-singer'(setting) {
    const { random, points, factors, C, samples, options } = setting
    const classes = 2 + random.int(4)
    const y = randomClasses(random, points, classes)
    const { scaling, fitIntercept, interceptScaling } = randomIntercept(random)
    const machine: ClassesMachine = {
      task: 'crammer-singer',
      points,
      bounds: factors.map((factor) => C * factor),
      y,
      classes,
      constant: fitIntercept ? scaling : 0,
    }
    return {
      detail: `classes ${classes} constant ${machine.constant}`,
      async solve() {
        const estimator = new LinearSVC({
          C,
          multiClass: 'crammer-singer',
          fitIntercept,
          interceptScaling,
          ...limitsOf(setting),
        })
        const [result] = await resultsOf(() => estimator.fit(makeDataset(samples, y, { weights: factors })))
        return [{ machine, result, goal: 'violation', tol: options.tol as number }]
      },
    }
  },
  pairs: (setting) => pairs(setting, undefined),
  'nu-pairs': (setting) => pairs(setting, pick(setting.random, [0.05, 0.2, 0.5])),
  'any-solver'(setting) {
    const { random, options } = setting
    const y = randomSigns(random, setting.points)
    const suitable = Object.values(solvers).filter(
      (solver) => !solver.linearOnly || setting.kernel.kind === 'linear',
    )
    const solver = pick(random, suitable) as Solver
    const bias = pick(random, solver.biasForms)
    const squared = solver.squaredHinge && random.uniform() < 0.5
    const scaling = pick(random, [1, 1, 10])
    const machine = single(setting, { task: 'svc', y, bias, squared, scaling })
    return {
      detail: `${solver.name} bias ${bias} ${scaling}${squared ? ' squared hinge' : ''}`,
      solve: async () => [
        solveOne(machine, { ...setting, options: { ...options, maxIter: 20_000 } }, solver),
      ],
    }
  },
}

function single(setting: Setting, own: Partial<SingleMachine> & Pick<SingleMachine, 'task'>): SingleMachine {
  const { points, kernel, C, factors } = setting
  return {
    points,
    kernel,
    y: new Float64Array(points.rows),
    bounds: factors.map((factor) => C * factor),
    nu: 0,
    epsilon: 0,
    squared: false,
    bias: 'free',
    scaling: 1,
    ...own,
  }
}

/** The library's problem of a machine. */
export function problemOf(machine: SingleMachine, samples: ReturnType<typeof samplesOf>): Problem {
  const { task, y, bounds, nu, epsilon, squared, bias, scaling } = machine
  const kernel = kernelOf(machine.kernel)
  switch (task) {
    case 'svc': {
      const loss = squared ? 'squared-hinge' : 'hinge'
      return makeProblem({ samples, kernel, y, C: bounds, loss, bias, interceptScaling: scaling })
    }
    case 'nu-svc':
      return makeNuSvcProblem({ samples, kernel, y, weights: bounds, nu })
    case 'one-class':
      return makeOneClassProblem({ samples, kernel, weights: bounds, nu })
    case 'svr':
      return makeSvrProblem({ samples, kernel, z: y, C: bounds, epsilon })
    case 'nu-svr':
      return makeNuSvrProblem({ samples, kernel, z: y, C: bounds, nu })
  }
}

function solveOne(machine: SingleMachine, setting: Setting, solver: Solver = smo as Solver): Solved {
  const { options, samples } = setting
  const result = solveSync(problemOf(machine, samples), solver, {}, options)
  return { machine, result, goal: solver.goal, tol: options.tol as number }
}

function randomIntercept(random: Random) {
  const fitIntercept = random.uniform() < 0.7
  const interceptScaling = pick(random, [1, 1, 10, 0.1])
  const bias = fitIntercept ? ('regularised' as const) : ('none' as const)
  return { bias, scaling: interceptScaling, fitIntercept, interceptScaling }
}

/** What {@link LinearSVC} solves: one problem for two classes, one for each of more. */
function linearClassifier(setting: Setting, classes: number): Made {
  const { random, points, samples, factors, C, options } = setting
  const labels =
    classes === 2 ? randomSigns(random, points) : Float64Array.from(randomClasses(random, points, classes))
  const squared = random.uniform() < 0.5
  const { bias, scaling, fitIntercept, interceptScaling } = randomIntercept(random)
  const loss = squared ? 'squared-hinge' : 'hinge'
  const present = [...new Set(labels)].sort((a, b) => a - b)
  return {
    detail: `${loss} bias ${bias} ${scaling} classes ${present.length}`,
    async solve() {
      const estimator = new LinearSVC({ C, loss, fitIntercept, interceptScaling, ...limitsOf(setting) })
      const results = await resultsOf(() => estimator.fit(makeDataset(samples, labels, { weights: factors })))
      return results.map((result, c) => {
        const positive = present.length === 2 ? present[1] : present[c]
        const y = labels.map((label) => (label === positive ? 1 : -1))
        const machine = single(setting, { task: 'svc', y, squared, bias, scaling })
        return { machine, result, goal: 'violation', tol: options.tol as number }
      })
    },
  }
}

/** What {@link SVC} and {@link NuSVC} solve for several classes: one problem a pair. */
function pairs(setting: Setting, nu: number | undefined): Made {
  const { random, points, samples, C, options } = setting
  const classes = Math.min(3 + random.int(2), points.rows >> 1)
  const labels = randomClasses(random, points, Math.max(2, classes))
  const kernel = kernelOf(setting.kernel)
  return {
    detail: `classes ${classes}${nu === undefined ? '' : ` nu ${nu}`}`,
    async solve() {
      const estimator =
        nu === undefined
          ? new SVC({ kernel, C, ...limitsOf(setting) })
          : new NuSVC({ kernel, nu, ...limitsOf(setting) })
      const results = await resultsOf(() => estimator.fit(makeDataset(samples, labels)))
      const pairsOf: (readonly [number, number])[] = []
      for (let a = 0; a < classes; a++) for (let b = a + 1; b < classes; b++) pairsOf.push([a, b])
      if (classes === 2) pairsOf[0] = [1, 0]
      return results.map((result, p) => {
        const machine = pairMachine(setting, labels, pairsOf[p], nu, classes === 2)
        return { machine, result, goal: 'violation', tol: options.tol as number }
      })
    },
  }
}

/** The samples of the first class, then those of the second; two classes alone stay in their order. */
function pairMachine(
  setting: Setting,
  labels: Uint32Array,
  [positive, negative]: readonly [number, number],
  nu: number | undefined,
  inOrder: boolean,
): SingleMachine {
  const { cols, values } = setting.points
  const all = [...labels.keys()]
  const chosen = inOrder
    ? all
    : [...all.filter((i) => labels[i] === positive), ...all.filter((i) => labels[i] === negative)]
  const own = new Float64Array(chosen.length * cols)
  chosen.forEach((i, row) => {
    own.set(values.subarray(i * cols, (i + 1) * cols), row * cols)
  })
  return single(setting, {
    task: nu === undefined ? 'svc' : 'nu-svc',
    points: { rows: chosen.length, cols, values: own },
    y: Float64Array.from(chosen, (i) => (labels[i] === positive ? 1 : -1)),
    bounds: new Float64Array(chosen.length).fill(nu === undefined ? setting.C : 1),
    nu: nu ?? 0,
  })
}

/** What an estimator's fit had solved, on this thread. */
async function resultsOf(train: () => Promise<unknown>): Promise<readonly SolveResult[]> {
  let results: readonly SolveResult[] = []
  const before = setFitRunner(async (task: FitTask) => {
    results = await runInSlices(task)
    return results
  })
  try {
    await train()
  } catch (error) {
    // A solution that makes no model is refused, with words; it has a certificate all the same.
    if (!(error instanceof DataError) || results.length === 0) throw error
  } finally {
    setFitRunner(before)
  }
  return results
}

/** What a run and an estimator both take. */
function limitsOf({ options: { tol, timeLimit, seed } }: Setting) {
  return { tol, timeLimit, seed }
}

/** The largest ν that both classes can hold. */
function largestNu(y: Float64Array, weights: Float64Array): number {
  let positive = 0
  let negative = 0
  y.forEach((sign, i) => {
    if (sign > 0) positive += weights[i]
    else negative += weights[i]
  })
  return (2 * Math.min(positive, negative)) / (positive + negative)
}

/** The mean violation at w = 0, which the tolerance of linear regression is a part of. */
function meanViolation({ y, bounds, epsilon }: SingleMachine): number {
  let sum = 0
  let count = 0
  y.forEach((target, i) => {
    if (bounds[i] === 0) return
    sum += Math.max(0, Math.abs(target) - epsilon)
    count++
  })
  return sum / count
}
