/**
 * LIBSVM's text format for models, written. Reals are the shortest texts that read back to the same double (LIBSVM itself
 * rounds support vectors to 8 digits). Classes come in the order of the model's `labelOrder`, of two classes the positive
 * one first, because LIBSVM's f > 0 votes for the first label; and f = Σ coef · k − rho there, so rho = −bias.
 *
 * Linear models that keep no support vectors are written with w in their place: a single function as one vector of coefficient
 * 1; one function per class as one vector per class, of coefficient 1 in its pairs with later classes and −1 in those with
 * earlier ones, so that the class of the largest value gets the most votes.
 */
import type { DataError } from '../../base/errors.ts'
import { signOfFirst } from '../../base/positive-class.ts'
import { formatWithHeader, type LibsvmLines, textOfPieces } from '../../data/libsvm/libsvm-lines.ts'
import { type DenseMatrix, isMatrix } from '../../data/matrix/matrix.ts'
import { textFromNumber } from '../../data/text/number-text.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import { knownProblems } from '../known-problems.ts'
import type { LinearSvcModel } from '../linear-svc-model.ts'
import { type AnyClassifier, isClassifier, type Model } from '../model.ts'
import { defaultLabelOrder, pairCount } from '../pairs.ts'
import { cannotHold, libsvmKernels, refuseForLibsvm } from './foreign-format.ts'
import { type PairMachines, toFileOrder } from './libsvm-pairs.ts'

/** The model as LIBSVM's text. Throws a DataError when the format cannot hold it. */
export function formatLibsvmModel(model: Model): string {
  return textOfPieces(libsvmModelBytes(model))
}

/** The bytes of {@link formatLibsvmModel} piece by piece; a piece is overwritten when the next but one is requested. */
export function libsvmModelBytes(model: Model): Iterable<Uint8Array> {
  refuseForLibsvm(model)
  const { kernel } = model
  const body = isClassifier(model) ? classifierBody(model) : singleBody(model)
  const header = [
    `svm_type ${knownProblems[model.type].libsvm}`,
    ...kernelLines(kernel.spec),
    `nr_class ${isClassifier(model) ? model.classes.length : 2}`,
    `total_sv ${body.matrix.rows}`,
    ...body.lines,
    'SV',
  ]
  const base = kernel.spec.kind === 'precomputed' ? 0 : 1
  return formatWithHeader(header, { ...body, count: body.matrix.rows, base })
}

/** What a file says of the functions of a model: support vectors, led by their coefficients. */
interface Body extends Pick<LibsvmLines, 'leading' | 'matrix' | 'rows'> {
  /** The lines between `total_sv` and `SV`. */
  readonly lines: readonly string[]
}

function singleBody(model: Exclude<Model, AnyClassifier>): Body {
  const lines = [`rho ${textFromNumber(-model.bias)}`]
  if (model.type === 'linear-svr' || model.type === 'linear-one-class') {
    return { lines, matrix: oneRow(model.coef), leading: Float64Array.of(1) }
  }
  if (!isMatrix(model.supportVectors)) throw notVectors()
  const { probability } = model
  if (probability?.method === 'laplace') lines.push(`probA ${textFromNumber(probability.sigma)}`)
  if (probability?.method === 'density') lines.push(`prob_density_marks ${texts(probability.marks)}`)
  return { lines, matrix: model.supportVectors, leading: model.dualCoef }
}

function classifierBody(model: AnyClassifier): Body {
  const { classes, labelOrder, probability } = model
  const order = labelOrder ?? defaultLabelOrder(classes.length)
  const machines = model.type === 'linear-svc' ? linearMachines(model) : model
  const { supportVectors } = machines
  if (!isMatrix(supportVectors)) throw notVectors()
  const filed = toFileOrder(
    { ...machines, sigmoid: probability?.method === 'sigmoid' ? probability : undefined },
    order,
  )
  const { sigmoid } = filed
  const lines = [
    `rho ${texts(filed.biases.map((bias) => -bias))}`.trimEnd(),
    `label ${order.map((position) => classes[position]).join(' ')}`,
    ...(sigmoid ? [`probA ${texts(sigmoid.a)}`, `probB ${texts(sigmoid.b)}`] : []),
    `nr_sv ${filed.supportCounts.join(' ')}`,
  ]
  return { lines, matrix: supportVectors, rows: filed.order, leading: filed.dualCoef }
}

/** See the header of the file. */
function linearMachines(
  model: LinearSvcModel,
): Omit<PairMachines, 'sigmoid'> & { readonly supportVectors: DenseMatrix } {
  const { coef, biases } = model
  const k = model.classes.length
  if (biases.length === 1) {
    // f > 0 means the second class, whose only vector is w.
    const supportCounts = Uint32Array.of(0, 1)
    return { supportVectors: oneRow(coef), supportCounts, dualCoef: Float64Array.of(1), biases }
  }
  const pairBiases = new Float64Array(pairCount(k))
  const dualCoef = new Float64Array((k - 1) * k)
  let p = 0
  for (const [i, j] of classPairs(k)) {
    const sign = signOfFirst(k)
    dualCoef[(j - 1) * k + i] = sign
    dualCoef[i * k + j] = -sign
    pairBiases[p++] = sign * (biases[i] - biases[j])
  }
  return {
    supportVectors: { kind: 'dense', rows: k, cols: coef.length / k, values: coef },
    supportCounts: new Uint32Array(k).fill(1),
    dualCoef,
    biases: pairBiases,
  }
}

function oneRow(values: Float64Array): DenseMatrix {
  return { kind: 'dense', rows: 1, cols: values.length, values }
}

function texts(values: Float64Array): string {
  return Array.from(values, textFromNumber).join(' ')
}

function kernelLines(spec: KernelSpec): string[] {
  const shape = spec as unknown as Readonly<Record<string, number>>
  const fields = libsvmKernels[spec.kind as keyof typeof libsvmKernels]
  return [`kernel_type ${spec.kind}`, ...fields.map((field) => `${field} ${textFromNumber(shape[field])}`)]
}

function notVectors(): DataError {
  return cannotHold('LIBSVM', 'samples that are not vectors')
}
