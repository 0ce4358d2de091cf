/** `hyperplane scale DATA`: scales features, and remembers how so that other data can be scaled the same way. */

import { readFile } from 'node:fs/promises'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { fitRangeScaler } from '../../data/scaling/range-scaler.ts'
import { applyScaler, type Scaler } from '../../data/scaling/scaler.ts'
import { formatScaler, parseScaler } from '../../data/scaling/scaler-file.ts'
import { fitStandardScaler } from '../../data/scaling/standard-scaler.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, readVectors, STANDARD_HELP, unlabelledDataOptions } from '../options/data-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  flagOf,
  notApplicable,
  numberOption,
  subcommand,
  textOption,
  writtenFileOption,
} from '../options/options.ts'
import { checkDataOutput, dataOutputOptions, deliverDataset } from '../report/data-output.ts'
import { COMMAND } from '../report/failure.ts'

const options = {
  to: choiceOption(['range', 'standard'], `what to scale to (default range); ${STANDARD_HELP}`, 'kind'),
  lower: numberOption('value that the minimum of each feature is mapped to (default -1)'),
  upper: numberOption('value that the maximum of each feature is mapped to (default 1)'),
  saveRange: writtenFileOption(
    "file to save the scaling to: svm-scale's range format, or JSON for --to standard; - is stdout",
  ),
  restore: textOption('file', 'apply the scaling saved in this file'),
  ...dataOutputOptions,
  ...unlabelledDataOptions,
}

type ScaleFlags = Flags<typeof options>

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Examples:
  $ hyperplane scale train.libsvm --save-range train.range -o train.scaled
  $ hyperplane scale test.libsvm --restore train.range -o test.scaled`,
  run,
})

async function run(flags: ScaleFlags, path: string): Promise<void> {
  checkTogether(flags)
  const { restore, saveRange, output } = flags
  await checkFiles(
    { '<data>': path, '--restore': restore },
    { '--save-range': saveRange, '--output': output },
  )
  checkDataOutput(flags)
  const dataset = await readVectors(path, flags)
  const scaler =
    restore === undefined ? fitScaler(dataset, flags) : parseScaler(await readFile(restore, 'utf8'), restore)
  const { featureNames, ...rest } = dataset
  const samples = applyScaler(scaler, dataset.samples)
  const scaled = { ...rest, samples, ...(featureNames?.length === samples.cols && { featureNames }) }
  if (saveRange !== undefined) await writeFileAtomically(saveRange, formatScaler(scaler))
  await deliverDataset(scaled, flags, `scaled (${scaler.kind})`, { scaler: scaler.kind, saveRange })
}

function checkTogether(flags: ScaleFlags): void {
  for (const name of ['to', 'lower', 'upper', 'saveRange'] as const) {
    if (flags[name] === undefined) continue
    if (flags.restore !== undefined) {
      throw new ParameterError(COMMAND, flagOf(name), 'cannot be used together with --restore')
    }
    if (flags.to === 'standard' && (name === 'lower' || name === 'upper'))
      throw notApplicable(name, '--to standard')
  }
}

function fitScaler({ samples }: VectorDataset, { to, lower, upper }: ScaleFlags): Scaler {
  return to === 'standard' ? fitStandardScaler(samples) : fitRangeScaler(samples, defined({ lower, upper }))
}
