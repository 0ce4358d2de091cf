/** Tells when epochs of dual coordinate descent would take too long, by how fast the gap has fallen since the last look. */

import type { KeptPart } from './linear-point.ts'

/** See the header of the file. */
export class SlowWatch implements KeptPart {
  granted: number
  least: number
  /** The visits that the gap takes to fall to its goal, by its fall between the last two looks. */
  ahead = 0
  private visits = 0
  private gap = Number.POSITIVE_INFINITY

  /** So many visits may be ahead in any case; before `least` of them nothing is said, as long as the gap need not have begun to fall. */
  constructor(granted: number, least = 0) {
    this.granted = granted
    this.least = least
  }

  save(): object {
    const { ahead, visits, gap } = this
    return { ahead, visits, gap }
  }

  restore(saved: object): void {
    Object.assign(this, saved)
  }

  isSlow(visits: number, gap: number, goal: number): boolean {
    const fallen = Math.log(this.gap / gap)
    const since = visits - this.visits
    const isFirst = this.visits === 0
    this.visits = visits
    this.gap = gap
    if (isFirst) return false
    this.ahead = fallen > 0 ? (since * Math.log(gap / goal)) / fallen : Number.POSITIVE_INFINITY
    return visits >= this.least && this.ahead > visits + this.granted
  }
}
