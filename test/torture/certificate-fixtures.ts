/** Problems on which certificates were once false, by the name of the bug. */
import { Random } from '../../src/index.node.ts'
import { smo } from '../../src/solvers.ts'
import { singleMachine } from './random-machines.ts'
import type { Case } from './random-problems.ts'
import { solveMachine } from './solve-machine.ts'
import type { SingleMachine } from './true-measures.ts'

type Parts = Pick<SingleMachine, 'points' | 'kernel'> & Partial<SingleMachine>

function fixture(
  name: string,
  [family, type, kernel]: readonly [string, string, Case['kernel']],
  make: () => Parts,
): Case {
  const solve: Case['solve'] = async () => {
    const parts = make()
    const factors = new Float64Array(parts.points.rows).fill(1)
    const machine = singleMachine({ ...parts, C: 1, factors }, parts)
    const result = await solveMachine(machine, {})
    return [{ machine, result, goal: 'violation', tol: smo.defaults.tol }]
  }
  return { family, type, kernel, title: name, solve }
}

/** Each was `converged` with a violation or a value that was not so. */
export const fixtureCases: readonly Case[] = [
  fixture('a far cluster takes the digits of all distances', ['far cluster', 'svc', 'rbf'], () => {
    const random = new Random(2)
    const rows = 6000
    const values = new Float64Array(2 * rows)
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k < 2; k++) {
        values[2 * i + k] = i < 5 ? 3000 + random.normal() / 3 : 2 * random.normal()
      }
    }
    const y = Float64Array.from({ length: rows }, (_, i) => (i < 5 || random.uniform() < 0.5 ? 1 : -1))
    return {
      task: 'svc',
      points: { rows, cols: 2, values },
      kernel: { kind: 'rbf', gamma: 1 },
      y,
      bounds: new Float64Array(rows).fill(0.3),
    }
  }),
  fixture('one class of Cauchy-distributed data', ['cauchy', 'one-class', 'rbf'], () => {
    const random = new Random(2)
    const rows = 12_000
    const values = Float64Array.from({ length: 4 * rows }, () => Math.tan(Math.PI * (random.uniform() - 0.5)))
    return {
      task: 'one-class',
      points: { rows, cols: 4, values },
      kernel: { kind: 'rbf', gamma: 1 },
      nu: 0.3,
    }
  }),
  fixture('the primal of ν-SVC on ordinary data', ['gaussian', 'nu-svc', 'polynomial'], () => {
    const random = new Random(1)
    const rows = 20_000
    const values = Float64Array.from({ length: 8 * rows }, () => random.normal())
    const y = Float64Array.from({ length: rows }, (_, i) => (values[8 * i] + random.normal() > 0 ? 1 : -1))
    return {
      task: 'nu-svc',
      points: { rows, cols: 8, values },
      kernel: { kind: 'polynomial', gamma: 1 / 8, coef0: 0, degree: 3 },
      y,
      nu: 0.4,
    }
  }),
]
