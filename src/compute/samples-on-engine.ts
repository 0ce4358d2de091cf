import type { Engine } from './engine.ts'
import type { EngineMatrix } from './engine-matrix.ts'

/** Samples and a kernel that are in an engine's memory, for whoever computes with them next. */
export interface SamplesOnEngine {
  /** Stays with whoever has made this. */
  readonly engine: Engine
  /** Where the kernel is. */
  readonly kernelPointer: number
  readonly samples: EngineMatrix
  /** The row of the matrix that each sample is: equal samples may share one. Absent where sample i is row i. */
  readonly rowOf?: Uint32Array | undefined
}
