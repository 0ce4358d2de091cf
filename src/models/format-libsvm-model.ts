/**
 * LIBSVM's text format for two-class models, written. Reals are the shortest texts that read back to the same
 * double (LIBSVM itself rounds support vectors to 8 digits). The positive class comes first, in `label` as among the
 * vectors, because LIBSVM's f > 0 votes for the first label; and f = Σ coef · k − rho there, so rho = −bias.
 * A linear model that keeps no support vectors is written as one of coefficient 1: w itself.
 */
import { DataError, show } from '../base/errors.ts'
import type { Label } from '../data/dataset.ts'
import { LineWriter } from '../data/line-writer.ts'
import { isMatrix, type Matrix } from '../data/matrix.ts'
import { textFromNumber } from '../data/number-text.ts'
import type { KernelSpec } from '../kernels/kernel.ts'
import type { Model } from './model.ts'

const largestLabel = 2 ** 31 - 1

/** The model as LIBSVM's text. Throws a {@link DataError} when the format cannot hold it. */
export function formatLibsvmModel(model: Model): string {
  const decoder = new TextDecoder()
  return Array.from(libsvmModelBytes(model), (piece) => decoder.decode(piece)).join('')
}

/** The bytes of {@link formatLibsvmModel} piece by piece; a piece is overwritten when the next but one is asked for. */
export function libsvmModelBytes(model: Model): Iterable<Uint8Array> {
  const { scaler, bias, kernel } = model
  if (scaler) {
    throw refusal(
      `a scaler (${scaler.kind})`,
      'save it as JSON, or scale the data beforehand and train without one',
    )
  }
  const vectors = groupByClass(model)
  const { dualCoef } = vectors
  const positives = dualCoef.reduce((count, coef) => (coef > 0 ? count + 1 : count), 0)
  const [negative, positive] = model.classes.map(wholeLabel)
  const probability = model.type === 'svc' ? model.probability : undefined
  const lines = [
    'svm_type c_svc',
    ...kernelLines(kernel.spec),
    'nr_class 2',
    `total_sv ${dualCoef.length}`,
    `rho ${textFromNumber(-bias)}`,
    `label ${positive} ${negative}`,
    ...(probability
      ? [`probA ${textFromNumber(probability.a)}`, `probB ${textFromNumber(probability.b)}`]
      : []),
    `nr_sv ${positives} ${dualCoef.length - positives}`,
    'SV',
  ]
  return linesOf(lines, vectors, kernel.spec.kind === 'precomputed' ? 0 : 1)
}

function* linesOf(
  head: readonly string[],
  { supportVectors, order, dualCoef }: GroupedVectors,
  base: 0 | 1,
): Generator<Uint8Array> {
  const writer = new LineWriter()
  for (const line of head) writer.text(`${line}\n`)
  for (const s of order) {
    writer.number(dualCoef[s])
    writer.pairs(supportVectors, s, base)
    if (writer.isFull) yield writer.take()
  }
  yield writer.take()
}

interface GroupedVectors {
  readonly supportVectors: Matrix
  readonly dualCoef: Float64Array
  /** The order to write them in. */
  readonly order: readonly number[]
}

/** Support vectors and coefficients: those of the positive class are to come first, otherwise in their order. */
function groupByClass(model: Model): GroupedVectors {
  if (model.type === 'linear-svc') {
    const { coef } = model
    return {
      supportVectors: { kind: 'dense', rows: 1, cols: coef.length, values: coef },
      dualCoef: Float64Array.of(1),
      order: [0],
    }
  }
  const { supportVectors, dualCoef } = model
  if (!isMatrix(supportVectors)) throw refusal('samples that are not vectors', 'save it as JSON')
  const all = Uint32Array.from(dualCoef.keys())
  const order = [...all.filter((s) => dualCoef[s] > 0), ...all.filter((s) => !(dualCoef[s] > 0))]
  return { supportVectors, dualCoef, order }
}

function kernelLines(spec: KernelSpec): string[] {
  switch (spec.kind) {
    case 'linear':
    case 'precomputed':
      return [`kernel_type ${spec.kind}`]
    case 'polynomial':
      return [
        'kernel_type polynomial',
        `degree ${spec.degree}`,
        `gamma ${spec.gamma}`,
        `coef0 ${textFromNumber(spec.coef0)}`,
      ]
    case 'rbf':
      return ['kernel_type rbf', `gamma ${spec.gamma}`]
    case 'sigmoid':
      return ['kernel_type sigmoid', `gamma ${spec.gamma}`, `coef0 ${textFromNumber(spec.coef0)}`]
    default:
      throw refusal(`the kernel "${spec.kind}"`, 'save it as JSON')
  }
}

function wholeLabel(label: Label): number {
  if (typeof label === 'number' && Number.isInteger(label) && Math.abs(label) <= largestLabel) return label
  throw refusal(`the label ${show(label)}`, 'save it as JSON, or train with whole numbers as labels')
}

function refusal(what: string, instead: string): DataError {
  return new DataError(`LIBSVM's model format cannot hold ${what}: ${instead}`)
}
