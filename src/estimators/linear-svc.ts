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
import { type BiasForm, type Loss, makeProblem } from '../problems/problem.ts'
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
import {
  checkEstimatorOptions,
  Estimator,
  type EstimatorOptions,
  estimatorOptionNames,
  type FitHooks,
  type PreparedFit,
} from './parts/estimator.ts'
import { type ChosenSolver, chooseSolver, type SolverChoice } from './parts/solver-choice.ts'
import {
  checkKeepDual,
  checkLengths,
  keptDual,
  trainedWith,
  trainingVectors,
} from './parts/training-samples.ts'

/** What {@link LinearSVC} takes; every setting has a default. */
export interface LinearSvcOptions extends EstimatorOptions {
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
  /** Learn a bias, which is part of the norm here; otherwise it is 0. Default true. */
  readonly fitIntercept?: boolean
  /** The constant feature that carries the bias: the larger, the less the norm holds the bias back. Default 1. */
  readonly interceptScaling?: number
  /** Which solver, with settings of its own if need be. Default 'sdca'. */
  readonly solver?: SolverChoice
  /** When to call a solution solved. Default 1e-4, or the solver's own where it bounds the duality gap. */
  readonly tol?: number
  /** Epochs after which the best so far is returned. Default 1000. */
  readonly maxIter?: number
  /**
   * Keep the dual variables in the model, a number for each sample and function, so that `verify` can recompute the whole
   * certificate. Default: up to a million of them.
   */
  readonly keepDual?: boolean
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
export class LinearSVC extends Estimator<Dataset<never>, LinearSvcModel> {
  readonly learns = 'classes'
  /** The settings that were given. */
  readonly options: LinearSvcOptions
  private readonly bias: BiasForm
  private readonly chosen: ChosenSolver

  constructor(options: LinearSvcOptions = {}) {
    super()
    const who = 'LinearSVC'
    checkKnown(who, options, [
      'C',
      'loss',
      'fitIntercept',
      'interceptScaling',
      'solver',
      'tol',
      'maxIter',
      'classWeight',
      'multiClass',
      'keepDual',
      ...estimatorOptionNames,
    ])
    const { C = 1, loss = 'squared-hinge', fitIntercept = true, solver = 'sdca', tol, maxIter } = options
    checkOneOf(who, 'loss', loss, ['hinge', 'squared-hinge'])
    const multiClass = checkOneOf(who, 'multiClass', options.multiClass ?? 'ovr', ['ovr', 'crammer-singer'])
    checkNumber(who, 'C', C, { above: 0, infinite: loss === 'hinge' && multiClass === 'ovr' })
    for (const name of ['loss', 'solver'] as const) {
      if (multiClass === 'crammer-singer' && options[name] !== undefined) {
        throw new ParameterError(who, name, "left out with multiClass 'crammer-singer'", options[name])
      }
    }
    if (typeof fitIntercept !== 'boolean') {
      throw new ParameterError(who, 'fitIntercept', 'true or false', fitIntercept)
    }
    checkNumber(who, 'interceptScaling', options.interceptScaling ?? 1, { above: 0 })
    if (tol !== undefined) checkNumber(who, 'tol', tol, { above: 0 })
    if (maxIter !== undefined) checkNumber(who, 'maxIter', maxIter, { min: 0, integer: true, infinite: true })
    checkKeepDual(who, options.keepDual)
    checkClassWeight(who, options.classWeight)
    checkEstimatorOptions(who, options)
    this.options = options
    this.bias = fitIntercept ? 'regularised' : 'none'
    this.chosen = chooseSolver(
      who,
      solver,
      ({ biasForms, squaredLoss }) => biasForms.includes(this.bias) && (squaredLoss || loss === 'hinge'),
      ` for the ${loss} loss`,
    )
  }

  protected override prepare(dataset: Dataset<never>, fitOptions: FitHooks): PreparedFit<LinearSvcModel> {
    const { classWeight, multiClass = 'ovr', maxIter = 1000, timeLimit, seed } = this.options
    const targets = classTargets('LinearSVC', dataset, classWeight)
    const { samples, scaler } = trainingVectors(dataset, this.options.scaler)
    checkLengths('LinearSVC', samples)
    const options: RunOptions = { tol: this.tol, maxIter, timeLimit, seed, ...fitOptions }
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
    const { C = 1, interceptScaling = 1 } = this.options
    const problem = makeCrammerSinger({
      samples,
      y: classOf,
      classes: classes.length,
      C: pricesOf(C, factors),
      constant: this.bias === 'none' ? 0 : interceptScaling,
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

  private kept(dual: readonly Float64Array[]): { dual?: readonly Float64Array[] } {
    return keptDual(this.options.keepDual, dual)
  }

  private get settings(): TrainingSettings {
    const { C = 1, classWeight, interceptScaling = 1, multiClass } = this.options
    const { bias } = this
    return {
      C,
      classWeight,
      loss: multiClass === 'crammer-singer' ? 'hinge' : this.loss,
      bias,
      ...(bias === 'regularised' && { interceptScaling }),
    }
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
