import { checkBoolean, checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import type { DecisionShape } from '../../models/model-parts.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { largestNu, makeNuSvcProblem } from '../../problems/kernel-problem.ts'
import { makeProblem } from '../../problems/problem.ts'
import { type ClassWeight, checkClassWeight, classTargets, pricesOf, signsOf } from './class-targets.ts'
import type { FitHooks, OwnOptions, PreparedFit } from './estimator.ts'
import { KernelEstimator, type KernelEstimatorOptions } from './kernel-estimator.ts'
import { pairExpansion } from './pair-expansion.ts'
import type { SolverChoice } from './solver-choice.ts'
import { modelParts } from './training-samples.ts'

/** Options of kernel classifiers. */
export interface ClassifierOptions {
  /** Factors of C for each class. Default: 1 for all. */
  readonly classWeight?: ClassWeight
  /** Shape of the decision function for more than two classes: one score per class, or one value per pair. Default 'ovr'. */
  readonly decisionFunctionShape?: DecisionShape
  /** Let scores, rather than the order of the classes, break ties between votes. Default false. */
  readonly breakTies?: boolean
}

/** What the two kernel classifiers have in common: all but whether C or ν rules. */
export abstract class KernelClassifier<
  S,
  P extends KernelEstimatorOptions<S> & ClassifierOptions,
> extends KernelEstimator<S, Dataset<S>, SvcModel<S>, P> {
  readonly learns = 'classes'

  constructor(who: string, options: P, own: OwnOptions, solver?: SolverChoice) {
    super(who, options, { ...own, more: ['classWeight', 'decisionFunctionShape', 'breakTies'] }, solver)
    const { classWeight, decisionFunctionShape = 'ovr', breakTies = false } = options
    checkClassWeight(who, classWeight)
    checkOneOf(who, 'decisionFunctionShape', decisionFunctionShape, ['ovr', 'ovo'])
    checkBoolean(who, 'breakTies', breakTies)
    if (breakTies && decisionFunctionShape === 'ovo') {
      throw new ParameterError(who, 'breakTies', "cannot be used together with decisionFunctionShape 'ovo'")
    }
  }

  /** C or ν: what rules the problem. */
  protected abstract get rule(): { readonly C: number } | { readonly nu: number }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitHooks): PreparedFit<SvcModel<S>> {
    const { who } = this
    const { classWeight, decisionFunctionShape, breakTies } = this.options
    const { biasForms } = this.chosen.solver
    const { classes, classOf, factors } = classTargets(who, dataset, classWeight)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const kernel = this.kernel.resolve(samples)
    const { C, nu } = { C: undefined, nu: undefined, ...this.rule }
    // With ν, the weight of each sample bounds its multiplier.
    const bounds = C === undefined ? factors : pricesOf(C, factors)
    if (nu !== undefined) checkFeasibleNu(who, nu, classes, classOf, bounds)
    const bias = biasForms.includes('free') ? 'free' : biasForms[0]
    const classCount = classes.length
    const twoClasses = () => {
      const y = signsOf(classOf)
      return nu === undefined
        ? makeProblem({ samples, kernel, y, C: bounds, bias })
        : makeNuSvcProblem({ samples, kernel, y, weights: bounds, nu })
    }
    const problem =
      classCount === 2
        ? twoClasses()
        : { task: 'pairs' as const, samples, kernel, classCount, classOf, bounds, nu, bias }
    return {
      task: { problem, ...this.chosen, options: this.runOptions(fitOptions) },
      toModel: (solved) =>
        new SvcModel<S>({
          type: nu === undefined ? 'svc' : 'nu-svc',
          classes,
          decisionFunctionShape,
          breakTies,
          ...modelParts(dataset, training, solved, { ...this.rule, classWeight, bias }),
          ...pairExpansion<S>({ kernel, samples, classOf, classCount, solved }),
        }),
    }
  }
}

/** Throws unless every pair of classes can hold ν, as LIBSVM does before it trains: largest and smallest class decide. */
function checkFeasibleNu(
  who: string,
  nu: number,
  classes: readonly Label[],
  classOf: Uint32Array,
  weights: Float64Array,
): void {
  const sums = new Float64Array(classes.length)
  for (let i = 0; i < classOf.length; i++) sums[classOf[i]] += weights[i]
  const smallest = sums.reduce((least, sum, c) => (sum < sums[least] ? c : least), 0)
  const largest = sums.reduce((most, sum, c) => (sum > sums[most] ? c : most), 0)
  if (sums[smallest] === 0) {
    throw new DataError(
      `${who}: class ${show(classes[smallest])} has weight 0; with nu, every class needs a positive weight`,
    )
  }
  const most = largestNu(sums[smallest], sums[largest])
  if (nu <= most) return
  const pair = `${show(classes[smallest])} among ${show(classes[smallest])} and ${show(classes[largest])}`
  const allowed = `at most ${Number(most.toPrecision(6))} to be feasible, twice the share of class ${pair}`
  throw new ParameterError(who, 'nu', allowed, nu)
}
