/** Where the samples of a linear machine are while it is solved: in the engine's memory, or as they are where that is not worth it. */

import { storedValues } from '../../data/matrix/matrix.ts'
import { giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { engineExists } from '../../engine/memory/engine-build.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { BiasForm } from '../../problems/problem.ts'
import type { SolverState } from '../driver/solver.ts'
import { EngineRows } from './engine-rows.ts'
import type { LinearRows } from './linear-rows.ts'
import { PlainRows } from './plain-rows.ts'

/** Stored values from which on copying them to the engine pays, and up to which there is room for them there. */
const FEWEST_VALUES = 20_000
const MOST_VALUES = 200e6

/**
 * Solves with the rows of a problem; `engine` false leaves them where they are, and so do fewer values than `fewest`. Helper threads start
 * when there has been work for them.
 */
export function* withRows<T>(
  problem: Pick<LinearMachineProblem, 'samples' | 'constant'> & { readonly bias?: BiasForm },
  engine: boolean,
  solve: (rows: LinearRows) => Generator<SolverState, T, void>,
  { fewest = FEWEST_VALUES, threads = 1 }: { readonly fewest?: number; readonly threads?: number } = {},
): Generator<SolverState, T, void> {
  const { samples } = problem
  const constant = problem.bias === 'free' ? 1 : problem.constant
  const stored = storedValues(samples)
  if (!engine || stored < fewest || stored > MOST_VALUES || !engineExists()) {
    return yield* solve(new PlainRows(samples, constant))
  }
  const taken = takeEngine(threads, false)
  const mark = taken.mark()
  try {
    return yield* solve(new EngineRows(taken, samples, constant))
  } finally {
    giveEngine(taken, mark)
  }
}
