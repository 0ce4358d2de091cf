/** `hyperplane predict DATA MODEL`: the label of every sample, one per line or per row of a table. */

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { DataError, ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { checkFiles } from '../options/command-files.ts'
import { type RowBatch, throughBatches } from '../options/data-batches.ts'
import { DATA_HELP, MODEL_HELP, unlabelledDataOptions } from '../options/data-options.ts'
import {
  modelWithSets,
  modelWithThreshold,
  setsOption,
  thresholdOption,
} from '../options/decision-options.ts'
import {
  defined,
  type Flags,
  numberOption,
  outputOption,
  subcommand,
  switchOption,
  textOption,
  threadsOption,
} from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { counted, printResult } from '../report/output.ts'
import {
  type Answers,
  PredictionText,
  predictionFormat,
  predictionNames,
} from '../report/prediction-output.ts'
import { tableTextOptions } from '../tables/table-options.ts'
import { STDOUT } from '../terminal/voice.ts'

const options = {
  output: outputOption(
    'where to write (default: stdout): a table with a header for .csv and .tsv, objects for .jsonl and .json, otherwise one line per sample, label first',
  ),
  decision: switchOption('add the decision value after each label, or one per class'),
  probability: switchOption('add the probability of each class, or of being normal (one-class)'),
  interval: numberOption(
    'add the ends of an interval that contains the target with this probability, such as 0.9 (regression trained with --probability laplace, or with --conformal at this level)',
    'level',
  ),
  ...setsOption,
  id: textOption(
    'column',
    'column of a table that identifies the rows: first column of the output, not a feature',
  ),
  ...thresholdOption,
  ...tableTextOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

type PredictFlags = Flags<typeof options>

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP, '<model>': MODEL_HELP },
  options,
  notes: `Examples:
  $ hyperplane predict heart.libsvm heart.json -o heart.labels
  $ hyperplane predict customers.csv churn.json --id customer --probability -o churn.csv

LIBSVM text is read in parts: a file may be larger than memory.`,
  run,
})

async function run(flags: PredictFlags, dataPath: string, modelPath: string): Promise<void> {
  const { output } = flags
  await checkFiles({ '<data>': dataPath, '<model>': modelPath }, { '--output': output })
  const format = output === undefined || output === STDOUT ? 'lines' : predictionFormat(output)
  const saved = await readModel(modelPath, { maxBytes: flags.maxBytes })
  const model = modelWithSets(modelPath, modelWithThreshold(modelPath, saved, flags.threshold), flags)
  const { preparation, features, featureNames } = model
  const wanted = { preparation, features, featureNames, labels: false }
  const reading = { ...flags, ...defined({ groups: flags.id }) }
  const answers = async function* (batches: AsyncIterable<RowBatch>): AsyncGenerator<Answers> {
    for await (const batch of batches) yield answersOf(flags, modelPath, model, batch)
  }
  const names = predictionNames(model, flags.id)
  if (output !== undefined) {
    const write = async (batches: AsyncIterable<RowBatch>) => {
      const text = new PredictionText(answers(batches), names, format)
      await writeFileAtomically(output, /\.gz$/i.test(output) ? await zipped(text) : text)
      return text.count
    }
    const samples = await throughBatches(dataPath, reading, wanted, write, { isFinal: output === STDOUT })
    printResult(flags, { samples, output }, () => [`${counted(samples, 'prediction')} written to ${output}`])
  } else if (flags.json) {
    await throughBatches(dataPath, reading, wanted, async (batches) => {
      const all: Answers[] = []
      for await (const one of answers(batches)) all.push(one)
      printResult(flags, { output, ...factsOf(flags, model, all) }, () => [])
    })
  } else {
    const print = async (batches: AsyncIterable<RowBatch>) => {
      const text = new PredictionText(answers(batches), names, format)
      for await (const piece of text) if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
    }
    await throughBatches(dataPath, reading, wanted, print, { isFinal: true })
  }
}

/** Everything that was requested, as one object. */
function factsOf({ interval }: PredictFlags, model: Model, all: readonly Answers[]): object {
  const labels = all.flatMap((answers) => answers.labels)
  const joined = (name: 'decisions' | 'probabilities' | 'lower' | 'upper') =>
    all.some((answers) => answers[name] === undefined)
      ? undefined
      : all.flatMap((answers) => Array.from(answers[name] ?? []))
  const has = (name: keyof Answers) => all.some((answers) => answers[name] !== undefined)
  const { conformal } = model
  return {
    samples: labels.length,
    classes: isClassifier(model) ? model.classes : undefined,
    ...(has('ids') && { ids: all.flatMap(({ ids = [] }) => ids) }),
    labels,
    ...defined({ interval: interval ?? (has('lower') ? conformal?.level : undefined) }),
    ...{ decisions: joined('decisions'), probabilities: joined('probabilities') },
    ...(has('lower') && { lower: joined('lower'), upper: joined('upper') }),
    ...(has('sets') && { level: conformal?.level, sets: all.flatMap(({ sets = [] }) => sets) }),
  }
}

function answersOf(
  flags: PredictFlags,
  modelPath: string,
  model: Model,
  { samples, groups }: RowBatch,
): Answers {
  const { threads } = flags
  const settings = defined({ threads })
  return {
    ids: groups && Array.from(groups, String),
    labels: Array.from<number | string>(model.predict(samples, settings)),
    decisions: flags.decision ? model.decisionFunction(samples, settings) : undefined,
    probabilities: flags.probability ? probabilitiesOf(modelPath, model, samples, settings) : undefined,
    ...intervalOf(modelPath, model, samples, flags.interval, settings),
    sets: isClassifier(model) && model.conformal ? model.predictSets(samples, settings) : undefined,
  }
}

/** The compressed text; Node's zlib is loaded only where something is compressed. */
async function zipped(text: AsyncIterable<string>): Promise<AsyncIterable<Uint8Array>> {
  const { createGzip } = await import('node:zlib')
  const zip = createGzip()
  const source = Readable.from(text, { objectMode: false })
  source.on('error', (error) => zip.destroy(error))
  return source.pipe(zip)
}

/** One value per class for each sample, classes as the model lists them; of one-class models the probability of being normal. */
function probabilitiesOf(
  path: string,
  model: Model,
  samples: RowBatch['samples'],
  options: { readonly threads?: number },
): Float64Array {
  if (!('predictProbability' in model) || !model.probability) {
    throw new DataError(`${path}: the model has no probabilities; train it with --probability`)
  }
  return model.predictProbability(samples, options)
}

/** The ends of the interval around each target: of the requested level, or of the model's own. */
function intervalOf(
  path: string,
  model: Model,
  samples: RowBatch['samples'],
  asked: number | undefined,
  options: { readonly threads?: number },
): { lower?: Float64Array; upper?: Float64Array } {
  if (asked !== undefined && !(asked >= 0 && asked < 1)) {
    throw new ParameterError(COMMAND, '--interval', '>= 0 and < 1', asked)
  }
  const { conformal } = model
  const level = asked ?? (isClassifier(model) ? undefined : conformal?.level)
  if (level === undefined) return {}
  if (!('predictInterval' in model) || !(model.probability || level === conformal?.level)) {
    const why = conformal && !isClassifier(model) ? ` of level ${level}, only of ${conformal.level}` : ''
    const advice = 'train a regression with --conformal LEVEL or --probability laplace'
    throw new DataError(`${path}: the model has no intervals${why}; ${advice}`)
  }
  const { lower, upper } = model.predictInterval(samples, { level, ...options })
  return { lower, upper }
}
