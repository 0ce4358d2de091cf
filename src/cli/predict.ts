/** `hyperplane predict DATA MODEL`: the label of every sample, one a line. */
import type { Command } from 'commander'
import { readModel, writeFileAtomically } from '../index.node.ts'
import { addDataOptions, DATA_HELP, type DataFlags } from './data-options.ts'
import { readMatchingData } from './matching-data.ts'
import { addCommonOptions, addThreadsOption, type ThreadsFlag } from './option-types.ts'
import { counted, type OutputOptions, printResult } from './output.ts'

interface PredictFlags extends OutputOptions, DataFlags, ThreadsFlag {
  readonly output?: string
  readonly decision?: boolean
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .argument('<model>', "a model file: Hyperplane's JSON or LIBSVM's text")
    .option('-o, --output <file>', 'where to write the labels, one a line; stdout when absent')
    .option('--decision', 'add the decision value after each label, or one a class')
  addDataOptions(command, 'optional')
  addThreadsOption(command)
  addCommonOptions(command)
  command
    .addHelpText('after', '\nExample:\n  $ hyperplane predict heart.libsvm heart.json -o heart.labels')
    .action(run)
}

async function run(dataPath: string, modelPath: string, flags: PredictFlags): Promise<void> {
  const { threads } = flags
  const model = await readModel(modelPath)
  const { samples } = await readMatchingData(dataPath, flags, model)
  const options = threads === undefined ? {} : { threads }
  const labels = Array.from<number | string>(model.predict(samples, options))
  const decisions = flags.decision ? model.decisionFunction(samples, options) : undefined
  const { outputs } = model
  const lines = labels.map((label, i) =>
    decisions ? `${label} ${decisions.subarray(i * outputs, (i + 1) * outputs).join(' ')}` : String(label),
  )
  const { output } = flags
  if (output !== undefined) {
    await writeFileAtomically(output, lines.map((line) => `${line}\n`).join(''))
    printResult(flags, { samples: labels.length, output }, () => [
      `${counted(labels.length, 'prediction')} written to ${output}`,
    ])
  } else {
    printResult(flags, { samples: labels.length, output: null, labels, decisions }, () => lines)
  }
}
