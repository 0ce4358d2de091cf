/** `hyperplane predict DATA MODEL`: the label of every sample, one a line. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { DataError, ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags } from '../options/data-options.ts'
import { readMatchingData } from '../options/matching-data.ts'
import {
  addCommonOptions,
  addNumberOption,
  addThreadsOption,
  type ThreadsFlag,
} from '../options/option-types.ts'
import { counted, type OutputOptions, printResult } from '../report/output.ts'

interface PredictFlags extends OutputOptions, DataFlags, ThreadsFlag {
  readonly output?: string
  readonly decision?: boolean
  readonly probability?: boolean
  readonly interval?: number
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .argument('<model>', "a model file: Hyperplane's JSON or LIBSVM's text")
    .option('-o, --output <file>', 'where to write the labels, one a line; stdout when absent')
    .option('--decision', 'add the decision value after each label, or one a class')
    .option('--probability', 'add the probability of each class, or of being normal (one-class), after that')
  addNumberOption(
    command,
    '--interval <level>',
    'add the ends of the interval in which a target lies with this probability, 0.9 say (regression with --probability laplace)',
  )
  addDataOptions(command, 'optional')
  addThreadsOption(command)
  addCommonOptions(command)
  command
    .addHelpText('after', '\nExample:\n  $ hyperplane predict heart.libsvm heart.json -o heart.labels')
    .action(run)
}

async function run(dataPath: string, modelPath: string, flags: PredictFlags): Promise<void> {
  const { threads, output } = flags
  await checkFiles('predict', {
    reads: { '<data>': dataPath, '<model>': modelPath },
    writes: { '--output': output },
  })
  const model = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const { samples } = await readMatchingData(dataPath, flags, model)
  const options = threads === undefined ? {} : { threads }
  const decisions = flags.decision ? model.decisionFunction(samples, options) : undefined
  const probabilities = flags.probability ? probabilitiesOf(modelPath, model, samples, options) : undefined
  const { lower, upper } = intervalOf(modelPath, model, samples, flags.interval, options)
  const labels = Array.from<number | string>(model.predict(samples, options))
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

/** A value a class for each sample, classes as the model lists them; of one class the probability of being normal. */
function probabilitiesOf(
  path: string,
  model: Model,
  samples: VectorDataset['samples'],
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
  samples: VectorDataset['samples'],
  level: number | undefined,
  options: { readonly threads?: number },
): { lower?: Float64Array; upper?: Float64Array } {
  if (level === undefined) return {}
  if (!(level >= 0 && level < 1)) throw new ParameterError('predict', '--interval', '>= 0 and < 1', level)
  if (!('predictInterval' in model) || !model.probability) {
    throw new DataError(
      `${path}: the model gives no intervals; train a regression with --probability laplace`,
    )
  }
  return model.predictInterval(samples, { level, ...options })
}
