#!/usr/bin/env node
/** LIBSVM's `svm-predict`, with its flags: writes one prediction per line and says how many were right. */
import '../parallel/platform.node.ts'
import { readVectors } from '../data/files/read-dataset.node.ts'
import { writeFileAtomically } from '../data/files/write-file.node.ts'
import type { VectorDataset } from '../data/table/dataset.ts'
import { readModel } from '../models/files/read-model.node.ts'
import { OneClassModel } from '../models/one-class-model.ts'
import { defaultLabelOrder } from '../models/pairs.ts'
import { SvcModel } from '../models/svc-model.ts'
import { SvrModel } from '../models/svr-model.ts'
import { countRight, percentG, regressionScores } from './libsvm/c-format.ts'
import { CommandError, runDropIn, switchFlag, takeFlags, UsageError } from './libsvm/letter-flags.ts'
import { checkFiles } from './options/command-files.ts'

const USAGE = `Usage: svm-predict [options] test_file model_file output_file
options:
-b probability_estimates : predict probabilities too, 0 or 1 (default 0)
-q : say nothing
`

void runDropIn(USAGE, async (words) => {
  const flags = takeFlags(words, { letters: 'b', bare: 'q' })
  const [dataPath, modelPath, outputPath, ...more] = flags.files
  if (outputPath === undefined || more.length > 0) throw new UsageError('')
  const wanted = switchFlag(flags, 'b', 0)
  if (wanted === undefined) throw new UsageError(`option -b takes 0 or 1, got ${flags.values.get('b')}`)
  const say = (text: string) => {
    if (!flags.values.has('q')) process.stdout.write(text)
  }
  await checkFiles({ test_file: dataPath, model_file: modelPath }, { output_file: outputPath }, 'svm-predict')
  const model = await readModel(modelPath)
  if (!(model instanceof SvcModel || model instanceof SvrModel || model instanceof OneClassModel)) {
    throw new CommandError(`${modelPath}: not a model of LIBSVM's kind, but '${model.type}'`)
  }
  if (wanted && !model.probability) {
    throw new CommandError('Model does not support probabiliy estimates')
  }
  if (!wanted && model.probability) {
    say('Model supports probability estimates, but disabled in prediction.\n')
  }
  const dataset = await readVectors(dataPath, {
    format: 'libsvm',
    indexBase: model.kernel.spec.kind === 'precomputed' ? 0 : 1,
    labels: 'number',
  })
  const { lines, predicted, preface } = wanted
    ? withProbabilities(model, dataset)
    : plainPredictions(model, dataset)
  say(preface)
  await writeFileAtomically(outputPath, lines.length > 0 ? `${lines.join('\n')}\n` : '')
  say(summary(model, dataset.labels as Float64Array, predicted))
})

/** Any model that LIBSVM could have written. */
type DropInModel = SvcModel<unknown> | SvrModel<unknown> | OneClassModel<unknown>

interface Predictions {
  readonly lines: readonly string[]
  readonly predicted: Float64Array
  readonly preface: string
}

function plainPredictions(model: DropInModel, { samples }: VectorDataset): Predictions {
  const labels = model instanceof SvcModel ? model.predict(samples, { by: 'votes' }) : model.predict(samples)
  const predicted = Float64Array.from(labels as ArrayLike<number>, Number)
  return { lines: Array.from(predicted, (value) => String(value)), predicted, preface: '' }
}

function withProbabilities(model: DropInModel, { samples }: VectorDataset): Predictions {
  if (model instanceof SvrModel) {
    const sigma = percentG(model.probability?.sigma ?? Number.NaN)
    const preface =
      'Prob. model for test data: target value = predicted value + z,\n' +
      `z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=${sigma}\n`
    return { ...plainPredictions(model, { samples } as VectorDataset), preface }
  }
  if (model instanceof OneClassModel) {
    const predicted = model.predict(samples)
    const normal = model.predictProbability(samples)
    const lines = ['labels normal outlier']
    predicted.forEach((label, i) => {
      lines.push(`${label} ${percentG(normal[i])} ${percentG(1 - normal[i])}`)
    })
    return { lines, predicted, preface: '' }
  }
  const { classes } = model
  const order = model.labelOrder ?? defaultLabelOrder(classes.length)
  const probabilities = model.predictProbability(samples, { coupling: 'libsvm' })
  const k = classes.length
  const predicted = new Float64Array(samples.rows)
  const lines = [`labels ${order.map((c) => classes[c]).join(' ')}`]
  for (let i = 0; i < predicted.length; i++) {
    const own = order.map((c) => probabilities[i * k + c])
    const best = order[own.indexOf(Math.max(...own))]
    predicted[i] = Number(classes[best])
    lines.push(`${classes[best]} ${own.map(percentG).join(' ')}`)
  }
  return { lines, predicted, preface: '' }
}

function summary(model: DropInModel, labels: Float64Array, predicted: Float64Array): string {
  if (model instanceof SvrModel) {
    const [error, correlation] = regressionScores(labels, predicted)
    return (
      `Mean squared error = ${error} (regression)\n` +
      `Squared correlation coefficient = ${correlation} (regression)\n`
    )
  }
  const right = countRight(labels, predicted)
  const share = percentG((100 * right) / labels.length)
  return `Accuracy = ${share}% (${right}/${labels.length}) (classification)\n`
}
