/** `hyperplane info FILE`: what a model, a scaler or a data file holds. */

import { open, readFile } from 'node:fs/promises'
import { ParameterError } from '../../base/errors.ts'
import { type Matrix, storedValues } from '../../data/matrix/matrix.ts'
import { fitPreparation } from '../../data/preparation/column-preparation.ts'
import { parseScaler } from '../../data/scaling/scaler-file.ts'
import type { Label } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, readData, unlabelledDataOptions } from '../options/data-options.ts'
import { type Flags, numberOption, subcommand } from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { describeModel } from '../report/model-description.ts'
import { modelLines } from '../report/model-lines.ts'
import { aligned, count, number, paragraph, percent, printResult } from '../report/output.ts'
import { scalerLines } from '../report/scaler-lines.ts'
import { tableFacts, tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'

/** More distinct labels than this are a regression target, not classes to be listed. */
const MOST_CLASSES = 20

const options = {
  top: numberOption(
    'number of samples and weights of a model, or features of a scaler, to list (default 10)',
  ),
  ...columnOptions,
  ...unlabelledDataOptions,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<file>': `a model file, a range file of svm-scale or scale --save-range, or ${DATA_HELP}` },
  options,
  notes: 'Example:\n  $ hyperplane info heart.json',
  run,
})

async function run(flags: Flags<typeof options>, path: string): Promise<void> {
  const { top = 10 } = flags
  if (!Number.isInteger(top) || top < 0) {
    throw new ParameterError(COMMAND, '--top', 'a whole number >= 0', top)
  }
  await checkFiles({ '<file>': path })
  const kind = path === '-' ? 'data' : await kindOf(path)
  if (kind === 'scaler') {
    const scaler = parseScaler(await readFile(path, 'utf8'), path)
    printResult(flags, { ...scaler, kind, scaling: scaler.kind }, () => scalerLines(scaler, top))
  } else if (kind === 'model') {
    const model = await readModel(path, { maxBytes: flags.maxBytes })
    const description = describeModel(model, top)
    printResult(flags, { kind: 'model', ...model.info(), ...description }, () =>
      modelLines(model, description),
    )
  } else {
    const dataset = await readData(path, flags)
    const info = describeData(dataset)
    const preparation = isTable(dataset.samples) ? fitPreparation(dataset.samples) : undefined
    const columns = tableLines(dataset, preparation)
    printResult(flags, { kind: 'data', ...info, ...tableFacts(dataset) }, () => [
      dataLines(info),
      paragraph(columns),
    ])
  }
}

/** Range files are a letter and lines of two numbers; scalers as JSON say their kind first. */
const SCALER = /^\s*([xy]\s*\n\s*\S+[ \t]+\S+\s*(\n|$)|\{\s*"kind"\s*:\s*"(range|standard)")/
/** Model files start with `{` or with one of LIBSVM's header words; data files never do. */
const MODEL = /^\s*(\{|svm_type\s|kernel_type\s|solver_type\s)/

/** What a file is, by how it begins; compressed, the name tells. */
async function kindOf(path: string): Promise<'model' | 'scaler' | 'data'> {
  if (/\.(json|model)\.(gz|bz2|xz)$/i.test(path)) return 'model'
  const file = await open(path)
  try {
    // Reading a directory fails without naming it; reading it as data says what is wrong.
    if (!(await file.stat()).isFile()) return 'data'
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    const text = buffer.toString('latin1', 0, bytesRead)
    return SCALER.test(text) ? 'scaler' : MODEL.test(text) ? 'model' : 'data'
  } finally {
    await file.close()
  }
}

/** What data hold; columns of a table, which are described one by one, have no values in common. */
function describeData({ samples, labels, weights, featureNames }: TableDataset) {
  const sizes = new Map<Label, number>()
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  const isVectors = !isTable(samples)
  return {
    samples: samples.rows,
    features: isVectors ? samples.cols : samples.columns.length,
    storage: samples.kind,
    ...(isVectors && describeValues(samples)),
    weighted: weights !== undefined,
    ...(featureNames && { featureNames }),
    // Too many labels are no classes.
    ...(sizes.size <= MOST_CLASSES && {
      classes: Array.from(sizes, ([label, size]) => ({ label, samples: size })),
    }),
    distinctLabels: sizes.size,
  }
}

function describeValues(samples: Matrix) {
  const { rows, cols, values } = samples
  const stored = storedValues(samples)
  const nonZeros = values.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0)
  // What a sparse matrix does not store is zero.
  const ends = stored < rows * cols ? [0, 0] : [values[0] ?? 0, values[0] ?? 0]
  for (const value of values) {
    if (value < ends[0]) ends[0] = value
    if (value > ends[1]) ends[1] = value
  }
  return {
    stored,
    density: rows * cols === 0 ? 0 : nonZeros / (rows * cols),
    min: ends[0],
    max: ends[1],
  }
}

function dataLines(info: ReturnType<typeof describeData>): string[] {
  const { samples, features, storage, density, min = 0, max = 0, classes, featureNames } = info
  return aligned([
    ['samples', count(samples)],
    [storage === 'table' ? 'columns' : 'features', count(features)],
    density !== undefined && [
      'values',
      `${storage}, ${percent(density)} not zero, from ${number(min)} to ${number(max)}`,
    ],
    [
      'labels',
      classes
        ? classes.map(({ label, samples: size }) => `${label} (${count(size)})`).join(', ')
        : `${count(info.distinctLabels)} different values`,
    ],
    info.weighted && ['weights', 'yes'],
    featureNames && ['names', featureNames.join(', ')],
  ])
}
