#!/usr/bin/env node
/** LIBSVM's `svm-train`, with its flags and the lines that scripts read from it. */
import '../parallel/platform.node.ts'
import { basename } from 'node:path'
import { readVectors } from '../data/files/read-dataset.node.ts'
import type { VectorDataset } from '../data/table/dataset.ts'
import { runInSlices, setFitRunner } from '../estimators/fitting/fit-runner.ts'
import { trustSamples } from '../estimators/parts/training-samples.ts'
import { writeModel } from '../models/files/write-model.node.ts'
import { checkLabels } from './libsvm/class-labels.ts'
import { crossValidationLines } from './libsvm/cross-validation.ts'
import { runDropIn, takeFlags, UsageError } from './libsvm/letter-flags.ts'
import { printOut } from './libsvm/print-out.ts'
import { foldTraining } from './libsvm/svm-train-folds.ts'
import { fitWithReport } from './libsvm/svm-train-report.ts'
import { SVM_TRAIN_LETTERS, svmTrainSettings } from './libsvm/svm-train-settings.ts'
import { checkFiles } from './options/command-files.ts'
import { warnWithoutEngine } from './report/engine-warning.ts'

const USAGE = `Usage: svm-train [options] training_set_file [model_file]
options:
-s type : what to train (default 0)
\t0 -- C-SVC, classification (any number of classes)
\t1 -- nu-SVC, classification (any number of classes)
\t2 -- one-class SVM
\t3 -- epsilon-SVR, regression
\t4 -- nu-SVR, regression
-t kernel : (default 2)
\t0 -- linear: u'*v
\t1 -- polynomial: (gamma*u'*v + coef0)^degree
\t2 -- radial basis function: exp(-gamma*|u-v|^2)
\t3 -- sigmoid: tanh(gamma*u'*v + coef0)
\t4 -- precomputed kernel values in training_set_file
-d degree : of the polynomial kernel (default 3)
-g gamma : of the kernel (default 1/num_features)
-r coef0 : of the kernel (default 0)
-c cost : C of C-SVC, epsilon-SVR and nu-SVR (default 1)
-n nu : of nu-SVC, one-class SVM and nu-SVR (default 0.5)
-p epsilon : half-width of the tube of epsilon-SVR (default 0.1)
-m cachesize : memory for kernel values in MB (default 100)
-e epsilon : tolerance at which to stop (default 0.001)
-h shrinking : use shrinking, 0 or 1 (default 1)
-b probability_estimates : calibrate probabilities too, 0 or 1 (default 0)
-wi weight : multiply C of class i by weight, for C-SVC (default 1)
-v n : n-fold cross validation instead of training a model
-q : quiet
`

void runDropIn(USAGE, async (words) => {
  const flags = takeFlags(words, { letters: SVM_TRAIN_LETTERS, bare: 'q', prefixed: 'w' })
  const [path, modelPath, ...more] = flags.files
  if (path === undefined || more.length > 0) throw new UsageError('')
  const settings = svmTrainSettings(flags)
  const output = modelPath ?? `${basename(path)}.model`
  await checkFiles(
    { training_set_file: path },
    { model_file: settings.folds === undefined ? output : undefined },
    'svm-train',
  )
  const dataset: VectorDataset = await readVectors(path, {
    format: 'libsvm',
    indexBase: settings.precomputed ? 0 : 1,
    labels: 'number',
  })
  // Nothing else is to be done meanwhile: another thread would only take time to start, and a copy of the data.
  setFitRunner(runInSlices)
  trustSamples(dataset.samples)
  if (settings.classifies) checkLabels(path, dataset)
  settings.check(dataset)
  const say = (text: string) => {
    if (!flags.values.has('q')) printOut(text)
  }
  if (settings.folds !== undefined) {
    const { folds, classifies: stratify, regression } = settings
    const training = foldTraining(settings, dataset, say)
    printOut(await crossValidationLines({ folds, stratify, regression, ...training }, dataset))
    warnWithoutEngine()
    return
  }
  const model = await fitWithReport(settings, dataset, say)
  warnWithoutEngine()
  await writeModel(output, model, { format: 'libsvm' })
})
