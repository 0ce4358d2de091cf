/**
 * Passes over the rows of a matrix for linear functions of k classes together. Weights are kept by feature, values and factors by row:
 * k numbers side by side, which lanes share. Each number is a sum in the order of the row's values, whatever the lanes: these are
 * `classValues`, `classCombine` and `classProduct` of src/solve/rows/plain-rows.ts, operation by operation, over a part of the rows.
 */
import * as at from '../structures'
import { addRow, rowDot } from './rows'

/** Classes whose sums are in registers together. */
const TOGETHER: u32 = 8

/** Where the values of row i begin. */
// @ts-ignore: decorator
@inline
export function valuesOf(matrix: usize, i: u32): usize {
  const values = <usize>load<u32>(matrix, at.MATRIX_EXACT)
  if (load<u32>(matrix, at.MATRIX_DENSE)) return values + ((<usize>i * <usize>load<u32>(matrix, at.MATRIX_COLS)) << 3)
  return values + (<usize>load<u32>(<usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2)) << 3)
}

/** Where the columns of its values are listed, 64 times each; 0 where they are all there. */
// @ts-ignore: decorator
@inline
export function offsetsOf(matrix: usize, i: u32): usize {
  if (load<u32>(matrix, at.MATRIX_DENSE)) return 0
  const start = <usize>load<u32>(<usize>load<u32>(matrix, at.MATRIX_INDPTR) + (<usize>i << 2))
  return <usize>load<u32>(matrix, at.MATRIX_OFFSETS) + (start << 2)
}

/** Bytes from the beginning of all weights to those of the value at `value`. */
// @ts-ignore: decorator
@inline
function placeOf(value: usize, values: usize, offsets: usize, stride: usize): usize {
  const number = (value - values) >> 3
  return (offsets ? <usize>load<u32>(offsets + (number << 2)) >> 6 : number) * stride
}

/** out[i·k + m] = ⟨x̃_i, w_m⟩ for rows from <= i < to; the constant feature is the last. */
export function classValues(matrix: usize, constant: f64, w: usize, k: u32, from: u32, to: u32, out: usize): void {
  const stride = <usize>k << 3
  const last = w + <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  for (let i = from; i < to; i++) {
    const values = valuesOf(matrix, i)
    rowProducts(constant, w, last, stride, values, valuesOf(matrix, i + 1), offsetsOf(matrix, i), out + <usize>i * stride)
  }
}

/** out[m] = ⟨x̃, w_m⟩ of one row. */
// @ts-ignore: decorator
@inline
export function rowProducts(
  constant: f64,
  w: usize,
  last: usize,
  stride: usize,
  values: usize,
  end: usize,
  offsets: usize,
  out: usize,
): void {
  let m: usize = 0
  if (ASC_FEATURE_SIMD) {
    const constants = f64x2.splat(constant)
    for (; m + (TOGETHER << 3) <= stride; m += TOGETHER << 3) {
      let a = f64x2.mul(constants, v128.load(last + m))
      let b = f64x2.mul(constants, v128.load(last + m, 16))
      let c = f64x2.mul(constants, v128.load(last + m, 32))
      let d = f64x2.mul(constants, v128.load(last + m, 48))
      for (let value = values; value < end; value += 8) {
        const x = v128.load64_splat(value)
        const own = w + placeOf(value, values, offsets, stride) + m
        a = f64x2.add(a, f64x2.mul(x, v128.load(own)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(own, 16)))
        c = f64x2.add(c, f64x2.mul(x, v128.load(own, 32)))
        d = f64x2.add(d, f64x2.mul(x, v128.load(own, 48)))
      }
      v128.store(out + m, a)
      v128.store(out + m, b, 16)
      v128.store(out + m, c, 32)
      v128.store(out + m, d, 48)
    }
    for (; m + 16 <= stride; m += 16) {
      let a = f64x2.mul(constants, v128.load(last + m))
      for (let value = values; value < end; value += 8) {
        a = f64x2.add(a, f64x2.mul(v128.load64_splat(value), v128.load(w + placeOf(value, values, offsets, stride) + m)))
      }
      v128.store(out + m, a)
    }
  }
  for (; m < stride; m += 8) {
    let a = constant * load<f64>(last + m)
    for (let value = values; value < end; value += 8) {
      a += load<f64>(value) * load<f64>(w + placeOf(value, values, offsets, stride) + m)
    }
    store<f64>(out + m, a)
  }
}

/** out_m += Σ factors[i·k + m] x̃_i over rows from <= i < to; rows whose factors are all 0 are left out. */
export function addClassRows(
  matrix: usize,
  constant: f64,
  factors: usize,
  k: u32,
  from: u32,
  to: u32,
  out: usize,
): void {
  const stride = <usize>k << 3
  const last = out + <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  for (let i = from; i < to; i++) {
    const own = factors + <usize>i * stride
    let isUsed = false
    for (let m: usize = 0; m < stride; m += 8) isUsed = isUsed || load<f64>(own + m) != 0
    if (!isUsed) continue
    const values = valuesOf(matrix, i)
    const end = valuesOf(matrix, i + 1)
    const offsets = offsetsOf(matrix, i)
    let m: usize = 0
    if (ASC_FEATURE_SIMD) {
      const constants = f64x2.splat(constant)
      for (; m + 16 <= stride; m += 16) {
        const factor = v128.load(own + m)
        if (!v128.any_true(f64x2.ne(factor, f64x2.splat(0)))) continue
        for (let value = values; value < end; value += 8) {
          const place = out + placeOf(value, values, offsets, stride) + m
          v128.store(place, f64x2.add(v128.load(place), f64x2.mul(factor, v128.load64_splat(value))))
        }
        v128.store(last + m, f64x2.add(v128.load(last + m), f64x2.mul(factor, constants)))
      }
    }
    for (; m < stride; m += 8) {
      const factor = load<f64>(own + m)
      if (factor != 0) addToClass(constant, factor, values, end, offsets, stride, out + m, last + m)
    }
  }
}

/** Adds a multiple of one row to the weights of one class. */
// @ts-ignore: decorator
@inline
function addToClass(
  constant: f64,
  factor: f64,
  values: usize,
  end: usize,
  offsets: usize,
  stride: usize,
  out: usize,
  last: usize,
): void {
  for (let value = values; value < end; value += 8) {
    const place = out + placeOf(value, values, offsets, stride)
    store<f64>(place, load<f64>(place) + factor * load<f64>(value))
  }
  store<f64>(last, load<f64>(last) + factor * constant)
}

/**
 * out += Σ_a curvature[a] (x̃_i x̃_iᵀ) ⊗ (1_S − 1_S 1_Sᵀ / |S|) x over the samples listed at places from <= a < to: i = samples[a], and its
 * classes S are those at starts[a] and on. `least` neighbours or more between the same two classes are worked with together. `sums` has
 * room for k numbers and two vectors over features.
 */
export function addClassProducts(
  matrix: usize,
  constant: f64,
  samples: usize,
  starts: usize,
  classes: usize,
  curvature: usize,
  from: u32,
  to: u32,
  least: u32,
  k: u32,
  x: usize,
  sums: usize,
  out: usize,
): void {
  for (let a = from; a < to; ) {
    const end = endOfRun(starts, classes, a, to)
    if (end - a >= least) {
      const own = classes + (<usize>load<u32>(starts + (<usize>a << 2)) << 2)
      addRunProducts(matrix, constant, samples, curvature, a, end, k, classAt(own, 0), classAt(own, 1), x, sums + (<usize>k << 3), out)
      a = end
    } else {
      for (const next = max(end, a + 1); a < next; a++) addSampleProduct(matrix, constant, samples, starts, classes, curvature, a, k, x, sums, out)
    }
  }
}

/** Where the samples that begin at place a and are between the same two classes end; a itself where it is between others. */
function endOfRun(starts: usize, classes: usize, a: u32, to: u32): u32 {
  const first = load<u32>(starts + (<usize>a << 2))
  if (load<u32>(starts + (<usize>a << 2), 4) - first != 2) return a
  const own = load<u64>(classes + (<usize>first << 2))
  for (a++; a < to; a++) {
    const start = load<u32>(starts + (<usize>a << 2))
    if (load<u32>(starts + (<usize>a << 2), 4) - start != 2 || load<u64>(classes + (<usize>start << 2)) != own) break
  }
  return a
}

/**
 * The same of samples between the classes at m and l bytes alone. Only the difference of their weights counts: it is made once for all
 * samples, and what they add to the one class is taken from the other.
 */
function addRunProducts(
  matrix: usize,
  constant: f64,
  samples: usize,
  curvature: usize,
  from: u32,
  to: u32,
  k: u32,
  m: usize,
  l: usize,
  x: usize,
  room: usize,
  out: usize,
): void {
  const stride = <usize>k << 3
  const last = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  const added = room + last + 8
  for (let j: usize = 0, place = x; j <= last; j += 8, place += stride) {
    store<f64>(room + j, load<f64>(place + m) - load<f64>(place + l))
    store<f64>(added + j, 0)
  }
  const carried = constant * load<f64>(room + last)
  let total = 0.0
  for (let a = from; a < to; a++) {
    const i = load<u32>(samples + (<usize>a << 2))
    const factor = 0.5 * load<f64>(curvature + (<usize>a << 3)) * (rowDot(matrix, i, room) + carried)
    addRow(matrix, i, factor, added)
    total += factor
  }
  store<f64>(added + last, constant * total)
  for (let j: usize = 0, place = out; j <= last; j += 8, place += stride) {
    const own = load<f64>(added + j)
    store<f64>(place + m, load<f64>(place + m) + own)
    store<f64>(place + l, load<f64>(place + l) - own)
  }
}

/** The same of one sample. */
function addSampleProduct(
  matrix: usize,
  constant: f64,
  samples: usize,
  starts: usize,
  classes: usize,
  curvature: usize,
  a: u32,
  k: u32,
  x: usize,
  sums: usize,
  out: usize,
): void {
  const stride = <usize>k << 3
  const carried = <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  const i = load<u32>(samples + (<usize>a << 2))
  const values = valuesOf(matrix, i)
  const end = valuesOf(matrix, i + 1)
  const offsets = offsetsOf(matrix, i)
  const first = <usize>load<u32>(starts + (<usize>a << 2))
  const size = <u32>(<usize>load<u32>(starts + (<usize>a << 2), 4) - first)
  const own = classes + (first << 2)
  listedProducts(constant, values, end, offsets, stride, own, size, x, carried, sums)
  let mean = 0.0
  for (let s: u32 = 0; s < size; s++) mean += load<f64>(sums + (<usize>s << 3)) / <f64>size
  const h = load<f64>(curvature + (<usize>a << 3))
  for (let s: u32 = 0; s < size; s++) {
    const place = sums + (<usize>s << 3)
    store<f64>(place, h * (load<f64>(place) - mean))
  }
  addToListed(constant, values, end, offsets, stride, own, size, sums, out, carried)
}

/** out[s] = ⟨x̃_i, w_m⟩ for the samples listed at places from <= a < to, and each class m of theirs, which is at place s of the list. */
export function listedValues(
  matrix: usize,
  constant: f64,
  samples: usize,
  starts: usize,
  classes: usize,
  from: u32,
  to: u32,
  k: u32,
  w: usize,
  out: usize,
): void {
  const stride = <usize>k << 3
  const carried = <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  for (let a = from; a < to; a++) {
    const i = load<u32>(samples + (<usize>a << 2))
    const first = <usize>load<u32>(starts + (<usize>a << 2))
    const size = load<u32>(starts + (<usize>a << 2), 4) - <u32>first
    const values = valuesOf(matrix, i)
    const end = valuesOf(matrix, i + 1)
    const own = classes + (first << 2)
    listedProducts(constant, values, end, offsetsOf(matrix, i), stride, own, size, w, carried, out + (first << 3))
  }
}

/** out_m += Σ factors[s] x̃_i, the same way. */
export function addListedRows(
  matrix: usize,
  constant: f64,
  samples: usize,
  starts: usize,
  classes: usize,
  factors: usize,
  from: u32,
  to: u32,
  k: u32,
  out: usize,
): void {
  const stride = <usize>k << 3
  const carried = <usize>load<u32>(matrix, at.MATRIX_COLS) * stride
  for (let a = from; a < to; a++) {
    const i = load<u32>(samples + (<usize>a << 2))
    const first = <usize>load<u32>(starts + (<usize>a << 2))
    const size = load<u32>(starts + (<usize>a << 2), 4) - <u32>first
    const values = valuesOf(matrix, i)
    const end = valuesOf(matrix, i + 1)
    const own = classes + (first << 2)
    addToListed(constant, values, end, offsetsOf(matrix, i), stride, own, size, factors + (first << 3), out, carried)
  }
}

/**
 * out[s] = Σ_t ⟨x̃_i, x̃_l⟩ x[t] over the places t of the same class as s, for classes from <= m < to: their places are places[e] for
 * starts[m] <= e < starts[m + 1], of samples[e]. The weights of one class stay in the cache, where those of all would not. `sums` has room
 * for them.
 */
export function classGrams(
  matrix: usize,
  constant: f64,
  samples: usize,
  starts: usize,
  places: usize,
  from: u32,
  to: u32,
  x: usize,
  sums: usize,
  out: usize,
): void {
  const size = <usize>load<u32>(matrix, at.MATRIX_COLS) << 3
  for (let m = from; m < to; m++) {
    const first = load<u32>(starts + (<usize>m << 2))
    const end = load<u32>(starts + (<usize>m << 2), 4)
    memory.fill(sums, 0, size)
    let total = 0.0
    for (let e = first; e < end; e++) {
      const factor = load<f64>(x + (<usize>load<u32>(places + (<usize>e << 2)) << 3))
      addRow(matrix, load<u32>(samples + (<usize>e << 2)), factor, sums)
      total += factor
    }
    const carried = constant * constant * total
    for (let e = first; e < end; e++) {
      const place = out + (<usize>load<u32>(places + (<usize>e << 2)) << 3)
      store<f64>(place, rowDot(matrix, load<u32>(samples + (<usize>e << 2)), sums) + carried)
    }
  }
}

/** sums[s] = ⟨x̃, w_m⟩ of one row and the first `count` classes m of a list. */
// @ts-ignore: decorator
@inline
export function listedProducts(
  constant: f64,
  values: usize,
  end: usize,
  offsets: usize,
  stride: usize,
  list: usize,
  count: u32,
  x: usize,
  carried: usize,
  sums: usize,
): void {
  for (let s: u32 = 0; s + 2 <= count; s += 2) pairProducts(constant, values, end, offsets, stride, list, s, x, carried, sums)
  if (!(count & 1)) return
  const m = classAt(list, count - 1)
  let sum = constant * load<f64>(x + carried + m)
  for (let value = values; value < end; value += 8) {
    sum += load<f64>(value) * load<f64>(x + placeOf(value, values, offsets, stride) + m)
  }
  store<f64>(sums + (<usize>(count - 1) << 3), sum)
}

/** Adds factors[s] times one row to the weights of the first `count` classes of a list. */
// @ts-ignore: decorator
@inline
export function addToListed(
  constant: f64,
  values: usize,
  end: usize,
  offsets: usize,
  stride: usize,
  list: usize,
  count: u32,
  factors: usize,
  out: usize,
  carried: usize,
): void {
  for (let s: u32 = 0; s + 2 <= count; s += 2) addToPair(constant, values, end, offsets, stride, list, s, factors, out, carried)
  if (!(count & 1)) return
  const m = classAt(list, count - 1)
  const factor = load<f64>(factors + (<usize>(count - 1) << 3))
  addToClass(constant, factor, values, end, offsets, stride, out + m, out + carried + m)
}

/** Eight times the class at a place of a list. */
// @ts-ignore: decorator
@inline
export function classAt(list: usize, place: u32): usize {
  return <usize>load<u32>(list + (<usize>place << 2)) << 3
}

/** sums[s] and sums[s + 1] = ⟨x̃, w_m⟩ of one row and the two classes listed there: they share the way to their weights. */
// @ts-ignore: decorator
@inline
function pairProducts(
  constant: f64,
  values: usize,
  end: usize,
  offsets: usize,
  stride: usize,
  list: usize,
  s: u32,
  x: usize,
  carried: usize,
  sums: usize,
): void {
  const m = classAt(list, s)
  const l = classAt(list, s + 1)
  let a = constant * load<f64>(x + carried + m)
  let b = constant * load<f64>(x + carried + l)
  for (let value = values; value < end; value += 8) {
    const v = load<f64>(value)
    const place = x + placeOf(value, values, offsets, stride)
    a += v * load<f64>(place + m)
    b += v * load<f64>(place + l)
  }
  store<f64>(sums + (<usize>s << 3), a)
  store<f64>(sums + (<usize>s << 3), b, 8)
}

/** Adds sums[s] and sums[s + 1] times one row to the weights of the two classes listed there. */
// @ts-ignore: decorator
@inline
function addToPair(
  constant: f64,
  values: usize,
  end: usize,
  offsets: usize,
  stride: usize,
  list: usize,
  s: u32,
  sums: usize,
  out: usize,
  carried: usize,
): void {
  const m = classAt(list, s)
  const l = classAt(list, s + 1)
  const a = load<f64>(sums + (<usize>s << 3))
  const b = load<f64>(sums + (<usize>s << 3), 8)
  for (let value = values; value < end; value += 8) {
    const v = load<f64>(value)
    const place = out + placeOf(value, values, offsets, stride)
    store<f64>(place + m, load<f64>(place + m) + a * v)
    store<f64>(place + l, load<f64>(place + l) + b * v)
  }
  const last = out + carried
  store<f64>(last + m, load<f64>(last + m) + a * constant)
  store<f64>(last + l, load<f64>(last + l) + b * constant)
}
