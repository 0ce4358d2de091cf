import { afterEach, expect, it } from 'vitest'
import { toMatrix, toSparse } from '../../../src/data/matrix/matrix.ts'
import { activeBackend, useBackend } from '../../../src/engine/reference/active-backend.ts'
import { referenceBackend } from '../../../src/engine/reference/reference.ts'
import { kernelMatrix } from '../../../src/kernels/kernel-matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { backendSuite } from '../../suites/backend-suite.ts'

backendSuite(referenceBackend, 1e-13)

afterEach(() => {
  useBackend(referenceBackend)
})

it('kernels take their vector work from the active backend', () => {
  const asked: string[] = []
  const replaced = useBackend({
    name: 'recording',
    products(queries, targets) {
      asked.push('products')
      return referenceBackend.products(queries, targets)
    },
    squaredDistances(queries, targets) {
      asked.push('squaredDistances')
      return referenceBackend.squaredDistances(queries, targets)
    },
  })
  expect(replaced).toBe(referenceBackend)
  expect(activeBackend().name).toBe('recording')
  kernelMatrix(linear(), [[1, 2]])
  kernelMatrix(rbf({ gamma: 1 }), [[1, 2]])
  expect(asked).toEqual(['products', 'squaredDistances'])
})

it('norms that overflow still give the right distance, infinite or not', () => {
  const points = toMatrix([
    [1e200, 1],
    [1e200, 3],
    [-1e200, 0],
  ])
  for (const matrix of [points, toSparse(points)]) {
    const out = new Float64Array(3)
    referenceBackend.squaredDistances(matrix, matrix).row(0, out)
    expect(Array.from(out)).toEqual([0, 4, Number.POSITIVE_INFINITY])
  }
})

it('products in every storage skip what is not stored: explicit zeros change nothing', () => {
  const dense = toMatrix([[0, 2, 0, 3]])
  const explicit = {
    kind: 'sparse' as const,
    rows: 1,
    cols: 4,
    indptr: Uint32Array.of(0, 3),
    indices: Uint32Array.of(0, 1, 3),
    values: Float64Array.of(0, 2, 3),
  }
  const out = new Float64Array(1)
  referenceBackend.squaredDistances(explicit, dense).row(0, out)
  expect(out[0]).toBe(0)
  referenceBackend.squaredDistances(dense, explicit).row(0, out)
  expect(out[0]).toBe(0)
  referenceBackend.products(explicit, explicit).row(0, out)
  expect(out[0]).toBe(13)
})
