import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { type KernelError, kernelError } from '../../../src/engine/jobs/kernel-error.ts'
import type { EngineKernel } from '../../../src/engine/matrix/engine-kernel.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { engineKernels, engineStorages, onBuild } from '../../suites/engine-kernels.ts'
import { definedValues, type EngineValues, engineValues, farSamples } from '../../suites/engine-values.ts'

const precisions = ['f32', 'f64'] as const
const lengths = [1, 15, 16, 17, 50]

afterAll(() => chooseEngineBuild(undefined))

/** The largest |computed − exact| as a share of each bound. */
function shares({ rows, norms, queryNorms }: EngineValues, exact: Float64Array[], error: KernelError) {
  const largest = Math.max(...norms)
  const found = { absolute: 0, worst: 0, worstShare: 0 }
  rows.forEach((row, i) => {
    const { relative, absolute } = error.worstShare(largest, queryNorms[i])
    const worst = error.worst(largest, queryNorms[i])
    for (let j = 0; j < row.length; j++) {
      const off = Math.abs(row[j] - exact[i][j])
      // A value that is right is within a bound of 0.
      if (off === 0) continue
      found.absolute = Math.max(found.absolute, off / error.absolute(norms[j], queryNorms[i]))
      found.worst = Math.max(found.worst, off / worst)
      found.worstShare = Math.max(found.worstShare, off / (relative * Math.abs(exact[i][j]) + absolute))
    }
  })
  return found
}

/** Nothing is beyond a bound. */
function expectWithin(found: ReturnType<typeof shares>): void {
  expect(found.absolute).toBeLessThanOrEqual(1)
  expect(found.worst).toBeLessThanOrEqual(1)
  expect(found.worstShare).toBeLessThanOrEqual(1)
}

const rbf = (gamma: number): EngineKernel => ({ kind: 'rbf', gamma, coef0: 0, degree: 0 })

describe.each(testedBuilds)('bounds of errors on the %s build', (build) => {
  describe.each(precisions)('in %s', (precision) => {
    it.each(engineStorages)('%s samples: all values of all kernels are within them', (_, make) => {
      onBuild(build, () => {
        for (const kernel of [...engineKernels, rbf(0.001), rbf(10)]) {
          for (const cols of lengths) {
            const samples = make(cols, 40, cols)
            const queries = make(cols + 100, 17, cols)
            const values = engineValues(kernel, samples, queries, precision)
            const exact = definedValues(kernel, samples, queries)
            expectWithin(shares(values, exact, kernelError(kernel, precision, values.traits)))
          }
        }
      })
    })

    it.each(farSamples)('%s: all values of rbf kernels are within them', (_, make) => {
      onBuild(build, () => {
        for (const gamma of [1e-4, 1, 30]) {
          for (const cols of lengths) {
            const random = new Random(cols)
            const samples = make(random, 50, cols)
            const queries = make(random, 17, cols)
            const values = engineValues(rbf(gamma), samples, queries, precision)
            const exact = definedValues(rbf(gamma), samples, queries)
            expectWithin(shares(values, exact, kernelError(rbf(gamma), precision, values.traits)))
          }
        }
      })
    })
  })
})

describe.each(precisions)('bounds of errors in %s are not far from what errors can be', (precision) => {
  // Without digits there is nothing to round.
  it.each(engineStorages.filter(([name]) => !['binary', 'one-valued'].includes(name)))(
    '%s samples',
    (_, make) => {
      for (const kernel of engineKernels) {
        const samples = make(3, 200, 50)
        const queries = make(4, 100, 50)
        const values = engineValues(kernel, samples, queries, precision)
        const exact = definedValues(kernel, samples, queries)
        const found = shares(values, exact, kernelError(kernel, precision, values.traits))
        // Powers are far below what their factors could be at most.
        const least = kernel.kind === 'polynomial' ? 0.002 : 0.01
        expect(Math.max(found.absolute, found.worstShare)).toBeGreaterThan(least)
      }
    },
  )
})
