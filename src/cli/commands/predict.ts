/** `hyperplane predict DATA MODEL`: the label of every sample, one per line. */

import { DataError, ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, MODEL_HELP, readMatchingData, unlabelledDataOptions } from '../options/data-options.ts'
import {
  defined,
  type Flags,
  numberOption,
  outputOption,
  subcommand,
  switchOption,
  threadsOption,
} from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { counted, printResult } from '../report/output.ts'
import { tableTextOptions } from '../tables/table-options.ts'

const options = {
  output: outputOption('where to write the labels, one per line (default: stdout)'),
  decision: switchOption('add the decision value after each label, or one per class'),
  probability: switchOption('then add the probability of each class, or of being normal (one-class)'),
  interval: numberOption(
    'add the ends of the interval that holds the target with this probability, such as 0.9 (regression with --probability laplace)',
    'level',
  ),
  ...tableTextOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP, '<model>': MODEL_HELP },
  options,
  notes: 'Example:\n  $ hyperplane predict heart.libsvm heart.json -o heart.labels',
  run,
})

async function run(flags: Flags<typeof options>, dataPath: string, modelPath: string): Promise<void> {
  const { threads, output } = flags
  await checkFiles({ '<data>': dataPath, '<model>': modelPath }, { '--output': output })
  const model = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const { preparation, features, featureNames } = model
  const matched = { preparation, features, featureNames, labels: false }
  const { samples } = await readMatchingData(dataPath, flags, matched)
  const settings = defined({ threads })
  const decisions = flags.decision ? model.decisionFunction(samples, settings) : undefined
  const probabilities = flags.probability ? probabilitiesOf(modelPath, model, samples, settings) : undefined
  const { lower, upper } = intervalOf(modelPath, model, samples, flags.interval, settings)
  const labels = Array.from<number | string>(model.predict(samples, settings))
  const columns = [decisions, probabilities, lower, upper].flatMap((values) =>
    values === undefined || labels.length === 0 ? [] : [{ values, width: values.length / labels.length }],
  )
  const lines = labels.map((label, i) =>
    [label, ...columns.flatMap(({ values, width }) => [...values.subarray(i * width, (i + 1) * width)])].join(
      ' ',
    ),
  )
  if (output !== undefined) {
    await writeFileAtomically(output, lines.map((line) => `${line}\n`).join(''))
    printResult(flags, { samples: labels.length, output }, () => [
      `${counted(labels.length, 'prediction')} written to ${output}`,
    ])
  } else {
    const classes = isClassifier(model) ? model.classes : undefined
    const ends = flags.interval === undefined ? {} : { interval: flags.interval, lower, upper }
    const result = { samples: labels.length, output, classes, labels, decisions, probabilities, ...ends }
    printResult(flags, result, () => lines)
  }
}

/** One value per class for each sample, classes as the model lists them; of one-class models the probability of being normal. */
function probabilitiesOf(
  path: string,
  model: Model,
  samples: TableDataset['samples'],
  options: { readonly threads?: number },
): Float64Array {
  if (!('predictProbability' in model) || !model.probability) {
    throw new DataError(`${path}: the model gives no probabilities; train it with --probability`)
  }
  return model.predictProbability(samples, options)
}

/** The ends of the interval around each target. */
function intervalOf(
  path: string,
  model: Model,
  samples: TableDataset['samples'],
  level: number | undefined,
  options: { readonly threads?: number },
): { lower?: Float64Array; upper?: Float64Array } {
  if (level === undefined) return {}
  if (!(level >= 0 && level < 1)) throw new ParameterError(COMMAND, '--interval', '>= 0 and < 1', level)
  if (!('predictInterval' in model) || !model.probability) {
    throw new DataError(
      `${path}: the model gives no intervals; train a regression with --probability laplace`,
    )
  }
  return model.predictInterval(samples, { level, ...options })
}
