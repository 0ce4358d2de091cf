/**
 * The sequential dual method for Crammer and Singer's machine, a stretch of an epoch at a time: this is `classSweep` of
 * src/solve/classes/class-sweep.ts, operation by operation, so that both give the same bits.
 */
import * as at from '../structures'
import { addToListed, classAt, listedProducts, offsetsOf, rowProducts, valuesOf } from './classes'

/**
 * Visits up to `visits` further samples. `counts` are u32: the place in the order, where its active part ends, and 1 as soon as anything
 * has moved; `largest` is the f64 of the largest violation. `chosen` has room for u32[k], `gradient`, `change` and `all` for f64[k].
 */
export function classSweep(
  matrix: usize,
  constant: f64,
  k: u32,
  order: usize,
  counts: usize,
  visits: u32,
  y: usize,
  price: usize,
  norms: usize,
  alpha: usize,
  w: usize,
  classOrder: usize,
  activeClasses: usize,
  chosen: usize,
  gradient: usize,
  change: usize,
  all: usize,
  largest: usize,
): void {
  const stride = <usize>k << 3
  const carried = <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  let position = load<u32>(counts)
  let active = load<u32>(counts, 4)
  let highestViolation = load<f64>(largest)
  for (let visit: u32 = 0; visit < visits && position < active; visit++) {
    const place = order + (<usize>position << 2)
    const i = load<u32>(place)
    const values = valuesOf(matrix, i)
    const end = valuesOf(matrix, i + 1)
    const offsets = offsetsOf(matrix, i)
    const own = load<u32>(y + (<usize>i << 2))
    const C = load<f64>(price + (<usize>i << 3))
    const ownAlpha = alpha + <usize>i * stride
    const ownClasses = classOrder + <usize>i * (stride >> 1)
    let count = load<u32>(activeClasses + (<usize>i << 2))
    // The gradients of the active classes: of all together where these are most, since lanes share the way to them.
    if (count > k / 2) {
      rowProducts(constant, w, w + carried, stride, values, end, offsets, all)
      for (let a: u32 = 0; a < count; a++) {
        store<f64>(gradient + (<usize>a << 3), load<f64>(all + classAt(ownClasses, a)))
      }
    } else listedProducts(constant, values, end, offsets, stride, ownClasses, count, w, carried, gradient)
    let highest = -Infinity
    let lowest = Infinity
    for (let a: u32 = 0; a < count; a++) {
      const m = load<u32>(ownClasses + (<usize>a << 2))
      const g = load<f64>(gradient + (<usize>a << 3)) + (m == own ? 0.0 : 1.0)
      store<u32>(chosen + (<usize>a << 2), m)
      store<f64>(gradient + (<usize>a << 3), g)
      if (g > highest) highest = g
      if (g < lowest && load<f64>(ownAlpha + (<usize>m << 3)) < (m == own ? C : 0.0)) lowest = g
    }
    const violation = highest - lowest
    for (let a: u32 = 0; a < count; ) {
      const m = load<u32>(chosen + (<usize>a << 2))
      if (
        load<f64>(gradient + (<usize>a << 3)) >= lowest ||
        load<f64>(ownAlpha + (<usize>m << 3)) < (m == own ? C : 0.0)
      ) {
        a++
        continue
      }
      count--
      const other = load<u32>(chosen + (<usize>count << 2))
      store<u32>(chosen + (<usize>a << 2), other)
      store<f64>(gradient + (<usize>a << 3), load<f64>(gradient + (<usize>count << 3)))
      store<u32>(ownClasses + (<usize>a << 2), other)
      store<u32>(ownClasses + (<usize>count << 2), m)
    }
    store<u32>(activeClasses + (<usize>i << 2), count)
    if (count <= 1) {
      active--
      const last = order + (<usize>active << 2)
      store<u32>(place, load<u32>(last))
      store<u32>(last, i)
      continue
    }
    position++
    if (violation > highestViolation) highestViolation = violation
    if (!(violation > 0)) continue
    const moved = project(count, load<f64>(norms + (<usize>i << 3)), C, own, ownAlpha, chosen, gradient, change)
    if (moved == 0) continue
    store<u32>(counts, 1, 8)
    addToListed(constant, values, end, offsets, stride, chosen, moved, change, w, carried)
  }
  store<u32>(counts, position)
  store<u32>(counts, active, 4)
  store<f64>(largest, highestViolation)
  memory.fill(chosen, 0, stride >> 1)
  memory.fill(gradient, 0, stride)
  memory.fill(change, 0, stride)
}

/** Minimises the dual over the active α of a sample of the class `own`; returns how many have moved. */
function project(
  count: u32,
  A: f64,
  C: f64,
  own: u32,
  alpha: usize,
  chosen: usize,
  gradient: usize,
  change: usize,
): u32 {
  let highest = -Infinity
  for (let a: u32 = 0; a < count; a++) highest = max(highest, load<f64>(gradient + (<usize>a << 3)))
  for (let a: u32 = 0; a < count; a++) {
    const m = load<u32>(chosen + (<usize>a << 2))
    const place = gradient + (<usize>a << 3)
    const D = load<f64>(place) - highest + A * ((m == own ? C : 0.0) - load<f64>(alpha + (<usize>m << 3)))
    store<f64>(place, D)
    store<f64>(change + (<usize>a << 3), D)
  }
  const theta = simplexThreshold(change, count, A * C)
  let moved: u32 = 0
  for (let a: u32 = 0; a < count; a++) {
    const m = load<u32>(chosen + (<usize>a << 2))
    const bound = m == own ? C : 0.0
    const D = load<f64>(gradient + (<usize>a << 3))
    const next = D > theta ? bound - (D - theta) / A : bound
    const place = alpha + (<usize>m << 3)
    const difference = next - load<f64>(place)
    if (difference == 0) continue
    store<f64>(place, next)
    store<u32>(chosen + (<usize>moved << 2), m)
    store<f64>(change + (<usize>moved << 3), difference)
    moved++
  }
  return moved
}

/** As in src/solve/classes/simplex.ts. */
function simplexThreshold(D: usize, count: u32, total: f64): f64 {
  let kept = count
  while (true) {
    let sum = -total
    for (let a: u32 = 0; a < kept; a++) sum += load<f64>(D + (<usize>a << 3))
    const theta = sum / <f64>kept
    let remaining: u32 = 0
    for (let a: u32 = 0; a < kept; a++) {
      const own = load<f64>(D + (<usize>a << 3))
      if (own > theta) {
        store<f64>(D + (<usize>remaining << 3), own)
        remaining++
      }
    }
    if (remaining == kept || remaining == 0) return theta
    kept = remaining
  }
}
