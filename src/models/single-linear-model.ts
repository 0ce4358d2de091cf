import { BaseModel } from './base-model.ts'
import { LinearMachine } from './machines/linear-machine.ts'
import type { Machine } from './machines/machine.ts'
import type { SingleLinearParts } from './model-parts.ts'
import type { LiblinearSolver } from './model-types.ts'

/** A linear model of one function, f(x) = ⟨coef, x⟩ + bias: regression and one class. */
export abstract class SingleLinearModel extends BaseModel implements SingleLinearParts {
  readonly coef: Float64Array
  readonly biases: Float64Array
  readonly liblinearSolver: LiblinearSolver | undefined
  readonly dual: readonly Float64Array[] | undefined

  constructor(parts: SingleLinearParts) {
    super(parts)
    this.coef = parts.coef
    this.biases = Float64Array.of(parts.bias)
    this.liblinearSolver = parts.liblinearSolver
    this.dual = parts.dual
  }

  protected override makeMachine(): Machine {
    return new LinearMachine(this.coef, this.biases)
  }
}
