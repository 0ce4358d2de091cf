/** `hyperplane scale DATA`: scales features, and remembers how so that other data can be scaled the same way. */
import '../../parallel/platform.node.ts'
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { fitRangeScaler } from '../../data/scaling/range-scaler.ts'
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import { formatScaler, parseScaler } from '../../data/scaling/scaler-file.ts'
import { fitStandardScaler } from '../../data/scaling/standard-scaler.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { checkFiles } from '../options/command-files.ts'
import {
  addDataOptions,
  DATA_HELP,
  type DataFlags,
  readData,
  STANDARD_HELP,
} from '../options/data-options.ts'
import { addChoiceOption, addCommonOptions, addNumberOption } from '../options/option-types.ts'
import {
  addDataOutputOptions,
  checkDataOutput,
  type DataOutputFlags,
  deliverDataset,
} from '../report/data-output.ts'

interface ScaleFlags extends DataFlags, DataOutputFlags {
  readonly to?: 'range' | 'standard'
  readonly lower?: number
  readonly upper?: number
  readonly saveRange?: string
  readonly restore?: string
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command.argument('<data>', DATA_HELP)
  addChoiceOption(command, '--to <kind>', `what to scale to (default range); ${STANDARD_HELP}`, [
    ...['range', 'standard'],
  ])
  addNumberOption(command, '--lower <number>', 'image of the smallest value (default -1)')
  addNumberOption(command, '--upper <number>', 'image of the largest value (default 1)')
  command
    .option('--save-range <file>', "remember the scaling: svm-scale's range file, or JSON for --to standard")
    .option('--restore <file>', 'scale as remembered in this file')
  addDataOutputOptions(command)
  addDataOptions(command, 'optional')
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane scale train.libsvm --save-range train.range -o train.scaled
  $ hyperplane scale test.libsvm --restore train.range -o test.scaled`,
    )
    .action(run)
}

async function run(path: string, flags: ScaleFlags): Promise<void> {
  checkTogether(flags)
  await checkFiles('scale', {
    reads: { '<data>': path, '--restore': flags.restore },
    writes: { '--save-range': flags.saveRange, '--output': flags.output },
  })
  checkDataOutput(flags)
  const dataset = await readData(path, flags)
  const scaler = flags.restore === undefined ? fitScaler(dataset, flags) : await restoreScaler(flags.restore)
  const { featureNames, ...rest } = dataset
  const samples = applyScaler(scaler, dataset.samples)
  const scaled = { ...rest, samples, ...(featureNames?.length === samples.cols && { featureNames }) }
  if (flags.saveRange !== undefined) await writeFileAtomically(flags.saveRange, formatScaler(scaler))
  const { saveRange = null } = flags
  await deliverDataset(scaled, flags, `scaled (${scaler.kind})`, { scaler: scaler.kind, saveRange })
}

function checkTogether({ restore, to, lower, upper, saveRange }: ScaleFlags): void {
  const fitting = { '--to': to, '--lower': lower, '--upper': upper, '--save-range': saveRange }
  for (const [flag, value] of Object.entries(fitting)) {
    if (restore !== undefined && value !== undefined) {
      throw new ParameterError('scale', flag, 'absent when --restore says how to scale', value)
    }
  }
  for (const [flag, value] of Object.entries({ '--lower': lower, '--upper': upper })) {
    if (to === 'standard' && value !== undefined) {
      throw new ParameterError('scale', flag, 'absent with --to standard', value)
    }
  }
}

function fitScaler({ samples }: VectorDataset, { to, lower, upper }: ScaleFlags): Scaler {
  if (to === 'standard') return fitStandardScaler(samples)
  return fitRangeScaler(samples, {
    ...(lower !== undefined && { lower }),
    ...(upper !== undefined && { upper }),
  })
}

async function restoreScaler(path: string): Promise<Scaler> {
  return parseScaler(await readFile(path, 'utf8'), path)
}
