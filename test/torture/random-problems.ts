/** Random problems of every type over random data, each solved through the public interface. */
import { LinearSVC, makeDataset, NuSVC, type Random, SVC } from '../../src/index.node.ts'
import type { Goal } from '../../src/solve/driver/goal.ts'
import { type SolveResult, type Solver, solvers } from '../../src/solvers.ts'
import {
  caseRandom,
  familyNames,
  logUniform,
  pick,
  randomClasses,
  randomFactors,
  randomPoints,
  randomSigns,
} from './random-data.ts'
import {
  describeMachine,
  type Ground,
  isLinear,
  type MachineType,
  machineMakers,
  randomIntercept,
  randomKernel,
  singleMachine,
} from './random-machines.ts'
import { kernelOf, limitsOf, resultsOf, type SolveOptions, samplesOf, solveMachine } from './solve-machine.ts'
import type { Formula } from './true-expansion.ts'
import type { Machine, SingleMachine } from './true-measures.ts'

/** One machine with what a solver made of it. */
export interface Solved {
  readonly machine: Machine
  readonly result: SolveResult
  /** What `converged` is a statement about. */
  readonly goal: Goal
  /** The tolerance that was requested, in the unit of the violation. */
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

/** Multiplications that the naive sums over all pairs of samples may take. */
const mostWork = 2.5e9
/** The solvers for teaching are quadratic or worse. */
const mostRowsOfAnySolver = 300

/** The case of this number in the campaign of this seed. */
export function randomCase(seed: number, index: number, limits: CaseLimits): Case {
  const random = caseRandom(seed, index)
  const type = pick(random, typeNames)
  const family = pick(random, familyNames)
  const cols = 1 + random.int(12)
  const width = family === 'text' ? 20 * cols : cols
  const work = isLinear(type) ? 1 : type.endsWith('pairs') ? 3 * width : width
  const reachable = type === 'any-solver' ? mostRowsOfAnySolver : Math.floor(Math.sqrt(mostWork / work))
  const most = Math.min(limits.maxRows, reachable)
  const tiny = random.uniform() < 0.05
  const rows = Math.round(tiny ? logUniform(random, 4, 50) : logUniform(random, Math.min(50, most), most))
  const points = randomPoints(random, family, rows, cols)
  const options = {
    sparse: family === 'text' || random.uniform() < 0.25,
    tol: pick(random, [1e-3, 1e-3, 1e-3, 1e-2, 1e-5]),
    timeLimit: limits.timeLimit,
    seed: random.int(1000),
    threads: 1 + random.int(2),
    ...(random.uniform() < 0.1 && { cacheBytes: 1e6 }),
  }
  const ground: Ground = {
    points,
    kernel: isLinear(type) ? { kind: 'linear' } : randomKernel(random, points),
    C: logUniform(random, 1e-3, 1e4),
    factors: randomFactors(random, rows),
  }
  const { detail, solve } = makeProblem(type, random, ground, options)
  const { kernel, C } = ground
  const where = `${family} ${rows} x ${points.cols} ${options.sparse ? 'sparse' : 'dense'}`
  const title = `${type} ${JSON.stringify(kernel)} C ${C.toPrecision(3)} tol ${options.tol} ${detail} on ${where}`
  return { family, type, kernel: kernel.kind, title, solve }
}

type Options = SolveOptions & { readonly tol: number; readonly sparse: boolean }

interface Made {
  /** Parameters beyond those of all types. */
  readonly detail: string
  solve(): Promise<readonly Solved[]>
}

function makeProblem(type: TypeName, random: Random, ground: Ground, options: Options): Made {
  switch (type) {
    case 'rest':
      return eachAgainstTheRest(random, ground, options)
    case 'pairs':
      return pairs(random, ground, options, undefined)
    case 'nu-pairs':
      return pairs(random, ground, options, pick(random, [0.05, 0.2, 0.5]))
    case 'any-solver':
      return anySolver(random, ground, options)
    default:
      return oneMachine(machineMakers[type as MachineType](random, ground), options)
  }
}

function oneMachine(machine: Machine, options: Options): Made {
  // Linear machines stop at a gap.
  const solvesForWeights =
    machine.task === 'crammer-singer' || (machine.task === 'svr' && machine.bias !== 'free')
  const goal = solvesForWeights ? 'gap' : (options.solver?.goal ?? 'violation')
  const { tol } = options
  return {
    detail: describeMachine(machine),
    solve: async () => [{ machine, result: await solveMachine(machine, options), goal, tol }],
  }
}

/** Two classes by any of the solvers. */
function anySolver(random: Random, ground: Ground, options: Options): Made {
  const linear = ground.kernel.kind === 'linear'
  const solver = pick(
    random,
    Object.values(solvers).filter((one) => linear || !one.linearOnly),
  ) as Solver
  const machine = singleMachine(ground, {
    y: randomSigns(random, ground.points),
    bias: pick(random, solver.biasForms),
    squared: solver.squaredLoss === true && random.uniform() < 0.5,
    scaling: pick(random, [1, 1, 10]),
  })
  const { detail, solve } = oneMachine(machine, { ...options, solver, maxIter: 20_000 })
  return { detail: `${solver.name} ${detail}`, solve }
}

/** What LinearSVC solves for several classes: one problem each. */
function eachAgainstTheRest(random: Random, ground: Ground, options: Options): Made {
  const { points, factors, C } = ground
  const classes = Math.min(3 + random.int(3), points.rows)
  const labels = randomClasses(random, points, classes)
  const squared = random.uniform() < 0.5
  const { bias, scaling } = randomIntercept(random)
  const samples = samplesOf(points, options.sparse)
  return {
    detail: `classes ${classes}${squared ? ' squared loss' : ''} bias ${bias} ${scaling}`,
    async solve() {
      const estimator = new LinearSVC({
        C,
        loss: squared ? 'squared-hinge' : 'hinge',
        bias: bias === 'regularised' ? bias : 'none',
        interceptScaling: scaling,
        ...limitsOf(options),
      })
      const results = await resultsOf(() => estimator.fit(makeDataset(samples, labels, { weights: factors })))
      return results.map((result, c) => {
        const y = Float64Array.from(labels, (label) => (label === c ? 1 : -1))
        const machine = singleMachine(ground, { y, squared, bias, scaling })
        return { machine, result, goal: 'gap', tol: options.tol }
      })
    },
  }
}

/** What SVC and NuSVC solve for several classes: one problem a pair. */
function pairs(random: Random, ground: Ground, options: Options, nu: number | undefined): Made {
  const { points, C } = ground
  const classes = Math.min(3 + random.int(2), points.rows)
  const labels = randomClasses(random, points, classes)
  const kernel = kernelOf(ground.kernel)
  const samples = samplesOf(points, options.sparse)
  return {
    detail: `classes ${classes}${nu === undefined ? '' : ` nu ${nu}`}`,
    async solve() {
      const common = { kernel, ...limitsOf(options) }
      const estimator = nu === undefined ? new SVC({ ...common, C }) : new NuSVC({ ...common, nu })
      const results = await resultsOf(() => estimator.fit(makeDataset(samples, labels)))
      const couples: (readonly [number, number])[] = []
      for (let a = 0; a < classes; a++) for (let b = a + 1; b < classes; b++) couples.push([a, b])
      return results.map((result, p) => {
        const machine = pairMachine(ground, labels, couples[p], nu)
        return { machine, result, goal: 'violation', tol: options.tol }
      })
    },
  }
}

/** The samples of the first class, which is positive, then those of the second. */
function pairMachine(
  ground: Ground,
  labels: Uint32Array,
  [positive, negative]: readonly [number, number],
  nu: number | undefined,
): SingleMachine {
  const { cols, values } = ground.points
  const all = [...labels.keys()]
  const chosen = [...all.filter((i) => labels[i] === positive), ...all.filter((i) => labels[i] === negative)]
  const own = new Float64Array(chosen.length * cols)
  chosen.forEach((i, row) => {
    own.set(values.subarray(i * cols, (i + 1) * cols), row * cols)
  })
  return singleMachine(ground, {
    task: nu === undefined ? 'svc' : 'nu-svc',
    points: { rows: chosen.length, cols, values: own },
    y: Float64Array.from(chosen, (i) => (labels[i] === positive ? 1 : -1)),
    bounds: new Float64Array(chosen.length).fill(nu === undefined ? ground.C : 1),
    nu: nu ?? 0,
  })
}
