/** `hyperplane evaluate DATA MODEL`: how well a model predicts labels that are known. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags } from '../options/data-options.ts'
import { readMatchingData } from '../options/matching-data.ts'
import { addCommonOptions, addThreadsOption, type ThreadsFlag } from '../options/option-types.ts'
import { checkLabels, evaluateAny, evaluationLines } from '../report/evaluation.ts'
import { type OutputOptions, printResult } from '../report/output.ts'

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
  await checkFiles('evaluate', { reads: { '<data>': dataPath, '<model>': modelPath } })
  const model = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const dataset = await readMatchingData(dataPath, flags, model)
  const classes = isClassifier(model) ? model.classes : []
  checkLabels(dataPath, dataset.labels, classes.length > 0 ? 'classes' : 'numbers', classes)
  const evaluation = evaluateAny(dataset, model, flags.threads)
  printResult(flags, evaluation, () => evaluationLines(evaluation))
}
