import { HyperplaneError } from '../base/errors.ts'

/** Why the data cannot be those that a model was trained on, in one sentence. It ends a verification; nobody else sees it. */
export class Refuted extends HyperplaneError {
  override name = 'Refuted'
}

/** A support vector is not among the data, under whatever label. */
export class VectorMissing extends Refuted {}
