/** Fits as `svm-train` does, and says what it says: a few lines for every problem that was solved. */
import { positiveOf } from '../../base/positive-class.ts'
import type { Certificate } from '../../certify/certificate.ts'
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import type { Kernel } from '../../kernels/kernel.ts'
import type { OneClassModel } from '../../models/one-class-model.ts'
import { SvcModel } from '../../models/svc-model.ts'
import type { SvrModel } from '../../models/svr-model.ts'
import { fitCalibrated } from '../../selection/calibrate/calibrate.ts'
import { noMarginWords } from '../report/certificate-words.ts'
import { percentF } from './c-format.ts'
import type { SvmTrainSettings } from './svm-train-settings.ts'

/** Any model that svm-train can write. */
export type DropInModel = SvcModel | SvrModel | OneClassModel

/** Trains a model and reports on it through `say`; the classes come in LIBSVM's order. */
export async function fitWithReport(
  settings: SvmTrainSettings,
  dataset: VectorDataset,
  say: (text: string) => void,
): Promise<DropInModel> {
  const estimator = settings.estimator(dataset, (text) => process.stderr.write(text))
  const labels = dataset.labels as Float64Array
  if (isClassification(settings) && labels.length > 0 && labels.every((label) => label === labels[0])) {
    say('WARNING: training data in only one class. See README for details.\nTotal nSV = 0\n')
    return modelOfOneLabel(labels[0], estimator.options.kernel as Kernel)
  }
  const onProgress = () => say('.')
  const fitted: DropInModel = settings.probability
    ? await fitCalibrated(estimator, dataset, { onProgress })
    : await estimator.fit(dataset, { onProgress })
  if (!(fitted instanceof SvcModel)) {
    say(singleReport(settings, fitted, dataset.labels.length))
    return fitted
  }
  const model = new SvcModel({ ...fitted, labelOrder: labelOrder(fitted.classes, dataset) })
  if (model.certificate?.noMargin) {
    process.stderr.write(`WARNING: ${noMarginWords(model.biases.length)}\n`)
  }
  say(pairReports(settings, model, dataset))
  return model
}

function isClassification({ type }: SvmTrainSettings): boolean {
  return type === 'c-svc' || type === 'nu-svc'
}

/** A classifier that knows one class has no pairs, and always says the same. */
function modelOfOneLabel(label: number, kernel: Kernel): SvcModel {
  return new SvcModel({
    classes: [label + 0],
    labelOrder: [0],
    kernel,
    supportVectors: { kind: 'dense', rows: 0, cols: 0, values: new Float64Array(0) },
    supportCounts: Uint32Array.of(0),
    dualCoef: new Float64Array(0),
    biases: new Float64Array(0),
  })
}

/** Classes in the order in which they appear, but +1 before −1: LIBSVM's rule. */
function labelOrder(classes: readonly Label[], { labels }: VectorDataset): number[] {
  const order = Array.from(new Set(labels as Float64Array), (label) => classes.indexOf(label + 0))
  const isSigned = classes.length === 2 && classes[0] === -1 && classes[1] === 1
  return isSigned ? [1, 0] : order
}

/** The lines of a problem that makes the whole model: one class, regression. */
function singleReport(settings: SvmTrainSettings, model: SvrModel | OneClassModel, samples: number): string {
  const { dualCoef, bias } = model
  const certificate = certificateOf(model, 0)
  const sum = dualCoef.reduce((total, c) => total + Math.abs(c), 0)
  const line = {
    'epsilon-svr': `nu = ${percentF(sum / (settings.cost * samples))}\n`,
    'nu-svr': `epsilon = ${percentF(certificate.width ?? 0)}\n`,
    'one-class': '',
    'c-svc': '',
    'nu-svc': '',
  }[settings.type]
  return problemReport(certificate, line, 1, bias)
}

/** The lines of every pair of classes, in LIBSVM's order of them. */
function pairReports(settings: SvmTrainSettings, model: SvcModel, dataset: VectorDataset): string {
  const { classes, supportCounts, dualCoef, biases, certificates = [] } = model
  const order = model.labelOrder ?? []
  const k = classes.length
  const total = `Total nSV = ${model.supportCount}\n`
  // Of very many pairs a model keeps one certificate for all.
  if (certificates.length < biases.length) {
    const { iterations, supportVectors, boundedSupportVectors } = certificates[0]
    const counts = `nSV = ${supportVectors}, nBSV = ${boundedSupportVectors}`
    return `*\noptimization of ${biases.length} pairs finished, #iter = ${iterations}\n${counts}\n${total}`
  }
  const sizes = new Uint32Array(k)
  for (const label of dataset.labels as Float64Array) sizes[classes.indexOf(label + 0)]++
  const starts = supportCounts.map((_, c) => supportCounts.subarray(0, c).reduce((a, b) => a + b, 0))
  const count = model.supportCount
  /** Σ α of the vectors of one class against another. */
  const sumOf = (c: number, other: number) => {
    const row = other < c ? other : other - 1
    const from = row * count + starts[c]
    return dualCoef.subarray(from, from + supportCounts[c]).reduce((sum, a) => sum + Math.abs(a), 0)
  }
  let text = ''
  for (let a = 0; a < k; a++) {
    for (let b = a + 1; b < k; b++) {
      const [i, j] = order[a] < order[b] ? [order[a], order[b]] : [order[b], order[a]]
      const pair = i * k - (i * (i + 1)) / 2 + j - i - 1
      // f > 0 means the first of LIBSVM's pair.
      const sign = positiveOf(i, j, k) === order[a] ? 1 : -1
      const certificate = certificateOf(model, pair)
      const { width = 1 } = certificate
      // A model that has no margin is left at its own scale.
      const scale = width > 0 ? width : 1
      const sum = sumOf(i, j) + sumOf(j, i)
      const weighted = settings.weightOf(classes[i]) !== settings.weightOf(classes[j])
      const nu = sum / (settings.cost * settings.weightOf(classes[i]) * (sizes[i] + sizes[j]))
      const line =
        settings.type === 'nu-svc' ? `C = ${percentF(1 / width)}\n` : weighted ? '' : `nu = ${percentF(nu)}\n`
      text += problemReport(certificate, line, scale, sign * biases[pair])
    }
  }
  return text + total
}

function problemReport(certificate: Certificate, line: string, width: number, bias: number): string {
  const { iterations, dual, supportVectors, boundedSupportVectors } = certificate
  return (
    `*\noptimization finished, #iter = ${iterations}\n${line}` +
    `obj = ${percentF(dual / (width * width))}, rho = ${percentF(0 - bias)}\n` +
    `nSV = ${supportVectors}, nBSV = ${boundedSupportVectors}\n`
  )
}

function certificateOf(model: DropInModel, number: number): Certificate {
  return (model.certificates as readonly Certificate[])[number]
}
