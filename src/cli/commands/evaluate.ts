/** `hyperplane evaluate DATA MODEL`: how well a model predicts labels that are known. */

import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { throughBatches } from '../options/data-batches.ts'
import { DATA_HELP, dataOptions, MODEL_HELP } from '../options/data-options.ts'
import {
  modelWithSets,
  modelWithThreshold,
  setsOption,
  thresholdOption,
} from '../options/decision-options.ts'
import { type Flags, subcommand, threadsOption } from '../options/options.ts'
import { Coverage, coverageRows } from '../report/coverage.ts'
import {
  checkLabels,
  evaluationLines,
  evaluationOf,
  GatheredPredictions,
  predictionsOf,
} from '../report/evaluation.ts'
import { aligned, printResult } from '../report/output.ts'
import { tableTextOptions } from '../tables/table-options.ts'

const options = { ...setsOption, ...thresholdOption, ...tableTextOptions, ...dataOptions, ...threadsOption }

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP, '<model>': MODEL_HELP },
  options,
  notes: `Example:
  $ hyperplane evaluate heart.test.libsvm heart.json --json

LIBSVM text is read in parts: a file may be larger than memory.`,
  run,
})

async function run(flags: Flags<typeof options>, dataPath: string, modelPath: string): Promise<void> {
  await checkFiles({ '<data>': dataPath, '<model>': modelPath })
  const saved = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const model = modelWithSets(modelPath, modelWithThreshold(modelPath, saved, flags.threshold), flags)
  const coverage = new Coverage(model)
  const classes = isClassifier(model) ? model.classes : []
  const predicted = await throughBatches(dataPath, flags, model, async (batches) => {
    const all = new GatheredPredictions()
    for await (const dataset of batches) {
      all.add(dataset.labels, predictionsOf(dataset, model, flags.threads))
      coverage.add(dataset as never, flags.threads)
    }
    return all
  })
  checkLabels(dataPath, predicted.labels, classes.length > 0 ? 'classes' : 'numbers', classes)
  const evaluation = evaluationOf(predicted, model)
  const { report } = coverage
  printResult(flags, { ...evaluation, ...(report && { conformal: report }) }, () => [
    evaluationLines(evaluation),
    report && ['', aligned(coverageRows(report))],
  ])
}
