/** f32 kernel values of samples with a block of queries: products, then what the kernel makes of them. */
import { farTile } from './far'
import * as at from '../structures'
import { tileProducts } from './products'
import { transformTile } from './transforms'

/**
 * tile[s][q] = k(x_(from+s), query_q) for s < count <= TILE. Tile and queries are those of the scratch (./queries.ts packs
 * them); `form` is the one that they were packed in.
 */
export function kernelTile(matrix: usize, kernel: usize, form: u32, from: u32, count: i32, scratch: usize): void {
  const tile = scratch + at.SCRATCH_TILE
  tileProducts(matrix, form, from, count, scratch + at.SCRATCH_BLOCK, tile)
  if (load<u32>(scratch, at.SCRATCH_FAR)) {
    farTile(matrix, kernel, form, from, count, scratch)
  } else {
    const norms = <usize>load<u32>(matrix, at.MATRIX_NORMS) + (<usize>from << 2)
    transformTile(kernel, tile, count, norms, scratch + at.SCRATCH_NORMS)
  }
}
