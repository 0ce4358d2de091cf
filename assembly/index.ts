/** The export list, the same in the scalar, SIMD and relaxed-SIMD builds. */

export { findExtremes, findViolators } from './dual/select-working-set'
export { gatherRows } from './kernel/gather'
export { subtractRows } from './sums/gradient'
export { followPaths, work } from './jobs'
export { kernelRows } from './kernel/kernel-rows'
export { sweep } from './linear'
export { pickColumns } from './sums/pick'
export { tileProducts } from './kernel/products'
export { mirror, solveSubset } from './dual/subproblem'
export { transformTile } from './kernel/transforms'
