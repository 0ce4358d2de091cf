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
  // Four centres at a time; those that are missing to a multiple of four have the height 0.
  const padded = 4 * Math.ceil(count / 4)
  const along = bells(count, padded, columns, x, gamma, (s) => centres[2 * s])
  const upwards = bells(count, padded, rows, y, gamma, (s) => centres[2 * s + 1])
  const heights = new Float64Array(padded)
  heights.set(coefficients)
  const values = new Float32Array(columns * rows)
  const sums = new Float64Array(columns)
  for (let r = 0; r < rows; r++) {
    sums.fill(bias)
    for (let s = 0; s < padded; s += 4) {
      const f0 = heights[s] * upwards[s * rows + r]
      const f1 = heights[s + 1] * upwards[(s + 1) * rows + r]
      const f2 = heights[s + 2] * upwards[(s + 2) * rows + r]
      const f3 = heights[s + 3] * upwards[(s + 3) * rows + r]
      // Far from this row they add nothing that single precision could show.
      if (Math.abs(f0) + Math.abs(f1) + Math.abs(f2) + Math.abs(f3) < 1e-12) continue
      const a0 = s * columns
      const a1 = a0 + columns
      const a2 = a1 + columns
      const a3 = a2 + columns
      for (let c = 0; c < columns; c++) {
        sums[c] += f0 * along[a0 + c] + f1 * along[a1 + c] + f2 * along[a2 + c] + f3 * along[a3 + c]
      }
    }
    values.set(sums, r * columns)
  }
  return values
}

/** exp(−γ(place − middle)²) for each centre and each place between the ends, with room for `padded` centres. */
function bells(
  count: number,
  padded: number,
  places: number,
  [from, to]: readonly [number, number],
  gamma: number,
  middle: (s: number) => number,
): Float64Array {
  const values = new Float64Array(padded * places)
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
