/** Tells when epochs of dual coordinate descent would take too long, by how fast the gap has fallen since the last look. */

import type { KeptPart } from './linear-point.ts'

/** See the header of the file. */
export class SlowWatch implements KeptPart {
  granted: number
  least: number
  private visits = 0
  private gap = Number.POSITIVE_INFINITY

  /** So many visits may be ahead in any case; before `least` of them nothing is said, as long as the gap need not have begun to fall. */
  constructor(granted: number, least = 0) {
    this.granted = granted
    this.least = least
  }

  save(): object {
    const { visits, gap } = this
    return { visits, gap }
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
    if (isFirst || visits < this.least) return false
    const ahead = fallen > 0 ? (since * Math.log(gap / goal)) / fallen : Number.POSITIVE_INFINITY
    return ahead > visits + this.granted
  }
}
