/** `hyperplane predict DATA MODEL`: the label of every sample, one per line. */

import { once } from 'node:events'
import { DataError, ParameterError } from '../../base/errors.ts'
import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { type RowBatch, throughBatches } from '../options/data-batches.ts'
import { DATA_HELP, MODEL_HELP, unlabelledDataOptions } from '../options/data-options.ts'
import {
  defined,
  type Flags,
  numberOption,
  outputOption,
  subcommand,
  switchOption,
  threadsOption,
} from '../options/options.ts'
import { modelWithThreshold, thresholdOption } from '../options/threshold-option.ts'
import { COMMAND } from '../report/failure.ts'
import { counted, printResult } from '../report/output.ts'
import { tableTextOptions } from '../tables/table-options.ts'
import { STDOUT } from '../terminal/voice.ts'

const options = {
  output: outputOption('where to write the labels, one per line (default: stdout)'),
  decision: switchOption('add the decision value after each label, or one per class'),
  probability: switchOption('then add the probability of each class, or of being normal (one-class)'),
  interval: numberOption(
    'add the ends of the interval that holds the target with this probability, such as 0.9 (regression with --probability laplace)',
    'level',
  ),
  ...thresholdOption,
  ...tableTextOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP, '<model>': MODEL_HELP },
  options,
  notes: `Example:
  $ hyperplane predict heart.libsvm heart.json -o heart.labels

LIBSVM text is read a part at a time: a file may be larger than the memory.`,
  run,
})

async function run(flags: Flags<typeof options>, dataPath: string, modelPath: string): Promise<void> {
  const { output } = flags
  await checkFiles({ '<data>': dataPath, '<model>': modelPath }, { '--output': output })
  if (output !== undefined) {
    const advice = 'allowed: .csv, .tsv and .txt; --json prints JSON'
    refuseOtherEndings(output, 'predictions', ['csv', 'tsv'], advice)
  }
  const saved = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const model = modelWithThreshold(modelPath, saved, flags.threshold)
  const { preparation, features, featureNames } = model
  const wanted = { preparation, features, featureNames, labels: false }
  const say = (samples: RowBatch['samples']) => answersOf(flags, modelPath, model, samples)
  if (output !== undefined) {
    const samples = await throughBatches(
      dataPath,
      flags,
      wanted,
      async (batches) => {
        const lines = new BatchLines(batches, say)
        await writeFileAtomically(output, lines)
        return lines.count
      },
      { isFinal: output === STDOUT },
    )
    printResult(flags, { samples, output }, () => [`${counted(samples, 'prediction')} written to ${output}`])
  } else if (flags.json) {
    await throughBatches(dataPath, flags, wanted, async (batches) => {
      const all: Answers[] = []
      for await (const { samples } of batches) all.push(say(samples))
      const classes = isClassifier(model) ? model.classes : undefined
      const { interval } = flags
      const ends = interval === undefined ? [] : (['lower', 'upper'] as const)
      const values = ['decisions', 'probabilities', ...ends] as const
      const labels = all.flatMap((answers) => answers.labels)
      const facts = { samples: labels.length, output, classes, labels, ...defined({ interval }) }
      const lists = values.map((name) => [name, joinedValues(all.map((answers) => answers[name]))])
      printResult(flags, { ...facts, ...Object.fromEntries(lists) }, () => [])
    })
  } else {
    const print = async (batches: AsyncIterable<RowBatch>) => {
      const lines = new BatchLines(batches, say)
      for await (const text of lines) if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    }
    await throughBatches(dataPath, flags, wanted, print, { isFinal: true })
  }
}

/** What a model says of each of some samples: a label, and as many values as were asked for. */
interface Answers {
  readonly labels: readonly (number | string)[]
  readonly decisions?: Float64Array | undefined
  readonly probabilities?: Float64Array | undefined
  readonly lower?: Float64Array | undefined
  readonly upper?: Float64Array | undefined
}

function answersOf(
  flags: Flags<typeof options>,
  modelPath: string,
  model: Model,
  samples: RowBatch['samples'],
): Answers {
  const { threads } = flags
  const settings = defined({ threads })
  return {
    labels: Array.from<number | string>(model.predict(samples, settings)),
    decisions: flags.decision ? model.decisionFunction(samples, settings) : undefined,
    probabilities: flags.probability ? probabilitiesOf(modelPath, model, samples, settings) : undefined,
    ...intervalOf(modelPath, model, samples, flags.interval, settings),
  }
}

/** The answers to batch after batch as text, a line for each sample, and their number. */
class BatchLines implements AsyncIterable<string> {
  count = 0
  private readonly batches: AsyncIterable<RowBatch>
  private readonly say: (samples: RowBatch['samples']) => Answers

  constructor(batches: AsyncIterable<RowBatch>, say: (samples: RowBatch['samples']) => Answers) {
    this.batches = batches
    this.say = say
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    for await (const { samples } of this.batches) {
      const { labels, decisions, probabilities, lower, upper } = this.say(samples)
      const columns = [decisions, probabilities, lower, upper].flatMap((values) =>
        values === undefined || labels.length === 0 ? [] : [{ values, width: values.length / labels.length }],
      )
      const lines = labels.map((label, i) =>
        [
          label,
          ...columns.flatMap(({ values, width }) => [...values.subarray(i * width, (i + 1) * width)]),
        ].join(' '),
      )
      this.count += labels.length
      yield lines.map((line) => `${line}\n`).join('')
    }
  }
}

function joinedValues(parts: readonly (Float64Array | undefined)[]): number[] | undefined {
  return parts.some((part) => part === undefined)
    ? undefined
    : parts.flatMap((part) => Array.from(part ?? []))
}

/** One value per class for each sample, classes as the model lists them; of one-class models the probability of being normal. */
function probabilitiesOf(
  path: string,
  model: Model,
  samples: RowBatch['samples'],
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
  samples: RowBatch['samples'],
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
