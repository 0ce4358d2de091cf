/** `hyperplane evaluate DATA MODEL`: how well a model predicts labels that are known. */
import type { Command } from 'commander'
import { DataError, isClassifier, type Label, type Labels, type Model, readModel } from '../index.node.ts'
import { addDataOptions, DATA_HELP, type DataFlags } from './data-options.ts'
import { evaluateAny, evaluationLines } from './evaluation.ts'
import { readMatchingData } from './matching-data.ts'
import { addCommonOptions, addThreadsOption, type ThreadsFlag } from './option-types.ts'
import { type OutputOptions, printResult } from './output.ts'

type EvaluateFlags = OutputOptions & DataFlags & ThreadsFlag

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .argument('<model>', "a model file: Hyperplane's JSON or LIBSVM's text")
  addDataOptions(command)
  addThreadsOption(command)
  addCommonOptions(command)
  command
    .addHelpText('after', '\nExample:\n  $ hyperplane evaluate heart.test.libsvm heart.json --json')
    .action(run)
}

async function run(dataPath: string, modelPath: string, flags: EvaluateFlags): Promise<void> {
  const model = await readModel(modelPath)
  const dataset = await readMatchingData(dataPath, flags, model)
  checkLabels(dataPath, dataset.labels, model)
  const evaluation = evaluateAny(dataset, model, flags.threads)
  printResult(flags, evaluation, () => evaluationLines(evaluation))
}

/** Labels that the model does not know count as mistakes; when it knows none of them, the data are not meant for it. */
function checkLabels(path: string, labels: Labels, model: Model): void {
  if (!isClassifier(model)) {
    if (typeof labels[0] === 'string') {
      throw new DataError(`${path}: the labels are words where a model of type ${model.type} needs numbers`)
    }
    return
  }
  const { classes } = model
  const present = [...new Set<Label>(labels)]
  if (present.some((label) => classes.includes(label))) return
  const shown = present.slice(0, 5).join(', ') + (present.length > 5 ? ', …' : '')
  throw new DataError(`${path}: the labels are ${shown} where the model tells ${classes.join(' from ')}`)
}
