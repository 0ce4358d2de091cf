import type { Matrix } from '../../data/matrix/matrix.ts'
import type { Engine, EngineArray } from '../memory/engine.ts'
import type { EngineMatrix } from './engine-matrix.ts'

/** Samples and a kernel that are in an engine's memory, for whoever computes with them next. */
export interface SamplesOnEngine {
  /** Stays with whoever has made this. */
  readonly engine: Engine
  /** Where the kernel is; 0 for linear machines, which have none. */
  readonly kernelPointer: number
  readonly samples: EngineMatrix
  /** What the samples were copied from, for linear machines. */
  readonly origin?: Matrix
  /** The row of the matrix that each sample is: equal samples may share one. Absent where sample i is row i. */
  readonly rowOf?: Uint32Array | undefined
  /** Kernel rows that are kept, for whoever wants sums of them: they need not be made again. */
  readonly kept?: KeptRows | undefined
}

/** Kernel rows with one value per row of the matrix, made when they are requested first. */
export interface KeptRows {
  /** vector[j] −= Σ coefficients[a] · k(x_samples[a], x_j), over as many samples as may be requested at a time. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void
  readonly atATime: number
}
