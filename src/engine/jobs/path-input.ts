/** What paths on the engine (./c-paths.ts) are given, and what comes of them. */
import type { EngineKernel } from '../matrix/engine-kernel.ts'

/** What is to be solved. All arrays belong to the training samples but `samples`, which has the held-out ones as well. */
export interface PathInput {
  readonly kernel: EngineKernel
  /** Row numbers: first those of training, each once, then those held out, which may be any. */
  readonly samples: Uint32Array
  readonly training: number
  readonly target: Float64Array
  /** The box for C = 1. */
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** What multiplies the box at each step, ascending. */
  readonly C: Float64Array
  /** At each step, what β adds up to above 0, and below: fixed where given. */
  readonly sums?: Float64Array
  readonly tube: number
  readonly tol: number
  readonly maxSteps: number
  /** Whether β itself is wanted as well. */
  readonly keepSolutions?: boolean
  /**
   * Of a path over two classes whose kernel rows are made as they are needed (assembly/paths/pair-rows.ts): how many samples
   * are of the first. Those of each class follow one another in the matrix.
   */
  readonly split?: number
  /**
   * The path, by its place in the list, whose solution this one starts from: of the same kernel, over most of the same samples. Either has a
   * single C, and those of training ascend.
   */
  readonly seed?: number
}

/**
 * Pair steps at one C after which a path counts as hard, and is left to the solvers that certify what they do: so many per sample,
 * and at least so many in all: four times what the hardest of the fits took that assembly/paths/path.ts was tried on (23,000 of 2,000
 * samples of a9a, C = 100), so that only what gets nowhere is given up. With 30 and 600 per sample none of them changed.
 */
const STEPS_PER_SAMPLE = 150
const FEWEST_STEPS = 1e5

/** The limit of a path with so many training samples. */
export const mostPathSteps = (training: number): number => Math.max(FEWEST_STEPS, STEPS_PER_SAMPLE * training)

/** What has come of one C. */
export interface PathResult {
  /** f of the held-out samples: a view of the engine's memory, there until paths are finished. */
  readonly decisions: Float64Array
  /** β of the training samples, where it was requested. */
  readonly solution?: Float64Array
  readonly bias: number
  /** Where sums are fixed: ρ of two classes, ε of a regression. */
  readonly width: number
  readonly dual: number
  /** Σ |β| */
  readonly size: number
  readonly violation: number
  readonly steps: number
  /** About how long it took. */
  readonly seconds: number
  readonly supportVectors: number
  readonly boundedSupportVectors: number
  readonly converged: boolean
}
