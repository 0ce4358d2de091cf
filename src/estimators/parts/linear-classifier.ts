import { allocate } from '../../base/allocate.ts'
import { checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import type { Solution } from '../../certify/certificate.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { weightedRowSum } from '../../data/matrix/products.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import { linear } from '../../kernels/linear.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { PairProbability } from '../../models/model-parts.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import { expansionCoefficients } from '../../problems/kernel-problem.ts'
import { lossTerms } from '../../problems/linear-loss.ts'
import {
  type CrammerSingerProblem,
  type LinearMachineProblem,
  linearParts,
  makeCrammerSinger,
  type PenaltyNorm,
} from '../../problems/linear-problem.ts'
import type { SvmProblem } from '../../problems/problem.ts'
import {
  type MachineForm,
  machineProblem,
  type RestProblem,
  restProblem,
} from '../../problems/rest-problem.ts'
import { type Solved, solutionOf } from '../../solve/driver/solved.ts'
import { crammerSinger } from '../../solve/methods/crammer-singer.ts'
import {
  type ClassTargets,
  type ClassWeight,
  checkClassWeight,
  classesInOrder,
  classTargets,
  pricesOf,
  signsOf,
} from './class-targets.ts'
import type { PreparedFit } from './estimator.ts'
import { LinearEstimator, type LinearEstimatorOptions, type LinearFitHooks } from './linear-estimator.ts'
import type { ChosenLinearSolver } from './solver-choice.ts'
import { checkBatch, learnBatch, type PartialFitOptions, type Streamed } from './stream-batch.ts'
import { inputParts, modelParts } from './training-samples.ts'

/** The penalised norm of w: ½‖w‖² (l2), or ‖w‖₁ (l1), which makes most weights 0. */
export type Penalty = 'l2' | 'l1'

/** What linear classifiers take. */
export interface LinearClassifierOptions extends LinearEstimatorOptions {
  /** Penalty for the loss, > 0. Default 1. */
  readonly C?: number
  /**
   * Factors of C for each class (with 'ovr' and more than two classes: only in the problem where the class is not part of the
   * rest). Default: 1 for all.
   */
  readonly classWeight?: ClassWeight
  /** The penalised norm of w: ½‖w‖² (l2), or ‖w‖₁ (l1), which makes most weights 0. Default l2. */
  readonly penalty?: Penalty
}

/** One function for two classes, one per class against the rest, or all together. */
type ClassifierProblem = SvmProblem | LinearMachineProblem | RestProblem | CrammerSingerProblem

/** What linear classifiers have in common: one function for two classes, one per class for more. */
export abstract class LinearClassifier<P extends LinearClassifierOptions> extends LinearEstimator<
  Dataset<never>,
  LinearSvcModel,
  P
> {
  readonly learns = 'classes'
  /** The loss, the solver, and how more than two classes are told apart. */
  protected abstract readonly loss: 'hinge' | 'squared-hinge' | 'logistic'
  protected abstract readonly chosen: ChosenLinearSolver
  protected readonly multiClass: 'ovr' | 'crammer-singer' = 'ovr'

  constructor(who: string, options: P, names: readonly string[], hardMargin = false) {
    const numbers = { C: { above: 0, infinite: hardMargin } }
    super(who, options, { numbers, names })
    checkOneOf(who, 'penalty', options.penalty ?? 'l2', ['l2', 'l1'])
    checkClassWeight(who, options.classWeight)
  }

  protected override prepare(
    dataset: Dataset<never>,
    fitOptions: LinearFitHooks,
  ): PreparedFit<LinearSvcModel> {
    const { multiClass, loss } = this
    const { C = 1, classWeight, penalty } = this.options
    const { classes, ...targets } = classTargets(this.who, dataset, classWeight)
    const training = this.trainingVectors(dataset)
    const settings = {
      C,
      classWeight,
      loss: multiClass === 'ovr' ? loss : ('hinge' as const),
      ...this.biasSettings,
    }
    if (fitOptions.start !== undefined && !this.takesStart) {
      const what = multiClass === 'ovr' ? `solver '${this.chosen.solver.name}'` : `multiClass '${multiClass}'`
      throw new ParameterError('fit', 'start', `does not apply to ${what}`)
    }
    const { featureNames } = inputParts(dataset, training)
    const options = this.runOptions(fitOptions, 'linear-svc', {
      ...training,
      featureNames,
      classes,
      settings,
    })
    const problem = this.problemOf(classes.length, targets, dataset, training.samples)
    const chosen =
      problem.task === 'crammer-singer' ? { solver: crammerSinger, solverOptions: {} } : this.chosen
    return {
      task: { problem, ...chosen, options },
      toModel: (solved) => {
        const { coef, biases, dual } = functionsOf(problem, solved)
        return new LinearSvcModel({
          ...modelParts(dataset, training, solved, { ...settings, ...(penalty === 'l1' && { penalty }) }),
          ...{ classes, multiClass, liblinearSolver: this.liblinearSolver, coef, biases },
          ...(loss === 'logistic' && { probability: logisticProbability(biases.length) }),
          ...this.kept(dual),
        })
      },
    }
  }

  /** Solvers of kernel problems, and of all classes together, begin with nothing. */
  override get takesStart(): boolean {
    return this.multiClass === 'ovr' && this.chosen.solver.tasks.includes('linear')
  }

  /**
   * Trains on one batch of a stream: `start` is the model so far, whose samples are not needed again. Each batch is a step of
   * dual coordinate ascent on the problem over all samples so far; new classes may appear in any batch. The model has no
   * certificate: `stream` has a lower bound on the optimum over all samples, which is certain, and estimates.
   *
   * @example
   * const first = new LinearSVC().partialFit(train)
   * const second = new LinearSVC().partialFit(test, { start: first })
   */
  partialFit(batch: Dataset<never>, options: PartialFitOptions = {}): Streamed<LinearSvcModel> {
    checkBatch(batch, options)
    const { C = 1, classWeight = {}, penalty = 'l2' } = this.options
    const { loss, multiClass } = this
    for (const [name, given, allowed] of [
      ['multiClass', multiClass, 'ovr'],
      ['penalty', penalty, 'l2'],
    ]) {
      if (given !== allowed) throw new ParameterError('partialFit', name, allowed, given)
    }
    if (classWeight === 'balanced') {
      throw new ParameterError('partialFit', 'classWeight', 'an object { label: weight }', classWeight)
    }
    const { labels, weights } = batch
    const { start } = options
    const known = start instanceof LinearSvcModel ? start.classes : []
    const classes = classesInOrder([...known, ...(options.classes ?? []), ...labels])
    if (classes.length < 2) {
      const only = `all samples so far have the class ${show(classes[0])}`
      throw new DataError(`partialFit: ${only}; name the others beforehand ({ classes })`)
    }
    const settings = { C, loss, classWeight: this.options.classWeight, ...this.biasSettings }
    const count = classes.length === 2 ? 1 : classes.length
    const weightOf = (label: Label) => classWeight[label] ?? 1
    const termsOf = (m: number) => {
      const positive = classes[count === 1 ? 1 : m]
      const y = Float64Array.from(labels, (label: Label) => (label === positive ? 1 : -1))
      const prices = y.map((sign, i) => {
        // With many classes a weight counts where the class is not among the rest.
        const own = sign > 0 || count === 1 ? weightOf(labels[i]) : 1
        return C * own * (weights ? weights[i] : 1)
      })
      return lossTerms(loss, prices, y, 0)
    }
    const isWeighted = Object.values(classWeight).some((weight) => weight !== 1)
    const keepsBound = !(isWeighted && known.length === 2 && count > 1)
    const functions = { count, classes, keepsBound }
    const own = learnBatch(batch, options, this.streamSettings('linear-svc', settings), functions, termsOf)
    const { stream, ...parts } = own
    const model = new LinearSvcModel({
      ...parts,
      ...{ classes, liblinearSolver: this.liblinearSolver, multiClass },
      ...(loss === 'logistic' && { probability: logisticProbability(count) }),
    })
    return Object.assign(model, { stream })
  }

  /** What is to be solved for the classes of a data set. */
  private problemOf(
    classCount: number,
    { classOf, factors }: Omit<ClassTargets, 'classes'>,
    { weights }: Dataset<never>,
    samples: Matrix,
  ): ClassifierProblem {
    const { C = 1, classWeight } = this.options
    const form = this.form(samples)
    const isWeighted = weights !== undefined || classWeight !== undefined
    if (classCount === 2 && this.multiClass === 'ovr') {
      return machineProblem(form, signsOf(classOf), isWeighted ? pricesOf(C, factors) : C)
    }
    const ownC = pricesOf(C, factors)
    if (this.multiClass === 'crammer-singer') {
      return makeCrammerSinger({ samples, y: classOf, classes: classCount, C: ownC, constant: this.constant })
    }
    const restC = pricesOf(C, weights ?? new Float64Array(classOf.length).fill(1))
    return { task: 'rest', ...form, classCount, classOf, ownC, restC }
  }

  /** What states the problem of any two classes. Solvers of kernel problems get the linear one. */
  private form(samples: Matrix): MachineForm {
    const { loss, bias, chosen } = this
    const norm: PenaltyNorm = this.options.penalty === 'l1' ? 1 : 2
    const common = { samples, loss, norm, bias, interceptScaling: this.options.interceptScaling ?? 1 }
    return chosen.solver.tasks.includes('linear') ? common : { ...common, kernel: linear() }
  }

  private get liblinearSolver(): LiblinearSolver {
    const { loss, bias, multiClass } = this
    if (multiClass === 'crammer-singer') return 'MCSVM_CS'
    if (this.options.penalty === 'l1') return loss === 'logistic' ? 'L1R_LR' : 'L1R_L2LOSS_SVC'
    if (loss === 'logistic') return 'L2R_LR'
    if (loss === 'hinge') return 'L2R_L1LOSS_SVC_DUAL'
    return bias === 'free' ? 'L2R_L2LOSS_SVC' : 'L2R_L2LOSS_SVC_DUAL'
  }
}

/** The functions that solutions stand for, and the signed dual variables of each. */
function functionsOf(
  problem: ClassifierProblem,
  solved: Solved,
): { coef: Float64Array; biases: Float64Array; dual: Float64Array[] } {
  if (problem.task === 'crammer-singer') {
    const { coef, bias } = linearParts(problem, solved)
    const { alpha } = solved
    return { coef, biases: bias, dual: dualOfClasses(alpha, bias.length) }
  }
  const count = problem.task === 'rest' ? problem.classCount : 1
  const { cols } = problem.samples as Matrix
  const coef = allocate(Float64Array, count * cols)
  const biases = new Float64Array(count)
  const dual = Array.from(biases, (_, m) => {
    const own = problem.task === 'rest' ? restProblem(problem, m) : problem
    const found = functionOf(own, solutionOf(solved, m))
    coef.set(found.coef, m * cols)
    biases[m] = found.bias
    return found.dual
  })
  return { coef, biases, dual }
}

/** The function that a solution stands for, and its signed dual variables. */
function functionOf(
  problem: SvmProblem | LinearMachineProblem,
  { alpha, beta, bias, weights }: Solution,
): { coef: Float64Array; bias: number; dual: Float64Array } {
  if (problem.task === 'linear') {
    const { cols } = problem.samples
    const [w, dual] = [weights as Float64Array, alpha]
    return { coef: w.slice(0, cols), bias: w[cols], dual: dual.slice() }
  }
  const dual = expansionCoefficients(problem, alpha)
  return { coef: weightedRowSum(problem.samples as Matrix, beta ?? dual), bias, dual }
}

/** 1 / (1 + e^−f): the probability that goes with the logistic loss. */
export function logisticProbability(machines: number): PairProbability {
  return { method: 'sigmoid', a: new Float64Array(machines).fill(-1), b: new Float64Array(machines) }
}

/** α_im of Crammer and Singer, one list per class. */
function dualOfClasses(alpha: Float64Array, classes: number): Float64Array[] {
  return Array.from({ length: classes }, (_, m) => {
    const own = new Float64Array(alpha.length / classes)
    for (let i = 0; i < own.length; i++) own[i] = alpha[i * classes + m]
    return own
  })
}
