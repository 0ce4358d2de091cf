/** `hyperplane verify MODEL DATA`: recomputes what a model claims, from the data it was trained on. */
import { readModel } from '../../models/files/read-model.node.ts'
import { verify } from '../../verify/verify.ts'
import { DATA_HELP, MODEL_HELP, readMatchingData, unlabelledDataOptions } from '../options/data-options.ts'
import {
  choiceOption,
  type Flags,
  given,
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
  C: numberOption('C used in training, if the model does not contain it'),
  nu: numberOption('nu used in training, if the model does not contain it'),
  epsilon: numberOption('half-width of the tube used in training, if the model does not contain it'),
  classWeight: classWeightOption(
    'factors of C for each class used in training, if the model does not contain them',
  ),
  loss: choiceOption(
    ['hinge', 'squared-hinge', 'epsilon-insensitive', 'squared-epsilon-insensitive'],
    'loss of a linear model, if the model does not contain it',
  ),
  bias: choiceOption(
    ['free', 'regularised', 'none'],
    "form of the bias in training, if the model does not contain it; free for LIBLINEAR's -R",
    'form',
  ),
  interceptScaling: numberOption(
    'value of the constant feature for the bias, if the model does not contain it',
  ),
  tol: numberOption(
    'largest accepted violation for a model without a certificate (default 0.001, as in svm-train)',
  ),
  maxGap: numberOption(
    'largest accepted gap, as a fraction of the value (default: 0.1 for models that contain only w and no certificate, otherwise no limit)',
    'share',
  ),
  timeLimit: numberOption(
    'time limit for finding a bound, for models without dual variables (default: none)',
    'seconds',
  ),
  ...tableTextOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<model>': MODEL_HELP, '<data>': DATA_HELP.replace('a data file', 'the training data') },
  options,
  notes: `Examples:
  $ hyperplane verify heart.json heart.libsvm
  $ hyperplane verify heart.model heart.scaled.libsvm --C 10

Exit code 0: everything that can be checked holds; 1: something does not hold (see the last line).`,
  run,
})

async function run(flags: Flags<typeof options>, modelPath: string, dataPath: string): Promise<void> {
  const model = await readModel(modelPath)
  const dataset = await readMatchingData(dataPath, flags, model)
  const settings = given(flags, [
    ...(['C', 'nu', 'epsilon', 'classWeight', 'loss', 'bias', 'interceptScaling'] as const),
    ...(['tol', 'maxGap', 'timeLimit', 'threads'] as const),
  ])
  const result = await untilInterrupted((signal) => verify(model, dataset, { ...settings, signal }))
  printResult(flags, { model: modelPath, data: dataPath, ...result }, () => verificationLines(result))
  if (!result.holds) process.exitCode = EXIT_FAILED
}
