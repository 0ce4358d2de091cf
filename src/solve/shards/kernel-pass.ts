/**
 * The passes of kernel machines over one block: the weights of its samples, its own solution, and what a model is worth on it, with
 * the samples that violate the optimality conditions most.
 */
import { DataError } from '../../base/errors.ts'
import { countUp, pickNumbers } from '../../base/lists.ts'
import { inSlices } from '../../base/pieces.ts'
import { type DualBlockMeasures, measureDualBlock } from '../../certify/shard-dual-measures.ts'
import { type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { type ShardBlock, selectBlock } from '../../data/shards/shard-block.ts'
import { buildName } from '../../engine/memory/engine-build.ts'
import { availableThreads } from '../../engine/threads/thread-team.ts'
import { fill } from '../../problems/general-form.ts'
import { expansionCoefficients, type Problem } from '../../problems/kernel-problem.ts'
import { solve } from '../driver/run.ts'
import { type KernelStart, matchStart } from '../dual/kernel-start.ts'
import { smo, smoFrom } from '../methods/smo.ts'
import {
  functionProblem,
  type KernelShardTask,
  kernelFunctionCount,
  taskKernel,
  weightSums,
} from './kernel-task.ts'
import type { BlockStates } from './shard-pass.ts'
import { prepareBlock } from './shard-task.ts'

/** Samples of a block: their rows there, and what they are, scaled. */
export interface FoundSamples extends ShardBlock {
  readonly rows: Uint32Array
}

/** The parameters of a pass that adds up weights. */
export interface KernelWeightsBody {
  readonly task: KernelShardTask
}

/** Σ weights of either sign, for each function. */
export interface KernelWeights {
  readonly sums: readonly (readonly [number, number])[]
}

/** The parameters of a pass in which each block solves its own dual, or finds its part of a start. */
export interface KernelSolveBody {
  readonly start?: KernelStart | undefined
  readonly task: KernelShardTask
  readonly tol: number
  readonly cacheBytes: number
  /** {@link KernelWeights} of all blocks, for ν problems. */
  readonly totals?: KernelWeights['sums'] | undefined
}

/** The support vectors of a block's own solutions, and α of each function for them. */
export interface KernelSolved {
  readonly found: FoundSamples
  readonly alphas: readonly Float64Array[]
}

/** A function to be measured. */
export interface MeasuredFunction {
  readonly which: number
  /** α of each of the vectors. */
  readonly alpha: Float64Array
  readonly bias: number
  readonly width?: number | undefined
}

/** The parameters of a pass that measures a model. */
export interface KernelMeasureBody {
  readonly task: KernelShardTask
  readonly tol: number
  /** The support vectors of all functions: where they come from, and what they are. */
  readonly vectors: Matrix
  readonly blocks: Uint32Array
  readonly rows: Uint32Array
  readonly labels: Float64Array
  readonly functions: readonly MeasuredFunction[]
  /** Samples that the master has beside them: they need not be sent. */
  readonly known: { readonly blocks: Uint32Array; readonly rows: Uint32Array }
  /** Violators to send, for each function: those beyond `beyond`, the `most` worst. */
  readonly violators?: { readonly most: number; readonly beyond: number } | undefined
  /** The errors that gap and dual value of a block may have, for each function; absent: whatever comes cheaply. */
  readonly sharpness?: readonly { readonly gap: number; readonly dual: number }[] | undefined
}

/** What a block tells of a model, and the violators of all functions together. */
export interface KernelMeasured {
  readonly parts: readonly (DualBlockMeasures | null)[]
  readonly found: FoundSamples
}

/** Adds up the weights of a block. */
export async function runKernelWeights(
  { task }: KernelWeightsBody,
  block: ShardBlock,
): Promise<KernelWeights> {
  const kernel = taskKernel(task)
  const each = Array.from({ length: kernelFunctionCount(task) }, (_, which) => which)
  return { sums: each.map((which) => weightSums(functionProblem(task, kernel, block, which).problem)) }
}

/** Solves the duals of a block, or finds where they start. */
export async function runKernelSolve(
  { start: given, task, tol, cacheBytes, totals }: KernelSolveBody,
  read: ShardBlock,
  _k: number,
  _states: BlockStates,
  threads?: number,
): Promise<KernelSolved> {
  checkEngine(task)
  const block = prepareBlock(task, read)
  if (given) {
    const { rows, alphas } = matchStart(given, block)
    return { found: take(block, rows), alphas }
  }
  const kernel = taskKernel(task)
  const alphas: Float64Array[] = []
  for (let which = 0; which < kernelFunctionCount(task); which++) {
    const { rows, problem } = functionProblem(task, kernel, block, which)
    const alpha = new Float64Array(block.labels.length)
    alphas.push(alpha)
    const start = totals && shareOf(problem, totals[which])
    if (!start && !hasTwoSides(problem)) continue
    const settings = { tol, cacheBytes, seed: task.seed, ...(threads && { threads }) }
    const solved = await solve(problem, start ? smoFrom(start) : smo, {}, settings)
    for (const [i, row] of rows.entries()) alpha[row] = solved.alpha[i]
  }
  const used = countUp(block.labels.length).filter((i) => alphas.some((alpha) => alpha[i] !== 0))
  return { found: take(block, used), alphas: alphas.map((alpha) => pickNumbers(alpha, used)) }
}

/** Measures a model on a block. */
export async function runKernelMeasure(
  { task, tol, vectors, blocks, rows, labels, functions, known, violators, sharpness }: KernelMeasureBody,
  given: ShardBlock,
  k: number,
  _states: BlockStates,
  threads = availableThreads(),
): Promise<KernelMeasured> {
  checkEngine(task)
  const block = prepareBlock(task, given)
  const kernel = taskKernel(task)
  const count = block.labels.length
  const isKnown = new Uint8Array(count)
  for (const [i, at] of known.blocks.entries()) if (at === k) isKnown[known.rows[i]] = 1
  const isChosen = new Uint8Array(count)
  const parts: (DualBlockMeasures | null)[] = []
  for (const [f, { which, alpha, bias, width }] of functions.entries()) {
    const own = functionProblem(task, kernel, block, which)
    if (own.rows.length === 0) {
      parts.push(null)
      continue
    }
    const all = new Float64Array(count)
    for (const [s, at] of blocks.entries()) if (at === k) all[rows[s]] = alpha[s]
    // The vectors as their own block: what their coefficients are follows from their labels.
    const expansion = functionProblem(task, kernel, { samples: vectors, labels }, which)
    const coefficients = expansionCoefficients(expansion.problem, pickNumbers(alpha, expansion.rows))
    const used = countUp(coefficients.length).filter((s) => coefficients[s] !== 0)
    const { part, excess } = await inSlices(
      measureDualBlock(
        {
          problem: own.problem,
          solution: { alpha: pickNumbers(all, own.rows), bias, width },
          vectors: selectRows(expansion.problem.samples as Matrix, used),
          coefficients: pickNumbers(coefficients, used),
        },
        { tol, threads, seed: task.seed, sharpness: sharpness?.[f] },
      ),
    )
    parts.push(part)
    if (!violators) continue
    const worst = countUp(excess.length).filter((i) => excess[i] > violators.beyond && !isKnown[own.rows[i]])
    worst.sort((a, b) => excess[b] - excess[a] || a - b)
    for (const i of worst.subarray(0, violators.most)) isChosen[own.rows[i]] = 1
  }
  const chosen = countUp(count).filter((i) => isChosen[i] === 1)
  return { parts, found: take(block, chosen) }
}

/** Where a block begins whose dual variables have given sums: they are its share, by weight, of those of the whole. */
function shareOf(
  problem: Problem,
  [positive, negative]: readonly [number, number],
): Float64Array | undefined {
  const [own, other] = weightSums(problem)
  if (problem.task === 'one-class') {
    return fill(new Float64Array(problem.weights.length).fill(1), problem.weights, problem.nu * own)
  }
  if (problem.task !== 'nu-svc') return undefined
  const half = (problem.nu * (positive + negative)) / 2
  return fill(problem.y, problem.weights, half * (own / positive), half * (other / negative))
}

/** Samples of both classes that may have a multiplier; other problems have no sides. */
function hasTwoSides(problem: Problem): boolean {
  if (problem.task !== 'svc') return true
  const { y, C } = problem
  return [1, -1].every((side) => y.some((sign, i) => sign === side && C[i] > 0))
}

function take(block: ShardBlock, rows: Uint32Array): FoundSamples {
  return { rows, ...selectBlock(block, rows) }
}

/** Other builds give other bits: all that work on a run must have the same. */
function checkEngine({ engine }: KernelShardTask): void {
  if (engine === buildName()) return
  throw new DataError(
    `this run computes with the engine build ${engine}, this process with ${buildName()}: the bits would differ`,
  )
}
