/** Tells when a descent on a linear machine with ‖w‖₁ has come to what rounding allows. */

/** Falls that are so small a part of the objective are rounding. */
export const ROUNDING = 1e-12
/** So many looks may not bring the gap to this part of what it was. */
const MOST_WITHOUT_GAIN = 10
const GAIN = 0.9

/** See the header of the file. */
export class Stall {
  private lowest = Number.POSITIVE_INFINITY
  private withoutGain = 0

  save(): object {
    const { lowest, withoutGain } = this
    return { lowest, withoutGain }
  }

  restore(saved: object): void {
    Object.assign(this, saved)
  }

  /**
   * Whether it is over. Falls of the objective that are rounding may still narrow the gap, which is of the order of the violations where falls
   * are of their square.
   */
  isOver(gap: number, isRounding = true): boolean {
    if (gap < GAIN * this.lowest) {
      this.lowest = gap
      this.withoutGain = 0
      return false
    }
    return isRounding && this.withoutGain++ >= MOST_WITHOUT_GAIN
  }
}
