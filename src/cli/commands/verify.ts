/** `hyperplane verify MODEL DATA`: recomputes what a model claims, from the data it was trained on. */
import { readModel } from '../../models/files/read-model.node.ts'
import { verify } from '../../verify/verify.ts'
import { DATA_HELP, MODEL_HELP, readMatchingData, unlabelledDataOptions } from '../options/data-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  numberOption,
  subcommand,
  threadsOption,
} from '../options/options.ts'
import { classWeightOption } from '../options/training-options.ts'
import { EXIT_FAILED } from '../report/failure.ts'
import { untilInterrupted } from '../report/interrupt.ts'
import { printResult } from '../report/output.ts'
import { verificationLines } from '../report/verification-lines.ts'
import { tableTextOptions } from '../tables/table-options.ts'

const options = {
  C: numberOption('C of the training, if the model does not say'),
  nu: numberOption('nu of the training, if the model does not say'),
  epsilon: numberOption('half-width of the tube of the training, if the model does not say'),
  classWeight: classWeightOption('factors of C for each class, if the model does not say'),
  loss: choiceOption(
    ['hinge', 'squared-hinge', 'epsilon-insensitive', 'squared-epsilon-insensitive'],
    'loss of a linear model, if the model does not say',
  ),
  bias: choiceOption(
    ['free', 'regularised', 'none'],
    "how the bias entered the problem, if the model does not say; free for LIBLINEAR's -R",
    'form',
  ),
  interceptScaling: numberOption('constant feature that carried the bias, if the model does not say'),
  tol: numberOption(
    'largest violation to accept of a model without a certificate (default 0.001, as svm-train)',
  ),
  maxGap: numberOption(
    'largest gap, relative to the value, to accept of a model that has no certificate and keeps w only (default 0.1, as LIBLINEAR); if given, of any model',
    'share',
  ),
  timeLimit: numberOption(
    'seconds for finding a bound, for models that keep no dual variables (default: none)',
    'seconds',
  ),
  ...tableTextOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<model>': MODEL_HELP, '<data>': `the data it was trained on: ${DATA_HELP}` },
  options,
  notes: `Examples:
  $ hyperplane verify heart.json heart.libsvm
  $ hyperplane verify heart.model heart.scaled.libsvm --C 10

Exit code 0: everything that can be checked holds; 1: something does not, and the last line says what.`,
  run,
})

async function run(flags: Flags<typeof options>, modelPath: string, dataPath: string): Promise<void> {
  const model = await readModel(modelPath)
  const dataset = await readMatchingData(dataPath, flags, model)
  const { C, nu, epsilon, classWeight, loss, bias, interceptScaling, tol, maxGap, timeLimit, threads } = flags
  const settings = {
    C,
    nu,
    epsilon,
    classWeight,
    loss,
    bias,
    interceptScaling,
    tol,
    maxGap,
    timeLimit,
    threads,
  }
  const result = await untilInterrupted((signal) => verify(model, dataset, { ...defined(settings), signal }))
  printResult(flags, { model: modelPath, data: dataPath, ...result }, () => verificationLines(result))
  if (!result.holds) process.exitCode = EXIT_FAILED
}
