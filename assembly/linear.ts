/**
 * Dual coordinate descent for linear models, a stretch of an epoch at a time: a call a step would cost as much as the
 * step. What it does, and why, is said in src/solve/methods/sdca.ts; this is `Coordinates.sweep` there, operation by operation,
 * so that both give the same bits. Curvatures must be positive.
 */
import * as at from './structures'

/** A projected gradient below this moves nothing worth its cost. LIBLINEAR's number. */
const TINY_GRADIENT: f64 = 1e-12

/** Visits up to `steps` further samples. */
export function sweep(state: usize, steps: i32): void {
  const matrix = <usize>load<u32>(state, at.SWEEP_MATRIX)
  const order = <usize>load<u32>(state, at.SWEEP_ORDER)
  const alpha = <usize>load<u32>(state, at.SWEEP_ALPHA)
  const y = <usize>load<u32>(state, at.SWEEP_Y)
  const upper = <usize>load<u32>(state, at.SWEEP_UPPER)
  const extra = <usize>load<u32>(state, at.SWEEP_EXTRA)
  const curvature = <usize>load<u32>(state, at.SWEEP_CURVATURE)
  const w = <usize>load<u32>(state, at.SWEEP_W)
  const wConstant = w + (<usize>load<u32>(matrix, at.MATRIX_COLS) << 3)
  const constant = load<f64>(state, at.SWEEP_CONSTANT)
  const shrinking = load<u32>(state, at.SWEEP_SHRINKING)
  const shrinkAbove = load<f64>(state, at.SWEEP_SHRINK_ABOVE)
  const shrinkBelow = load<f64>(state, at.SWEEP_SHRINK_BELOW)
  let position = load<u32>(state, at.SWEEP_POSITION)
  let active = load<u32>(state, at.SWEEP_ACTIVE)
  let changes = load<u32>(state, at.SWEEP_CHANGES)
  let highest = load<f64>(state, at.SWEEP_HIGHEST)
  let lowest = load<f64>(state, at.SWEEP_LOWEST)
  for (let step = 0; step < steps && position < active; step++) {
    const i = load<u32>(order + (<usize>position << 2))
    const at = <usize>i << 3
    const old = load<f64>(alpha + at)
    const bound = load<f64>(upper + at)
    const label = load<f64>(y + at)
    const value = rowDot(matrix, i, w) + constant * load<f64>(wConstant)
    const gradient = label * value - 1.0 + load<f64>(extra + at) * old
    const settled = old == 0 ? gradient > shrinkAbove : old == bound && gradient < shrinkBelow
    if (shrinking && settled) {
      active--
      store<u32>(order + (<usize>position << 2), load<u32>(order + (<usize>active << 2)))
      store<u32>(order + (<usize>active << 2), i)
      continue
    }
    position++
    const projected = (old <= 0 && gradient > 0) || (old >= bound && gradient < 0) ? 0.0 : gradient
    if (projected > highest) highest = projected
    if (projected < lowest) lowest = projected
    if (abs(projected) <= TINY_GRADIENT) continue
    const moved = min(bound, max(0.0, old - gradient / load<f64>(curvature + at)))
    if (moved == old) continue
    store<f64>(alpha + at, moved)
    const change = (moved - old) * label
    addRow(matrix, i, change, w)
    store<f64>(wConstant, load<f64>(wConstant) + change * constant)
    changes++
  }
  store<u32>(state, position, at.SWEEP_POSITION)
  store<u32>(state, active, at.SWEEP_ACTIVE)
  store<u32>(state, changes, at.SWEEP_CHANGES)
  store<f64>(state, highest, at.SWEEP_HIGHEST)
  store<f64>(state, lowest, at.SWEEP_LOWEST)
}

/** ⟨x_i, w⟩, added up in column order. */
// @ts-ignore: decorator
@inline
function rowDot(matrix: usize, i: u32, w: usize): f64 {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  let sum = 0.0
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
    const row = values + <usize>i * bytes
    for (let j: usize = 0; j < bytes; j += 8) sum += load<f64>(row + j) * load<f64>(w + j)
  } else {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
    const start = <usize>load<u32>(indptr)
    const end = values + (<usize>load<u32>(indptr, 4) << 3)
    let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
    for (let value = values + (start << 3); value < end; value += 8) {
      sum += load<f64>(value) * load<f64>(w + (<usize>load<u32>(offset) >> 3))
      offset += 4
    }
  }
  return sum
}

/** w += factor · x_i */
// @ts-ignore: decorator
@inline
function addRow(matrix: usize, i: u32, factor: f64, w: usize): void {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) {
    const bytes = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
    const row = values + <usize>i * bytes
    let j: usize = 0
    if (ASC_FEATURE_SIMD) {
      const factors = f64x2.splat(factor)
      for (; j + 16 <= bytes; j += 16) {
        v128.store(w + j, f64x2.add(v128.load(w + j), f64x2.mul(factors, v128.load(row + j))))
      }
    }
    for (; j < bytes; j += 8) store<f64>(w + j, load<f64>(w + j) + factor * load<f64>(row + j))
  } else {
    const indptr = <usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)
    const start = <usize>load<u32>(indptr)
    const end = values + (<usize>load<u32>(indptr, 4) << 3)
    let offset = <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
    for (let value = values + (start << 3); value < end; value += 8) {
      const weight = w + (<usize>load<u32>(offset) >> 3)
      store<f64>(weight, load<f64>(weight) + factor * load<f64>(value))
      offset += 4
    }
  }
}
