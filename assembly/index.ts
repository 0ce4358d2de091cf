/** The export list, the same in the scalar, SIMD and relaxed-SIMD builds. */

export { combination, sumsOverRows, valuesWithErrors } from './certify/linear'
export { boundByLength, boundGaussian, takeSums, unpackSums } from './certify/rows'
export { listDecisive, listGapTerms } from './certify/variables'
export { advanceSet, beginSet, neededRows } from './dual/active-set'
export { keepListed, listBusy, setRates, takeValues } from './dual/active-variables'
export { makeSet, setBytes, stateBytes } from './dual/active-set-memory'
export { runPairLoop } from './dual/pair-loop'
export { findExtremes } from './dual/select-working-set'
export { chooseSet, fillSet, finishSet, halfGain, listChanges, loadSet, storeSet } from './dual/working-set'
export { gatherRows } from './kernel/gather'
export { layOutRows, placeRows } from './kernel/place-rows'
export { followPaths, work } from './jobs'
export { classSweep } from './linear/class-sweep'
export { transpose } from './linear/columns'
export { columnEpoch, gramEpochs, lossEpoch } from './linear/coordinates'
export { rowGram, solveFactored, triangleBytes } from './linear/gram'
export { logisticSweep } from './linear/logistic'
export { conjugateSum, lossSlopes, lossSum, lossTerms, slopeAlong } from './linear/losses'
export { addProducts, addRows, addSquares, rowValues } from './linear/rows'
export { gradientSpread, relist, sweep } from './linear/sweep'
export {
  addProductsOf,
  addScaled,
  countPositive,
  difference,
  dot,
  invert,
  listNonZero,
  scaleAndAdd,
} from './linear/vectors'
export { mirror, pickColumns } from './sums/pick'
export { abandon } from './tasks'
