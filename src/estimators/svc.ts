import { checkKnown, checkNumber } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import type { Dataset, Samples } from '../data/dataset.ts'
import { isMatrix, selectRows, toDense } from '../data/matrix.ts'
import type { AnyKernel, Kernel } from '../kernels/kernel.ts'
import { rbf } from '../kernels/rbf.ts'
import { SvcModel } from '../models/svc-model.ts'
import { signedAlpha } from '../problems/certificate.ts'
import { makeProblem } from '../problems/problem.ts'
import { binaryTargets, type ClassWeight, checkClassWeight } from './class-targets.ts'
import {
  checkEstimatorOptions,
  Estimator,
  type EstimatorOptions,
  estimatorOptionNames,
  type FitOptions,
  type PreparedFit,
} from './estimator.ts'
import { type ChosenSolver, chooseSolver, type SolverChoice } from './solver-choice.ts'
import { trainingSamples } from './training-samples.ts'

/** What {@link SVC} takes; every setting has a default. */
export interface SvcOptions<S = never> extends EstimatorOptions {
  /** What multiplies C for each class. Default: 1 for all. */
  readonly classWeight?: ClassWeight
  /** Price of a margin violation, > 0; Infinity asks for a hard margin. Default 1. */
  readonly C?: number
  /** Default `rbf()`, its width chosen by scikit-learn's rule 'scale'. */
  readonly kernel?: Kernel<S>
  /**
   * Which solver, with settings of its own if need be. Default 'smo'. Solvers that cannot leave the bias free
   * (sdca, pegasos, subgradient) put it into the norm, as if every sample had one more feature, the constant 1.
   */
  readonly solver?: SolverChoice
  /** When to call a solution solved. Default: the solver's own, 1e-3 for 'smo'. */
  readonly tol?: number
  /** Iterations, in the solver's own unit, after which the best so far is returned. Default: the solver's own. */
  readonly maxIter?: number
  /** Memory for kernel rows, in bytes. Default a quarter of the free memory, 2 GB at most; in browsers 200 MB. */
  readonly cacheBytes?: number
  /** Threads to use where the solver can. Default all cores; the result is the same on any number. */
  readonly threads?: number
}

/**
 * Kernel support vector classifier for two classes: learns f(x) = Σ y_i α_i k(x_i, x) + b from
 * min ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)). Parameters are checked here; {@link Estimator.fit} returns a model.
 *
 * @example
 * const model = await new SVC({ kernel: rbf({ gamma: 0.5 }), C: 10 }).fit(train)
 * model.predict([[0.3, 1.2]])
 */
export class SVC<S = never> extends Estimator<Dataset<S>, SvcModel<S>> {
  /** The settings that were given. */
  readonly options: SvcOptions<S>
  private readonly kernel: AnyKernel
  private readonly chosen: ChosenSolver

  constructor(options: SvcOptions<S> = {}) {
    super()
    const who = 'SVC'
    checkKnown(who, options, [
      'C',
      'kernel',
      'solver',
      'tol',
      'maxIter',
      'cacheBytes',
      'threads',
      'classWeight',
      ...estimatorOptionNames,
    ])
    const { C = 1, kernel = rbf(), solver = 'smo', tol, maxIter, cacheBytes, threads } = options
    checkNumber(who, 'C', C, { above: 0, infinite: true })
    if (typeof (kernel as AnyKernel | null)?.between !== 'function') {
      throw new ParameterError(who, 'kernel', 'a kernel such as rbf() or linear()', kernel)
    }
    if (tol !== undefined) checkNumber(who, 'tol', tol, { above: 0 })
    if (maxIter !== undefined) checkNumber(who, 'maxIter', maxIter, { min: 0, integer: true, infinite: true })
    if (cacheBytes !== undefined) checkNumber(who, 'cacheBytes', cacheBytes, { min: 0 })
    if (threads !== undefined) checkNumber(who, 'threads', threads, { min: 1, integer: true })
    checkClassWeight(who, options.classWeight)
    checkEstimatorOptions(who, options)
    if (kernel.spec.kind === 'precomputed' && options.scaler !== undefined) {
      throw new ParameterError(who, 'scaler', 'left out with a precomputed kernel', options.scaler)
    }
    this.options = options
    this.kernel = kernel
    const isLinear = kernel.spec.kind === 'linear'
    this.chosen = chooseSolver(
      who,
      solver,
      (candidate) => isLinear || !candidate.linearOnly,
      isLinear ? '' : ' (the others need a linear kernel)',
    )
  }

  protected override prepare(dataset: Dataset<S>, fitOptions: FitOptions): PreparedFit<SvcModel<S>> {
    const { C = 1, classWeight, tol, maxIter, timeLimit, cacheBytes, threads, seed } = this.options
    const { solver, options: solverOptions } = this.chosen
    const targets = binaryTargets('SVC', dataset, C, classWeight)
    const { samples, scaler } = trainingSamples('SVC', dataset, this.kernel, this.options.scaler)
    const problem = makeProblem({
      samples,
      kernel: this.kernel,
      y: targets.y,
      C: targets.C,
      bias: solver.biasForms.includes('free') ? 'free' : solver.biasForms[0],
    })
    return {
      task: {
        problem,
        solver,
        solverOptions,
        options: { tol, maxIter, timeLimit, cacheBytes, threads, seed, ...fitOptions },
      },
      toModel: ([{ alpha, beta, bias, certificate }]) => {
        const coefficients = beta ?? signedAlpha(problem, alpha)
        const supportIndices = Uint32Array.from(coefficients.keys()).filter((i) => coefficients[i] !== 0)
        return new SvcModel<S>({
          classes: targets.classes,
          biases: Float64Array.of(bias),
          features: isMatrix(samples) ? samples.cols : undefined,
          featureNames: dataset.featureNames,
          scaler,
          certificates: [certificate],
          kernel: problem.kernel,
          supportVectors: supportVectors(problem.kernel, samples, supportIndices) as Samples<S>,
          supportIndices,
          dualCoef: Float64Array.from(supportIndices, (i) => coefficients[i]),
        })
      },
    }
  }
}

/** The chosen samples; of precomputed ones, which are a whole row of the kernel matrix each, the serial number. */
function supportVectors(kernel: AnyKernel, samples: Samples, chosen: Uint32Array): Samples {
  if (!isMatrix(samples)) return Array.from(chosen, (i) => samples[i])
  const rows = selectRows(samples, chosen)
  if (kernel.spec.kind !== 'precomputed') return rows
  const { cols, values } = toDense(rows)
  return {
    kind: 'dense',
    rows: chosen.length,
    cols: 1,
    values: Float64Array.from(chosen, (_, s) => values[s * cols]),
  }
}
