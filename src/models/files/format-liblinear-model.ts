/**
 * LIBLINEAR's text format for linear models, written. Reals are the shortest texts that read back to the same double. A bias
 * is one more row of weights, for a feature that is always the same; one-class models have `rho` = −bias instead. LIBLINEAR's f > 0
 * means the first label, so that of two classes the positive one comes first unless the model's `labelOrder` says otherwise.
 */
import { joinArrays } from '../../base/lists.ts'
import { formatWithHeader, textOfPieces } from '../../data/libsvm/libsvm-lines.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { textFromNumber } from '../../data/text/number-text.ts'
import { liblinearSolvers } from '../known-problems.ts'
import { type AnyClassifier, isClassifier, type Model } from '../model.ts'
import type { PairProbability } from '../model-parts.ts'
import type { LiblinearSolver } from '../model-types.ts'
import { defaultLabelOrder } from '../pairs.ts'
import { cannotHold, refuseForLiblinear } from './foreign-format.ts'

/** The model as LIBLINEAR's text. Throws a DataError when the format cannot hold it. */
export function formatLiblinearModel(model: Model): string {
  return textOfPieces(liblinearModelBytes(model))
}

/** The bytes of {@link formatLiblinearModel} piece by piece; a piece is overwritten when the next but one is requested. */
export function liblinearModelBytes(model: Model): Iterable<Uint8Array> {
  refuseForLiblinear(model)
  const { lines, columns, biases } = isClassifier(model) ? classifierBody(model) : singleBody(model)
  const features = columns[0].length
  // As LIBLINEAR: a feature that was there is written, whatever its weight.
  const withBias = model.training?.interceptScaling !== undefined || biases.some((bias) => bias !== 0)
  const constant = constantOf(model, biases)
  const header = [
    ...lines,
    `nr_feature ${features}`,
    `bias ${withBias ? textFromNumber(constant) : -1}`,
    ...(isOneClass(model) ? [`rho ${textFromNumber(-model.bias)}`] : []),
    'w',
  ]
  // A feature of zeros carries no bias.
  const biasOf = (m: number) => Float64Array.of(biases[m] === 0 ? 0 : biases[m] / constant)
  const leading = joinArrays(
    Float64Array,
    columns.flatMap((column, m) => (withBias ? [column, biasOf(m)] : column)),
  )
  const count = leading.length / columns.length
  // Lines of numbers alone.
  const matrix: Matrix = { kind: 'dense', rows: count, cols: 0, values: new Float64Array() }
  return formatWithHeader(header, { count, leading, matrix, base: 1 })
}

/** The value of the feature that carries the bias: that of training, unless the bias would not come back to the last bit. */
function constantOf({ training }: Model, biases: readonly number[]): number {
  const scaling = training?.interceptScaling ?? 1
  return biases.every((bias) => bias === 0 || scaling * (bias / scaling) === bias) ? scaling : 1
}

/** The first lines of a file, the weights of each function, and what is added to it. */
interface Body {
  readonly lines: readonly string[]
  readonly columns: readonly Float64Array[]
  readonly biases: readonly number[]
}

function singleBody(model: Exclude<Model, AnyClassifier>): Body {
  const kept = 'liblinearSolver' in model ? model.liblinearSolver : undefined
  const solver = isOneClass(model) ? 'ONECLASS_SVM' : (kept ?? 'L2R_L2LOSS_SVR_DUAL')
  return {
    lines: [`solver_type ${solver}`, 'nr_class 2'],
    columns: [linearWeights(model)],
    biases: [isOneClass(model) ? 0 : model.bias],
  }
}

function classifierBody(model: AnyClassifier): Body {
  const { classes, probability } = model
  const k = classes.length
  const weights = linearWeights(model)
  const order = model.labelOrder ?? defaultLabelOrder(k)
  const machines = model.biases.length
  const features = weights.length / machines
  const rowOf = (p: number): Float64Array => weights.subarray(p * features, (p + 1) * features)
  const flips = k === 2 && machines === 1 && order[0] === 0
  const places = machines === 1 ? [0] : order
  return {
    lines: [
      `solver_type ${solverOf(model, probability)}`,
      `nr_class ${k}`,
      `label ${order.map((position) => classes[position]).join(' ')}`,
    ],
    columns: places.map((p) => (flips ? rowOf(p).map((weight) => -weight) : rowOf(p))),
    biases: places.map((p) => (flips ? -model.biases[p] : model.biases[p])),
  }
}

/** The name of the problem: what the model says, as long as it gives the same probabilities. */
function solverOf(model: AnyClassifier, probability: PairProbability | undefined): LiblinearSolver {
  if (model.type === 'linear-svc' && model.multiClass === 'crammer-singer') {
    if (probability) throw cannotHold('LIBLINEAR', 'probabilities of Crammer and Singer')
    return 'MCSVM_CS'
  }
  const kept = model.type === 'linear-svc' ? model.liblinearSolver : undefined
  if (kept && kept !== 'MCSVM_CS' && isLogistic(kept) === (probability !== undefined)) return kept
  return probability ? 'L2R_LR' : 'L2R_L2LOSS_SVC_DUAL'
}

/** Whether a solver's models give probabilities, those of logistic regression. */
function isLogistic(solver: LiblinearSolver): boolean {
  return liblinearSolvers[solver].loss === 'logistic'
}

function linearWeights(model: Model): Float64Array {
  if (model.coef) return model.coef
  throw cannotHold('LIBLINEAR', `the kernel "${model.kernel.spec.kind}"`)
}

function isOneClass(model: Model): boolean {
  return model.type.endsWith('one-class')
}
