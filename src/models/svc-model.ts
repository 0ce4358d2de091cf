import { checkBoolean, checkKnown, checkOneOf } from '../base/check.ts'
import { DataError } from '../base/errors.ts'
import { countUp, pickNumbers } from '../base/lists.ts'
import { isMatrix, selectRows } from '../data/matrix/matrix.ts'
import { type Label, type Predicted, type Samples, sampleCount } from '../data/table/dataset.ts'
import type { ModelInfo, ModelRows } from './base-model.ts'
import { type Coupling, probabilitiesOfPairs } from './class-probabilities.ts'
import { ClassifierModel, type PredictOptions } from './classifier-model.ts'
import { checkDecisionOptions, type DecisionOptions } from './machines/decision-options.ts'
import { KernelMachine } from './machines/kernel-machine.ts'
import type { Machine } from './machines/machine.ts'
import type { DecisionShape, PairProbability, SvcParts } from './model-parts.ts'
import { firstLargest, PairVotes, pairCount, pairLayout } from './pairs.ts'

/** Options of {@link SvcModel.decisionFunction}. */
export interface SvcDecisionOptions extends DecisionOptions {
  /** Default: the model's own. */
  readonly decisionFunctionShape?: DecisionShape
}

/** Options of {@link SvcModel.predict}. */
export interface SvcPredictOptions extends PredictOptions {
  /** Default: the model's own. */
  readonly breakTies?: boolean
}

/**
 * A kernel classifier: a function f(x) = Σ dualCoef_s · k(x, supportVector_s) + bias for every pair of classes, which vote.
 * {@link SvcParts} defines coefficients, pairs and signs.
 */
export class SvcModel<S = never, L extends Label = Label>
  extends ClassifierModel<S, L>
  implements SvcParts<S>
{
  readonly type: 'svc' | 'nu-svc'
  readonly supportVectors: Samples<S>
  readonly supportCounts: Uint32Array
  readonly supportIndices: Uint32Array | undefined
  readonly dualCoef: Float64Array
  readonly biases: Float64Array
  readonly probability: PairProbability | undefined
  readonly decisionFunctionShape: DecisionShape
  readonly breakTies: boolean
  #votes: PairVotes | undefined

  constructor(parts: SvcParts<S>) {
    super(parts)
    const { supportVectors, supportCounts, supportIndices, dualCoef } = parts.supportCounts
      ? { ...parts, supportCounts: parts.supportCounts }
      : groupedBySign(parts)
    this.type = parts.type ?? 'svc'
    this.supportVectors = supportVectors
    this.supportCounts = supportCounts
    this.supportIndices = supportIndices
    this.dualCoef = dualCoef
    this.biases = parts.biases
    this.probability = parts.probability
    this.decisionFunctionShape = parts.decisionFunctionShape ?? 'ovr'
    this.breakTies = parts.breakTies ?? false
  }

  override get supportCount(): number {
    return sampleCount(this.supportVectors)
  }

  override get outputs(): number {
    return outputsOf(this.classes.length, this.decisionFunctionShape)
  }

  /**
   * w = Σ dualCoef_s · supportVector_s of each pair, row-major, for the linear kernel; undefined for any other, whose
   * hyperplanes lie in a feature space that is never written out.
   */
  get coef(): Float64Array | undefined {
    return (this.machine as KernelMachine<S>).weights
  }

  /**
   * For two classes f(x) of every row: its sign chooses the class, and |f(x)| / ‖w‖ is the distance to the hyperplane. For
   * more, row-major, a score for each class ('ovr') or the value of each pair ('ovo'); see ./pairs.ts.
   */
  override decisionFunction(rows: ModelRows<S>, options: SvcDecisionOptions = {}): Float64Array {
    const who = 'decisionFunction'
    const checked = checkDecisionOptions(who, options, ['decisionFunctionShape'])
    const { decisionFunctionShape = this.decisionFunctionShape } = options
    const shape = checkOneOf(who, 'decisionFunctionShape', decisionFunctionShape, ['ovr', 'ovo'])
    const samples = this.prepareRows(rows)
    const k = this.classes.length
    if (k === 2 || shape === 'ovo') return this.machine.values(samples, checked)
    const pairs = pairCount(k)
    const scores = new Float64Array(sampleCount(samples) * k)
    this.machine.visit(samples, checked, (values, from) => {
      for (let i = 0; i * pairs < values.length; i++) {
        this.votes.score(values, i * pairs, scores, (from + i) * k)
      }
    })
    return scores
  }

  /**
   * The class of every row, as a label of the training data: for a calibrated model the most probable one, otherwise the one
   * with the most votes, which for two classes is the second if f(x) > 0. A model with a threshold predicts the second class
   * if f(x) >= threshold.
   */
  override predict(rows: ModelRows<S>, options: SvcPredictOptions = {}): Predicted<L> {
    checkKnown('predict', options, ['threads', 'precision', 'by', 'breakTies'])
    const { breakTies } = options
    if (breakTies !== undefined) checkBoolean('predict', 'breakTies', breakTies)
    // An option about votes requires votes.
    return super.predict(rows, breakTies === undefined ? options : { by: 'votes', ...options })
  }

  override info(): ModelInfo {
    return { ...super.info(), supportCounts: Array.from(this.supportCounts) }
  }

  protected override makeMachine(): Machine<S> {
    return new KernelMachine<S>(this, pairLayout(this.supportCounts))
  }

  protected override get overVectors(): boolean {
    return isMatrix(this.supportVectors)
  }

  protected override chooseByVotes(rows: ModelRows<S>, options: SvcPredictOptions): Uint32Array {
    const { breakTies = this.breakTies, ...others } = options
    const { votes } = this
    const samples = this.prepareRows(rows)
    const checked = checkDecisionOptions('predict', others, [], 'f32')
    const pairs = pairCount(this.classes.length)
    const chosen = new Uint32Array(sampleCount(samples))
    const choose = (values: Float64Array, from: number): void => {
      for (let i = 0; i * pairs < values.length; i++) {
        chosen[from + i] = breakTies ? votes.best(values, i * pairs) : votes.winner(values, i * pairs)
      }
    }
    this.machine.visit(samples, checked, choose, votes.settled.bind(votes))
    return chosen
  }

  protected override chooseOf(values: Float64Array): Uint32Array {
    const { outputs, votes, breakTies, voteOrder } = this
    const pairs = pairCount(this.classes.length)
    const areScores = this.classes.length !== 2 && this.decisionFunctionShape === 'ovr'
    // Confidence adds less than a third to a score: rounded, it is the number of votes.
    const counts = areScores && !breakTies ? values.map(Math.round) : values
    const chosen = new Uint32Array(values.length / outputs)
    for (let i = 0; i < chosen.length; i++) {
      if (areScores) chosen[i] = firstLargest(counts, i * outputs, voteOrder)
      else chosen[i] = breakTies ? votes.best(values, i * pairs) : votes.winner(values, i * pairs)
    }
    return chosen
  }

  protected override probabilitiesOf(
    probability: PairProbability,
    values: Float64Array,
    coupling: Coupling,
  ): Float64Array {
    return probabilitiesOfPairs(probability, values, this.voteOrder, coupling)
  }

  protected override shapeRow(values: Float64Array, out: Float64Array): void {
    if (this.classes.length === 2 || this.decisionFunctionShape === 'ovo') out.set(values)
    else this.votes.score(values, 0, out, 0)
  }

  private get votes(): PairVotes {
    this.#votes ??= new PairVotes(this.classes.length, this.voteOrder, this.threshold)
    return this.#votes
  }
}

function outputsOf(k: number, shape: DecisionShape): number {
  if (k === 2) return 1
  return shape === 'ovr' ? k : pairCount(k)
}

/** Support vectors of two classes, those of the first (whose coefficients are not positive) before those of the second. */
function groupedBySign<S>(parts: SvcParts<S>) {
  const { classes, dualCoef, supportVectors, supportIndices } = parts
  if (classes.length !== 2) {
    throw new DataError(`a model of ${classes.length} classes needs supportCounts`)
  }
  const all = countUp(dualCoef.length)
  const first = all.filter((s) => !(dualCoef[s] > 0))
  const order = new Uint32Array(all.length)
  order.set(first)
  order.set(
    all.filter((s) => dualCoef[s] > 0),
    first.length,
  )
  return {
    supportVectors: isMatrix(supportVectors)
      ? selectRows(supportVectors, order)
      : Array.from(order, (s) => supportVectors[s]),
    supportIndices: supportIndices && order.map((s) => supportIndices[s]),
    supportCounts: Uint32Array.of(first.length, order.length - first.length),
    dualCoef: pickNumbers(dualCoef, order),
  }
}
