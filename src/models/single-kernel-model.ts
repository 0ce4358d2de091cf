import { isMatrix } from '../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import { BaseModel } from './base-model.ts'
import { KernelMachine } from './machines/kernel-machine.ts'
import type { Machine } from './machines/machine.ts'
import type { SingleKernelParts } from './model-parts.ts'

/** A kernel model of one function, f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias: regression and one class. */
export abstract class SingleKernelModel<S = never> extends BaseModel<S> implements SingleKernelParts<S> {
  readonly supportVectors: Samples<S>
  readonly supportIndices: Uint32Array | undefined
  readonly dualCoef: Float64Array
  readonly biases: Float64Array

  constructor(parts: SingleKernelParts<S>) {
    super(parts)
    this.supportVectors = parts.supportVectors
    this.supportIndices = parts.supportIndices
    this.dualCoef = parts.dualCoef
    this.biases = Float64Array.of(parts.bias)
  }

  override get supportCount(): number {
    return sampleCount(this.supportVectors)
  }

  /** w = Σ dualCoef_s · supportVector_s for the linear kernel; undefined for any other. */
  get coef(): Float64Array | undefined {
    return (this.machine as KernelMachine<S>).weights
  }

  protected override makeMachine(): Machine<S> {
    return new KernelMachine<S>(this)
  }

  protected override get overVectors(): boolean {
    return isMatrix(this.supportVectors)
  }
}
