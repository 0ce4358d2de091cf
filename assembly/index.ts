/** The export list, the same in the scalar, SIMD and relaxed-SIMD builds. */

export { advanceSet, beginSet, neededRows } from './dual/active-set'
export { makeSet, setBytes, stateBytes } from './dual/active-set-memory'
export { runPairLoop } from './dual/pair-loop'
export { findExtremes, findViolators } from './dual/select-working-set'
export { gatherRows } from './kernel/gather'
export { abandon, followPaths, work } from './jobs'
export { addGram, factorRows, rowGram, solveFactored, triangleBytes } from './linear/gram'
export { conjugateSum, lossSlopes, lossSum, slopeAlong } from './linear/losses'
export { addProducts, addRows, addSquares, rowValues } from './linear/rows'
export { sweep } from './linear/sweep'
export { addScaled, countPositive, difference } from './linear/vectors'
export { mirror, pickColumns } from './sums/pick'
