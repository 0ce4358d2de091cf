/** Solves problems that are solved for w, each by the one solver that there is for it. */
import type { LinearProblem } from '../src/problems/linear-problem.ts'
import {
  type AnySolver,
  type RunOptions,
  type SolveResult,
  solve,
  solveSync,
} from '../src/solve/driver/run.ts'
import { crammerSinger } from '../src/solve/methods/crammer-singer.ts'
import { dualDescent } from '../src/solve/methods/dual-descent.ts'

const solverOf = ({ task }: LinearProblem) =>
  (task === 'crammer-singer' ? crammerSinger : dualDescent) as AnySolver

export function solveLinearSync(problem: LinearProblem, options: RunOptions = {}): SolveResult {
  return solveSync(problem, solverOf(problem), {}, options)
}

export function solveLinear(problem: LinearProblem, options: RunOptions = {}): Promise<SolveResult> {
  return solve(problem, solverOf(problem), {}, options)
}
