/** The sweeps of dual coordinate ascent on the engine, for linear kernels: the bits of ./coordinates.ts, sooner. */

import { isMatrix, type Matrix } from '../../data/matrix/matrix.ts'
import { CoordinateSweep } from '../../engine/jobs/coordinate-sweep.ts'
import { uploadExact } from '../../engine/matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { engineExists } from '../../engine/memory/engine-build.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import { constantFeature, LinearExpansion } from '../dual/kernel-expansion.ts'
import { Coordinates, curvatures } from './coordinates.ts'

/** Stored values from which on copying them to the engine pays, and up to which they should be copied. */
const FEWEST_VALUES = 20_000
const MOST_VALUES = 100e6

/** Whether the engine can sweep over this problem, and is worth it. */
export function isForEngine(problem: SvmProblem): boolean {
  const { samples, kernel } = problem
  if (kernel.spec.kind !== 'linear' || !isMatrix(samples)) return false
  const count = samples.values.length
  if (count < FEWEST_VALUES || count > MOST_VALUES || !engineExists()) return false
  return curvatures(problem).every((curvature) => curvature > 0)
}

/** See the head of the file; for problems that pass {@link isForEngine}. */
export class EngineCoordinates extends Coordinates {
  private readonly engineSweep: CoordinateSweep
  private readonly engineAlpha: EngineArray<Float64Array>

  constructor(engine: Engine, problem: SvmProblem, shrinking: boolean) {
    const samples = problem.samples as Matrix
    const order = engine.array(Uint32Array, problem.y.length)
    const w = engine.array(Float64Array, samples.cols + 1)
    w.fill(0)
    const constant = constantFeature(problem)
    super(problem, new LinearExpansion(samples, constant, w), shrinking, undefined, order)
    const copy = (values: Float64Array) => {
      const copied = engine.array(Float64Array, values.length)
      copied.set(values)
      return copied
    }
    this.engineAlpha = copy(this.alpha)
    const vectors = {
      order,
      alpha: this.engineAlpha,
      y: copy(this.y),
      upper: copy(this.upper),
      extra: copy(this.extra),
      curvature: copy(this.curvature),
      w,
    }
    this.engineSweep = new CoordinateSweep(engine, uploadExact(engine, samples), vectors, constant, shrinking)
  }

  override restore(saved: ReturnType<Coordinates['save']>): void {
    super.restore(saved)
    this.engineAlpha.set(saved.alpha)
  }

  override sweep(steps: number): boolean {
    const { state } = this
    this.engineSweep.run(state, steps)
    // A reader of α must not have to know that the engine may be in other use by then.
    this.alpha.set(this.engineAlpha)
    return state.position < state.active
  }
}
