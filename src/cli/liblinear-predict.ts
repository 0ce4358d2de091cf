#!/usr/bin/env node
/** LIBLINEAR's `predict`, as Debian names it: writes one prediction per line and says how many were right. */
import '../parallel/platform.node.ts'
import { readVectors } from '../data/files/read-dataset.node.ts'
import { writeFileAtomically } from '../data/files/write-file.node.ts'
import { readModel } from '../models/files/read-model.node.ts'
import { LinearOneClassModel } from '../models/linear-one-class-model.ts'
import { LinearSvcModel } from '../models/linear-svc-model.ts'
import { LinearSvrModel } from '../models/linear-svr-model.ts'
import { defaultLabelOrder } from '../models/pairs.ts'
import { percent17G, percentG } from './libsvm/c-format.ts'
import { CommandError, runDropIn } from './libsvm/letter-flags.ts'
import { predictionScores, predictRequest } from './libsvm/predict-request.ts'

const USAGE = `Usage: liblinear-predict [options] test_file model_file output_file
options:
-b probability_estimates : predict probabilities too, 0 or 1, for logistic regression (default 0)
-q : quiet
`

void runDropIn(USAGE, async (words) => {
  const request = await predictRequest('liblinear-predict', words)
  const { dataPath, modelPath, outputPath, wantsProbabilities, say } = request
  const model = await readModel(modelPath)
  const isClassifier = model instanceof LinearSvcModel
  if (!(isClassifier || model instanceof LinearSvrModel || model instanceof LinearOneClassModel)) {
    throw new CommandError(`${modelPath}: LIBLINEAR has no models of type '${model.type}'`)
  }
  if (wantsProbabilities && !(isClassifier && model.probability)) {
    throw new CommandError('probability output is only supported for logistic regression')
  }
  const { samples, labels } = await readVectors(dataPath, {
    format: 'libsvm',
    indexBase: 1,
    labels: 'number',
  })
  const predicted = Float64Array.from(model.predict(samples) as ArrayLike<number>, Number)
  const lines = Array.from(predicted, isClassifier ? String : percent17G)
  if (wantsProbabilities && isClassifier) {
    const { classes } = model
    const k = classes.length
    const order = model.labelOrder ?? defaultLabelOrder(k)
    const probabilities = model.predictProbability(samples)
    lines.forEach((line, i) => {
      lines[i] = `${line} ${order.map((c) => percentG(probabilities[i * k + c])).join(' ')}`
    })
    lines.unshift(`labels ${order.map((c) => classes[c]).join(' ')}`)
  }
  await writeFileAtomically(outputPath, lines.map((line) => `${line}\n`).join(''))
  say(predictionScores(model instanceof LinearSvrModel, labels as Float64Array, predicted))
})
