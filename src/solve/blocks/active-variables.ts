/**
 * The active variables of a dual on the engine, in arrays of the same order: whose they are, v = t − Kβ, and what box and tube
 * make of the rates at which they rise and fall: v + up is the rate at which raising a variable gains (−∞ where it may not rise),
 * v + low what lowering it costs (+∞ where it may not fall), as ../../problems/general-dual.ts has it. In the beginning all
 * variables are active.
 */
import { countUp } from '../../base/lists.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { dualValue } from '../dual/dual-value.ts'
import type { VariablesOnEngine } from './working-set.ts'

/** Least share of the active variables that must be idle for shrinking to pay: all others are copied, and kept rows are cut. Half
 * and twice as much took the same time within 15 % on 2,000 to 8,000 samples of moons, noise, a9a and cod-rna. */
const SHRINK_FROM = 0.2
/** Numbers that the engine finds of each group: those of {@link Extremes}, in their order. */
const EXTREMES = 4

/** m = the largest rate, M = the smallest cost in a group: the point is optimal when m <= M in all of them. */
export interface Extremes {
  m: number
  M: number
  /** Sum of the rates of the free variables, which rise at the rate that they fall at, and how many there are. */
  sum: number
  free: number
}

/** See the header of the file. */
export class ActiveVariables {
  count: number
  /** The sample of each. */
  readonly samples: EngineArray<Uint32Array>
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
  /** Of each group, as they were found last. */
  private readonly extremes: EngineArray<Float64Array>

  /** v is that of β = 0 until somebody says otherwise. */
  constructor(engine: Engine, dual: GeneralDual, beta: Float64Array) {
    const n = beta.length
    this.engine = engine
    this.dual = dual
    this.beta = beta
    this.count = n
    this.samples = engine.array(Uint32Array, n)
    this.samples.set(countUp(n))
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
    this.extremes = engine.array(Float64Array, 2 * EXTREMES)
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

  /** Where all this is, for ./working-set.ts: β by sample is what {@link showBeta} copies. */
  get onEngine(): Omit<VariablesOnEngine, 'diagonal'> {
    const { samples, v, up, low, groups, extremes, points, lower, upper } = this
    return {
      active: samples.pointer,
      v: v.pointer,
      up: up.pointer,
      low: low.pointer,
      groups: groups?.pointer ?? 0,
      extremes: extremes.pointer,
      beta: points.pointer,
      lower: lower.pointer,
      upper: upper.pointer,
    }
  }

  /** β becomes what a working set has made of it on the engine. */
  showBeta(): void {
    this.beta.set(this.points)
  }

  /** Finds the extremes of one group (0 when there is but one). */
  findExtremes(group: number, out: Extremes): void {
    const { count, v, up, low, groups, extremes } = this
    const first = EXTREMES * group
    this.engine.exports.findExtremes(
      count,
      v.pointer,
      up.pointer,
      low.pointer,
      groups?.pointer ?? 0,
      group,
      extremes.pointer + 8 * first,
    )
    out.m = extremes[first]
    out.M = extremes[first + 1]
    out.sum = extremes[first + 2]
    out.free = extremes[first + 3]
  }

  /** What box and tube make of the rates of all variables, all being active. */
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
    this.setAllRates()
    this.list.set(samples)
    this.keepListed(samples.length)
    this.v.set(v)
  }

  /** Those at the first `count` listed positions (ascending) stay active. */
  private keepListed(count: number): void {
    const { list, samples, v, up, low, groups } = this
    this.engine.exports.keepListed(
      list.pointer,
      count,
      samples.pointer,
      v.pointer,
      up.pointer,
      low.pointer,
      groups?.pointer ?? 0,
    )
    this.count = count
  }

  /**
   * Leaves out the variables that could move neither way if they wanted to, by the extremes as they were found last, if there are enough
   * of them. Returns the positions of those that stay; undefined where all do.
   */
  shrink(): Uint32Array | undefined {
    const { v, up, low, groups, extremes, list } = this
    const { exports } = this.engine
    const byGroup = groups?.pointer ?? 0
    const keptCount = exports.listBusy(
      this.count,
      v.pointer,
      up.pointer,
      low.pointer,
      byGroup,
      extremes.pointer,
      list.pointer,
    )
    if (this.count - keptCount < SHRINK_FROM * this.count || keptCount === 0) return undefined
    this.keepListed(keptCount)
    return list.slice(0, keptCount)
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
