/**
 * A sum whose rounding does not grow with the number of its terms (Neumaier 1974): what each addition loses is kept and
 * added at the end.
 */
export class ExactSum {
  private sum = 0
  private lost = 0

  /** Adds a term. */
  add(term: number): void {
    const next = this.sum + term
    this.lost += Math.abs(this.sum) >= Math.abs(term) ? this.sum - next + term : term - next + this.sum
    this.sum = next
  }

  /** The sum of the terms so far. */
  get value(): number {
    // What was lost of an infinite sum is no number.
    return Number.isFinite(this.sum) ? this.sum + this.lost : this.sum
  }
}
