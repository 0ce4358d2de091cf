import { checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { pickNumbers } from '../base/lists.ts'
import { strangenessOfProbabilities, strangenessOfScores } from '../calibration/class-strangeness.ts'
import { type Label, type Predicted, sampleCount } from '../data/table/dataset.ts'
import { BaseModel, type ModelInfo, type ModelRows } from './base-model.ts'
import type { Coupling } from './class-probabilities.ts'
import { checkDecisionOptions, type DecisionOptions } from './machines/decision-options.ts'
import { joinBlocks } from './machines/row-blocks.ts'
import type { ClassifierParts, Conformal, PairProbability } from './model-parts.ts'
import { defaultLabelOrder, firstLargest } from './pairs.ts'

/** Options of {@link ClassifierModel.predict}. */
export interface PredictOptions extends DecisionOptions {
  /**
   * What determines the class: its probability, or the decision function (votes of pairs, the largest score, the model's
   * threshold). Default: 'probability' if the model is calibrated and has no threshold, so that predictions and probabilities
   * agree. LIBSVM's svm-predict uses 'votes' unless it predicts probabilities.
   */
  readonly by?: 'probability' | 'votes'
}

/** Options of {@link ClassifierModel.predictProbability}. */
export interface ProbabilityOptions extends DecisionOptions {
  /** How pairs of classes are coupled. Default 'exact'; 'libsvm' gives the digits of svm-predict. */
  readonly coupling?: Coupling
}

/** A trained classifier; L is what its labels are, where that is known. */
export abstract class ClassifierModel<S = never, L extends Label = Label>
  extends BaseModel<S>
  implements ClassifierParts
{
  readonly classes: readonly L[]
  readonly labelOrder: readonly number[] | undefined
  readonly threshold: number | undefined
  abstract override readonly probability: PairProbability | undefined

  constructor(parts: ClassifierParts) {
    super(parts)
    this.classes = parts.classes as readonly L[]
    this.labelOrder = parts.labelOrder
    this.threshold = parts.threshold
  }

  /** The class of every row, as a label of the training data. */
  override predict(rows: ModelRows<S>, options: PredictOptions = {}): Predicted<L> {
    const { by, ...others } = options
    const way = by ?? (this.probability && this.threshold === undefined ? 'probability' : 'votes')
    if (checkOneOf('predict', 'by', way, ['probability', 'votes']) === 'votes') {
      return this.toLabels(this.chooseByVotes(rows, others))
    }
    return this.labelsOfProbabilities(this.predictProbability(rows, others))
  }

  /** The most probable class of each row of {@link predictProbability}. */
  labelsOfProbabilities(probabilities: Float64Array): Predicted<L> {
    const k = this.classes.length
    const order = this.probabilityOrder
    const chosen = new Uint32Array(probabilities.length / k)
    for (let i = 0; i < chosen.length; i++) chosen[i] = firstLargest(probabilities, i * k, order)
    return this.toLabels(chosen)
  }

  /** Rows x classes probabilities, row-major, for calibrated models; each row sums to 1. */
  predictProbability(rows: ModelRows<S>, options: ProbabilityOptions = {}): Float64Array {
    const { probability } = this
    const checked = checkDecisionOptions('predictProbability', options, ['coupling'])
    const coupling = checkOneOf('predictProbability', 'coupling', options.coupling ?? 'exact', [
      'exact',
      'libsvm',
    ])
    if (!probability) throw new DataError('the model has no probabilities: it was not calibrated')
    const samples = this.prepareRows(rows)
    return joinBlocks(sampleCount(samples) * this.classes.length, (visit) => {
      this.machine.visit(samples, checked, (values, from) => {
        visit(this.probabilitiesOf(probability, values, coupling), from)
      })
    })
  }

  /**
   * The classes that each row may belong to, ascending, for models with `conformal`: the class of a new sample is among them
   * with probability `conformal.level`. There may be one, several or none.
   */
  predictSets(rows: ModelRows<S>, options: DecisionOptions = {}): L[][] {
    const { conformal, classes } = this
    if (!conformal) throw new DataError('the model has no sets of classes: use withConformal')
    const found = this.strangeness(rows, conformal.by, options)
    const k = classes.length
    return Array.from({ length: found.length / k }, (_, i) =>
      classes.filter((_label, c) => found[i * k + c] <= conformal.quantile),
    )
  }

  /** Rows x classes: how strange each class would be. */
  strangeness(rows: ModelRows<S>, by: Conformal['by'], options: DecisionOptions = {}): Float64Array {
    if (by === 'probabilities') return strangenessOfProbabilities(this.predictProbability(rows, options))
    const shape = 'decisionFunctionShape' in this && { decisionFunctionShape: 'ovr' }
    return strangenessOfScores(this.decisionFunction(rows, { ...options, ...shape }), this.classes.length)
  }

  /** The classes for given values of the decision function, in the shape that the model returns. */
  labelsOf(values: Float64Array): Predicted<L> {
    return this.toLabels(this.chooseOf(values))
  }

  override info(): ModelInfo {
    return { ...super.info(), classes: this.classes, threshold: this.threshold }
  }

  /** The positions in `classes` that the decision function chooses. */
  protected abstract chooseByVotes(rows: ModelRows<S>, options: DecisionOptions): Uint32Array

  /** The positions in `classes` that values of the decision function stand for. */
  protected abstract chooseOf(values: Float64Array): Uint32Array

  /** Rows x classes probabilities from all values of the machine. */
  protected abstract probabilitiesOf(
    probability: PairProbability,
    values: Float64Array,
    coupling: Coupling,
  ): Float64Array

  /** The value of every function of the model, row-major: of each pair of classes, or of each class. */
  machineValues(rows: ModelRows<S>, options: Required<DecisionOptions>): Float64Array {
    return this.machine.values(this.prepareRows(rows), options)
  }

  /** The order that decides ties. */
  protected get voteOrder(): readonly number[] {
    return this.labelOrder ?? defaultLabelOrder(this.classes.length)
  }

  /** The order that decides between equal probabilities. */
  protected get probabilityOrder(): readonly number[] {
    return this.voteOrder
  }

  /** Labels of positions in `classes`. */
  protected toLabels(chosen: Uint32Array): Predicted<L> {
    const classes: readonly Label[] = this.classes
    const labels =
      typeof classes[0] === 'number'
        ? pickNumbers(classes as readonly number[], chosen)
        : Array.from(chosen, (c) => classes[c] as string)
    return labels as Predicted<L>
  }
}
