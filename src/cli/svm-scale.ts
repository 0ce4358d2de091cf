#!/usr/bin/env node
/** LIBSVM's `svm-scale`, with its flags: scales a file to a range, on standard output. */
import '../parallel/platform.node.ts'
import { readFile } from 'node:fs/promises'
import { ParameterError } from '../base/errors.ts'
import { readVectors } from '../data/files/read-dataset.node.ts'
import { writeFileAtomically } from '../data/files/write-file.node.ts'
import { formatLibsvm } from '../data/libsvm/libsvm-writer.ts'
import { type Matrix, storedValues } from '../data/matrix/matrix.ts'
import { formatRangeFile, parseRangeFile } from '../data/scaling/range-file.ts'
import {
  columnRanges,
  fitRangeScaler,
  fitTargetRange,
  type RangeScaler,
  scaleTargets,
} from '../data/scaling/range-scaler.ts'
import { applyScaler } from '../data/scaling/scaler.ts'
import type { VectorDataset } from '../data/table/dataset.ts'
import {
  type LetterFlags,
  numberFlag,
  numberOf,
  runDropIn,
  takeFlags,
  UsageError,
} from './libsvm/letter-flags.ts'
import { checkFiles } from './options/command-files.ts'

const USAGE = `Usage: svm-scale [options] data_filename
options:
-l lower : the minimum of each feature becomes this (default -1)
-u upper : the maximum of each feature becomes this (default +1)
-y y_lower y_upper : also scale the targets to this range (default: no target scaling)
-s save_filename : save the ranges in this file
-r restore_filename : scale by the ranges in this file
`

void runDropIn(USAGE, async (words) => {
  const flags = takeFlags(words, { letters: 'luysr', pairs: 'y' })
  const [path, ...more] = flags.files
  if (path === undefined || more.length > 0) throw new UsageError('')
  const lower = numberFlag(flags, 'l', -1)
  const upper = numberFlag(flags, 'u', 1)
  const save = flags.values.get('s')
  const restore = flags.values.get('r')
  if (!(upper > lower)) throw new UsageError('the upper end must be larger than the lower one')
  if (save !== undefined && restore !== undefined) throw new UsageError('-r and -s cannot be used together')
  await checkFiles(
    { data_filename: path, 'restore_filename of -r': restore },
    { 'save_filename of -s': save },
    'svm-scale',
  )
  const dataset = await readVectors(path, { format: 'libsvm', indexBase: 1 })
  const scaler =
    restore === undefined
      ? fitted(dataset, lower, upper, targetRange(flags))
      : parseRangeFile(await readFile(restore, 'utf8'), restore)
  if (save !== undefined) await writeFileAtomically(save, formatRangeFile(scaler))
  if (restore !== undefined) warnOfUnseen(dataset.samples, path, scaler, restore)
  const labels = scaler.target ? scaleTargets(scaler.target, numbers(dataset)) : dataset.labels
  const samples = applyScaler(scaler, dataset.samples)
  process.stdout.write(formatLibsvm({ samples, labels }))
  warnOfFilling(dataset.samples, samples)
})

/** Range files list the features that vary. Others that vary in these data have no scale: LIBSVM's warning. */
function warnOfUnseen(samples: Matrix, path: string, { min, max }: RangeScaler, ranges: string): void {
  const own = columnRanges(samples)
  own.min.forEach((low, j) => {
    if (low === own.max[j] || min[j] !== max[j]) return
    process.stderr.write(
      `WARNING: feature index ${j + 1} appeared in file ${path} was not seen in the scaling factor file ` +
        `${ranges}. The feature is scaled to 0.\n`,
    )
  })
}

/** Zeros that became other numbers make sparse data large: LIBSVM's warning. */
function warnOfFilling(before: Matrix, after: Matrix): void {
  const original = storedValues(before)
  const filled = after.values.reduce((count, value) => (value === 0 ? count : count + 1), 0)
  if (filled <= original) return
  process.stderr.write(
    `WARNING: original #nonzeros ${original}\n       > new      #nonzeros ${filled}\n` +
      'If feature values are non-negative and sparse, use -l 0 rather than the default -l -1\n',
  )
}

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
  throw new ParameterError(
    'svm-scale',
    '-y',
    `needs numeric labels, but these are strings such as '${labels[0]}'`,
  )
}
