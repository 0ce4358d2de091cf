/** What models are made of, apart from the classes that predict with them. */

import type { Certificate } from '../certify/certificate.ts'
import type { ColumnPreparation } from '../data/preparation/column-preparation.ts'
import type { Scaler } from '../data/scaling/scaler.ts'
import type { Label, Samples } from '../data/table/dataset.ts'
import type { Kernel } from '../kernels/kernel.ts'
import type { LinearLoss } from '../problems/linear-loss.ts'
import type { BiasForm } from '../problems/problem.ts'
import type { LiblinearSolver } from './model-types.ts'

/**
 * The settings that a model was trained with: together with its training data they state the optimisation problem again, so
 * that `verify` can recompute what its certificates claim. What a type of model does not have is absent.
 */
export interface TrainingSettings {
  readonly C?: number | undefined
  readonly nu?: number | undefined
  /** Half-width of the tube of regression. */
  readonly epsilon?: number | undefined
  /** Factors of C for each class in training. Absent: 1 for all. */
  readonly classWeight?: 'balanced' | Readonly<Record<string | number, number>> | undefined
  /** The loss of a linear machine. */
  readonly loss?: LinearLoss | undefined
  /** The penalised norm of w of a linear machine. Absent: ½‖w‖². */
  readonly penalty?: 'l2' | 'l1' | undefined
  /** The form of the bias in training, if the type does not determine it. */
  readonly bias?: BiasForm | undefined
  /** Value of the constant feature for a regularised bias. */
  readonly interceptScaling?: number | undefined
  /** How many samples there were. */
  readonly samples?: number | undefined
  /** Whether samples had their own weights. */
  readonly weighted?: boolean | undefined
  /**
   * False where the function is not made of the dual point that the certificates are about: of primal methods, and of runs
   * that ended early with a better function than the latest one.
   */
  readonly fromDual?: boolean | undefined
  /**
   * The targets of the problem were (target − mean) / scale: `targetScaling`. The function of the model is in the units of the
   * data again, its coefficients times `scale`.
   */
  readonly targetScaling?: { readonly mean: number; readonly scale: number } | undefined
}

/** What every model holds. */
export interface ModelParts {
  /** Number of columns of the training data; unknown for LIBSVM models, whose files do not contain it. */
  readonly features?: number | undefined
  readonly featureNames?: readonly string[] | undefined
  /** How the columns of a table become features; absent if the model was trained on vectors. */
  readonly preparation?: ColumnPreparation | undefined
  /** Applied to vectors before anything else. */
  readonly scaler?: Scaler | undefined
  /** How good the solutions behind the model are, one certificate per solved problem; absent if the file has none. */
  readonly certificates?: readonly Certificate[] | undefined
  /** The settings of the solved problems; absent if the file does not contain them. */
  readonly training?: TrainingSettings | undefined
  /** The data behind sets of classes or intervals; absent if the model has none. Computed by `conformalFromFolds`. */
  readonly conformal?: Conformal | undefined
}

/** What conformal prediction makes sets of classes, or intervals of a regression, by. */
export interface Conformal {
  /** The probability that the truth is inside. */
  readonly level: number
  /**
   * What is compared: how far targets are from predictions ('residuals'), or how strange classes are, by their probabilities or
   * by their scores.
   */
  readonly by: 'residuals' | 'probabilities' | 'scores'
  /**
   * Half the width of an interval, or how strange a class may be to be in the set. Infinity where there were too few samples
   * for the level.
   */
  readonly quantile: number
  /** The samples that it was found on: 'split', samples that the model was not trained on; 'folds', each by the model of the folds without it. */
  readonly from: 'split' | 'folds'
  /** How many they were. */
  readonly samples: number
}

/** What every classifier holds. */
export interface ClassifierParts extends ModelParts {
  /** The labels of the training data, ascending. */
  readonly classes: readonly Label[]
  /**
   * The classes in the order of LIBSVM's `label` line, as positions in `classes`. It only decides ties: f = 0 votes for the
   * later class of a pair, and if votes or scores are equal, the first class wins. Default: the order of `classes`, but [1,
   * 0] for two classes.
   */
  readonly labelOrder?: readonly number[] | undefined
  /**
   * Two classes only: `predict` returns the second class if the decision value is at least this, whatever the probabilities.
   * If absent, the sign decides or, for a calibrated model, the larger probability. See `chooseThreshold`.
   */
  readonly threshold?: number | undefined
}

/** What every kernel model holds. */
export interface KernelParts<S = never> {
  /** The kernel, with all parameters as numbers. */
  readonly kernel: Kernel<S>
  /** The support vectors, scaled. With the precomputed kernel: their serial numbers, as one column. */
  readonly supportVectors: Samples<S>
  /** Indices of the support vectors in the training data, from 0; absent if the file does not contain them. */
  readonly supportIndices?: Uint32Array | undefined
}

/** How the values of all pairs of classes are shown: one score per class (one against the rest), or as they are. */
export type DecisionShape = 'ovr' | 'ovo'

/** What a kernel classifier is made of. */
export interface SvcParts<S = never> extends ClassifierParts, KernelParts<S> {
  /** Which problem was solved. Default 'svc'. */
  readonly type?: 'svc' | 'nu-svc'
  /**
   * (k − 1) x (support vectors), row-major, as scikit-learn's `dual_coef_`: for the pair of classes i < j, vectors of class
   * i use row j − 1 and vectors of class j use row i. With two classes f > 0 means the second, with more f > 0 votes for i.
   */
  readonly dualCoef: Float64Array
  /**
   * Support vectors of each class; they are grouped by class, in the order of `classes`. May be omitted for two classes: they
   * are then grouped by the sign of their coefficients.
   */
  readonly supportCounts?: Uint32Array | undefined
  /** b of each pair, in the order (0,1), (0,2), …, (1,2), … LIBSVM's `rho` is −b. */
  readonly biases: Float64Array
  readonly probability?: PairProbability | undefined
  /** Default 'ovr'. */
  readonly decisionFunctionShape?: DecisionShape | undefined
  /** Whether scores, rather than the order of the classes, break ties between votes. Default false. */
  readonly breakTies?: boolean | undefined
}

/**
 * How decision values become probabilities, one function per machine: of a pair's value, the probability of the class that
 * f > 0 means; of a value of one class against the rest, the probability of that class.
 */
export type PairProbability =
  /** Platt's sigmoid 1 / (1 + exp(a f + b)): LIBSVM's `probA` and `probB`. */
  | { readonly method: 'sigmoid'; readonly a: Float64Array; readonly b: Float64Array }
  /** Straight pieces through (x, y), constant beyond the ends. */
  | { readonly method: 'isotonic'; readonly x: readonly Float64Array[]; readonly y: readonly Float64Array[] }

/** What kernel models of one function are made of: f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias. */
export interface SingleKernelParts<S = never> extends ModelParts, KernelParts<S> {
  /** One coefficient per support vector. */
  readonly dualCoef: Float64Array
  /** LIBSVM's `rho` is −bias. */
  readonly bias: number
}

/** Noise of a regression: target = prediction + z, z of density exp(−|z| / sigma) / (2 sigma). */
export interface LaplaceNoise {
  readonly method: 'laplace'
  readonly sigma: number
}

/** What a kernel regression is made of. */
export interface SvrParts<S = never> extends SingleKernelParts<S> {
  /** Which problem was solved. Default 'svr'. */
  readonly type?: 'svr' | 'nu-svr'
  readonly probability?: LaplaceNoise | undefined
}

/** How normal a sample is, by the marks between which its decision value falls (LIBSVM since 3.25). */
export interface DensityMarks {
  readonly method: 'density'
  /** Ten values, ascending. */
  readonly marks: Float64Array
}

/** What a one-class model is made of. */
export interface OneClassParts<S = never> extends SingleKernelParts<S> {
  readonly probability?: DensityMarks | undefined
}

/** What every linear model holds. */
export interface LinearParts extends ModelParts {
  /** LIBLINEAR's name of the solved problem, from a LIBLINEAR file. */
  readonly liblinearSolver?: LiblinearSolver | undefined
  /**
   * The dual point of the certificates, kept so that they can be verified: for each function one number per training
   * sample, in their order (y_i α_i of a classifier), so that its weights are Σ dual_i x_i, unless `training.fromDual` is false.
   */
  readonly dual?: readonly Float64Array[] | undefined
}

/** What a linear classifier is made of. */
export interface LinearSvcParts extends ClassifierParts, LinearParts {
  /**
   * One row of weights per machine, row-major, one weight per feature (of the scaled rows, when there is a scaler). Two classes
   * have one machine, f > 0 means the second; otherwise each class has one, and the largest value wins.
   */
  readonly coef: Float64Array
  /** b of each machine. */
  readonly biases: Float64Array
  /**
   * How several classes were trained: each against the rest, or jointly (Crammer and Singer), with one machine per class even
   * for two classes. Default 'ovr'.
   */
  readonly multiClass?: 'ovr' | 'crammer-singer' | undefined
  readonly probability?: PairProbability | undefined
}

/** What linear models of one function are made of: f(x) = ⟨coef, x⟩ + bias. */
export interface SingleLinearParts extends LinearParts {
  readonly coef: Float64Array
  readonly bias: number
}
