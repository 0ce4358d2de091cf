/** What every kernel over vectors must do, in every storage of its samples. */
import { describe, expect, it } from 'vitest'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { type KernelFunctions, kernelFromSpec } from '../../src/kernels/kernel-from-spec.ts'
import { kernelMatrix, kernelValue } from '../../src/kernels/kernel-matrix.ts'
import { rowOf, someMatrix, storages } from './matrices.ts'

/** One kernel with its settled parameters, and the formula it must follow. */
export interface KernelCase {
  readonly name: string
  readonly kernel: AnyKernel
  readonly formula: (x: readonly number[], z: readonly number[]) => number
  /** user functions inside the kernel, by name. */
  readonly functions?: KernelFunctions
}

/** Sums in another order than the formula's may differ by this much, relative to the value or to 1. */
const ROUNDING = 1e-12

function expectClose(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(ROUNDING * Math.max(1, Math.abs(expected)))
}

/** Runs the suite on one kernel. */
export function kernelSuite({ name, kernel, formula, functions }: KernelCase): void {
  describe(name, () => {
    const pairs = storages.flatMap((a) => storages.map((b) => ({ a, b })))
    describe.each(pairs)('$a.storage with $b.storage', ({ a, b }) => {
      it.each([0, 1, 3, 4, 5, 14])('follows its formula on rows of length %i', (cols) => {
        const x = someMatrix(31 + cols, 6, cols)
        const z = someMatrix(41 + cols, 9, cols)
        const evaluator = kernel.between(a.store(x), b.store(z))
        expect([evaluator.rows, evaluator.cols]).toEqual([6, 9])
        const out = new Float64Array(9)
        for (const i of [3, 0, 5, 1]) {
          evaluator.row(i, out)
          for (let j = 0; j < 9; j++) expectClose(out[j], formula(rowOf(x, i), rowOf(z, j)))
        }
      })

      it.each([
        [3, 5],
        [5, 3],
      ])('takes missing columns for zeros: widths %i and %i', (queryCols, targetCols) => {
        const x = someMatrix(51, 4, queryCols)
        const z = someMatrix(52, 5, targetCols)
        const values = kernelMatrix(kernel, a.store(x), b.store(z)).values
        for (let i = 0; i < 4; i++) {
          for (let j = 0; j < 5; j++) expectClose(values[i * 5 + j], formula(rowOf(x, i, 5), rowOf(z, j, 5)))
        }
      })

      it('is symmetric, and its transpose swaps the sample sets', () => {
        const x = someMatrix(61, 5, 7)
        const z = someMatrix(62, 8, 7)
        const there = kernelMatrix(kernel, a.store(x), b.store(z)).values
        const back = kernelMatrix(kernel, b.store(z), a.store(x)).values
        for (let i = 0; i < 5; i++) for (let j = 0; j < 8; j++) expectClose(there[i * 8 + j], back[j * 5 + i])
      })
    })

    it.each(storages)(
      '$storage: the diagonal is that of the matrix, and half the work gives all of it',
      (s) => {
        const samples = s.store(someMatrix(71, 7, 5))
        const half = kernelMatrix(kernel, samples).values
        const full = kernelMatrix(kernel, samples, samples).values
        const diagonal = kernel.diagonal(samples)
        expect(diagonal.length).toBe(7)
        for (let i = 0; i < 7; i++) {
          expectClose(diagonal[i], full[i * 7 + i])
          for (let j = 0; j < 7; j++) expectClose(half[i * 7 + j], full[i * 7 + j])
        }
      },
    )

    it('has a value for one pair and none for empty sets', () => {
      const [x, z] = [Float64Array.of(1, -2, 0.5), Float64Array.of(0.25, 1, 3)]
      expectClose(kernelValue(kernel, x, z), formula([...x], [...z]))
      const empty = someMatrix(1, 0, 3)
      expect(kernelMatrix(kernel, empty).values.length).toBe(0)
      expect(kernelMatrix(kernel, someMatrix(2, 2, 3), empty).values.length).toBe(0)
      expect(kernel.diagonal(empty).length).toBe(0)
    })

    it('comes back from its spec, through JSON', () => {
      const spec = JSON.parse(JSON.stringify(kernel.spec))
      const again = kernelFromSpec(spec, { functions })
      expect(again.spec).toEqual(kernel.spec)
      expect(again.portable).toBe(kernel.portable)
      expect(kernel.portable).toBe(functions === undefined)
      const samples = someMatrix(81, 6, 4)
      expect(kernelMatrix(again, samples)).toEqual(kernelMatrix(kernel, samples))
    })

    it('is settled already: resolving changes nothing', () => {
      expect(kernel.resolve(someMatrix(91, 3, 2)).spec).toEqual(kernel.spec)
    })
  })
}
