/**
 * Is this function a kernel? A symmetric k is one if and only if every Gram matrix it makes is positive semi-definite
 * (Mercer; Shalev-Shwartz and Ben-David, Lemma 16.2). Samples can only refute that: one negative eigenvalue proves
 * that k is no kernel, none found proves nothing beyond these samples.
 */

import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { checkKnown, checkNumber } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { largestOf, smallestOf } from '../base/lists.ts'
import type { DenseMatrix } from '../data/matrix/matrix.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { Kernel } from './kernel.ts'
import { type KernelSamples, kernelMatrix } from './kernel-matrix.ts'

/** Options of {@link checkKernel}. */
export interface CheckKernelOptions {
  /** What counts as rounding, relative to the largest kernel value and eigenvalue. Default 1e-10. */
  readonly tolerance?: number
}

/** What {@link checkKernel} found. */
export interface KernelCheck {
  /** k(x, z) = k(z, x) for all pairs, within the tolerance. */
  readonly symmetric: boolean
  /** Largest |k(x, z) − k(z, x)|. */
  readonly asymmetry: number
  /** Eigenvalues of the Gram matrix (of its symmetric part, if it is not symmetric). */
  readonly smallestEigenvalue: number
  readonly largestEigenvalue: number
  /** Symmetric, and no eigenvalue below zero, within the tolerance. */
  readonly positiveSemidefinite: boolean
  /** The finding in a sentence. */
  readonly verdict: string
}

/**
 * Tests on samples whether `kernel` can be a kernel. Takes O(n²) memory and O(n³) time: use some hundred samples.
 *
 * @example
 * const { positiveSemidefinite, verdict } = checkKernel(sigmoid({ gamma: 1, coef0: -1 }), train.samples)
 */
export function checkKernel<S>(
  kernel: Kernel<S>,
  samples: KernelSamples<S>,
  options: CheckKernelOptions = {},
): KernelCheck {
  checkKnown('checkKernel', options, ['tolerance'])
  const tolerance = checkNumber('checkKernel', 'tolerance', options.tolerance ?? 1e-10, { min: 0 })
  // Both triangles are computed: that they agree is part of what is tested.
  const gram = kernelMatrix(kernel.resolve(samples as Samples<S>), samples, samples)
  if (gram.rows === 0) throw new DataError('checkKernel needs at least one sample')
  const { asymmetry, largest } = symmetrise(gram)
  const symmetric = asymmetry <= tolerance * largest
  const { realEigenvalues } = new EigenvalueDecomposition(new Matrix(gramRows(gram)), {
    assumeSymmetric: true,
  })
  const smallestEigenvalue = smallestOf(realEigenvalues)
  const largestEigenvalue = largestOf(realEigenvalues)
  const rounding = tolerance * Math.max(Math.abs(smallestEigenvalue), Math.abs(largestEigenvalue))
  const definite = smallestEigenvalue >= -rounding
  const verdict = !symmetric
    ? `not a kernel: k(x, z) and k(z, x) differ by up to ${brief(asymmetry)}`
    : !definite
      ? `not a kernel: its Gram matrix on these ${gram.rows} samples has the negative eigenvalue ${brief(smallestEigenvalue)}`
      : `no objection: its Gram matrix on these ${gram.rows} samples is positive semi-definite`
  return {
    symmetric,
    asymmetry,
    smallestEigenvalue,
    largestEigenvalue,
    positiveSemidefinite: symmetric && definite,
    verdict,
  }
}

/** Replaces the matrix by its symmetric part; tells how far it was from it, and its largest magnitude. */
function symmetrise({ rows, values }: DenseMatrix): { asymmetry: number; largest: number } {
  let asymmetry = 0
  let largest = 0
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j <= i; j++) {
      const lower = values[i * rows + j]
      const upper = values[j * rows + i]
      const bad = [lower, upper].find((value) => !Number.isFinite(value))
      if (bad !== undefined) {
        throw new DataError(`checkKernel: the kernel of samples ${i} and ${j} is ${bad}, not a finite number`)
      }
      asymmetry = Math.max(asymmetry, Math.abs(lower - upper))
      largest = Math.max(largest, Math.abs(lower), Math.abs(upper))
      const middle = lower === upper ? lower : lower / 2 + upper / 2
      values[i * rows + j] = middle
      values[j * rows + i] = middle
    }
  }
  return { asymmetry, largest }
}

function gramRows({ rows, cols, values }: DenseMatrix): Float64Array[] {
  return Array.from({ length: rows }, (_, i) => values.subarray(i * cols, (i + 1) * cols))
}

function brief(value: number): string {
  return String(Number(value.toPrecision(4)))
}
