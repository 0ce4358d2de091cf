/** The problems behind a model that keeps w alone, each with its function. */
import type { FitTask } from '../estimators/fitting/fit-runner.ts'
import type { LinearOneClassModel } from '../models/linear-one-class-model.ts'
import type { LinearSvcModel } from '../models/linear-svc-model.ts'
import type { LinearSvrModel } from '../models/linear-svr-model.ts'
import { gapUnit } from '../problems/linear-problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import { boundsBy, type Part } from './part.ts'
import { weightFaults, weightsPoint } from './weights-point.ts'
import { constantOf, type LinearFunction, type WeightsProblem, weightsValue } from './weights-value.ts'

/** A model that keeps w alone. */
export type WeightsModel = LinearSvcModel | LinearSvrModel | LinearOneClassModel

/** See the header of the file. */
export function weightsParts(model: WeightsModel, problem: FitTask['problem']): Part[] {
  const { coef, biases, dual } = model
  const fromDual = model.training?.fromDual ?? true
  const width = coef.length / biases.length
  const functions = Array.from(biases, (bias, p) => ({
    coef: coef.subarray(p * width, (p + 1) * width),
    bias,
  }))
  if (problem.task !== 'rest')
    return [partOf('', () => problem as WeightsProblem, { functions, dual, fromDual })]
  const { classes } = model as LinearSvcModel
  return functions.map((own, c) =>
    partOf(`${classes[c]} against the rest`, () => restProblem(problem as RestProblem, c), {
      functions: [own],
      dual: dual && [dual[c]],
      fromDual,
    }),
  )
}

/** What a model has of one problem. */
interface OwnWeights {
  readonly functions: readonly LinearFunction[]
  readonly dual: readonly Float64Array[] | undefined
  /** Whether w should be what the dual variables make it. */
  readonly fromDual: boolean
}

function partOf(
  name: string,
  makeProblem: () => WeightsProblem,
  { functions, dual, fromDual }: OwnWeights,
): Part {
  return {
    name,
    recompute(solved) {
      const problem = makeProblem()
      const faults = biasFaults(problem, functions)
      const primal = weightsValue(problem, functions)
      if (dual) {
        if (fromDual) faults.push(...weightFaults(problem, functions, dual))
        const { measures, bars, faults: own } = weightsPoint(problem, functions, dual)
        const rounding = roundingOf(primal)
        const gap = primal + measures.dual
        const found = { ...measures, primal, gap, bars, rounding, gapUnit: gapUnit(problem) }
        return { found, faults: [...faults, ...own] }
      }
      const bounds = boundsBy(primal, 0, solved, roundingOf(primal))
      return { found: { ...bounds, gapUnit: gapUnit(problem) }, faults }
    },
  }
}

function biasFaults(problem: WeightsProblem, functions: readonly LinearFunction[]): string[] {
  const hasNone = constantOf(problem) === 0 && !('bias' in problem && problem.bias === 'free')
  const own = functions.find(({ bias }) => bias !== 0)
  return hasNone && own ? [`the bias is ${own.bias}, but the problem has none`] : []
}

/** Sums of positive terms are right to this. */
function roundingOf(primal: number): number {
  return Number.isFinite(primal) ? 1e-12 * Math.abs(primal) : 0
}
