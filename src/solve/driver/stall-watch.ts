/**
 * Tells when a descent has come to nothing. In exact arithmetic the dual falls with every step; in f64 there comes a point
 * where rounding of kernel values and sums is larger than what a step gains, and steps go on for ever without getting
 * anywhere. A violation may rise on the way, and a slow descent is still one. So a run has stalled when for a whole window
 * neither the dual value nor the violation has been lower than ever before. What rounding makes of a value at random
 * reaches new lows ever more rarely: it cannot hold a window open for long.
 */

/** A dual value must be lower by so much of its size to count: less is rounding of its sum, a thousand times 2^−53. */
const REAL_GAIN = 1e-13
/** A violation must be lower by so much of itself: less does not matter to anybody, and would take for ever. */
const REAL_FALL = 1e-3

/**
 * Pair steps, for each sample and in all, between two looks of methods that go by pairs; and a window in such looks. A look computes v
 * afresh. Ordinary problems end before the first one: they take a few steps per sample (../active-set/active-set-run.ts).
 */
const STEPS_PER_SAMPLE = 20
const LEAST_STEPS = 20_000
export const LOOKS_WITHOUT_GAIN = 3

/** Pair steps between two looks. */
export function stepsPerLook(samples: number): number {
  return Math.max(LEAST_STEPS, STEPS_PER_SAMPLE * samples)
}

/**
 * A window of methods that go by epochs, in looks at the primal value (../linear/best-model.ts): they are slow, and still get
 * there. LIBLINEAR ends after as many epochs in all.
 */
export const EPOCHS_WITHOUT_GAIN = 1000

/** See the header of the file. Windows are counted in whatever the caller counts: steps, rounds, epochs. */
export class StallWatch {
  private readonly window: number
  private lowestValue = Number.POSITIVE_INFINITY
  private lowestViolation = Number.POSITIVE_INFINITY
  private since = 0

  constructor(window: number) {
    this.window = window
  }

  /** What it has seen; {@link restoreFields} puts it back. */
  save() {
    const { lowestValue, lowestViolation, since } = this
    return { lowestValue, lowestViolation, since }
  }

  /** Takes note of where the descent is; true when it has stalled. NaN is never a new low. */
  stalls(at: number, value: number, violation: number): boolean {
    let isLower = false
    if (value < this.lowestValue - REAL_GAIN * Math.abs(value)) {
      this.lowestValue = value
      isLower = true
    }
    if (violation < (1 - REAL_FALL) * this.lowestViolation) {
      this.lowestViolation = violation
      isLower = true
    }
    if (isLower) this.since = at
    return at - this.since >= this.window
  }
}
