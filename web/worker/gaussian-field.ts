/**
 * Sums of Gaussians on a grid. Since exp(−γ‖(x, y) − (a, b)‖²) = exp(−γ(x − a)²) · exp(−γ(y − b)²), a sum over s needs
 * (columns + rows) exponentials for each centre instead of columns · rows, and a multiplication and an addition a node:
 * this is what lets the field follow a slider.
 */
import type { Grid } from './messages.ts'

/** Σ_s coefficients_s exp(−γ‖node − centre_s‖²) + bias at each node, row by row; centres as x, y, x, y, … */
export function gaussianField(
  { columns, rows, x, y }: Grid,
  gamma: number,
  centres: ArrayLike<number>,
  coefficients: Float64Array,
  bias: number,
): Float32Array {
  const count = coefficients.length
  const along = bells(count, columns, x, gamma, (s) => centres[2 * s])
  const upwards = bells(count, rows, y, gamma, (s) => centres[2 * s + 1])
  const values = new Float32Array(columns * rows)
  const sums = new Float64Array(columns)
  for (let r = 0; r < rows; r++) {
    sums.fill(bias)
    for (let s = 0; s < count; s++) {
      const factor = coefficients[s] * upwards[s * rows + r]
      // What it adds nowhere in this row: the sum stays good to 1e-12 a centre, which single precision does not see.
      if (factor < 1e-12 && factor > -1e-12) continue
      const at = s * columns
      for (let c = 0; c < columns; c++) sums[c] += factor * along[at + c]
    }
    values.set(sums, r * columns)
  }
  return values
}

/** exp(−γ(place − middle)²) for each centre and each place between the ends. */
function bells(
  count: number,
  places: number,
  [from, to]: readonly [number, number],
  gamma: number,
  middle: (s: number) => number,
): Float64Array {
  const values = new Float64Array(count * places)
  const step = (to - from) / (places - 1)
  for (let s = 0, at = 0; s < count; s++) {
    const offset = from - middle(s)
    for (let k = 0; k < places; k++, at++) {
      const distance = offset + k * step
      values[at] = Math.exp(-gamma * distance * distance)
    }
  }
  return values
}
