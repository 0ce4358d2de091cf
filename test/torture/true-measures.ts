/**
 * Primal, dual and violation of a solution by the textbook, each with a bound on the error of this very computation. All
 * single machines are one dual in signed variables β (g = Kβ, K + s² in place of K where the bias is regularised):
 *
 *   min ½ βᵀKβ + ½ Σ D_i β_i² − tᵀβ + ε Σ |β_i|,   lower <= β <= upper, and sums of groups fixed where the bias is free
 *
 * Raising β_i gains at the rate v_i − ε (β_i >= 0) or v_i + ε (β_i < 0) with v = t − g − Dβ; lowering it costs v_i − ε
 * (β_i > 0) or v_i + ε (β_i <= 0).
 */
import { Sum } from './exact-sum.ts'
import {
  type Formula,
  type Points,
  trueExpansion,
  trueProducts,
  trueWeights,
  type Values,
} from './true-expansion.ts'

interface OverPoints {
  readonly points: Points
  /** C_i, or the weight of each sample. */
  readonly bounds: Float64Array
}

/** One machine with one function. */
export interface SingleMachine extends OverPoints {
  readonly task: 'svc' | 'nu-svc' | 'one-class' | 'svr' | 'nu-svr'
  readonly kernel: Formula
  /** ±1, targets, or nothing. */
  readonly y: Float64Array
  readonly nu: number
  readonly epsilon: number
  /** max(0, t)² in place of max(0, t). */
  readonly squared: boolean
  readonly bias: 'free' | 'regularised' | 'none'
  /** s of a regularised bias. */
  readonly scaling: number
}

/** Crammer and Singer's machine: all classes at once; `constant` is the feature that carries the bias, 0 for none. */
export interface ClassesMachine extends OverPoints {
  readonly task: 'crammer-singer'
  readonly y: Uint32Array
  readonly classes: number
  readonly constant: number
}

/** What is measured. */
export type Machine = SingleMachine | ClassesMachine

/** A solution as solvers return it. */
export interface Point {
  readonly alpha: Float64Array
  readonly bias: number
  readonly beta?: Float64Array
  /** Of a machine that solves for w beside its dual point: w, then b, of each function; α of a machine of one is signed then. */
  readonly weights?: Float64Array
  readonly width?: number
}

/** A number, known to within `error`. */
export interface Measured {
  readonly value: number
  readonly error: number
}

/** What is true of a solution. */
export interface Truth {
  readonly primal: Measured
  readonly dual: Measured
  readonly violation: Measured
  readonly supportVectors: number
  /** Largest distance of a dual variable from its box, and of a sum from what it must be as a part of Σ|β|. */
  readonly outside: number
  readonly imbalance: number
}

const unit = 2 ** -53

/** Measures a solution. */
export function measureTruly(machine: Machine, point: Point): Truth {
  if (machine.task !== 'crammer-singer') return measureSingle(machine, point)
  const truth = measureClasses(machine, point.alpha)
  if (point.weights) return { ...truth, primal: primalOfClasses(machine, point.weights) }
  return point.beta ? { ...truth, primal: measureClasses(machine, point.beta).primal } : truth
}

function measureSingle(machine: SingleMachine, point: Point): Truth {
  const { points, kernel, task, y, bounds, bias, scaling } = machine
  const { rows } = points
  const { alpha, weights } = point
  const isUnsigned = !weights && (task === 'svc' || task === 'nu-svc')
  const signed = isUnsigned ? alpha.map((a, i) => a * y[i]) : alpha
  const own = task === 'nu-svr' ? signed.subarray(0, rows).map((a, i) => a + signed[i + rows]) : signed
  const g = trueExpansion(points, kernel, own)
  const model = point.beta ?? own
  const f = point.beta ? trueExpansion(points, kernel, point.beta) : g
  const total = new Sum()
  for (const b of own) total.add(b)
  const shift = bias === 'regularised' ? scaling * scaling * total.value : 0
  const dual = dualOf(machine, signed, own, g, total.value)
  // A machine that solves for w has its bias among the weights.
  const modelTotal = new Sum()
  for (const b of model) modelTotal.add(b)
  const isAmongWeights = bias === 'regularised' && point.bias === 0
  const modelBias = isAmongWeights ? scaling * scaling * modelTotal.value : point.bias
  const ofWeights = weights && productsOf(points, weights)
  const primal = ofWeights
    ? primalOf(machine, weights, ofWeights, weights[points.cols], 0, true)
    : primalOf(machine, model, f, modelBias, point.width ?? 0)
  let outside = 0
  for (let i = 0; i < signed.length; i++) {
    const [lower, upper] = boxOf(machine, i)
    outside = Math.max(outside, lower - signed[i], signed[i] - upper)
  }
  let supportVectors = 0
  for (const b of own) if (b !== 0) supportVectors++
  // Of weights beside the dual point it is f whose loss β should be best for.
  const violation = ofWeights
    ? violationOf(machine, signed, ofWeights, weights[points.cols])
    : violationOf(machine, signed, g, shift)
  return { primal, dual, violation, supportVectors, outside, imbalance: imbalanceOf(machine, signed, bounds) }
}

/** ⟨w, x_i⟩ of weights that are given. */
function productsOf(points: Points, weights: Float64Array): Values {
  const { cols } = points
  return trueProducts(points, {
    high: weights.subarray(0, cols),
    low: new Float64Array(cols),
    error: new Float64Array(cols),
  })
}

function boxOf({ task, y, bounds, squared }: SingleMachine, i: number): readonly [number, number] {
  const n = bounds.length
  const bound = bounds[i % n]
  const top = squared && bound > 0 ? Number.POSITIVE_INFINITY : bound
  switch (task) {
    case 'svc':
    case 'nu-svc':
      return y[i] > 0 ? [0, top] : [-top, 0]
    case 'one-class':
      return [0, top]
    case 'svr':
      return [-top, top]
    case 'nu-svr':
      return i < n ? [0, top] : [-top, 0]
  }
}

/** D_i. */
function extraOf({ squared, bounds }: SingleMachine, i: number): number {
  return squared && bounds[i] > 0 ? 1 / (2 * bounds[i]) : 0
}

function targetOf({ task, y, bounds }: SingleMachine, i: number): number {
  return task === 'nu-svc' || task === 'one-class' ? 0 : y[i % bounds.length]
}

function halfNorm(coefficients: Float64Array, g: Values, into: Sum): number {
  let error = 0
  for (let i = 0; i < coefficients.length; i++) {
    const c = 0.5 * coefficients[i]
    if (c === 0) continue
    into.addProduct(c, g.high[i])
    into.add(c * g.low[i])
    error += Math.abs(c) * (g.error[i] + 4 * unit * unit * coefficients.length * Math.abs(g.high[i]))
  }
  return error
}

function dualOf(
  machine: SingleMachine,
  signed: Float64Array,
  own: Float64Array,
  g: Values,
  total: number,
): Measured {
  const sum = new Sum()
  let error = halfNorm(own, g, sum)
  if (machine.bias === 'regularised') {
    const root = machine.scaling * total
    sum.addProduct(0.5 * root, root)
    error += 4 * unit * root * root
  }
  const tube = machine.task === 'svr' ? machine.epsilon : 0
  for (let i = 0; i < signed.length; i++) {
    const b = signed[i]
    sum.addProduct(-targetOf(machine, i), b).addProduct(tube, Math.abs(b))
    if (machine.squared) sum.addProduct(0.5 * extraOf(machine, i) * b, b)
  }
  if (machine.squared) error += 4 * unit * Math.abs(sum.value)
  return { value: sum.value, error: error + unit * Math.abs(sum.value) }
}

/**
 * The loss of sample i is max(0, reach − s·(f_i + b)): here for both signs of regression. `model` has a coefficient per sample, or,
 * `perFeature`, a weight per feature and the bias.
 */
function primalOf(
  machine: SingleMachine,
  model: Float64Array,
  f: Values,
  bias: number,
  width: number,
  perFeature = false,
): Measured {
  const { task, y, bounds, nu, squared, scaling, points } = machine
  const sum = new Sum()
  let error = 0
  if (perFeature) for (const w of model.subarray(0, points.cols)) sum.addProduct(0.5 * w, w)
  else error = halfNorm(model, f, sum)
  if (machine.bias === 'regularised') sum.addProduct((0.5 * bias) / scaling, bias / scaling)
  error += 4 * unit * Math.abs(sum.value)
  const tube = task === 'svr' ? machine.epsilon : width
  for (let i = 0; i < bounds.length; i++) {
    const C = bounds[i]
    let slack: number
    if (task === 'svr' || task === 'nu-svr') {
      const away = new Sum().add(y[i]).add(-f.high[i]).add(-f.low[i]).add(-bias).value
      slack = Math.abs(away) - tube
      // A tube that ν-SVR has made narrower than nothing costs on both sides of it.
      const otherSide = -Math.abs(away) - tube
      if (otherSide > 0) {
        sum.addProduct(C, otherSide)
        error += C * (f.error[i] + 2 * unit * otherSide)
      }
      if (task === 'nu-svr') sum.addProduct(C * nu, tube)
    } else {
      const reach = task === 'svc' ? 1 : task === 'nu-svc' ? width : -bias
      const sign = task === 'one-class' ? 1 : y[i]
      const margin = new Sum().add(f.high[i]).add(f.low[i])
      if (task !== 'one-class') margin.add(bias)
      slack = new Sum()
        .add(reach)
        .add(-sign * margin.high)
        .add(-sign * margin.low).value
      if (task !== 'svc') sum.addProduct(-C * nu, reach)
    }
    const slackError = f.error[i] + 2 * unit * (Math.abs(slack) + Math.abs(tube))
    error += C * unit * Math.abs(nu * width)
    if (slack + slackError <= 0) continue
    const positive = Math.max(0, slack)
    sum.addProduct(C, squared ? positive * positive : positive)
    error += C * (squared ? slackError * (2 * positive + slackError) + unit * positive ** 2 : slackError)
  }
  return { value: sum.value, error: error + 2 * unit * Math.abs(sum.value) }
}

function violationOf(machine: SingleMachine, signed: Float64Array, g: Values, shift: number): Measured {
  const { task, bounds, bias, epsilon } = machine
  const n = bounds.length
  const tube = task === 'svr' ? epsilon : 0
  const groups = [new Extremes(), new Extremes()]
  const projected = { least: 0, most: 0 }
  for (let i = 0; i < signed.length; i++) {
    const b = signed[i]
    const k = i % n
    const [lower, upper] = boxOf(machine, i)
    const v = new Sum().add(targetOf(machine, i)).add(-g.high[k]).add(-g.low[k]).add(-shift)
    if (machine.squared) v.add(-extraOf(machine, i) * b)
    const error =
      g.error[k] + 2 * unit * (Math.abs(v.value) + tube + Math.abs(shift) + extraOf(machine, k) * Math.abs(b))
    const rise = v.value - (b >= 0 ? tube : -tube)
    const fall = v.value - (b > 0 ? tube : -tube)
    const group = task === 'nu-svc' ? (machine.y[i] > 0 ? 0 : 1) : task === 'nu-svr' && i >= n ? 1 : 0
    if (b < upper) {
      groups[group].rise(rise, error)
      projected.least = Math.max(projected.least, rise - error)
      projected.most = Math.max(projected.most, rise + error)
    }
    if (b > lower) {
      groups[group].fall(fall, error)
      projected.least = Math.max(projected.least, -fall - error)
      projected.most = Math.max(projected.most, -fall + error)
    }
  }
  if (bias !== 'free') return between(projected.least, projected.most)
  return between(
    Math.max(0, ...groups.map((group) => group.least)),
    Math.max(0, ...groups.map((group) => group.most)),
  )
}

/** m − M of a group, from below and from above. */
class Extremes {
  private mLeast = Number.NEGATIVE_INFINITY
  private mMost = Number.NEGATIVE_INFINITY
  private MLeast = Number.POSITIVE_INFINITY
  private MMost = Number.POSITIVE_INFINITY

  rise(value: number, error: number): void {
    this.mLeast = Math.max(this.mLeast, value - error)
    this.mMost = Math.max(this.mMost, value + error)
  }

  fall(value: number, error: number): void {
    this.MLeast = Math.min(this.MLeast, value - error)
    this.MMost = Math.min(this.MMost, value + error)
  }

  get least(): number {
    return this.mLeast - this.MMost
  }

  get most(): number {
    return this.mMost - this.MLeast
  }
}

function between(least: number, most: number): Measured {
  return { value: (least + most) / 2, error: (most - least) / 2 }
}

/** How far the sums that must be fixed are from what they must be, as a part of Σ|β|. */
function imbalanceOf(
  { task, y, nu, bias }: SingleMachine,
  signed: Float64Array,
  bounds: Float64Array,
): number {
  if (bias !== 'free') return 0
  const sums = [new Sum(), new Sum()]
  const size = new Sum()
  const all = new Sum()
  for (const bound of bounds) all.add(bound)
  for (let i = 0; i < signed.length; i++) {
    const group = task === 'nu-svc' ? (y[i] > 0 ? 0 : 1) : i < bounds.length ? 0 : 1
    sums[group].add(signed[i])
    size.add(Math.abs(signed[i]))
  }
  const wanted =
    task === 'one-class' ? nu * all.value : task === 'svc' || task === 'svr' ? 0 : (nu * all.value) / 2
  const off = Math.max(
    Math.abs(sums[0].value - wanted),
    task === 'nu-svc' || task === 'nu-svr' ? Math.abs(sums[1].value + wanted) : 0,
  )
  return size.value > 0 ? off / size.value : off
}

function measureClasses(machine: ClassesMachine, alpha: Float64Array): Truth {
  const { points, bounds, y, classes, constant } = machine
  const { rows } = points
  const half = new Sum()
  let error = 0
  const values: Values[] = []
  const shifts: number[] = []
  for (let m = 0; m < classes; m++) {
    const own = Float64Array.from({ length: rows }, (_, i) => alpha[i * classes + m])
    const w = trueWeights(points, own)
    const total = new Sum()
    for (const a of own) total.add(a)
    const last = constant * total.value
    for (let k = 0; k < points.cols; k++) {
      const weight = w.high[k] + w.low[k]
      half.addProduct(0.5 * weight, weight)
      error += 2 * unit * weight * weight + Math.abs(weight) * w.error[k]
    }
    half.addProduct(0.5 * last, last)
    error += 2 * unit * last * last
    values.push(trueProducts(points, w))
    shifts.push(constant * last)
  }
  const losses = new Sum()
  const linear = new Sum()
  let lossError = 0
  let least = 0
  let most = 0
  let supportVectors = 0
  let outside = 0
  let imbalance = 0
  for (let i = 0; i < rows; i++) {
    let highest = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    let ownValue = 0
    let rowError = 0
    const balance = new Sum()
    for (let m = 0; m < classes; m++) {
      const e = m === y[i] ? 0 : 1
      const value = new Sum().add(values[m].high[i]).add(values[m].low[i]).add(shifts[m]).value
      const a = alpha[i * classes + m]
      const top = m === y[i] ? bounds[i] : 0
      rowError = Math.max(
        rowError,
        values[m].error[i] + 2 * unit * (Math.abs(value) + Math.abs(shifts[m]) + 1),
      )
      highest = Math.max(highest, value + e)
      if (a < top) lowest = Math.min(lowest, value + e)
      if (m === y[i]) ownValue = value
      outside = Math.max(outside, a - top)
      balance.add(a)
    }
    const multiplier = alpha[i * classes + y[i]]
    if (multiplier > 0) supportVectors++
    linear.add(multiplier)
    losses.addProduct(bounds[i], highest - ownValue)
    lossError += bounds[i] * 3 * rowError
    if (bounds[i] > 0) imbalance = Math.max(imbalance, Math.abs(balance.value) / bounds[i])
    if (bounds[i] === 0) continue
    least = Math.max(least, highest - lowest - 3 * rowError)
    most = Math.max(most, highest - lowest + 3 * rowError)
  }
  const primal = half.value + losses.value
  const dual = half.value - linear.value
  return {
    primal: { value: primal, error: error + lossError + 3 * unit * Math.abs(primal) },
    dual: { value: dual, error: error + 3 * unit * (Math.abs(dual) + half.value) },
    violation: between(least, most),
    supportVectors,
    outside,
    imbalance,
  }
}

/** The primal value of weights: of each class w, then b. Values are rounded once, and so are losses. */
function primalOfClasses(machine: ClassesMachine, weights: Float64Array): Measured {
  const { points, bounds, classes } = machine
  const { rows, cols, values } = points
  const coef = new Float64Array(classes * cols)
  const biases = new Float64Array(classes)
  for (let m = 0; m < classes; m++) {
    coef.set(weights.subarray(m * (cols + 1), m * (cols + 1) + cols), m * cols)
    biases[m] = weights[m * (cols + 1) + cols]
  }
  const value = primalOfWeights(machine, coef, biases)
  let lossError = 0
  for (let i = 0; i < rows; i++) {
    let largest = 1
    for (let m = 0; m < classes; m++) {
      let size = Math.abs(biases[m])
      for (let k = 0; k < cols; k++) size += Math.abs(coef[m * cols + k] * values[i * cols + k])
      largest = Math.max(largest, size)
    }
    lossError += 4 * unit * bounds[i] * largest
  }
  return { value, error: lossError + 4 * unit * Math.abs(value) }
}

/** The primal value of weights and biases, one row of `coef` a function: what peers of linear machines return. */
export function primalOfWeights(machine: Machine, coef: Float64Array, biases: ArrayLike<number>): number {
  const { points, bounds, y } = machine
  const { rows, cols, values } = points
  const functions = machine.task === 'crammer-singer' ? machine.classes : 1
  const scaling = machine.task === 'crammer-singer' ? machine.constant : machine.scaling
  const total = new Sum()
  for (const w of coef) total.addProduct(0.5 * w, w)
  for (let m = 0; m < functions; m++) {
    if (biases[m] !== 0) total.addProduct((0.5 * biases[m]) / scaling, biases[m] / scaling)
  }
  for (let i = 0; i < rows; i++) {
    const f = Array.from({ length: functions }, (_, m) => {
      const dot = new Sum().add(biases[m])
      for (let k = 0; k < cols; k++) dot.addProduct(coef[m * cols + k], values[i * cols + k])
      return dot.value
    })
    total.addProduct(bounds[i], lossOf(machine, f, y[i]))
  }
  return total.value
}

function lossOf(machine: Machine, f: readonly number[], target: number): number {
  if (machine.task === 'crammer-singer') {
    return Math.max(...f.map((value, m) => value - f[target] + (m === target ? 0 : 1)))
  }
  const slack = machine.task === 'svc' ? 1 - target * f[0] : Math.abs(target - f[0]) - machine.epsilon
  const positive = Math.max(0, slack)
  return machine.squared ? positive * positive : positive
}
