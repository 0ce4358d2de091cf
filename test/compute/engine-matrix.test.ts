import { afterAll, describe, expect, it } from 'vitest'
import { withEngine } from '../../src/compute/engine.ts'
import { chooseEngineBuild, supportedBuilds } from '../../src/compute/engine-build.ts'
import type { EngineKernel } from '../../src/compute/engine-kernel.ts'
import { type EngineMatrix, gatherRows, reserveCopy, uploadMatrix } from '../../src/compute/engine-matrix.ts'
import { engineStorages, onBuild } from '../suites/engine-kernels.ts'

const linear: EngineKernel = { kind: 'linear', gamma: 0, coef0: 0, degree: 0 }

/** All that products are computed from of row i. */
function storedRow(matrix: EngineMatrix, i: number) {
  const { dense, cols, whole, indptr, offsets, values, norms } = matrix
  if (whole) {
    const { ends, entries } = whole
    const [from, to] = [ends[i], ends[i + 1]].map((end) => (end - entries.pointer) / 4)
    return { norm: norms[i], entries: Array.from(entries.subarray(from, to)) }
  }
  const from = dense ? i * cols : indptr[i]
  const to = dense ? from + cols : indptr[i + 1]
  return {
    norm: norms[i],
    columns: Array.from(offsets.subarray(from, to)),
    values: Array.from(values.subarray(from, to)),
  }
}

afterAll(() => chooseEngineBuild(undefined))

describe.each(supportedBuilds())('matrices in the engine, %s build', (build) => {
  it.each(engineStorages)('gathered rows of %s samples are the rows', (_, make) => {
    onBuild(build, () => {
      for (const rows of [1, 3, 64, 130]) {
        for (const cols of [1, 3, 14, 257]) {
          withEngine(1, (engine) => {
            const source = uploadMatrix(engine, make(rows * 1000 + cols, rows, cols), linear)
            const copy = reserveCopy(engine, source, rows + 1, (rows + 1) * cols)
            // Any order, and one of them twice; then fewer.
            for (const count of [rows + 1, 1, rows >> 1, 0]) {
              const chosen = Array.from({ length: count }, (_, r) => (7 * (r + 1)) % rows)
              const before = engine.mark()
              gatherRows(source, chosen, count, copy)
              expect(engine.mark()).toBe(before)
              expect(chosen.map((_, r) => storedRow(copy, r))).toEqual(
                chosen.map((i) => storedRow(source, i)),
              )
            }
          })
        }
      }
    })
  })
})
