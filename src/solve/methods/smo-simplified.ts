/**
 * Simplified SMO.
 *
 * Problem   the dual of ../../problems/problem.ts with the hinge loss and a free bias.
 * Method    sweep over the samples; whenever sample i violates the optimality conditions for the running bias b, draw
 *           j ≠ i at random and minimise the dual over the two. `maxPasses` sweeps in a row that change nothing end a
 *           round, and there are at most `rounds` rounds (the source's T).
 * Stop      with a random j, "nothing changed" is not optimality. So after each round f is computed from scratch and
 *           the true violation decides: at most tol, and the run ends; more, and the next round begins. What is left
 *           after the last round stands in the certificate.
 * Units     an iteration is one sweep. A trace `every` τ is the source's "record every τ iterations".
 * Steps     are refused when they change α_j by less than `minStep` of its size. (The source compares the change with
 *           tol itself, which forbids every step once C <= tol.)
 * Bias      on the way, from the sample of the last pair that is free (their mean when none is); at the end the mean
 *           over all free support vectors: eq. 77, with the y_j that it drops.
 * Source    seed 001, Algorithm 1 (course project), after the simplified SMO of the CS229 notes.
 * Cost      a sweep O(n), and O(n) with two kernel columns for each step in it.
 */
import { checkNumber } from '../../base/check.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { showing } from '../driver/pieces.ts'
import type { Solver, SolverContext } from '../driver/solver.ts'
import { DualPoint, stateOf } from '../dual/dual-point.ts'

/** Settings of {@link smoSimplified}. */
export interface SmoSimplifiedOptions {
  /** Maximum number of rounds. */
  readonly rounds: number
  /** Sweeps in a row without a change that end a round. */
  readonly maxPasses: number
  /** Smallest relative change of α_j that counts. */
  readonly minStep: number
}

/** SMO that visits the samples in turn and draws the second of each pair at random: for teaching. */
export const smoSimplified: Solver<SmoSimplifiedOptions> = {
  name: 'smo-simplified',
  title: 'SMO, simplified: sweeps with a random second sample',
  source: 'seed 001, Algorithm 1',
  tasks: ['svc'],
  biasForms: ['free'],
  unit: 'round',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: () => 100_000 },
  options: { rounds: 1000, maxPasses: 10, minStep: 1e-7 },

  *run(problem: SvmProblem, context, options) {
    const { name } = smoSimplified
    const rounds = checkNumber(name, 'rounds', options.rounds, { min: 1, integer: true, infinite: true })
    const maxPasses = checkNumber(name, 'maxPasses', options.maxPasses, { min: 1, integer: true })
    const minStep = checkNumber(name, 'minStep', options.minStep, { min: 0, below: 1 })
    const point = new DualPoint(problem, context)
    /** The round, its sweeps in a row without a change, and the running bias. */
    const progress = { round: 1, quiet: 0, bias: 0 }
    const state = stateOf(point, context, progress)
    const sweep = new Sweep(point, context, minStep, progress)
    yield state
    for (; ; progress.round++, progress.quiet = 0) {
      while (progress.quiet < maxPasses) {
        const changes = yield* showing(state, sweep.run(state.iteration + 1))
        if (point.unbounded) return { unbounded: true }
        state.iteration++
        progress.quiet = changes === 0 ? progress.quiet + 1 : 0
        yield state
      }
      yield* showing(state, point.refresh())
      const { bUp, bLow } = point.interval()
      state.violation = Math.max(0, bLow - bUp)
      if (state.violation <= context.tol || progress.round >= rounds) return {}
    }
  },
}

class Sweep {
  private readonly point: DualPoint
  /** Half the tolerance: all samples within it of one bias are within the tolerance of each other. */
  private readonly tau: number
  private readonly minStep: number
  private readonly context: SolverContext
  private readonly running: { bias: number }

  constructor(point: DualPoint, context: SolverContext, minStep: number, running: { bias: number }) {
    this.point = point
    this.tau = context.tol / 2
    this.minStep = minStep
    this.context = context
    this.running = running
  }

  /** One sweep; the number of pairs changed. Ends early when the dual turns out to be unbounded. */
  *run(iteration: number): Pieces<number> {
    const { point, running } = this
    const { random, due } = this.context
    const count = point.y.length
    let changes = 0
    for (let i = 0; i < count; i++) {
      if (!point.violates(i, running.bias, this.tau)) continue
      const other = random.int(count - 1)
      const j = other < i ? other : other + 1
      if (!point.solve(i, j)) continue
      if (point.unbounded) return changes
      const { step } = point
      if (Math.abs(step.alphaJ - step.oldAlphaJ) < this.minStep * (step.alphaJ + step.oldAlphaJ)) continue
      point.accept(iteration)
      running.bias = point.pairBias
      changes++
      if (due()) yield
    }
    return changes
  }
}
