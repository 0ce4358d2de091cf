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
import { noiseLines, percentG } from './libsvm/c-format.ts'
import { CommandError, runDropIn } from './libsvm/letter-flags.ts'
import { predictionScores, predictRequest } from './libsvm/predict-request.ts'

const USAGE = `Usage: svm-predict [options] test_file model_file output_file
options:
-b probability_estimates : predict probabilities too, 0 or 1 (default 0)
-q : quiet
`

void runDropIn(USAGE, async (words) => {
  const request = await predictRequest('svm-predict', words)
  const { dataPath, modelPath, outputPath, wantsProbabilities, say } = request
  const model = await readModel(modelPath)
  if (!(model instanceof SvcModel || model instanceof SvrModel || model instanceof OneClassModel)) {
    throw new CommandError(`${modelPath}: LIBSVM has no models of type '${model.type}'`)
  }
  if (wantsProbabilities && !model.probability) {
    throw new CommandError('Model does not support probabiliy estimates')
  }
  if (!wantsProbabilities && model.probability) {
    say('Model supports probability estimates, but disabled in prediction.\n')
  }
  const dataset = await readVectors(dataPath, {
    format: 'libsvm',
    indexBase: model.kernel.spec.kind === 'precomputed' ? 0 : 1,
    labels: 'number',
  })
  const { lines, predicted, preface } = wantsProbabilities
    ? withProbabilities(model, dataset)
    : plainPredictions(model, dataset)
  say(preface)
  await writeFileAtomically(outputPath, lines.length > 0 ? `${lines.join('\n')}\n` : '')
  const labels = dataset.labels as Float64Array
  say(predictionScores(model instanceof SvrModel, labels, predicted, ' (classification)'))
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
    const preface = noiseLines(model.probability?.sigma ?? Number.NaN)
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
