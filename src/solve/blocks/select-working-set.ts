/** Choosing the working set of the block solver: the variables that violate the optimality conditions most. */
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'

/**
 * Compact arrays of the active variables that the choice reads. v + up is the rate at which raising a variable gains (−∞
 * where it may not rise), v + low what lowering it costs (+∞ where it may not fall): ../../problems/general-dual.ts.
 */
export interface ActiveView {
  readonly count: number
  readonly v: EngineArray<Float64Array>
  readonly up: EngineArray<Float64Array>
  readonly low: EngineArray<Float64Array>
  /** Where the sum over each of two groups is fixed. */
  readonly groups: EngineArray<Uint8Array> | undefined
}

/** m = the largest rate, M = the smallest cost in a group: the point is optimal when m <= M in all of them. */
export interface Extremes {
  m: number
  M: number
  /** Sum of the rates of the free variables, which rise at the rate that they fall at, and how many there are. */
  sum: number
  free: number
}

/** What it takes to choose; assembly/dual/select-working-set.ts does the work. */
export class ViolatorChoice {
  private readonly engine: Engine
  private readonly keys: EngineArray<Float64Array>
  private readonly positions: EngineArray<Uint32Array>
  /** 1 for what was chosen already. */
  private readonly taken: EngineArray<Uint8Array>
  private readonly extremes: EngineArray<Float64Array>

  constructor(engine: Engine, samples: number) {
    this.engine = engine
    this.keys = engine.array(Float64Array, samples)
    this.positions = engine.array(Uint32Array, samples)
    this.taken = engine.array(Uint8Array, samples)
    this.taken.fill(0)
    this.extremes = engine.array(Float64Array, 4)
  }

  /** Fills in the extremes of one group (0 when there is but one). */
  findExtremes({ count, v, up, low, groups }: ActiveView, group: number, out: Extremes): void {
    const { exports } = this.engine
    const pointer = groups?.pointer ?? 0
    exports.findExtremes(count, v.pointer, up.pointer, low.pointer, pointer, group, this.extremes.pointer)
    out.m = this.extremes[0]
    out.M = this.extremes[1]
    out.sum = this.extremes[2]
    out.free = this.extremes[3]
  }

  /** Fills `out` from `filled` on: from both sides of each group the worst violators that are not in it yet. */
  fill(
    active: ActiveView,
    extremes: readonly Pick<Extremes, 'm' | 'M'>[],
    out: Uint32Array,
    filled: number,
  ): number {
    for (let a = 0; a < filled; a++) this.taken[out[a]] = 1
    let end = filled
    let shares = 2 * extremes.length
    extremes.forEach(({ m, M }, group) => {
      for (const [penalties, sign, beyond] of [
        [active.up, -1, -M],
        [active.low, 1, m],
      ] as const) {
        const wanted = Math.floor((out.length - end) / shares--)
        const found = this.engine.exports.findViolators(
          active.count,
          active.v.pointer,
          penalties.pointer,
          sign,
          beyond,
          this.taken.pointer,
          active.groups?.pointer ?? 0,
          group,
          wanted,
          this.keys.pointer,
          this.positions.pointer,
        )
        for (let a = 0; a < found; a++) {
          out[end] = this.positions[a]
          this.taken[out[end++]] = 1
        }
      }
    })
    for (let a = 0; a < end; a++) this.taken[out[a]] = 0
    return end
  }
}
