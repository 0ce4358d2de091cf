/** Fits as `svm-train` does, and says what it says: a few lines for every problem that was solved. */
import { positiveOf } from '../../base/positive-class.ts'
import type { Certificate } from '../../certify/certificate.ts'
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import type { Kernel } from '../../kernels/kernel.ts'
import type { OneClassModel } from '../../models/one-class-model.ts'
import { groupStarts, pairCoefficients, pairIndex } from '../../models/pairs.ts'
import { SvcModel } from '../../models/svc-model.ts'
import type { SvrModel } from '../../models/svr-model.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import { fitCalibrated } from '../../selection/calibrate/calibrate.ts'
import type { SolvedProblem } from '../../selection/score/fold-output.ts'
import { cacheBytesByDefault } from '../../solve/driver/run.ts'
import { noMarginWords } from '../report/certificate-words.ts'
import { noiseLines, percentF } from './c-format.ts'
import { labelOrder } from './class-labels.ts'
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
  if (settings.classifies && labels.length > 0 && labels.every((label) => label === labels[0])) {
    say('WARNING: training data in only one class. See README for details.\nTotal nSV = 0\n')
    return modelOfOneLabel(labels[0], estimator.options.kernel as Kernel)
  }
  const onProgress = () => say('.')
  const fitted: DropInModel = settings.probability
    ? await fitCalibrated(estimator, dataset, {
        onProgress,
        cacheBytes: settings.cacheBytes ?? cacheBytesByDefault(),
      })
    : await estimator.fit(dataset, { onProgress })
  if (!(fitted instanceof SvcModel)) {
    say(noiseReport(fitted))
    say(singleReport(settings, singleProblem(fitted), dataset.labels.length))
    return fitted
  }
  const model = new SvcModel({ ...fitted, labelOrder: labelOrder(fitted.classes, dataset) })
  if (model.certificate?.noMargin) {
    process.stderr.write(`WARNING: ${noMarginWords(model.biases.length)}\n`)
  }
  say(modelReports(settings, model, dataset))
  return model
}

/** The noise of a regression with `-b 1`. */
function noiseReport({ probability }: SvrModel | OneClassModel): string {
  return probability && 'sigma' in probability ? noiseLines(probability.sigma, ' ') : ''
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

/** What is said of a solution. */
export type ReportedProblem = Pick<
  SolvedProblem,
  'iterations' | 'dual' | 'bias' | 'width' | 'size' | 'supportVectors' | 'boundedSupportVectors'
>

/** The solution of a problem that makes the whole model. */
function singleProblem(model: SvrModel | OneClassModel): ReportedProblem {
  const [certificate] = model.certificates as readonly Certificate[]
  return { width: 0, ...certificate, bias: model.bias, size: sumOfSizes(model.dualCoef) }
}

/** The lines of a problem that makes the whole model: one class, regression. */
export function singleReport(settings: SvmTrainSettings, problem: ReportedProblem, samples: number): string {
  const { type, cost } = settings
  const line =
    type === 'svr'
      ? `nu = ${percentF(problem.size / (cost * samples))}\n`
      : type === 'nu-svr'
        ? `epsilon = ${percentF(problem.width)}\n`
        : ''
  return problemReport(problem, line, 1, problem.bias)
}

/** The lines of a classifier. */
function modelReports(settings: SvmTrainSettings, model: SvcModel, dataset: VectorDataset): string {
  const { classes, supportCounts, dualCoef, biases, certificates = [] } = model
  const total = `Total nSV = ${model.supportCount}\n`
  // Of very many pairs a model keeps one certificate for all.
  if (certificates.length < biases.length) {
    const { iterations, supportVectors, boundedSupportVectors } = certificates[0]
    const counts = `nSV = ${supportVectors}, nBSV = ${boundedSupportVectors}`
    return `*\noptimization of ${biases.length} pairs finished, #iter = ${iterations}\n${counts}\n${total}`
  }
  const starts = groupStarts(supportCounts)
  const problems = Array.from(classPairs(classes.length), ([i, j], pair) => {
    const { width = 1, ...certificate } = certificates[pair]
    // A model that has no margin is left at its own scale.
    const scale = width > 0 ? width : 1
    const size = scale * sumOfSizes(pairCoefficients(dualCoef, starts, i, j))
    return { ...certificate, width, bias: scale * biases[pair], size }
  })
  return pairReports(settings, classes, problems, dataset) + total
}

/** The lines of every pair of classes, in LIBSVM's order of them. */
export function pairReports(
  settings: SvmTrainSettings,
  classes: readonly Label[],
  problems: readonly ReportedProblem[],
  dataset: Pick<VectorDataset, 'labels'>,
): string {
  const order = labelOrder(classes, dataset)
  const k = classes.length
  const sizes = new Uint32Array(k)
  for (const label of dataset.labels as Float64Array) sizes[classes.indexOf(label + 0)]++
  let text = ''
  for (const [a, b] of classPairs(k)) {
    const [i, j] = order[a] < order[b] ? [order[a], order[b]] : [order[b], order[a]]
    const pair = pairIndex(i, j, k)
    // f > 0 means the first of LIBSVM's pair.
    const sign = positiveOf(i, j, k) === order[a] ? 1 : -1
    const { width, size, bias } = problems[pair]
    const weight = settings.weightOf(classes[i])
    const nu = size / (settings.cost * weight * (sizes[i] + sizes[j]))
    const hasNu = weight === settings.weightOf(classes[j])
    const line =
      settings.type === 'nu-svc' ? `C = ${percentF(1 / width)}\n` : hasNu ? `nu = ${percentF(nu)}\n` : ''
    const scale = settings.type === 'nu-svc' && width > 0 ? width : 1
    text += problemReport(problems[pair], line, scale, (sign * bias) / scale)
  }
  return text
}

/** Σ α. */
function sumOfSizes(coefficients: Float64Array): number {
  // A loop: on 26 classes a callback for each takes a twentieth of the command.
  let sum = 0
  for (let k = 0; k < coefficients.length; k++) sum += Math.abs(coefficients[k])
  return sum
}

function problemReport(problem: ReportedProblem, line: string, width: number, bias: number): string {
  const { iterations, dual, supportVectors, boundedSupportVectors } = problem
  return (
    `*\noptimization finished, #iter = ${iterations}\n${line}` +
    `obj = ${percentF(dual / (width * width))}, rho = ${percentF(0 - bias)}\n` +
    `nSV = ${supportVectors}, nBSV = ${boundedSupportVectors}\n`
  )
}
