import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import { readFields, writeFields } from '../memory/fields.ts'

/** The vectors of a sweep, all in the engine's memory; see assembly/linear.ts. */
export interface SweepVectors {
  readonly order: EngineArray<Uint32Array>
  readonly alpha: EngineArray<Float64Array>
  readonly y: EngineArray<Float64Array>
  readonly upper: EngineArray<Float64Array>
  /** D_ii */
  readonly extra: EngineArray<Float64Array>
  readonly curvature: EngineArray<Float64Array>
  /** w, then the weight of the constant feature. */
  readonly w: EngineArray<Float64Array>
}

/** Where a sweep stands. */
export interface SweepState {
  /** The next position in the order, where its active part ends, and how many α have moved. */
  position: number
  active: number
  changes: number
  /** Extremes of the projected gradient so far, and the gradients beyond which a sample at a bound is shrunk. */
  highest: number
  lowest: number
  shrinkAbove: number
  shrinkBelow: number
}

/** Dual coordinate descent for linear models on the engine: stretches of an epoch, one call each. */
export class CoordinateSweep {
  private readonly engine: Engine
  private readonly pointer: number

  constructor(
    engine: Engine,
    matrix: EngineMatrix,
    vectors: SweepVectors,
    constant: number,
    shrinking: boolean,
  ) {
    const { order, alpha, y, upper, extra, curvature, w } = vectors
    this.engine = engine
    this.pointer = engine.structure('SWEEP', {
      matrix: matrix.pointer,
      order: order.pointer,
      alpha: alpha.pointer,
      y: y.pointer,
      upper: upper.pointer,
      extra: extra.pointer,
      curvature: curvature.pointer,
      w: w.pointer,
      shrinking: Number(shrinking),
      constant,
    })
  }

  /** Visits up to `steps` further samples and brings the state up to date. */
  run(state: SweepState, steps: number): void {
    const { engine, pointer } = this
    const { position, active, changes, highest, lowest, shrinkAbove, shrinkBelow } = state
    const before = { position, active, changes, highest, lowest, shrinkAbove, shrinkBelow }
    writeFields(engine.memory, 'SWEEP', pointer, before)
    engine.exports.sweep(pointer, steps)
    const after = readFields(engine.memory, 'SWEEP', pointer)
    state.position = after.position
    state.active = after.active
    state.changes = after.changes
    state.highest = after.highest
    state.lowest = after.lowest
  }
}
