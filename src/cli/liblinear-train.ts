#!/usr/bin/env node
/** LIBLINEAR's `train`, as Debian names it, with its flags and the lines that scripts read from it. */
import '../parallel/platform.node.ts'
import { basename } from 'node:path'
import { LibcRandom } from '../base/libc-random.ts'
import { readVectors } from '../data/files/read-dataset.node.ts'
import type { VectorDataset } from '../data/table/dataset.ts'
import { readingInPlace } from '../engine/matrix/samples-in-place.ts'
import { setFitRunner } from '../estimators/fitting/fit-runner.ts'
import { trustSamples } from '../estimators/parts/training-samples.ts'
import { writeModel } from '../models/files/write-model.node.ts'
import { fitHere } from '../parallel/fit-on-thread.node.ts'
import { fitWithReport } from './liblinear/liblinear-report.ts'
import {
  LIBLINEAR_LETTERS,
  type LiblinearSettings,
  liblinearSettings,
} from './liblinear/liblinear-settings.ts'
import { parameterSearchLines } from './liblinear/parameter-search.ts'
import { hasRoughModel, roughModel } from './liblinear/rough-model.ts'
import { checkLabels } from './libsvm/class-labels.ts'
import { crossValidationLines, type Predictor } from './libsvm/cross-validation.ts'
import { CommandError, runDropIn, takeFlags, UsageError } from './libsvm/letter-flags.ts'
import { printOut } from './libsvm/print-out.ts'
import { checkFiles } from './options/command-files.ts'
import { warnWithoutEngine } from './report/engine-warning.ts'

const USAGE = `Usage: liblinear-train [options] training_set_file [model_file]
options:
-s type : what to train (default 1)
  classification, any number of classes
\t 0 -- logistic regression, L2-regularised (primal)
\t 1 -- squared hinge loss, L2-regularised (dual)
\t 2 -- squared hinge loss, L2-regularised (primal)
\t 3 -- hinge loss, L2-regularised (dual)
\t 4 -- Crammer and Singer's machine
\t 5 -- squared hinge loss, L1-regularised
\t 6 -- logistic regression, L1-regularised
\t 7 -- logistic regression, L2-regularised (dual)
  regression
\t11 -- squared epsilon-insensitive loss (primal)
\t12 -- squared epsilon-insensitive loss (dual)
\t13 -- epsilon-insensitive loss (dual)
  outliers
\t21 -- one-class machine
-c cost : C (default 1)
-p epsilon : half-width of the tube of regression (default 0.1)
-n nu : of the one-class machine (default 0.5)
-e epsilon : tolerance, proportional to the relative gap, which is 1e-6 at the default
-B bias : value of a constant feature added to all samples; < 0: none (default -1)
-R : do not regularise the weight of that feature (with -B 1, for -s 0, 2, 5, 6 and 11)
-wi weight : multiply C of class i by weight (default 1)
-v n : n-fold cross validation instead of training a model
-C : find C by cross validation (for -s 0 and 2; C and epsilon for -s 11) instead of training
-q : quiet
`

/** LIBLINEAR cuts labels off at the point, which makes one class of 1.2 and 1.9. */
const FRACTIONS = ': number the classes, or train on targets with -s 11, 12 or 13'

/** LIBLINEAR's indices are numbers of 32 bits with a sign; a weight is kept for each up to the largest. */
const LARGEST_INDEX = 2 ** 31 - 1

void runDropIn(USAGE, (words) => readingInPlace(() => train(words)))

async function train(words: readonly string[]): Promise<void> {
  const flags = takeFlags(words, LIBLINEAR_LETTERS)
  const [path, modelPath, ...more] = flags.files
  if (path === undefined || more.length > 0) throw new UsageError('')
  const settings = liblinearSettings(flags, (text) => process.stderr.write(text))
  const output = modelPath ?? `${basename(path)}.model`
  const { folds, search, regression, classifies } = settings
  const writes = folds === undefined && search === undefined
  await checkFiles(
    { training_set_file: path },
    { model_file: writes ? output : undefined },
    'liblinear-train',
  )
  const dataset: VectorDataset = await readVectors(path, { format: 'libsvm', indexBase: 1, labels: 'number' })
  if (dataset.samples.cols > LARGEST_INDEX) {
    throw new CommandError(
      `${path}: indices must be at most ${LARGEST_INDEX}, got ${dataset.samples.cols}: number the features from 1 on`,
    )
  }
  trustSamples(dataset.samples)
  if (classifies) checkLabels(path, dataset, FRACTIONS)
  setFitRunner(fitHere)
  const say = (text: string) => {
    if (!flags.values.has('q')) printOut(text)
  }
  if (search) {
    printOut(await parameterSearchLines(settings, dataset, say))
  } else if (folds !== undefined) {
    const fit = foldTrainer(settings, dataset, say)
    printOut(await crossValidationLines({ folds, stratify: false, regression, fit }, dataset))
  } else {
    await writeModel(output, await fitWithReport(settings, dataset, say), { format: 'liblinear' })
  }
  warnWithoutEngine()
}

/** Trains on folds: to where LIBLINEAR stops, so that rates are its own; where its method is not here, to the end. */
function foldTrainer(
  settings: LiblinearSettings,
  { labels }: VectorDataset,
  say: (text: string) => void,
): (training: VectorDataset) => Promise<Predictor> {
  const { name, C, p } = settings
  if (!hasRoughModel(name)) {
    return (training) => fitWithReport(settings, training, say) as unknown as Promise<Predictor>
  }
  // The folds have been drawn from the same numbers.
  const random = new LibcRandom(1)
  random.shuffle(Array.from(labels.keys()))
  return async (training) => roughModel(settings, training, { C, p, random })
}
