/** The solvers in plain words. */
import type { KernelSpec, SolverName } from '../../src/index.ts'

/** What the page says of a solver, and when it can be used. */
export interface SolverWords {
  readonly title: string
  readonly words: string
  /** What it moves: a pair of multipliers, one multiplier, or the whole line. */
  readonly moves: 'pair' | 'coordinate' | 'line'
  readonly linearOnly?: boolean
  /** Whether it draws by lot, so that a seed matters. */
  readonly isRandom?: boolean
  /** Its default tolerance, where that is not 1e-3. */
  readonly tol?: number
}

/** All solvers, the ones to begin with first. */
export const solverWords: Readonly<Record<SolverName, SolverWords>> = {
  smo: {
    title: 'SMO, second order',
    words: 'chooses the pair with the largest expected gain; the default',
    moves: 'pair',
  },
  'smo-mvp': {
    title: 'SMO, maximal violating pair',
    words: 'chooses the two samples that disagree most about the bias',
    moves: 'pair',
  },
  'smo-platt': {
    title: "SMO, Platt's original",
    words: 'sweeps over the samples and searches for a partner',
    moves: 'pair',
    isRandom: true,
  },
  'smo-simplified': {
    title: 'SMO, simplified',
    words: 'sweeps over the samples, with a random partner',
    moves: 'pair',
    isRandom: true,
  },
  'smo-random': {
    title: 'SMO, random pairs',
    words: 'draws both samples at random',
    moves: 'pair',
    isRandom: true,
  },
  'working-set': {
    title: 'Working sets',
    words: 'solves small problems until no sample outside violates its condition',
    moves: 'pair',
  },
  sdca: {
    title: 'Dual coordinate ascent',
    words: 'moves one multiplier at a time; the bias is part of the norm',
    moves: 'coordinate',
    isRandom: true,
  },
  pegasos: {
    title: 'Pegasos',
    words: 'steps against the sub-gradient of one random sample; the bias is part of the norm',
    moves: 'line',
    tol: 1e-2,
    isRandom: true,
  },
  subgradient: {
    title: 'Sub-gradient descent',
    words: 'steps against the sub-gradient of all samples; linear kernels only',
    moves: 'line',
    linearOnly: true,
    tol: 1e-2,
  },
}

/** Whether a solver can be used with a kernel. */
export function suits(solver: SolverName, kernel: KernelSpec): boolean {
  return !solverWords[solver].linearOnly || kernel.kind === 'linear'
}

/** The solver's own default tolerance. */
export function defaultTol(solver: SolverName): number {
  return solverWords[solver].tol ?? 1e-3
}
