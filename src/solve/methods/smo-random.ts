/**
 * SMO on random pairs.
 *
 * Problem   the dual of ../../problems/problem.ts with the hinge loss and a free bias.
 * Method    draw a pair and minimise the dual over it, again and again. `pairs: 'random'` draws both samples;
 *           `'heuristic'` draws the first among the samples that may move and pairs it with the one that differs most
 *           from it in f, the largest step to hope for.
 * Stop      the violation is at most tol (looked at every 10 n pairs), or the dual no longer falls: by less than
 *           `accuracy` of its value over a window in which every pair comes up `window` times on average. The second
 *           says only that progress is slow; the certificate says how far away the optimum is.
 * Bias      not needed on the way, for only differences of f matter; at the end as in ../dual/bias.ts. (The source keeps a
 *           running b and leaves it alone when neither sample is free.)
 * Pairs of equal points (η = 0), which the source skips, move to the better end of their segment.
 * Source    seed 003 (2019 blog series on SVMs).
 * Cost      a pair that cannot move O(1), one that moves O(n); 'heuristic' O(n) each. The kernel matrix should fit
 *           `cacheBytes`: random pairs have no locality.
 */
import { checkNumber, checkOneOf } from '../../base/check.ts'
import type { Random } from '../../base/random.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { showing } from '../driver/pieces.ts'
import type { Solver } from '../driver/solver.ts'
import { DualPoint, stateOf } from '../dual/dual-point.ts'

/** Settings of {@link smoRandom}. */
export interface SmoRandomOptions {
  readonly pairs: 'random' | 'heuristic'
  /** Relative change of the dual, over one window, below which the run ends. */
  readonly accuracy: number
  /** Length of a window, in multiples of the number of different pairs, n(n − 1)/2. */
  readonly window: number
}

/** A window is never shorter than this: with few samples a run of useless draws proves little. */
const LEAST_WINDOW = 10_000
/** Pairs tried between two looks at the clock: most of them cost less than the look. */
const PAIRS_PER_LOOK = 16

/** SMO on random pairs: for teaching. */
export const smoRandom: Solver<SmoRandomOptions> = {
  name: 'smo-random',
  title: 'SMO, random pairs',
  source: 'seed 003',
  tasks: ['svc'],
  biasForms: ['free'],
  unit: 'pair',
  goal: 'violation',
  defaults: { tol: 1e-3, maxIter: (samples) => Math.max(100_000_000, 10_000 * samples) },
  options: { pairs: 'random', accuracy: 1e-8, window: 5 },

  *run(problem: SvmProblem, context, options) {
    const { name } = smoRandom
    const pairs = checkOneOf(name, 'pairs', options.pairs, ['random', 'heuristic'])
    const accuracy = checkNumber(name, 'accuracy', options.accuracy, { min: 0 })
    const window = checkNumber(name, 'window', options.window, { above: 0 })
    const point = new DualPoint(problem, context)
    /** The dual's decrease so far, and up to the last window. */
    const progress = { gain: 0, gainBefore: 0 }
    const state = stateOf(point, context, progress)
    const count = problem.y.length
    const perWindow = Math.max(LEAST_WINDOW, Math.round((window * count * (count - 1)) / 2))
    const perLook = 10 * count
    const draw = pairs === 'random' ? drawAny : drawFarthest
    yield state
    for (;;) {
      state.iteration++
      if (draw(point, context.random)) {
        if (point.unbounded) return { unbounded: true }
        progress.gain += point.gain
        point.accept(state.iteration)
      }
      if (state.iteration % perLook === 0) {
        state.violation = violationOf(point)
        if (state.violation <= context.tol) {
          yield* showing(state, point.refresh())
          if (violationOf(point) <= context.tol) return {}
        }
      }
      if (state.iteration % perWindow === 0) {
        if (progress.gain - progress.gainBefore <= accuracy * progress.gain) {
          yield* showing(state, point.refresh())
          return {}
        }
        progress.gainBefore = progress.gain
      }
      const mayPause = state.iteration % PAIRS_PER_LOOK === 0 && context.due()
      if (state.iteration >= context.pauseAt || mayPause) yield state
    }
  },
}

function violationOf(point: DualPoint): number {
  const { bUp, bLow } = point.interval()
  return Math.max(0, bLow - bUp)
}

/** Solves over two different samples, both drawn; false when they cannot move. */
function drawAny(point: DualPoint, random: Random): boolean {
  const count = point.y.length
  const i = random.int(count)
  const other = random.int(count - 1)
  return tryPair(point, i, other < i ? other : other + 1)
}

/** Solves over a sample that is drawn and the one in the opposite set whose f is farthest from its own. */
function drawFarthest(point: DualPoint, random: Random): boolean {
  const { alpha, y, C, f } = point
  const i = random.int(y.length)
  const { bUp, bLow, up, low } = point.interval()
  const inUp = y[i] > 0 ? alpha[i] < C[i] : alpha[i] > 0
  const inLow = y[i] > 0 ? alpha[i] > 0 : alpha[i] < C[i]
  const rise = inUp ? bLow - f[i] : 0
  const fall = inLow ? f[i] - bUp : 0
  if (Math.max(rise, fall) <= 0) return false
  return rise >= fall ? tryPair(point, low, i) : tryPair(point, i, up)
}

/** A pair moves only if one value may fall and the lower one rise; this is seen without the kernel. */
function tryPair(point: DualPoint, i: number, j: number): boolean {
  const { f, alpha, y, C } = point
  const high = f[i] >= f[j] ? i : j
  const low = high === i ? j : i
  const highMayFall = y[high] > 0 ? alpha[high] > 0 : alpha[high] < C[high]
  const lowMayRise = y[low] > 0 ? alpha[low] < C[low] : alpha[low] > 0
  return highMayFall && lowMayRise && f[high] > f[low] && point.solve(i, j)
}
