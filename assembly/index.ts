/** The export list, the same in the scalar, SIMD and relaxed-SIMD builds. */

export { findExtremes, findViolators } from './choice'
export { gatherRows } from './gather'
export { subtractRows } from './gradient'
export { followPaths, work } from './jobs'
export { kernelRows } from './kernel-rows'
export { sweep } from './linear'
export { pickColumns } from './pick'
export { tileProducts } from './products'
export { mirror, solveSubset } from './subset'
export { transformTile } from './transforms'
