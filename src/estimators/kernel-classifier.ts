import type { Dataset } from '../data/dataset.ts'
import { SvcModel } from '../models/svc-model.ts'
import { makeNuSvcProblem } from '../problems/any-problem.ts'
import { makeProblem } from '../problems/problem.ts'
import { classTargets, pricesOf, signsOf } from './class-targets.ts'
import type { ClassifierOptions } from './classifier-options.ts'
import type { FitHooks, PreparedFit } from './estimator.ts'
import { KernelEstimator, modelParts } from './kernel-estimator.ts'
import { pairExpansion } from './pair-expansion.ts'

/** What the two kernel classifiers have in common: all but whether C or ν rules. */
export abstract class KernelClassifier<S> extends KernelEstimator<S, Dataset<S>, SvcModel<S>> {
  readonly learns = 'classes'
  /** The settings that were given. */
  abstract override readonly options: ClassifierOptions

  /** C or ν: what rules the problem. */
  protected abstract get rule(): { readonly C: number } | { readonly nu: number }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitHooks): PreparedFit<SvcModel<S>> {
    const { who } = this
    const { classWeight, decisionFunctionShape, breakTies } = this.options
    const { solver, options: solverOptions } = this.chosen
    const { classes, classOf, factors } = classTargets(who, dataset, classWeight)
    const training = this.trainingSamples(dataset)
    const { samples } = training
    const kernel = this.kernel.resolve(samples)
    const { C, nu } = { C: undefined, nu: undefined, ...this.rule }
    // With ν, the weight of each sample bounds its multiplier.
    const bounds = C === undefined ? factors : pricesOf(C, factors)
    const bias = solver.biasForms.includes('free') ? 'free' : solver.biasForms[0]
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
      task: { problem, solver, solverOptions, options: this.runOptions(fitOptions) },
      toModel: (results) =>
        new SvcModel<S>({
          type: nu === undefined ? 'svc' : 'nu-svc',
          classes,
          decisionFunctionShape,
          breakTies,
          ...modelParts(dataset, training, results, { ...this.rule, classWeight, bias }),
          ...pairExpansion<S>({ who, kernel, samples, classOf, classCount, results }),
        }),
    }
  }
}
