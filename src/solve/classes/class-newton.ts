/**
 * Newton's method on the primal of Crammer and Singer's machine, as ../linear/newton-descent.ts is for machines of one function.
 *
 * With a_im = c_im − α_im, c_im = C_i for m = y_i and 0 otherwise, the loss of sample i is the largest Σ_m a_m (e_im + f_im) − C_i f_iy
 * over the simplex a >= 0, Σ a_m = C_i. The augmented Lagrangian takes its place: with −½ (δ/C_i) ‖a − ā_i‖² added to what is
 * maximised, the maximiser â_i is the point of the simplex next to ā_i + (C_i/δ)(e_i + f_i), which is continuous. Newton steps
 * (./class-system.ts) with line searches minimise it until the gradient's part of the gap is small; then ā ← â, and the width δ falls
 * by 1/√2. α of â is a dual point in every step, and the best multiple of w (./best-multiple.ts) the model.
 */
import { allocate } from '../../base/allocate.ts'
import { countUp, sumOfSquares } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { CrammerSingerProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import { lineSearch } from '../linear/line-search.ts'
import { STEPS_PER_REFRESH } from '../linear/newton-system.ts'
import type { ActiveClasses, LinearRows } from '../rows/linear-rows.ts'
import { groupByPairs } from './active-classes.ts'
import { bestMultiple } from './best-multiple.ts'
import { ClassSystem } from './class-system.ts'
import { startFromCopies } from './copies-start.ts'
import { simplexThreshold } from './simplex.ts'

/** The first width from a point that is near, and from w = 0; and the least: as in ../linear/newton-descent.ts. */
const FIRST_WIDTH = 1
const WIDEST = 16
/**
 * How it falls. On mnist / 255 with C = 100 the gap is 8.0e-5 after 111 s of CPU and 159 steps, 9.1e-5 with 0.84, and with 1/2 5.7e-4 after
 * 102 s: there each width takes 30 steps, most of them a twentieth of their way and less, instead of 7 to 22. Where systems are factored
 * whole they are solved so well that 1/4 is better: connect-4 with C = 100 takes 8.6 s of CPU with 1/√2, 6.8 with 1/2 and 5.4 with 1/4.
 */
const NARROWING = Math.SQRT1_2
const WHOLE_NARROWING = 1 / 4
const LEAST_WIDTH = 2 ** -40
/**
 * A point with a relative gap of more than this is not worth to begin with: the smoothed problem at w = 0 is nearly quadratic. On mnist / 255
 * (C = 100) 25 epochs leave a gap of 1, and steps from w = 0 lead further than steps from there; on connect-4 steps from a gap of 0.14
 * (C = 0.01) take 2.3 s, and from w = 0 3.5 s, and from one of 0.97 (C = 1) 5.0 and 4.7.
 */
const FAR = 0.5
/** Multipliers are updated when the gradient's part of the gap has fallen to this. */
const INNER_PART = 0.3
/**
 * Newton steps for one choice of the multipliers, at most. mnist / 255 (C = 1) takes 66 in all. With 400, and ten updates without gain,
 * three of eight random sets with outliers and far clusters end below 1e-6 that do not with these values, but small
 * sets of nearly separable classes, where epochs finish at once, take ten times as long.
 */
const MOST_INNER = 100
/** How accurately a system is solved by conjugate gradients, at least. */
const ACCURACY = 0.1
/**
 * Updates of the multipliers without a lower gap: then it is rounding that is left, and epochs take over again. From w = 0 the gap begins
 * to fall when the width has.
 */
const MOST_WITHOUT_GAIN = 6
const MOST_FROM_ZERO = 20

/** See the header of the file. */
export class ClassNewton {
  /** The lowest dual value and its α, and the lowest primal value. */
  readonly alpha: Float64Array
  dual = Number.POSITIVE_INFINITY
  primal = Number.POSITIVE_INFINITY
  steps = 0
  /** The model of that value, by feature. */
  private readonly model: Float64Array
  private readonly problem: CrammerSingerProblem
  private readonly rows: LinearRows
  private readonly system: ClassSystem
  private readonly w: Float64Array
  private readonly v: Float64Array
  private readonly g: Float64Array
  private readonly p: Float64Array
  private readonly f: Float64Array
  private readonly q: Float64Array
  /** â, and the α that goes with it. */
  private readonly a: Float64Array
  private readonly factors: Float64Array
  private readonly centre: Float64Array
  private readonly active: ActiveClasses
  private readonly target: Float64Array
  private readonly spare: Float64Array
  /** Samples that classes contend for along a step, and all. */
  private readonly contested: Uint32Array
  private readonly all: Uint32Array
  private width = FIRST_WIDTH
  /** Steps for the present multipliers. */
  private step = 0
  private lowest = Number.POSITIVE_INFINITY
  private withoutGain = 0
  private mostWithoutGain = MOST_WITHOUT_GAIN
  private isBetweenSteps = false

  constructor(
    problem: CrammerSingerProblem,
    rows: LinearRows,
    { alpha, beta }: { readonly alpha: Float64Array; readonly beta: Float64Array | undefined },
    due: Due,
  ) {
    const { classes, C } = problem
    const weights = (rows.cols + 1) * classes
    this.problem = problem
    this.rows = rows
    this.system = new ClassSystem(rows, classes, due)
    this.alpha = alpha.slice()
    this.model = new Float64Array(weights)
    this.w = rows.vector(weights)
    this.v = rows.vector(weights)
    this.g = rows.vector(weights)
    this.p = rows.vector(weights)
    this.f = rows.vector(alpha.length)
    this.q = rows.vector(alpha.length)
    this.a = rows.vector(alpha.length)
    this.factors = rows.vector(alpha.length)
    this.centre = new Float64Array(alpha.length)
    this.target = new Float64Array(classes)
    this.spare = new Float64Array(classes)
    this.contested = new Uint32Array(C.length)
    this.all = countUp(C.length)
    this.active = {
      count: 0,
      samples: rows.list(C.length),
      starts: rows.list(C.length + 1),
      classes: rows.list(alpha.length),
      curvature: rows.vector(C.length),
    }
    // What the model is worth, and then α, from which it goes on.
    this.load(beta ?? alpha)
    this.w.set(this.v)
    rows.classValues(this.w, classes, this.f)
    this.offerModel()
    this.load(alpha)
    this.offerDual()
    if (this.system.hasFactors && this.primal + this.dual > FAR * this.primal) {
      this.width = WIDEST
      this.mostWithoutGain = MOST_FROM_ZERO
      const start = new Float64Array(alpha.length)
      startFromCopies(problem, start)
      this.load(start)
    }
    this.w.set(this.v)
    this.centre.set(this.a)
  }

  /** Fills â, α and v with those of α. */
  private load(alpha: Float64Array): void {
    const { C, y, classes: k } = this.problem
    this.factors.set(alpha)
    for (let i = 0; i < C.length; i++) {
      for (let m = 0; m < k; m++) this.a[i * k + m] = (m === y[i] ? C[i] : 0) - alpha[i * k + m]
    }
    this.rows.classCombine(this.factors, k, this.v)
  }

  /** The best model: of each class w, then b. */
  get weights(): Float64Array {
    const { classes: k, constant } = this.problem
    const { cols } = this.rows
    const weights = allocate(Float64Array, this.model.length)
    for (let m = 0; m < k; m++) {
      const start = m * (cols + 1)
      for (let j = 0; j < cols; j++) weights[start + j] = this.model[j * k + m]
      weights[start + cols] = constant * this.model[cols * k + m]
    }
    return weights
  }

  save(): object | undefined {
    if (!this.isBetweenSteps) return undefined
    const { alpha, model, dual, primal, steps, w, f, centre, width, lowest } = this
    const { step, withoutGain, mostWithoutGain } = this
    const counts = { step, withoutGain, mostWithoutGain }
    const fields = copyFields({ alpha, model, dual, primal, steps, w, f, centre, width, lowest, ...counts })
    return { fields, system: this.system.save() }
  }

  restore(saved: object): void {
    const { fields, system } = saved as { fields: object; system: ReturnType<ClassSystem['save']> }
    restoreFields(this, fields)
    this.system.restore(system)
  }

  /** Continues until `isNarrow` for a primal value and its gap, or it gets no further. */
  *run(isNarrow: (primal: number, gap: number) => boolean): Pieces {
    for (;;) {
      if (yield* this.descend(isNarrow)) return
      const gap = this.primal + this.dual
      this.withoutGain = gap < 0.9 * this.lowest ? 0 : this.withoutGain + 1
      this.lowest = Math.min(gap, this.lowest)
      if (this.withoutGain > this.mostWithoutGain) return
      this.centre.set(this.a)
      this.step = 0
      if (this.width > LEAST_WIDTH) this.width *= this.system.isWhole ? WHOLE_NARROWING : NARROWING
    }
  }

  /** Newton steps for the present multipliers; true when done. */
  private *descend(isNarrow: (primal: number, gap: number) => boolean): Pieces<boolean> {
    const { rows, w, v, g, p, f, q, factors, active, system } = this
    const { classes } = this.problem
    while (this.step < MOST_INNER) {
      if (this.step % STEPS_PER_REFRESH === 0) rows.classValues(w, classes, f)
      this.multipliers()
      rows.classCombine(factors, classes, v)
      let gradient = 0
      for (let j = 0; j < g.length; j++) {
        g[j] = w[j] - v[j]
        gradient += g[j] * g[j]
      }
      this.offerDual()
      const primal = this.offerModel()
      const gap = primal + this.dual
      if (isNarrow(this.primal, this.primal + this.dual)) return true
      if (0.5 * gradient <= INNER_PART * gap || gradient === 0) return false
      const accuracy = Math.min(ACCURACY, Math.sqrt(Math.abs(gap / primal)))
      yield* system.solve(active, 1 / this.width, g, p, accuracy)
      rows.classValues(p, classes, q)
      const t = this.stepLength()
      for (let j = 0; j < w.length; j++) w[j] += t * p[j]
      rows.addScaled(t, q, f)
      this.steps++
      this.step++
      this.isBetweenSteps = true
      yield
      this.isBetweenSteps = false
    }
    return false
  }

  /** Takes α of the present multipliers where its dual value is lower. */
  private offerDual(): void {
    const { v, factors, alpha } = this
    const { classes: k, C, y } = this.problem
    // Σ_i α_iy, which is −Σ e_im α_im.
    let linear = 0
    for (let i = 0; i < C.length; i++) linear += factors[i * k + y[i]]
    const dual = 0.5 * sumOfSquares(v) - linear
    if (dual >= this.dual) return
    this.dual = dual
    alpha.set(factors)
  }

  /** Takes the best multiple of w where its primal value is lower; returns that of w. */
  private offerModel(): number {
    const { problem, w, f, model } = this
    const { multiple, primal, own } = bestMultiple(problem, f, sumOfSquares(w))
    if (primal < this.primal) {
      this.primal = primal
      for (let j = 0; j < w.length; j++) model[j] = multiple * w[j]
    }
    return own
  }

  /**
   * How far to go along p. A sample that one class has to itself here and at t = 1 is that class's all the way between, as its values
   * are linear in t: what it adds to the slope does not change.
   */
  private stepLength(): number {
    const { w, p, g, q, target, contested, all } = this
    const { C, y, classes: k } = this.problem
    let linear = 0
    let start = 0
    const square = sumOfSquares(p)
    for (let j = 0; j < p.length; j++) {
      linear += w[j] * p[j]
      start += g[j] * p[j]
    }
    let settled = 0
    let count = 0
    for (let i = 0; i < C.length; i++) {
      if (C[i] === 0) continue
      const sole = this.soleClass(i, this.pulls(i, 0))
      if (sole >= 0 && sole === this.soleClass(i, this.pulls(i, 1))) {
        settled += C[i] * (q[i * k + sole] - q[i * k + y[i]])
      } else contested[count++] = i
    }
    const at = (t: number) => {
      const isWithin = t <= 1
      const samples = isWithin ? contested : all
      let slope = linear + t * square + (isWithin ? settled : 0)
      let bend = square
      for (let a = 0; a < (isWithin ? count : samples.length); a++) {
        const i = samples[a]
        if (C[i] === 0) continue
        const from = i * k
        this.maximise(i, this.pulls(i, t))
        let between = 0
        let mean = 0
        for (let m = 0; m < k; m++) {
          slope += target[m] * q[from + m]
          if (target[m] <= 0) continue
          between++
          mean += q[from + m]
        }
        slope -= C[i] * q[from + y[i]]
        if (between < 2) continue
        mean /= between
        let spread = 0
        for (let m = 0; m < k; m++) if (target[m] > 0) spread += (q[from + m] - mean) ** 2
        bend += (spread * C[i]) / this.width
      }
      return { slope, bend }
    }
    return lineSearch(at, Math.abs(start))
  }

  /** ā + (C/δ)(e + f + t q) of sample i, in `target`. */
  private pulls(i: number, t: number): Float64Array {
    const { centre, f, q, target, width } = this
    const { C, y, classes: k } = this.problem
    const from = i * k
    const scale = C[i] / width
    for (let m = 0; m < k; m++) {
      const value = t === 0 ? f[from + m] : f[from + m] + t * q[from + m]
      target[m] = centre[from + m] + scale * (value + (m === y[i] ? 0 : 1))
    }
    return target
  }

  /** The class that pulls sample i so much more than the others that it has all of it; −1 where there is none. */
  private soleClass(i: number, pulls: Float64Array): number {
    let top = 0
    let second = Number.NEGATIVE_INFINITY
    for (let m = 1; m < pulls.length; m++) {
      if (pulls[m] > pulls[top]) {
        second = pulls[top]
        top = m
      } else if (pulls[m] > second) second = pulls[m]
    }
    return second - pulls[top] <= -this.problem.C[i] ? top : -1
  }

  /** Replaces the pulls of the classes on sample i by its multipliers â. */
  private maximise(i: number, pulls: Float64Array): void {
    const { spare } = this
    const { C, classes: k } = this.problem
    // Most samples are far from all classes but one.
    const sole = this.soleClass(i, pulls)
    if (sole >= 0) {
      pulls.fill(0)
      pulls[sole] = C[i]
      return
    }
    let highest = pulls[0]
    for (let m = 1; m < k; m++) highest = Math.max(highest, pulls[m])
    for (let m = 0; m < k; m++) {
      pulls[m] -= highest
      spare[m] = pulls[m]
    }
    const theta = simplexThreshold(spare, k, C[i])
    for (let m = 0; m < k; m++) pulls[m] = pulls[m] > theta ? pulls[m] - theta : 0
  }

  /** Fills â, its α and the list of samples between classes. */
  private multipliers(): void {
    const { a, factors, target, active } = this
    const { C, y, classes: k } = this.problem
    let count = 0
    let end = 0
    for (let i = 0; i < C.length; i++) {
      if (C[i] === 0) continue
      const from = i * k
      this.maximise(i, this.pulls(i, 0))
      const start = end
      for (let m = 0; m < k; m++) {
        a[from + m] = target[m]
        factors[from + m] = (m === y[i] ? C[i] : 0) - target[m]
        if (target[m] > 0) active.classes[end++] = m
      }
      if (end - start < 2) {
        end = start
        continue
      }
      active.samples[count] = i
      active.curvature[count] = C[i]
      active.starts[count++] = start
    }
    active.starts[count] = end
    active.count = count
    groupByPairs(active, k)
  }
}
