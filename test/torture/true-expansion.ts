/**
 * g_i = Σ_j c_j k(x_j, x_i) from the definition, by loops that share nothing with src/, with a bound on their own error.
 * Distances are sums of squared differences. Products are taken in f64 first; a row whose error bound is not small is
 * computed once more with twice the digits. The linear kernel goes through w, always with twice the digits.
 */
import { productError, Sum } from './exact-sum.ts'

/** Samples, row-major and dense whatever the library is given. */
export interface Points {
  readonly rows: number
  readonly cols: number
  readonly values: Float64Array
}

/** A kernel by its formula. */
export type Formula =
  | { readonly kind: 'linear' }
  | { readonly kind: 'rbf'; readonly gamma: number }
  | { readonly kind: 'polynomial'; readonly gamma: number; readonly coef0: number; readonly degree: number }
  | { readonly kind: 'sigmoid'; readonly gamma: number; readonly coef0: number }

/** g_i = high + low, to within `error`. */
export interface Values {
  readonly high: Float64Array
  readonly low: Float64Array
  readonly error: Float64Array
}

/** Half the distance from 1 to the next double. */
const unit = 2 ** -53
/** A row in f64 is good enough when its error bound is below this part of 1 + |g_i|. */
const goodEnough = 1e-11

/** The values of an expansion over `points` at all of them. */
export function trueExpansion(points: Points, kernel: Formula, coefficients: ArrayLike<number>): Values {
  if (kernel.kind === 'linear') return linearExpansion(points, coefficients)
  const support = supportOf(points, coefficients)
  const found = emptyValues(points.rows)
  if (kernel.kind === 'rbf') distanceRows(points, support, kernel.gamma, found)
  else productRows(points, support, kernel, found)
  return found
}

interface Support {
  readonly coefficients: Float64Array
  /** Row-major, only the samples whose coefficient is not 0. */
  readonly values: Float64Array
}

function supportOf({ rows, cols, values }: Points, coefficients: ArrayLike<number>): Support {
  const chosen: number[] = []
  for (let i = 0; i < rows; i++) if (coefficients[i] !== 0) chosen.push(i)
  const own = new Float64Array(chosen.length * cols)
  chosen.forEach((i, s) => {
    own.set(values.subarray(i * cols, (i + 1) * cols), s * cols)
  })
  return { coefficients: Float64Array.from(chosen, (i) => coefficients[i]), values: own }
}

function emptyValues(rows: number): Values {
  return { high: new Float64Array(rows), low: new Float64Array(rows), error: new Float64Array(rows) }
}

function distanceRows({ rows, cols, values }: Points, support: Support, gamma: number, found: Values): void {
  const { coefficients, values: vectors } = support
  const count = coefficients.length
  for (let i = 0; i < rows; i++) {
    const start = i * cols
    let high = 0
    let low = 0
    let size = 0
    for (let s = 0, at = 0; s < count; s++, at += cols) {
      let distance = 0
      for (let k = 0; k < cols; k++) {
        const difference = values[start + k] - vectors[at + k]
        distance += difference * difference
      }
      const exponent = gamma * distance
      if (exponent > 745) continue // exp gives 0 there
      const term = coefficients[s] * Math.exp(-exponent)
      const sum = high + term
      const part = sum - high
      low += high - (sum - part) + (term - part)
      high = sum
      size += Math.abs(term) * (1 + exponent)
    }
    found.high[i] = high
    found.low[i] = low
    // Each exponent is good to cols + 4 roundings, exp and the factor to three more.
    found.error[i] = (cols + 7) * unit * size
  }
}

type ProductFormula = Exclude<Formula, { kind: 'linear' } | { kind: 'rbf' }>

function productRows(points: Points, support: Support, kernel: ProductFormula, found: Values): void {
  const { rows, cols, values } = points
  const { coefficients, values: vectors } = support
  const { gamma, coef0 } = kernel
  const degree = kernel.kind === 'polynomial' ? kernel.degree : 0
  const count = coefficients.length
  for (let i = 0; i < rows; i++) {
    const start = i * cols
    let high = 0
    let low = 0
    let error = 0
    for (let s = 0, at = 0; s < count; s++, at += cols) {
      let dot = 0
      let size = 0
      for (let k = 0; k < cols; k++) {
        const product = values[start + k] * vectors[at + k]
        dot += product
        size += Math.abs(product)
      }
      const argument = gamma * dot + coef0
      const argumentError = (cols + 3) * unit * (gamma * size + Math.abs(coef0))
      let value: number
      let slope: number
      if (degree > 0) {
        let lower = 1
        for (let power = 1; power < degree; power++) lower *= argument
        value = lower * argument
        slope = degree * Math.abs(lower)
      } else {
        value = kernel.kind === 'polynomial' ? 1 : Math.tanh(argument)
        // tanh' = 4 / (e^a + e^−a)² < 4 e^−2|a|, at the place within the error where it is largest.
        slope = kernel.kind === 'polynomial' ? 0 : 4 * Math.exp(2 * (argumentError - Math.abs(argument)))
        if (slope > 1) slope = 1
      }
      const term = coefficients[s] * value
      const sum = high + term
      const part = sum - high
      low += high - (sum - part) + (term - part)
      high = sum
      error += Math.abs(coefficients[s]) * slope * argumentError + (degree + 3) * unit * Math.abs(term)
    }
    found.high[i] = high
    found.low[i] = low
    found.error[i] = error
    if (!(error <= goodEnough * (1 + Math.abs(high)))) preciseRow(points, support, kernel, i, found)
  }
}

/** One row with twice the digits. */
function preciseRow(
  { cols, values }: Points,
  support: Support,
  kernel: ProductFormula,
  i: number,
  found: Values,
): void {
  const { coefficients, values: vectors } = support
  const { gamma, coef0 } = kernel
  const total = new Sum()
  let error = 0
  for (let s = 0, at = 0; s < coefficients.length; s++, at += cols) {
    let dot = 0
    let dotLow = 0
    let size = 0
    for (let k = 0; k < cols; k++) {
      const x = values[i * cols + k]
      const z = vectors[at + k]
      const product = x * z
      const sum = dot + product
      const part = sum - dot
      dotLow += dot - (sum - part) + (product - part) + productError(x, z, product)
      dot = sum
      size += Math.abs(product)
    }
    const argument = new Sum()
      .add(coef0)
      .addProduct(gamma, dot)
      .add(gamma * dotLow)
    const c = coefficients[s]
    if (kernel.kind === 'sigmoid') {
      const term = c * Math.tanh(argument.value)
      total.add(term)
      error += 4 * unit * Math.abs(term)
      continue
    }
    let power = new Sum().add(1)
    for (let left = kernel.degree; left > 0; left--) power = timesSum(power, argument)
    total.addProduct(c, power.high).add(c * power.low)
    // Twice the digits, less what sums and the power lose of them.
    const largest = (gamma * size + Math.abs(coef0)) ** kernel.degree
    error += 64 * (cols + kernel.degree) * unit * unit * largest * Math.abs(c)
  }
  found.high[i] = total.high
  found.low[i] = total.low
  found.error[i] = error + unit * unit * Math.abs(total.high) * coefficients.length
}

function timesSum(a: Sum, b: Sum): Sum {
  return new Sum().addProduct(a.high, b.high).add(a.high * b.low + a.low * b.high)
}

/** w = Σ c_j x_j, in two numbers a feature, and Σ |c_j x_j|. */
export function trueWeights({ rows, cols, values }: Points, coefficients: ArrayLike<number>): Values {
  const found = emptyValues(cols)
  const { high, low, error } = found
  for (let j = 0; j < rows; j++) {
    const c = coefficients[j]
    if (c === 0) continue
    for (let k = 0; k < cols; k++) {
      const x = values[j * cols + k]
      if (x === 0) continue
      const term = c * x
      const sum = high[k] + term
      const part = sum - high[k]
      low[k] += high[k] - (sum - part) + (term - part) + productError(c, x, term)
      high[k] = sum
      error[k] += Math.abs(term)
    }
  }
  for (let k = 0; k < cols; k++) error[k] *= 4 * rows * unit * unit
  return found
}

/** ⟨w, x_i⟩ of weights in two numbers a feature. */
export function trueProducts({ rows, cols, values }: Points, w: Values): Values {
  const found = emptyValues(rows)
  for (let i = 0; i < rows; i++) {
    const dot = new Sum()
    let error = 0
    for (let k = 0; k < cols; k++) {
      const x = values[i * cols + k]
      if (x === 0) continue
      dot.addProduct(w.high[k], x)
      dot.low += w.low[k] * x
      error += w.error[k] * Math.abs(x) + 4 * cols * unit * unit * Math.abs(w.high[k] * x)
    }
    found.high[i] = dot.high
    found.low[i] = dot.low
    found.error[i] = error
  }
  return found
}

function linearExpansion(points: Points, coefficients: ArrayLike<number>): Values {
  return trueProducts(points, trueWeights(points, coefficients))
}
