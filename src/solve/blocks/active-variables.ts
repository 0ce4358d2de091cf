/**
 * The active variables of a dual on the engine, in arrays of the same order: whose they are, v = t − Kβ, and what box and tube
 * make of the rates at which they rise and fall (./select-working-set.ts). In the beginning all variables are active.
 */
import { countUp } from '../../base/lists.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { dualValue } from '../dual/dual-value.ts'
import { fallOf, riseOf } from '../dual/rates.ts'
import type { ActiveView, Extremes } from './select-working-set.ts'

/** Least share of the active variables that must be idle for shrinking to pay: all others are copied, and kept rows are cut. Half
 * and twice as much took the same time within 15 % on 2,000 to 8,000 samples of moons, noise, a9a and cod-rna. */
const SHRINK_FROM = 0.2

/** See the head of the file. */
export class ActiveVariables implements ActiveView {
  count: number
  /** The sample of each. */
  readonly samples: Uint32Array
  readonly v: EngineArray<Float64Array>
  readonly up: EngineArray<Float64Array>
  readonly low: EngineArray<Float64Array>
  readonly groups: EngineArray<Uint8Array> | undefined
  private readonly engine: Engine
  private readonly dual: GeneralDual
  /** By sample; others change it. */
  private readonly beta: Float64Array
  // Of all variables: what the dual says, β and g, and a list of positions.
  private readonly target: EngineArray<Float64Array>
  private readonly lower: EngineArray<Float64Array>
  private readonly upper: EngineArray<Float64Array>
  private readonly points: EngineArray<Float64Array>
  private readonly values: EngineArray<Float64Array>
  private readonly list: EngineArray<Uint32Array>
  /** m and M of each group. */
  private readonly ranges: EngineArray<Float64Array>

  /** v is that of β = 0 until somebody says otherwise. */
  constructor(engine: Engine, dual: GeneralDual, beta: Float64Array) {
    const n = beta.length
    this.engine = engine
    this.dual = dual
    this.beta = beta
    this.count = n
    this.samples = countUp(n)
    // Rows are subtracted from v two entries at a time.
    this.v = engine.array(Float64Array, n + 1)
    this.up = engine.array(Float64Array, n)
    this.low = engine.array(Float64Array, n)
    if (dual.groups) {
      this.groups = engine.array(Uint8Array, n)
      this.groups.set(dual.groups)
    }
    this.target = copyOf(engine, dual.target)
    this.lower = copyOf(engine, dual.lower)
    this.upper = copyOf(engine, dual.upper)
    this.points = engine.array(Float64Array, n)
    this.values = engine.array(Float64Array, n)
    this.list = engine.array(Uint32Array, n)
    this.ranges = engine.array(Float64Array, 4)
    this.v.set(dual.target)
    this.setAllRates()
  }

  get isAll(): boolean {
    return this.count === this.beta.length
  }

  /** v of each, copied. */
  copyV(): Float64Array {
    return this.v.slice(0, this.count)
  }

  /** The rates of one of them follow its β. */
  setRates(position: number): void {
    const { lower, upper, tube } = this.dual
    const sample = this.samples[position]
    const beta = this.beta[sample]
    this.up[position] = riseOf(beta, upper[sample], tube)
    this.low[position] = fallOf(beta, lower[sample], tube)
  }

  /** The same for all variables, all being active. */
  private setAllRates(): void {
    const { beta, points, lower, upper, up, low } = this
    points.set(beta)
    this.engine.exports.setRates(
      beta.length,
      points.pointer,
      lower.pointer,
      upper.pointer,
      this.dual.tube,
      up.pointer,
      low.pointer,
    )
  }

  /** These samples are active, with this v, and β is as it was then; all being active before. */
  restore(samples: Uint32Array, v: Float64Array): void {
    this.count = samples.length
    this.samples.set(samples)
    this.v.set(v)
    for (let i = 0; i < samples.length; i++) {
      this.setRates(i)
      if (this.groups && this.dual.groups) this.groups[i] = this.dual.groups[samples[i]]
    }
  }

  /**
   * Leaves out the variables that could move neither way if they wanted to, if there are enough of them. Returns the positions of
   * those that stay; undefined where all do.
   */
  shrink(extremes: readonly Extremes[]): Uint32Array | undefined {
    const { v, up, low, groups, ranges, list, samples } = this
    const { exports } = this.engine
    extremes.forEach(({ m, M }, group) => {
      ranges[2 * group] = m
      ranges[2 * group + 1] = M
    })
    const byGroup = groups?.pointer ?? 0
    const keptCount = exports.listBusy(
      this.count,
      v.pointer,
      up.pointer,
      low.pointer,
      byGroup,
      ranges.pointer,
      list.pointer,
    )
    if (this.count - keptCount < SHRINK_FROM * this.count || keptCount === 0) return undefined
    exports.keepListed(list.pointer, keptCount, v.pointer, up.pointer, low.pointer, byGroup)
    const kept = list.slice(0, keptCount)
    for (let k = 0; k < keptCount; k++) samples[k] = samples[kept[k]]
    this.count = keptCount
    return kept
  }

  /** Takes g = Kβ of all variables, which are active from then on; returns the dual value. */
  takeAll(g: Float64Array): number {
    const { beta, v, target, values, points } = this
    const { groups, tube } = this.dual
    const n = beta.length
    values.set(g)
    points.set(beta)
    const { exports } = this.engine
    const value = exports.takeValues(n, target.pointer, values.pointer, points.pointer, tube, v.pointer)
    if (this.isAll) return value
    this.count = n
    this.samples.set(countUp(n))
    this.setAllRates()
    if (groups) this.groups?.set(groups)
    return value
  }

  /** Takes v of all variables, all being active, after β was changed from outside; returns the dual value. */
  replaceV(v: Float64Array): number {
    this.v.set(v)
    this.setAllRates()
    return dualValue(this.dual, this.beta, v)
  }
}

function copyOf(engine: Engine, values: Float64Array): EngineArray<Float64Array> {
  const copy = engine.array(Float64Array, values.length)
  copy.set(values)
  return copy
}
