/** Random machines with one certificate each, of every type, over random data. */
import type { Random } from '../../src/index.node.ts'
import { logUniform, pick, randomClasses, randomSigns, randomTargets } from './random-data.ts'
import type { Formula, Points } from './true-expansion.ts'
import type { Machine, SingleMachine } from './true-measures.ts'

/** What a machine is made over. */
export interface Ground {
  readonly points: Points
  readonly kernel: Formula
  readonly C: number
  /** What multiplies C for each sample. */
  readonly factors: Float64Array
}

/** A kernel with random parameters; γ may suit the data or not. */
export function randomKernel(random: Random, { cols, values }: Points): Formula {
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

/** A bias that is part of the norm, or none. */
export function randomIntercept(random: Random): Pick<SingleMachine, 'bias' | 'scaling'> {
  const scaling = pick(random, [1, 1, 10, 0.1])
  return { bias: random.uniform() < 0.7 ? 'regularised' : 'none', scaling }
}

/** A single machine: C-SVC without labels, except for what is given. */
export function singleMachine(
  { points, kernel, C, factors }: Ground,
  own: Partial<SingleMachine>,
): SingleMachine {
  return {
    task: 'svc',
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

/** Makers of every type with one certificate, by name; those of linear machines want the linear kernel. */
export const machineMakers = {
  svc: (random, ground) => singleMachine(ground, { y: randomSigns(random, ground.points) }),
  'nu-svc'(random, ground) {
    const y = randomSigns(random, ground.points)
    const nu = largestNu(y, ground.factors) * pick(random, [0.05, 0.3, 0.6, 0.95])
    return singleMachine(ground, { task: 'nu-svc', y, nu, bounds: ground.factors })
  },
  'one-class'(random, ground) {
    const nu = pick(random, [0.01, 0.1, 0.3, 0.9])
    return singleMachine(ground, { task: 'one-class', nu, bounds: ground.factors })
  },
  svr(random, ground) {
    const y = randomTargets(random, ground.points)
    return singleMachine(ground, { task: 'svr', y, epsilon: pick(random, [0, 0.01, 0.1, 1]) })
  },
  'nu-svr'(random, ground) {
    const y = randomTargets(random, ground.points)
    return singleMachine(ground, { task: 'nu-svr', y, nu: pick(random, [0.05, 0.3, 0.6, 1]) })
  },
  'linear-svc'(random, ground) {
    const y = randomSigns(random, ground.points)
    return singleMachine(ground, { y, squared: random.uniform() < 0.5, ...randomIntercept(random) })
  },
  'linear-svr'(random, ground) {
    const y = randomTargets(random, ground.points)
    const epsilon = pick(random, [0, 0.01, 0.1, 1])
    const squared = random.uniform() < 0.5
    return singleMachine(ground, { task: 'svr', y, epsilon, squared, ...randomIntercept(random) })
  },
  'crammer-singer'(random, { points, C, factors }) {
    const classes = Math.min(2 + random.int(4), points.rows)
    const { bias, scaling } = randomIntercept(random)
    return {
      task: 'crammer-singer',
      points,
      bounds: factors.map((factor) => C * factor),
      y: randomClasses(random, points, classes),
      classes,
      constant: bias === 'none' ? 0 : scaling,
    }
  },
} as const satisfies Record<string, (random: Random, ground: Ground) => Machine>

/** A type with one certificate. */
export type MachineType = keyof typeof machineMakers

/** True for the types that know the linear kernel only. */
export function isLinear(type: string): boolean {
  return type.startsWith('linear') || type === 'crammer-singer' || type === 'rest'
}

/** The parameters of a machine, in words. */
export function describeMachine(machine: Machine): string {
  if (machine.task === 'crammer-singer') return `classes ${machine.classes} constant ${machine.constant}`
  const { task, nu, epsilon, squared, bias, scaling } = machine
  return [
    ...(nu > 0 ? [`nu ${nu}`] : []),
    ...(task === 'svr' ? [`epsilon ${epsilon}`] : []),
    ...(squared ? ['squared loss'] : []),
    ...(bias === 'free' ? [] : [`bias ${bias}${bias === 'none' ? '' : ` ${scaling}`}`]),
  ].join(' ')
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
