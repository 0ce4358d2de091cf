/** Newton's method beside dual descent, where epochs crawl: features of very different sizes. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { makeLinearMachine } from '../../../src/problems/linear-problem.ts'
import { solveSync } from '../../../src/solve/driver/run.ts'
import type { SolverContext, SolverState } from '../../../src/solve/driver/solver.ts'
import { linearAuto } from '../../../src/solve/methods/linear-auto.ts'
import { newton } from '../../../src/solve/methods/newton.ts'
import { plantedRows } from '../../suites/planted-rows.ts'

const TOL = 1e-6

/** Sparse rows with features from 0.01 to 100 in size, and the labels of a planted function, some of them wrong. */
function scaledData() {
  const random = new Random(5)
  const { samples, f } = plantedRows(random, { rows: 2000, cols: 1100, perRow: 20, spread: 2 })
  return { samples, z: f.map((own) => (own > 0 === random.uniform() > 0.2 ? 1 : -1)) }
}

type Kept = { readonly parts: Record<string, { readonly isTurn?: boolean }> }

/** Runs to the end; where it yields, `look` sees the state and a snapshot. */
function run(
  bias: 'regularised' | 'free',
  { resume, randomState }: { readonly resume?: object; readonly randomState?: readonly number[] } = {},
  look: (
    state: SolverState & { method?: string },
    snapshot: () => Kept | undefined,
    random: Random,
  ) => void = () => {},
) {
  const { samples, z } = scaledData()
  const problem = makeLinearMachine({ samples, z, loss: 'hinge', C: 100, bias })
  const random = new Random(0)
  if (randomState) random.state = randomState
  let pauses = 0
  const context = {
    tol: TOL,
    allowedGap: (primal: number) => TOL * Math.abs(primal),
    due: () => ++pauses % 50 === 0,
    *certify() {},
    random,
    resume,
    threads: 1,
  } as unknown as SolverContext
  let last: (SolverState & { method?: string }) | undefined
  for (const state of linearAuto.run(problem, context, {})) {
    last = state
    look(state, () => state.snapshot?.() as Kept | undefined, random)
  }
  if (!last) throw new Error('no state')
  return { iteration: last.iteration, weights: last.weights, method: last.method }
}

describe.each(['regularised', 'free'] as const)('bias %s', (bias) => {
  test('has turns where epochs crawl, and ends', () => {
    const { samples, z } = scaledData()
    const problem = makeLinearMachine({ samples, z, loss: 'hinge', C: 100, bias })
    const { certificate } = solveSync(problem, linearAuto, {}, { tol: TOL })
    expect(certificate.solver).toBe('newton')
    expect(certificate.stopReason).toBe('converged')
    expect(certificate.gap).toBeLessThan(TOL * certificate.primal)
    const alone = solveSync(problem, newton, {}, { tol: TOL }).certificate
    expect(Math.abs(certificate.primal - alone.primal)).toBeLessThan(2 * TOL * alone.primal)
  })
})

test('a run that continues from within a turn, and from between turns, takes the same steps', () => {
  const kept: { isTurn: boolean; resume: object; randomState: readonly number[] }[] = []
  const whole = run('regularised', {}, (_, take, random) => {
    const snapshot = kept.length < 4 ? take() : undefined
    const turns = snapshot?.parts.turns
    if (!snapshot || !turns || !('newton' in snapshot.parts)) return
    const isTurn = turns.isTurn === true
    if (kept.at(-1)?.isTurn !== isTurn) {
      kept.push({ isTurn, resume: structuredClone(snapshot), randomState: [...random.state] })
    }
  })
  expect(kept.some(({ isTurn }) => isTurn)).toBe(true)
  for (const { isTurn: _, ...from } of kept) expect(run('regularised', from)).toEqual(whole)
})
