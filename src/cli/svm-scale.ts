#!/usr/bin/env node
/** LIBSVM's `svm-scale`, with its flags: scales a file to a range, on standard output. */
import { readFile } from 'node:fs/promises'
import {
  applyScaler,
  fitRangeScaler,
  fitTargetRange,
  formatLibsvm,
  formatRangeFile,
  ParameterError,
  parseRangeFile,
  type RangeScaler,
  readDataset,
  scaleTargets,
  type VectorDataset,
  writeFileAtomically,
} from '../index.node.ts'
import { checkFiles } from './command-files.ts'
import { type LetterFlags, numberFlag, numberOf, runDropIn, takeFlags, UsageError } from './letter-flags.ts'

const USAGE = `Usage: svm-scale [options] data_filename
options:
-l lower : the smallest value of each feature becomes this (default -1)
-u upper : the largest value of each feature becomes this (default +1)
-y y_lower y_upper : scale the targets to this range too (default: leave them)
-s save_filename : keep the ranges in this file
-r restore_filename : scale by the ranges in this file
`

await runDropIn(USAGE, async (words) => {
  const flags = takeFlags(words, { letters: 'luysr', pairs: 'y' })
  const [path, ...more] = flags.files
  if (path === undefined || more.length > 0) throw new UsageError('')
  const lower = numberFlag(flags, 'l', -1)
  const upper = numberFlag(flags, 'u', 1)
  const save = flags.values.get('s')
  const restore = flags.values.get('r')
  if (!(upper > lower)) throw new UsageError('the upper end must be larger than the lower one')
  if (save !== undefined && restore !== undefined) throw new UsageError('-r and -s cannot be used together')
  await checkFiles('svm-scale', { reads: { data_filename: path }, writes: { 'save_filename of -s': save } })
  const dataset = await readDataset(path, { format: 'libsvm', indexBase: 1 })
  const scaler =
    restore === undefined
      ? fitted(dataset, lower, upper, targetRange(flags))
      : parseRangeFile(await readFile(restore, 'utf8'), restore)
  if (save !== undefined) await writeFileAtomically(save, formatRangeFile(scaler))
  const labels = scaler.target ? scaleTargets(scaler.target, numbers(dataset)) : dataset.labels
  process.stdout.write(formatLibsvm({ samples: applyScaler(scaler, dataset.samples), labels }))
})

function targetRange(flags: LetterFlags): { lower: number; upper: number } | undefined {
  const text = flags.values.get('y')
  if (text === undefined) return undefined
  const [lower, upper] = text.split(' ').map((word) => numberOf('y', word))
  if (!(upper > lower)) throw new UsageError('the upper end must be larger than the lower one')
  return { lower, upper }
}

function fitted(
  dataset: VectorDataset,
  lower: number,
  upper: number,
  target: { lower: number; upper: number } | undefined,
): RangeScaler {
  const scaler = fitRangeScaler(dataset.samples, { lower, upper })
  return target ? { ...scaler, target: fitTargetRange(numbers(dataset), target) } : scaler
}

function numbers({ labels }: VectorDataset): Float64Array {
  if (labels instanceof Float64Array) return labels
  throw new ParameterError('svm-scale', '-y', 'absent where labels are not numbers', labels[0])
}
