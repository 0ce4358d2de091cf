/** The passes of linear machines over one block, and what their results come to over all of them. */
import { DataError } from '../../base/errors.ts'
import { pack, unpack } from '../../base/packing.ts'
import { inOneGo } from '../../base/pieces.ts'
import { type BlockMeasures, measureBlock, ShardMeasures } from '../../certify/linear/shard-measures.ts'
import type { ShardBlock } from '../../data/shards/shard-block.ts'
import type { LossTerms } from '../../problems/linear-loss.ts'
import { PlainRows } from '../rows/plain-rows.ts'
import { descendBlock, slopesOf } from './block-passes.ts'
import type { PassAnswer, PassRequest } from './shard-machine.ts'
import type { BlockStates } from './shard-pass.ts'
import { type LinearShardTask, prepareBlock, termsOfBlock } from './shard-task.ts'
import { type GatheredSamples, gatherSamples } from './working-set.ts'

/**
 * Epochs of descent on a block before the next is read: reading it costs about as much as one or two. On 8,000 samples of text in 8
 * blocks (imdb, hinge loss), 1 took 10 passes instead of 8, and 1 and 6 two fifths longer.
 */
const EPOCHS_PER_VISIT = 3

/** What is computed for one function. */
export interface LinearRequest {
  /** The number of the function. */
  readonly which: number
  readonly request: PassRequest
  /** The state with β of the round that the request starts from; absent for β = 0. */
  readonly reads?: string | undefined
  /** Under which name the β that it leads to is kept. */
  readonly writes?: string | undefined
  /** Of a descent: how many blocks descend from the same w̃ ({@link descendBlock}). */
  readonly together: number
}

/** The parameters of a pass: requests for several functions share it. */
export interface LinearPassBody {
  readonly task: LinearShardTask
  readonly requests: readonly LinearRequest[]
}

/** What a block answers to one request. */
export interface LinearPart {
  readonly measures?: BlockMeasures
  readonly losses?: Float64Array
  /** A part of the diagonal, of the triangle, or of the product. */
  readonly sum?: Float64Array
  /** Σ Δβ_i x̃_i of a descent, and whether anything moved. */
  readonly change?: Float64Array
  readonly moved?: boolean
  readonly gathered?: GatheredSamples
}

/** Runs a pass on block k. */
export async function runLinearPass(
  { task, requests }: LinearPassBody,
  block: ShardBlock,
  k: number,
  states: BlockStates,
): Promise<{ readonly parts: readonly LinearPart[] }> {
  const prepared = prepareBlock(task, block)
  const parts: LinearPart[] = []
  for (const request of requests) parts.push(await answer(task, prepared, k, request, states))
  return { parts }
}

async function answer(
  task: LinearShardTask,
  block: ShardBlock,
  k: number,
  { which, request, reads, writes, together }: LinearRequest,
  states: BlockStates,
): Promise<LinearPart> {
  const { samples } = block
  const { constant } = task
  const { weights } = request
  const rows = new PlainRows(samples, constant)
  const terms = termsOfBlock(task, block, which)
  const known = () => betaOf(states, reads, samples.rows)
  const smoothed = async (width = 0): Promise<LossTerms> =>
    width > 0 ? smoothedTerms(terms, reads === undefined ? middle(terms) : await known(), width) : terms
  switch (request.kind) {
    case 'descend': {
      const beta = await known()
      // Every visit has its own order, whoever makes it.
      const seed = task.seed + Math.imul(request.reads ?? 0, 0x9e3779b1) + Math.imul(k, 0x85ebca6b) + which
      const descent = { epochs: EPOCHS_PER_VISIT, together, seed }
      const { change, moved } = descendBlock(rows, terms, weights, beta, descent)
      await keep(states, writes, beta)
      return { change, moved }
    }
    case 'measure':
      return { measures: measureBlock(samples, terms, constant, weights, await known()) }
    case 'gather': {
      const { changes, most } = request
      const beta = await known()
      changes?.[k].rows.forEach((row, at) => {
        beta[row] = changes[k].beta[at]
      })
      await keep(states, writes, beta)
      return {
        measures: measureBlock(samples, terms, constant, weights, beta),
        gathered: gatherSamples({ samples, terms, beta }, constant, weights, most),
      }
    }
    case 'slopes': {
      const { width, hessian, step } = request
      const { losses, beta, curvature } = slopesOf(rows, await smoothed(width), weights, step)
      const triangle = rows.triangle(hessian === 'triangle' ? weights.length : 0)
      const sum = hessian === 'triangle' ? triangle.values : rows.vector(weights.length)
      if (hessian === 'triangle') inOneGo(rows.addGram(curvature, triangle, () => false))
      else rows.squares(curvature, sum)
      await keep(states, writes, beta)
      return { measures: measureBlock(samples, terms, constant, weights, beta), losses, sum }
    }
    case 'curvature': {
      const { width, direction } = request
      const { curvature } = slopesOf(rows, await smoothed(width), weights)
      const sum = rows.vector(weights.length)
      rows.product(curvature, direction, sum)
      return { sum }
    }
  }
}

/** The losses with ½ width (β − β⁰)² added to their conjugates: D grows by the width, and z moves by width · β⁰. */
function smoothedTerms(terms: LossTerms, beta: Float64Array, width: number): LossTerms {
  return {
    ...terms,
    z: terms.z.map((z, i) => z + width * beta[i]),
    shift: terms.shift.map((shift) => shift + width),
  }
}

/** Between the bounds, so that smoothing moves no kink to one side: the solution is then off by the square of the width only. */
function middle({ lower, upper }: LossTerms): Float64Array {
  return lower.map((low, i) => 0.5 * (low + upper[i]))
}

async function betaOf(states: BlockStates, name: string | undefined, rows: number): Promise<Float64Array> {
  if (name === undefined) return new Float64Array(rows)
  const bytes = await states.load(name)
  if (!bytes) throw new DataError(`the state ${name} of a block is missing: start the training again`)
  return unpack(bytes) as Float64Array
}

async function keep(states: BlockStates, name: string | undefined, beta: Float64Array): Promise<void> {
  if (name !== undefined) await states.save(name, pack(beta))
}

/** What one request comes to over all blocks, added up in their order. */
export class LinearSums {
  /** w̃ that a descent carries along: the request's own is left alone until all blocks are done. */
  readonly carried: Float64Array | undefined
  private readonly request: PassRequest
  private readonly measures: ShardMeasures | undefined
  private sum: Float64Array | undefined
  private readonly gathered: GatheredSamples[] = []
  private losses: Float64Array | undefined
  private moved = false

  constructor(request: PassRequest) {
    this.request = request
    const { kind, weights } = request
    if (kind === 'measure' || kind === 'slopes' || kind === 'gather')
      this.measures = new ShardMeasures(weights)
    if (kind === 'descend') this.carried = weights.slice()
  }

  /** Takes in what the next block answered. */
  add({ measures, losses, sum, change, moved, gathered }: LinearPart): void {
    if (gathered) this.gathered.push(gathered)
    if (measures) this.measures?.add(measures)
    if (losses) {
      this.losses ??= new Float64Array(losses.length)
      addTo(this.losses, losses)
    }
    if (sum) {
      this.sum ??= new Float64Array(sum.length)
      addTo(this.sum, sum)
    }
    if (change && this.carried) addTo(this.carried, change)
    if (moved) this.moved = true
  }

  /** What all blocks come to. */
  end(): PassAnswer {
    const { measures, sum, request, carried, moved, losses, gathered } = this
    if (request.kind === 'descend') {
      request.weights.set(carried!)
      return { moved }
    }
    return {
      ...(measures && { measures: measures.end(), v: measures.v }),
      ...(losses && { losses }),
      ...(sum && { sum }),
      ...(request.kind === 'gather' && { gathered }),
    }
  }
}

function addTo(sum: Float64Array, part: Float64Array): void {
  for (let j = 0; j < sum.length; j++) sum[j] += part[j]
}
