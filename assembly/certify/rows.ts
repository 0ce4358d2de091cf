/**
 * Rows of a certificate from their sums, and the bounds of their errors: what src/certify/row-bounds.ts derives and has for
 * single rows, for all of them. It shares nothing with the solvers.
 */

/** Relative errors up to this may be taken as linear, and what is left out of them. */
const SMALL: f64 = 0.01
const SECOND_ORDER: f64 = 1.02
/** 2^−98: kernel values below it do not matter; and the exponent that belongs to it. */
const FLOOR: f64 = 3.1554436208840472e-30
const DEEPEST: f64 = 70.0

/** values[i] = P − N and magnitudes[i] = P + N of each sample, whose sums are those of its row; `rowOf` is 0 where that is its own. */
export function takeSums(count: u32, plus: usize, minus: usize, rowOf: usize, values: usize, magnitudes: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = (rowOf ? <usize>load<u32>(rowOf + (i << 2)) : i) << 3
    const p = load<f64>(plus + at)
    const n = load<f64>(minus + at)
    store<f64>(values + (i << 3), p - n)
    store<f64>(magnitudes + (i << 3), p + n)
  }
}

/** Bounds of rows of a Gaussian kernel. `law` points to γ, W, χ u, γ N, `far`, what t is multiplied by, the error of a power and of sums. */
export function boundGaussian(count: u32, values: usize, magnitudes: usize, norms: usize, law: usize, errors: usize): void {
  const gamma = load<f64>(law)
  const weight = load<f64>(law, 8)
  const ofNorms = load<f64>(law, 16)
  const largest = load<f64>(law, 24)
  const far = load<f64>(law, 32)
  const rate = load<f64>(law, 40)
  const ofPower = load<f64>(law, 48)
  const ofSums = load<f64>(law, 56)
  for (let at: usize = 0; at < <usize>count << 3; at += 8) {
    const norm = gamma * load<f64>(norms + at)
    let error: f64 = Infinity
    if (!isFinite(load<f64>(values + at))) {
      // Nothing is known of it.
    } else if (weight == 0) error = 0
    else if (min(far, ofNorms * (norm + largest)) + rate * DEEPEST < SMALL) {
      const sum = max(load<f64>(magnitudes + at), weight * FLOOR)
      const depth = max(0.0, Math.log(weight / sum))
      const others = min(largest, 2.0 * norm + 2.0 * depth)
      const relative = min(far, ofNorms * (norm + others)) + rate * depth + ofPower
      error = (relative * SECOND_ORDER + ofSums) * sum + FLOOR * weight
    }
    store<f64>(errors + at, error)
  }
}

/** Bounds that are polynomials in the length of a sample: `law` points to coefficients, up to the one of length^degree. */
export function boundByLength(count: u32, values: usize, norms: usize, law: usize, degree: u32, errors: usize): void {
  for (let at: usize = 0; at < <usize>count << 3; at += 8) {
    const length = Math.sqrt(load<f64>(norms + at))
    let error = load<f64>(law + (<usize>degree << 3))
    for (let k = <isize>degree - 1; k >= 0; k--) error = error * length + load<f64>(law + (<usize>k << 3))
    store<f64>(errors + at, isFinite(load<f64>(values + at)) ? error : Infinity)
  }
}

/** out[p][q] of `count` queries from results [block of queries][p][query in the block], where p < outputs. */
export function unpackSums(results: usize, count: u32, block: u32, outputs: u32, out: usize): void {
  for (let first: u32 = 0; first < count; first += block) {
    const bytes = <usize>min(block, count - first) << 3
    for (let p: u32 = 0; p < outputs; p++) {
      const from = results + (<usize>(first * outputs + p * block) << 3)
      memory.copy(out + (<usize>(p * count + first) << 3), from, bytes)
    }
  }
}
