import type { EngineKernel } from '../../engine/matrix/engine-kernel.ts'
import type { EngineMatrix } from '../../engine/matrix/engine-matrix.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'

/** Stored kernel rows, as the block solver uses them; a row has one value for each active variable. */
export interface StoredRows {
  /**
   * Makes the rows of these samples, for rows that are made on demand; they stay while no more are requested than the
   * solver may require at once.
   */
  require?(samples: Uint32Array, count: number): void
  /** vector[j] −= Σ coefficients[a] · row of samples[a] at column j. */
  subtract(
    vector: EngineArray<Float64Array>,
    samples: EngineArray<Uint32Array>,
    coefficients: EngineArray<Float64Array>,
    count: number,
  ): void
  /** Whether there is room for the rows of all samples: leaving columns out would save nothing. */
  readonly holdsAll?: boolean
  /**
   * Rows lose all columns but the kept ones (positions, ascending); those of samples not to `keep` are not needed soon.
   * Without this, rows always have all columns, and no variable is left out.
   */
  restrict?(kept: Uint32Array, columns: EngineMatrix, keep: (sample: number) => boolean): void
  /** From now on rows have a column for every sample. */
  forget?(): void
  /**
   * For rows that know how: K[a][b] = k(samples[a], samples[b]), rows `stride` apart, for a, b < count unless both are
   * below `known`.
   */
  square?(
    samples: Uint32Array,
    count: number,
    known: number,
    K: EngineArray<Float32Array>,
    stride: number,
  ): void
}

/** Samples of a dual that are in an engine already, among others that they share it with. */
export interface DualInEngine {
  /** Stays with whoever has made this. */
  readonly engine: Engine
  readonly kernel: EngineKernel
  /** Where the kernel is. */
  readonly kernelPointer: number
  readonly samples: EngineMatrix
  /** k(x, x) of each sample. */
  readonly diagonal: Float64Array
  /** Variables solved together, at most. */
  readonly workingSet: number
  /** Variables that are likely to be support vectors: those to begin with. */
  readonly startingSet: Uint32Array
  /**
   * Rows that are kept, for a solver that requires `largest` of them at the same time at most; undefined where that does not
   * pay.
   */
  makeRows(largest: number): StoredRows | undefined
}
