/** `hyperplane evaluate DATA MODEL`: how well a model predicts labels that are known. */

import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, MODEL_HELP, readMatchingData } from '../options/data-options.ts'
import { type Flags, subcommand, threadsOption } from '../options/options.ts'
import { checkLabels, evaluateAny, evaluationLines } from '../report/evaluation.ts'
import { printResult } from '../report/output.ts'
import { tableTextOptions } from '../tables/table-options.ts'

const options = { ...tableTextOptions, ...dataOptions, ...threadsOption }

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP, '<model>': MODEL_HELP },
  options,
  notes: 'Example:\n  $ hyperplane evaluate heart.test.libsvm heart.json --json',
  run,
})

async function run(flags: Flags<typeof options>, dataPath: string, modelPath: string): Promise<void> {
  await checkFiles({ '<data>': dataPath, '<model>': modelPath })
  const model = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const dataset = await readMatchingData(dataPath, flags, model)
  const classes = isClassifier(model) ? model.classes : []
  checkLabels(dataPath, dataset.labels, classes.length > 0 ? 'classes' : 'numbers', classes)
  const evaluation = evaluateAny(dataset, model, flags.threads)
  printResult(flags, evaluation, () => evaluationLines(evaluation))
}
