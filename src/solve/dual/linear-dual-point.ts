/**
 * A dual point of a linear problem that keeps w = Σ α_i y_i x_i folded: a step costs O(d) instead of two kernel
 * columns, and f_i = ⟨w, x_i⟩ − y_i is worked out when it is requested and believed until the next step.
 */
import { allocate } from '../../base/allocate.ts'
import type { Pieces } from '../../base/pieces.ts'
import { copyRow, isMatrix, type Matrix } from '../../data/matrix/matrix.ts'
import { addRow, rowDot } from '../../data/matrix/products.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import type { BiasInterval } from './bias.ts'
import { DualPoint } from './dual-point.ts'

/** See the header of the file. */
export class LinearDualPoint extends DualPoint {
  private readonly matrix: Matrix
  private readonly w: Float64Array
  /** Row `spreadOf` of the matrix, zeros included. */
  private readonly spread: Float64Array
  private spreadOf = -1
  private changes = 0
  /** f[i] is right when `changes` has not moved on from knownAt[i]. */
  private readonly knownAt: Float64Array

  /** True when the problem's features are explicit, so that w exists. */
  static fits(problem: SvmProblem): boolean {
    return (
      problem.kernel.spec.kind === 'linear' && problem.bias !== 'regularised' && isMatrix(problem.samples)
    )
  }

  constructor(problem: SvmProblem, context: SolverContext) {
    super(problem, context)
    this.matrix = problem.samples as Matrix
    this.w = allocate(Float64Array, this.matrix.cols)
    this.spread = allocate(Float64Array, this.matrix.cols)
    this.knownAt = new Float64Array(this.matrix.rows)
  }

  override save(): object {
    const { w, changes, knownAt } = this
    return { ...super.save(), ...copyFields({ w, changes, knownAt }) }
  }

  override value(i: number): number {
    if (this.knownAt[i] !== this.changes) {
      this.f[i] = rowDot(this.matrix, i, this.w) - this.y[i]
      this.knownAt[i] = this.changes
    }
    return this.f[i]
  }

  override interval(): BiasInterval {
    this.settle()
    return super.interval()
  }

  override get bias(): number {
    this.settle()
    return super.bias
  }

  override *refresh(): Pieces<boolean> {
    if (!(yield* super.refresh())) return false
    this.w.fill(0)
    for (let i = 0; i < this.alpha.length; i++) {
      if (this.alpha[i] > 0) addRow(this.matrix, i, this.alpha[i] * this.y[i], this.w)
    }
    this.knownAt.fill(this.changes)
    return true
  }

  protected override kernelValue(i: number, j: number): number {
    if (this.spreadOf !== j) {
      copyRow(this.matrix, j, this.spread)
      this.spreadOf = j
    }
    return rowDot(this.matrix, i, this.spread)
  }

  protected override move(i: number, a: number, j: number, b: number): void {
    addRow(this.matrix, i, a, this.w)
    addRow(this.matrix, j, b, this.w)
    this.changes++
  }

  private settle(): void {
    for (let i = 0; i < this.f.length; i++) this.value(i)
  }
}
