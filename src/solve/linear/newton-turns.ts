/**
 * Turns of Newton's method beside dual coordinate descent. Which of the two is sooner shows only when they run: where C is large or
 * features have very different sizes, epochs crawl and Newton's method may end within a second; on texts with large C it is often
 * the other way round. So where epochs seem to have more ahead than behind, Newton's method has a part of the work that they had, in steps that
 * continue those of its last turn; where epochs seem hopeless it has as much as they had. A turn goes on while it halves the gap.
 */
import type { Pieces } from '../../base/pieces.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import type { Due } from '../driver/pieces.ts'
import { copyFields, restoreFields } from '../driver/saved-fields.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import type { KeptPart, LinearPoint } from './linear-point.ts'
import { NewtonDescent } from './newton-descent.ts'

/** Multiply-adds of epochs before the first turn: a fourth of a second. */
const FIRST_TURN = 2e8
/** The part of the work of epochs that turns have; as much as these where the gap seems to take so many times what they had. */
const SHARE = 0.25
const HOPELESS = 100
/** A turn goes on where it has brought the gap to this part. */
const GAIN = 0.5

/** See the header of the file. */
export class NewtonTurns implements KeptPart {
  /** Whether it is the turn of Newton's method. */
  isTurn = false
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly point: LinearPoint
  private readonly due: Due
  private readonly isDone: () => boolean
  private newton: NewtonDescent | undefined
  private run: Pieces<boolean> | undefined
  /** It has ended without reaching the gap: there are no turns any more. */
  private isExhausted = false
  /** The work of Newton's method at which its turn ends, how much of it is for the turn, and the gap when that began. */
  private limit = 0
  private portion = 0
  private gap = 0

  constructor(
    problem: LinearMachineProblem,
    rows: LinearRows,
    point: LinearPoint,
    due: Due,
    isDone: () => boolean,
  ) {
    this.problem = problem
    this.rows = rows
    this.point = point
    this.due = due
    this.isDone = isDone
  }

  save(): object {
    const { isTurn, isExhausted, limit, portion, gap } = this
    return { isTurn, isExhausted, ...copyFields({ limit, portion, gap }) }
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
    const portion = (ahead > HOPELESS * visits ? 1 : SHARE) * work - had
    if (this.isExhausted || work < FIRST_TURN || ahead <= visits || portion <= 0) return
    this.portion = portion
    this.limit = had + portion
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
        if (point.gap > GAIN * this.gap) break
        this.gap = point.gap
        this.limit = newton.work + this.portion
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
    this.run ??= this.descent().run(this.isDone)
    const next = this.run.next()
    if (next.done) this.isExhausted = !next.value
    return next
  }
}
