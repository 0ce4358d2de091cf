/**
 * The dual of ν-SVR has every sample twice: what is summed over kernel values for the first half of its variables is that of the
 * second half too, and is computed once.
 */
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'

/** See the header of the file. */
export class Halves {
  /** Variables of a half. */
  readonly count: number
  private readonly sums: EngineArray<Float64Array>

  constructor(engine: Engine, count: number) {
    this.count = count
    // Rows are subtracted two entries at a time.
    this.sums = engine.array(Float64Array, count + 1)
  }

  /** A vector of zeros, from which others subtract what they find for the first half. */
  begin(): EngineArray<Float64Array> {
    this.sums.fill(0)
    return this.sums
  }

  /** Adds what has come of that vector to both halves of `v`. */
  addTo(v: Float64Array): void {
    const { count, sums } = this
    for (let i = 0; i < count; i++) {
      v[i] += sums[i]
      v[count + i] += sums[i]
    }
  }

  /** What both variables of each sample come to: at the start of ν-SVR nothing. */
  together(beta: Float64Array): Float64Array {
    const { count } = this
    const sums = new Float64Array(count)
    for (let i = 0; i < count; i++) sums[i] = beta[i] + beta[count + i]
    return sums
  }
}
