import { allocate } from '../base/allocate.ts'
import { checkKnown, checkNumber, checkOneOf } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Matrix } from '../data/matrix/matrix.ts'
import { weightedRowSum } from '../data/matrix/products.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { linear } from '../kernels/linear.ts'
import { LinearSvcModel } from '../models/linear-svc-model.ts'
import type { LiblinearSolver, LinearSvcParts, TrainingSettings } from '../models/model-parts.ts'
import { expansionCoefficients } from '../problems/kernel-problem.ts'
import { linearParts, makeCrammerSinger } from '../problems/linear-problem.ts'
import { type Loss, makeProblem } from '../problems/problem.ts'
import { type RestProblem, restProblem } from '../problems/rest-problem.ts'
import type { RunOptions } from '../solve/driver/run.ts'
import { type Solved, solutionOf } from '../solve/driver/solved.ts'
import { crammerSinger } from '../solve/methods/crammer-singer.ts'
import {
  type ClassTargets,
  type ClassWeight,
  checkClassWeight,
  classTargets,
  pricesOf,
  signsOf,
} from './parts/class-targets.ts'
import type { FitHooks, PreparedFit } from './parts/estimator.ts'
import {
  LinearEstimator,
  type LinearEstimatorOptions,
  linearEstimatorOptionNames,
} from './parts/linear-estimator.ts'
import { type ChosenSolver, chooseSolver, type SolverChoice } from './parts/solver-choice.ts'
import { trainedWith } from './parts/training-samples.ts'

/** What {@link LinearSVC} takes; every setting has a default. */
export interface LinearSvcOptions extends LinearEstimatorOptions {
  /** What multiplies C for each class (with 'ovr' and many classes: where it is not among the rest). Default: 1 for all. */
  readonly classWeight?: ClassWeight
  /**
   * How more than two classes are told apart: each from the rest, or all at once by Crammer and Singer's machine, which has
   * a hinge loss and a solver of its own. Default 'ovr'.
   */
  readonly multiClass?: 'ovr' | 'crammer-singer'
  /** Price of a margin violation, > 0; Infinity (hard margin) with the hinge loss only. Default 1. */
  readonly C?: number
  /** Default 'squared-hinge'. */
  readonly loss?: Loss
  /** Which solver, with settings of its own if need be. Default 'sdca'. */
  readonly solver?: SolverChoice
  /** When to call a solution solved. Default 1e-4, or the solver's own where it bounds the duality gap. */
  readonly tol?: number
}

/**
 * Linear support vector classifier: learns f(x) = ⟨w, x⟩ + b directly, for more than two classes one such function each, in
 * time proportional to the stored values of the data. Unlike {@link SVC} it keeps w alone, regularises the bias, and
 * minimises the squared hinge unless told otherwise.
 *
 * @example
 * const model = await new LinearSVC({ C: 0.1 }).fit(train)
 * model.coef
 */
export class LinearSVC extends LinearEstimator<LinearSvcModel> {
  readonly learns = 'classes'
  /** The settings that were given. */
  readonly options: LinearSvcOptions
  private readonly chosen: ChosenSolver

  constructor(options: LinearSvcOptions = {}) {
    const who = 'LinearSVC'
    checkKnown(who, options, [
      ...['C', 'loss', 'solver', 'tol', 'classWeight', 'multiClass'],
      ...linearEstimatorOptionNames,
    ])
    const { C = 1, loss = 'squared-hinge', solver = 'sdca', multiClass = 'ovr' } = options
    checkOneOf(who, 'loss', loss, ['hinge', 'squared-hinge'])
    checkOneOf(who, 'multiClass', multiClass, ['ovr', 'crammer-singer'])
    checkNumber(who, 'C', C, { above: 0, infinite: loss === 'hinge' && multiClass === 'ovr' })
    for (const name of ['loss', 'solver'] as const) {
      if (multiClass === 'crammer-singer' && options[name] !== undefined) {
        throw new ParameterError(who, name, "left out with multiClass 'crammer-singer'", options[name])
      }
    }
    checkClassWeight(who, options.classWeight)
    super(who, options)
    this.options = options
    this.chosen = chooseSolver(
      who,
      solver,
      ({ biasForms, squaredLoss }) => biasForms.includes(this.bias) && (squaredLoss || loss === 'hinge'),
      ` for the ${loss} loss`,
    )
  }

  protected override prepare(dataset: Dataset<never>, fitOptions: FitHooks): PreparedFit<LinearSvcModel> {
    const { classWeight, multiClass = 'ovr' } = this.options
    const targets = classTargets('LinearSVC', dataset, classWeight)
    const { samples, scaler } = this.trainingVectors(dataset)
    const options = this.runOptions(this.tol, fitOptions)
    const parts = (solved: Solved): CommonParts => ({
      features: samples.cols,
      featureNames: dataset.featureNames,
      scaler,
      multiClass,
      training: trainedWith(dataset, this.settings, solved),
      certificates: solved.certificates,
    })
    if (multiClass === 'crammer-singer') return this.allAtOnce(targets, samples, options, parts)
    if (targets.classes.length > 2) {
      return this.eachAgainstTheRest(targets, dataset.weights, samples, options, parts)
    }
    return this.twoClasses(targets, samples, options, parts)
  }

  private twoClasses(
    { classes, classOf, factors }: ClassTargets,
    samples: Matrix,
    options: RunOptions,
    parts: (solved: Solved) => CommonParts,
  ): PreparedFit<LinearSvcModel> {
    const { C = 1, interceptScaling } = this.options
    const problem = makeProblem({
      samples,
      kernel: linear(),
      y: signsOf(classOf),
      C: pricesOf(C, factors),
      loss: this.loss,
      bias: this.bias,
      interceptScaling,
    })
    const { solver, options: solverOptions } = this.chosen
    return {
      task: { problem, solver, solverOptions, options },
      toModel: (solved) => {
        const { alpha, beta, biases } = solved
        const dual = expansionCoefficients(problem, alpha)
        return new LinearSvcModel({
          ...parts(solved),
          classes,
          liblinearSolver: this.liblinearSolver,
          coef: weightedRowSum(samples, beta ?? dual),
          biases,
          ...this.kept([dual]),
        })
      },
    }
  }

  private eachAgainstTheRest(
    { classes, classOf, factors }: ClassTargets,
    weights: Float64Array | undefined,
    samples: Matrix,
    options: RunOptions,
    parts: (solved: Solved) => CommonParts,
  ): PreparedFit<LinearSvcModel> {
    const { C = 1, interceptScaling = 1 } = this.options
    const problem: RestProblem = {
      task: 'rest',
      samples,
      kernel: linear(),
      classCount: classes.length,
      classOf,
      ownC: pricesOf(C, factors),
      restC: pricesOf(C, weights ?? new Float64Array(classOf.length).fill(1)),
      loss: this.loss,
      bias: this.bias,
      interceptScaling,
    }
    const { solver, options: solverOptions } = this.chosen
    return {
      task: { problem, solver, solverOptions, options },
      toModel: (solved) => {
        const coef = allocate(Float64Array, classes.length * samples.cols)
        const dual = classes.map((_, c) => {
          const { alpha, beta } = solutionOf(solved, c)
          const own = expansionCoefficients(restProblem(problem, c), alpha)
          coef.set(weightedRowSum(samples, beta ?? own), c * samples.cols)
          return own
        })
        return new LinearSvcModel({
          ...parts(solved),
          classes,
          liblinearSolver: this.liblinearSolver,
          coef,
          biases: solved.biases,
          ...this.kept(dual),
        })
      },
    }
  }

  private allAtOnce(
    { classes, classOf, factors }: ClassTargets,
    samples: Matrix,
    options: RunOptions,
    parts: (solved: Solved) => CommonParts,
  ): PreparedFit<LinearSvcModel> {
    const { C = 1 } = this.options
    const problem = makeCrammerSinger({
      samples,
      y: classOf,
      classes: classes.length,
      C: pricesOf(C, factors),
      constant: this.constant,
    })
    return {
      task: { problem, solver: crammerSinger, solverOptions: {}, options },
      toModel: (solved) => {
        const { alpha, beta } = solved
        const { coef, bias } = linearParts(problem, beta ?? alpha)
        return new LinearSvcModel({
          ...parts(solved),
          classes,
          liblinearSolver: 'MCSVM_CS',
          coef,
          biases: bias,
          ...this.kept(dualOfClasses(alpha, classes.length)),
        })
      },
    }
  }

  private get settings(): TrainingSettings {
    const { C = 1, classWeight, multiClass } = this.options
    const loss = multiClass === 'crammer-singer' ? 'hinge' : this.loss
    return { C, classWeight, loss, ...this.biasSettings }
  }

  private get loss(): Loss {
    return this.options.loss ?? 'squared-hinge'
  }

  private get liblinearSolver(): LiblinearSolver {
    return this.loss === 'hinge' ? 'L2R_L1LOSS_SVC_DUAL' : 'L2R_L2LOSS_SVC_DUAL'
  }

  /** A tolerance on the violation is the same for all solvers; on the gap each has its own. */
  private get tol(): number | undefined {
    return this.options.tol ?? (this.chosen.solver.goal === 'gap' ? undefined : 1e-4)
  }
}

/** What a model takes over from the data, however it was trained. */
type CommonParts = Pick<
  LinearSvcParts,
  'features' | 'featureNames' | 'scaler' | 'multiClass' | 'training' | 'certificates'
>

/** α_im of Crammer and Singer, one list a class. */
function dualOfClasses(alpha: Float64Array, classes: number): Float64Array[] {
  return Array.from({ length: classes }, (_, m) => {
    const own = new Float64Array(alpha.length / classes)
    for (let i = 0; i < own.length; i++) own[i] = alpha[i * classes + m]
    return own
  })
}
