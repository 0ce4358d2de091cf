/**
 * The minimum of a quadratic model over the weights that are not 0 (see ./proximal-descent.ts). Weights that would change their signs
 * stop at 0; the way is halved until the model falls, but for the part on which all keep their signs. Coordinate descent before it
 * finds the signs, and mends them afterwards.
 */
import { indicesWhere } from '../../base/lists.ts'
import type { Pieces } from '../../base/pieces.ts'
import type { QuadraticModel } from '../rows/linear-rows.ts'

/** Beyond the first weight that reaches 0, a way is not halved to less than this. */
const SHORTEST = 0.1

/** What G is made of, and the image of d that goes with it: ./square-curvature.ts, ./column-curvature.ts. */
export interface FaceCurvature {
  /** Systems that are solved until epochs have their turn again, at most. */
  readonly mostSystems: number
  /** What the last minimum took, what one of the unit that it is counted in costs, in multiply-adds, and what comes before the first. */
  effort: number
  readonly price: number
  readonly first: number
  /** Whether any sample bends the weight. */
  bends(j: number): boolean
  /** out = G d */
  image(out: Float64Array): void
  /**
   * Puts the solution of G y = x over the listed features, ascending, in the place of x, which is 0 elsewhere: exactly, or to this part of
   * the residual, or as far as so many multiply-adds lead. Adds to the effort.
   */
  solve(list: Uint32Array, x: Float64Array, part: number, work: number): Pieces
  /** ⟨change, G change⟩ */
  bend(change: Float64Array): number
  /** Adds the change that was bent last to the image. */
  take(): void
}

/** See the header of the file. */
export class ModelFace {
  private readonly model: QuadraticModel
  private readonly curvature: FaceCurvature
  private readonly slopes: Float64Array
  private readonly step: Float64Array
  private readonly change: Float64Array

  /** Vectors are made by `vector`: where the curvature can read them. */
  constructor(model: QuadraticModel, curvature: FaceCurvature, vector: (length: number) => Float64Array) {
    const n = model.d.length
    this.model = model
    this.curvature = curvature
    this.slopes = vector(n)
    this.step = vector(n)
    this.change = vector(n)
  }

  /** What the next minimum costs in multiply-adds, if it takes as much effort as the last one. */
  get price(): number {
    const { effort, price, first } = this.curvature
    return first + effort * price
  }

  /** Moves d and its image; systems are solved to this part of their residuals, or as far as so many multiply-adds lead. */
  *descend(part: number, work: number): Pieces {
    const { curvature } = this
    curvature.effort = 0
    let isDone = false
    for (let systems = 0; !isDone && systems < curvature.mostSystems; systems++) {
      const free = this.free()
      this.look(free)
      yield* curvature.solve(free, this.step, part, work)
      isDone = this.go(free)
    }
  }

  /** The weights that are not 0, and those that the norm leaves out. */
  private free(): Uint32Array {
    const { penalised, w, d } = this.model
    return indicesWhere(d.length, (j) => (w[j] + d[j] !== 0 || j >= penalised) && this.curvature.bends(j))
  }

  /** Fills the slopes, and the right side of the system. */
  private look(free: Uint32Array): void {
    const { slopes, step } = this
    const { penalised, v, w, d } = this.model
    this.curvature.image(slopes)
    step.fill(0)
    for (const j of free) {
      slopes[j] += (j < penalised ? Math.sign(w[j] + d[j]) : 0) - v[j]
      step[j] = -slopes[j]
    }
  }

  /** True when all weights have kept their signs, or rounding alone is left. */
  private go(free: Uint32Array): boolean {
    const { step } = this
    const { penalised, w, d } = this.model
    let first = 1
    for (const j of free) {
      const weight = w[j] + d[j]
      if (j < penalised && (weight + step[j]) * weight < 0) first = Math.min(first, -weight / step[j])
    }
    for (let length = 1; length > Math.max(first, SHORTEST); length /= 2) {
      if (this.move(free, length)) return false
    }
    return !this.move(free, first) || first === 1
  }

  /** Goes so far, with weights that would change their signs at 0, if the model falls. */
  private move(free: Uint32Array, length: number): boolean {
    const { slopes, step, change, curvature } = this
    const { penalised, w, d } = this.model
    change.fill(0)
    let rise = 0
    for (const j of free) {
      const weight = w[j] + d[j]
      const target = weight + length * step[j]
      change[j] = j < penalised && target * weight <= 0 ? -weight : length * step[j]
      rise += slopes[j] * change[j]
    }
    rise += 0.5 * curvature.bend(change)
    if (!(rise < 0)) return false
    for (const j of free) d[j] = change[j] === -(w[j] + d[j]) ? -w[j] : d[j] + change[j]
    curvature.take()
    return true
  }
}
