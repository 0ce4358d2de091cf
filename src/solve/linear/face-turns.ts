/** When a step that moves all free dual variables together (./dual-face.ts) pays in dual coordinate descent. */

import { copyFields, restoreFields } from '../driver/saved-fields.ts'

/** Steps go on where one of them, and the epochs behind it, have brought the gap to this part. */
const GAIN = 0.7

/** See the header of the file. Work is counted in visits of samples, those of steps on faces included. */
export class FaceTurns {
  private visits = 0
  private gap = Number.NaN
  private dual = Number.NaN
  /** By how much the dual fell per visit between the last two looks. */
  private fall = Number.NaN
  /** The same before the last step, what that cost, and the visits before which there is no other. */
  private fallBefore = Number.NaN
  private cost = 0
  private next = 0
  /** The gap before the last step, until the look that follows it; and whether it says that another one should be next. */
  private gapBefore = Number.NaN
  private isOn = false
  private readonly goOn: boolean

  /** `goOn`: steps follow one another for as long as they narrow the gap, as where each begins with what the last one has found. */
  constructor(goOn = false) {
    this.goOn = goOn
  }

  save() {
    const { visits, gap, dual, fall, fallBefore, cost, next, gapBefore, isOn } = this
    return copyFields({ visits, gap, dual, fall, fallBefore, cost, next, gapBefore, isOn })
  }

  restore(saved: object): void {
    restoreFields(this, saved)
  }

  /** The visits that the gap takes to fall to its goal, by its fall since the last look. */
  look(visits: number, gap: number, dual: number, goal: number): number {
    const since = visits - this.visits
    const fallOfGap = Math.log(this.gap / gap) / since
    const fall = (this.dual - dual) / since
    // What a step is worth shows in the epochs after it. Where those before did better, they have as much time: at most half is lost.
    if (fall < this.fallBefore) this.next = visits + this.cost
    this.isOn = this.goOn && gap <= GAIN * this.gapBefore
    Object.assign(this, { visits, gap, dual, fall, fallBefore: Number.NaN, gapBefore: Number.NaN })
    return fallOfGap > 0 ? Math.log(gap / goal) / fallOfGap : Number.POSITIVE_INFINITY
  }

  /** Whether a step that costs so many visits should be next: epochs have cost as much, and would cost more. */
  pays(cost: number, ahead: number): boolean {
    return this.isOn || (ahead > cost && this.visits >= Math.max(cost, this.next))
  }

  /** A step has ended, with so many visits in all. */
  took(visits: number): void {
    this.cost = visits - this.visits
    this.fallBefore = this.fall
    this.gapBefore = this.gap
  }
}
