/** The problems behind a model that keeps w alone, each with its function. */
import type { FitTask } from '../estimators/fitting/fit-runner.ts'
import type { LinearOneClassModel } from '../models/linear-one-class-model.ts'
import type { LinearSvcModel } from '../models/linear-svc-model.ts'
import type { LinearSvrModel } from '../models/linear-svr-model.ts'
import type { LinearSvrProblem } from '../problems/linear-problem.ts'
import type { SvmProblem } from '../problems/problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import { type OtherLoss, otherLossBounds } from './other-losses.ts'
import { boundsBy, type Part, valuesAlone } from './part.ts'
import { weightFaults, weightsPoint } from './weights-point.ts'
import { constantOf, type LinearFunction, type WeightsProblem, weightsValue } from './weights-value.ts'

/** A model that keeps w alone. */
export type WeightsModel = LinearSvcModel | LinearSvrModel | LinearOneClassModel

/** See the head of the file; `other` says that the problem is one of LIBLINEAR's that nothing here solves. */
export function weightsParts(
  model: WeightsModel,
  problem: FitTask['problem'],
  other: OtherLoss | undefined,
): Part[] {
  const { coef, biases, dual } = model
  const fromDual = model.training?.fromDual ?? true
  const width = coef.length / biases.length
  const functions = Array.from(biases, (bias, p) => ({
    coef: coef.subarray(p * width, (p + 1) * width),
    bias,
  }))
  if (problem.task !== 'rest')
    return [partOf('', () => problem as WeightsProblem, { functions, dual, fromDual, other })]
  const { classes } = model as LinearSvcModel
  return functions.map((own, c) =>
    partOf(`${classes[c]} against the rest`, () => restProblem(problem as RestProblem, c), {
      functions: [own],
      dual: dual && [dual[c]],
      fromDual,
      other,
    }),
  )
}

/** What a model has of one problem. */
interface OwnWeights {
  readonly functions: readonly LinearFunction[]
  readonly dual: readonly Float64Array[] | undefined
  /** Whether w should be what the dual variables make it. */
  readonly fromDual: boolean
  readonly other: OtherLoss | undefined
}

function partOf(
  name: string,
  makeProblem: () => WeightsProblem,
  { functions, dual, fromDual, other }: OwnWeights,
): Part {
  return {
    name,
    recompute(solved) {
      const problem = makeProblem()
      const faults = other?.freeBias ? [] : biasFaults(problem, functions)
      if (other) {
        const { primal, dual, bestPrimal } = otherLossBounds(
          problem as SvmProblem | LinearSvrProblem,
          functions[0],
          other,
        )
        return { found: { ...valuesAlone(primal, dual, 0, roundingOf(primal)), bestPrimal }, faults }
      }
      const primal = weightsValue(problem, functions)
      if (dual) {
        if (fromDual) faults.push(...weightFaults(problem, functions, dual))
        const { measures, bars, faults: own } = weightsPoint(problem, functions[0].bias, dual)
        const rounding = roundingOf(primal)
        const found = { ...measures, primal, gap: primal + measures.dual, bars, rounding }
        return { found, faults: [...faults, ...own] }
      }
      return { found: boundsBy(primal, 0, solved, roundingOf(primal)), faults }
    },
  }
}

function biasFaults(problem: WeightsProblem, functions: readonly LinearFunction[]): string[] {
  const hasNone = problem.task !== 'one-class' && constantOf(problem) === 0
  const own = functions.find(({ bias }) => bias !== 0)
  return hasNone && own ? [`the bias is ${own.bias} where the problem has none`] : []
}

/** Sums of positive terms are right to this. */
function roundingOf(primal: number): number {
  return Number.isFinite(primal) ? 1e-12 * Math.abs(primal) : 0
}
