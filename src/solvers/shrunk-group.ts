/** Variables that the block solver leaves out for a while. */
import { type EngineMatrix, gatherRows } from '../compute/engine-matrix.ts'
import type { BlockSums } from './block-sums.ts'
import type { Pieces } from './pieces.ts'

/** Variables shrunk at the same time: their v belongs to the β of that time. */
export interface ShrunkGroup {
  readonly samples: Uint32Array
  readonly v: Float64Array
  readonly betaThen: Float64Array
}

/** Writes the v that belongs to the β of now to the places of the group's samples in `all`; `copy` is scratch. */
export function* bringUpToDate(
  { samples, v, betaThen }: ShrunkGroup,
  source: EngineMatrix,
  copy: EngineMatrix,
  sums: BlockSums,
  beta: Float64Array,
  all: Float64Array,
): Pieces {
  const { engine } = sums
  const mark = engine.mark()
  const vector = engine.array(Float64Array, samples.length)
  vector.set(v)
  gatherRows(source, samples, samples.length, copy)
  yield* sums.subtract(copy, samples.length, vector, beta, betaThen)
  for (let k = 0; k < samples.length; k++) all[samples[k]] = vector[k]
  engine.release(mark)
}
