/**
 * Turns of Newton's method beside dual coordinate descent. Which of the two is sooner shows only when they run: where C is large or
 * features have very different sizes, epochs crawl and Newton's method may end within a second; on texts with large C it is often
 * the other way round. So where epochs seem to have more ahead than behind, Newton's method has a part of the work that they had, or as much, in
 * steps that continue those of its last turn. A turn goes on while Newton's method seems to have no more ahead than the run has behind.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import type { KeptPart, LinearPoint } from './linear-point.ts'
import { NewtonDescent } from './newton-descent.ts'

/** Multiply-adds of epochs before the first turn: an eighth of a second. */
const FIRST_TURN = 1e8
/**
 * The part of the work of epochs that turns have; as much as these where there are as many samples as features, as Newton's method is often
 * the sooner one there, or where the gap seems to take so many times what epochs had.
 */
const SHARE = 0.5
const HOPELESS = 100

/** See the header of the file. */
export class NewtonTurns implements KeptPart {
  /** Whether it is the turn of Newton's method. */
  isTurn = false
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly due: Due
  private readonly goal: () => number
  private newton: NewtonDescent | undefined
  private run: Pieces<boolean> | undefined
  /** It has ended without reaching the gap: there are no turns any more. */
  private isExhausted = false
  /** The work of epochs before the turn, that of Newton's method and the gap when it began, and the work at which it may end. */
  private epochsWork = 0
  private begun = 0
  private gap = 0
  private limit = 0

  constructor(
    problem: LinearMachineProblem,
    rows: LinearRows,
    point: LinearPoint,
    due: Due,
    goal: () => number,
  ) {
    this.problem = problem
    this.rows = rows
    this.point = point
    this.due = due
    this.goal = goal
  }

  save(): object {
    const { isTurn, isExhausted, epochsWork, begun, gap, limit } = this
    return { isTurn, isExhausted, ...copyFields({ epochsWork, begun, gap, limit }) }
  }

  restore(saved: object): void {
    restoreFields(this, saved)
  }

  /** The descent, which has its memory from now on. */
  descent(): NewtonDescent {
    this.newton ??= new NewtonDescent(this.problem, this.rows, this.point, this.due)
    return this.newton
  }

  /** Told after each look at the gap how many samples were visited, and how many visits seem to be ahead. */
  look(visits: number, ahead: number): void {
    const { rows } = this
    const work = 2 * visits * (rows.stored / rows.rows + 1)
    // A step may take more than its turn had left.
    const had = Math.max(this.limit, this.newton?.work ?? 0)
    const isEqual = rows.rows >= rows.cols || ahead > HOPELESS * visits
    const limit = isEqual ? work : SHARE * work
    if (this.isExhausted || work < FIRST_TURN || ahead <= visits || limit <= had) return
    this.epochsWork = work
    this.begun = had
    this.limit = limit
    this.gap = this.point.gap
    this.isTurn = true
  }

  /** Steps until the turn ends; true where the gap is within its goal. */
  *take(): Pieces<boolean> {
    const { point } = this
    const newton = this.descent()
    for (;;) {
      const { done, value } = this.next()
      if (done) {
        this.isTurn = false
        return value
      }
      if (newton.isBetweenSteps && newton.work >= this.limit) {
        const perFall = (newton.work - this.begun) / Math.log(this.gap / point.gap)
        const ahead = perFall * Math.log(point.gap / this.goal())
        if (!(ahead <= this.epochsWork + newton.work)) break
      }
      yield
    }
    this.isTurn = false
    return false
  }

  /** All further steps. */
  *rest(): Pieces<boolean> {
    for (;;) {
      const { done, value } = this.next()
      if (done) return value
      yield
    }
  }

  private next(): IteratorResult<void, boolean> {
    if (this.isExhausted) return { done: true, value: false }
    this.run ??= this.descent().run(() => this.point.gap <= this.goal())
    const next = this.run.next()
    if (next.done) this.isExhausted = !next.value
    return next
  }
}
