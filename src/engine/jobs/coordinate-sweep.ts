import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'

const SWEEP_BYTES = 88

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
export class EngineSweep {
  private readonly engine: Engine
  private readonly pointer: number
  private readonly counts: Uint32Array
  private readonly numbers: Float64Array

  constructor(
    engine: Engine,
    matrix: EngineMatrix,
    vectors: SweepVectors,
    constant: number,
    shrinking: boolean,
  ) {
    this.engine = engine
    this.pointer = engine.allocate(SWEEP_BYTES)
    const { order, alpha, y, upper, extra, curvature, w } = vectors
    const pointers = [matrix, order, alpha, y, upper, extra, curvature, w].map(({ pointer }) => pointer)
    new Uint32Array(engine.memory.buffer, this.pointer, 8).set(pointers)
    this.counts = new Uint32Array(engine.memory.buffer, this.pointer + 32, 4)
    this.numbers = new Float64Array(engine.memory.buffer, this.pointer + 48, 5)
    this.counts[3] = shrinking ? 1 : 0
    this.numbers[0] = constant
  }

  /** Visits up to `steps` further samples and brings the state up to date. */
  run(state: SweepState, steps: number): void {
    const { counts, numbers } = this
    counts[0] = state.position
    counts[1] = state.active
    counts[2] = state.changes
    numbers[1] = state.highest
    numbers[2] = state.lowest
    numbers[3] = state.shrinkAbove
    numbers[4] = state.shrinkBelow
    this.engine.exports.sweep(this.pointer, steps)
    state.position = counts[0]
    state.active = counts[1]
    state.changes = counts[2]
    state.highest = numbers[1]
    state.lowest = numbers[2]
  }
}
