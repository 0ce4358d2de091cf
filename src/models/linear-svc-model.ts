import type { Label } from '../data/table/dataset.ts'
import type { ModelRows } from './base-model.ts'
import { machineProbability, probabilitiesOfClasses } from './class-probabilities.ts'
import { ClassifierModel } from './classifier-model.ts'
import { checkDecisionOptions, type DecisionOptions } from './machines/decision-options.ts'
import { LinearMachine } from './machines/linear-machine.ts'
import type { Machine } from './machines/machine.ts'
import type { LinearSvcParts, PairProbability } from './model-parts.ts'
import type { LiblinearSolver } from './model-types.ts'
import { firstLargest } from './pairs.ts'

/**
 * A linear classifier that keeps only w, not the support vectors. For two classes there is one function, f(x) = ⟨coef, x⟩ +
 * bias, whose sign decides; for more, there is one per class, and the largest value wins.
 */
export class LinearSvcModel<L extends Label = Label>
  extends ClassifierModel<never, L>
  implements LinearSvcParts
{
  readonly type = 'linear-svc'
  readonly coef: Float64Array
  readonly biases: Float64Array
  readonly multiClass: 'ovr' | 'crammer-singer'
  readonly probability: PairProbability | undefined
  readonly liblinearSolver: LiblinearSolver | undefined
  readonly dual: readonly Float64Array[] | undefined

  constructor(parts: LinearSvcParts) {
    super(parts)
    this.coef = parts.coef
    this.biases = parts.biases
    this.multiClass = parts.multiClass ?? 'ovr'
    this.probability = parts.probability
    this.liblinearSolver = parts.liblinearSolver
    this.dual = parts.dual
  }

  override get outputs(): number {
    return this.classes.length === 2 ? 1 : this.biases.length
  }

  /**
   * For two classes, f(x) of every row (if each class has its own machine: the second value minus the first); for more, the
   * value of each class, row-major.
   */
  override decisionFunction(rows: ModelRows, options: DecisionOptions = {}): Float64Array {
    return this.differences(this.machineValues(rows, checkDecisionOptions('decisionFunction', options)))
  }

  protected override makeMachine(): Machine {
    return new LinearMachine(this.coef, this.biases)
  }

  protected override chooseByVotes(rows: ModelRows, options: DecisionOptions): Uint32Array {
    return this.chooseOf(this.differences(this.machineValues(rows, checkDecisionOptions('predict', options))))
  }

  protected override chooseOf(values: Float64Array): Uint32Array {
    const { outputs, voteOrder, threshold = 0 } = this
    const chosen = new Uint32Array(values.length / outputs)
    if (this.classes.length !== 2) {
      for (let i = 0; i < chosen.length; i++) chosen[i] = firstLargest(values, i * outputs, voteOrder)
      return chosen
    }
    // One function says the later class where it is 0; of two functions the first largest wins.
    const tied = this.threshold === undefined ? voteOrder[this.biases.length === 2 ? 0 : 1] : 1
    for (let i = 0; i < chosen.length; i++) {
      chosen[i] = values[i] > threshold ? 1 : values[i] < threshold ? 0 : tied
    }
    return chosen
  }

  protected override probabilitiesOf(probability: PairProbability, values: Float64Array): Float64Array {
    const machines = this.biases.length
    const rows = values.length / machines
    if (machines > 1 || this.classes.length < 2)
      return probabilitiesOfClasses(probability, values, rows, machines)
    const out = new Float64Array(2 * rows)
    for (let i = 0; i < rows; i++) {
      const positive = machineProbability(probability, 0, values[i])
      out[2 * i] = 1 - positive
      out[2 * i + 1] = positive
    }
    return out
  }

  /** LIBLINEAR goes by the value: where it is 0, and both classes are equally probable, by the later one. */
  protected override get probabilityOrder(): readonly number[] {
    return this.biases.length === 1 ? this.voteOrder.toReversed() : this.voteOrder
  }

  protected override shapeRow(values: Float64Array, out: Float64Array): void {
    if (values.length === 2) out[0] = values[1] - values[0]
    else out.set(values)
  }

  /** From the values of the machines to those of the decision function. */
  private differences(values: Float64Array): Float64Array {
    if (this.classes.length !== 2 || this.biases.length === 1) return values
    return Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + 1] - values[2 * i])
  }
}
