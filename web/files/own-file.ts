/** A file of the user's: read, trained on with all its columns, and shown on a plane through its features. */
import {
  applyScaler,
  type Fitted,
  type Label,
  type Matrix,
  SvcModel,
  type SvrModel,
  trainTestSplit,
  type VectorDataset,
} from '../../src/index.browser.ts'
import { confusionMatrix, rocAuc, rocCurve } from '../../src/metrics.ts'
import {
  applyPreparation,
  type ColumnReport,
  describePreparation,
  fitPreparation,
  preparedNames,
  type TableDataset,
} from '../../src/tables.ts'
import type { Settings } from '../state/lab-state.ts'
import { nodesOf } from '../worker/grid.ts'
import {
  type Classifier,
  classesOf,
  type LearnOptions,
  learnClasses,
  learnTargets,
  scoresOf,
} from '../worker/learn.ts'
import type { Grid } from '../worker/messages.ts'
import { coordinatesOn, type DataPlane, principalPlane } from '../worker/principal-plane.ts'
import { describeClasses, partsOf } from '../worker/train.ts'
import {
  type FileJobs,
  type FileModelChoice,
  type FilePeek,
  type FileReport,
  type FileRequest,
  type FileResult,
  type FileSummary,
  MOST_LISTED,
} from './file-messages.ts'
import { evaluateTargets } from './file-regression.ts'
import { libsvmForm } from './fold-scaler.ts'
import { isTable, peekFile, readFile, sourceOf } from './read-file.ts'

/** More points would hide each other. */
const MOST_POINTS = 4000
/** More classes than this are targets of a regression, not classes. */
const MOST_CLASSES = 30

interface Trained {
  readonly model: Classifier | Fitted<SvrModel>
  readonly number: number
  /** What it was evaluated on. */
  readonly test: VectorDataset
  /** The column that the labels came from: its name, and its position. */
  readonly label: { readonly name: string | undefined; readonly place: number | undefined }
}

let opened: { readonly data: TableDataset; readonly peek: FilePeek } | undefined
let trained: Trained | undefined

/** The last model of the file, if it has the number. */
export function trainedModel(number: number): Trained | undefined {
  return trained?.number === number ? trained : undefined
}

/** The model of the last fit, if that had the number. */
export function fileModel(number: number): Trained['model'] | undefined {
  return trainedModel(number)?.model
}

/** Reads a file; errors have the same messages as on the command line. What it looks like is reported before. */
export async function openFile(
  { name, bytes, choices }: FileJobs['open']['ask'],
  signal: AbortSignal,
  say: (news: FileJobs['open']['news']) => void,
): Promise<FileSummary> {
  const source = sourceOf(name, bytes)
  const peek = await peekFile(source, choices)
  say({ kind: 'peek', peek })
  const data = await readFile(source, choices, {
    signal,
    onProgress: ({ bytesRead, bytesTotal = bytes.length }) =>
      say({ kind: 'reading', share: bytesRead / bytesTotal }),
  }).catch((error: Error) => {
    // The only remedy that is not among the columns themselves.
    const lacksLabel = /label in .* is missing$/.test(error.message)
    throw lacksLabel
      ? new Error(`${error.message}. Rows without a label can be left out: see “Missing cells”`)
      : error
  })
  // Cancelled on the last stretch: the page continues with the file it had.
  signal.throwIfAborted()
  const summary = summaryOf(name, data, peek)
  opened = { data, peek }
  trained = undefined
  return summary
}

function summaryOf(name: string, data: TableDataset, peek: FilePeek): FileSummary {
  const { samples, labels, report } = data
  const preparation = isTable(samples) ? fitPreparation(samples) : undefined
  const names = preparation ? preparedNames(preparation) : (data.featureNames ?? [])
  const featureCount = isTable(samples) ? names.length : samples.cols
  const features = Array.from(
    { length: Math.min(MOST_LISTED, featureCount) },
    (_, j) => names[j] ?? `feature ${j + 1}`,
  )
  const learned = new Map(
    preparation && describePreparation(preparation).map((line, k) => [preparation.columns[k].name, line]),
  )
  const known = new Map(report.columns.map((column) => [column.name, column]))
  const values = classesOf(labels as ArrayLike<Label>)
  const counts = new Map<Label, number>()
  for (const label of labels as Iterable<Label>) counts.set(label, (counts.get(label) ?? 0) + 1)
  return {
    name,
    rows: samples.rows,
    featureCount,
    features,
    columns: peek.columns.map((column, k) => {
      if (k === peek.label) return values.length > MOST_CLASSES ? 'label' : `label, ${values.length} classes`
      const line = learned.get(column.name)
      return line === undefined
        ? columnWords(known.get(column.name))
        : line.slice(column.name.length + ': '.length)
    }),
    dropped: report.dropped,
    notes: report.notes,
    isPrepared: preparation !== undefined,
    classes:
      values.length > MOST_CLASSES
        ? []
        : values.map((label) => ({ label, count: counts.get(label) as number })),
    isNumeric: labels instanceof Float64Array,
  }
}

function columnWords(column: ColumnReport | undefined): string {
  if (!column) return ''
  const { kind, reason } = column
  return reason === undefined ? kind : `${kind}: ${reason}`
}

/** The samples to learn from, and those held out; all of them where none are. */
export function dividedFile({ holdOut, settings }: FileModelChoice): {
  readonly train: TableDataset
  readonly test: TableDataset
} {
  if (!opened) throw new Error('no file is open')
  const { data } = opened
  const isRegression = settings.problem === 'svr'
  checkLabels(data, isRegression, settings)
  if (holdOut === 0) return { train: data, test: data }
  return trainTestSplit(data, { testFraction: holdOut, seed: 0, stratify: !isRegression })
}

/** What is the same for training and tuning. */
export function learnOptions({
  scaler,
  balanced,
}: FileModelChoice): Pick<LearnOptions, 'scaler' | 'balanced'> {
  return { scaler: scaler === 'none' ? undefined : scaler, balanced }
}

/** Trains on the open file. */
export async function fitFile(
  request: FileRequest,
  signal: AbortSignal,
  say: (news: FileJobs['fit']['news']) => void,
): Promise<FileResult> {
  const { settings, number } = request
  const { train, test } = dividedFile(request)
  const counts = {
    trainCount: train.samples.rows,
    testCount: request.holdOut > 0 ? test.samples.rows : 0,
  }
  const started = performance.now()
  const options: LearnOptions = {
    signal,
    ...learnOptions(request),
    onProgress: ({ violation, tol, seconds }) => say({ kind: 'training', violation, tol, seconds }),
  }
  const isRegression = settings.problem === 'svr'
  const model = isRegression
    ? await learnTargets(train, settings, options)
    : await learnClasses(train, settings, options)
  // A run that was cancelled gives the model it had; the page keeps the one before it.
  signal.throwIfAborted()
  const trainMs = performance.now() - started
  say({ kind: 'evaluating' })
  // Prepared once, here: rows of numbers are what all else is about.
  const [seen, unseen] = [vectorsFor(model, train), vectorsFor(model, test)]
  const label = { name: opened?.data.report.label, place: opened?.peek.label }
  trained = { model, number, test: unseen, label }
  if (!(model instanceof SvcModel)) {
    const { picture, ...evaluation } = evaluateTargets(model, seen, unseen, request, MOST_POINTS)
    const fieldMs = performance.now() - started - trainMs
    const noClasses = { labels: [], confusion: [], accuracy: Number.NaN, libsvm: libsvmForm(model) }
    return { ...evaluation, ...counts, ...noClasses, picture: { ...picture, trainMs, fieldMs } }
  }
  const { classes } = model
  const predicted = model.predict(unseen.samples) as ArrayLike<Label>
  const matrix = confusionMatrix(unseen.labels as ArrayLike<Label>, predicted, { labels: classes })
  const right = matrix.counts.reduce((sum, row, k) => sum + row[k], 0)
  return {
    ...draw(model, seen, request, trainMs),
    ...counts,
    labels: classes,
    confusion: matrix.counts,
    accuracy: right / unseen.samples.rows,
    libsvm: libsvmForm(model),
    ...(classes.length === 2 && { roc: rocOf(model, unseen) }),
  }
}

/** The rows as features, prepared as those that the model was trained on. */
function vectorsFor({ preparation }: Trained['model'], data: TableDataset): VectorDataset {
  const { samples } = data
  if (!isTable(samples)) return data as VectorDataset
  if (!preparation) throw new Error('the model knows nothing about columns')
  return {
    ...data,
    samples: applyPreparation(preparation, samples),
    featureNames: preparedNames(preparation),
  }
}

/** What the model with this number says of the samples that it was evaluated on. */
export async function reportFile({ file }: FileJobs['report']['ask']): Promise<FileReport | undefined> {
  const found = trainedModel(file)
  if (!found) return undefined
  const { model, test } = found
  const isRanked = model instanceof SvcModel && model.classes.length === 2
  return {
    said: {
      truth: test.labels.slice() as typeof test.labels,
      predicted: model.predict(test.samples) as typeof test.labels,
      ...(isRanked && { decisions: model.decisionFunction(test.samples) }),
    },
    preparation: describePreparation(model.preparation),
  }
}

/** Reports what does not go together. */
function checkLabels({ labels }: TableDataset, isRegression: boolean, { problem }: Settings): void {
  const values = classesOf(labels as ArrayLike<Label>)
  if (problem === 'one-class') {
    throw new Error('files support only classification and regression: choose another problem')
  }
  if (isRegression && values.some((value) => typeof value !== 'number')) {
    throw new Error(
      'a regression needs numeric labels, but these are words: choose classification, or another column',
    )
  }
  if (!isRegression && values.length > MOST_CLASSES) {
    throw new Error(
      `the labels have ${values.length} different values, too many for classes: choose regression, or another column`,
    )
  }
}

function rocOf(model: Classifier, { samples, labels }: VectorDataset): FileResult['roc'] {
  const truth = labels as ArrayLike<Label>
  const scores = model.decisionFunction(samples)
  const positive = { positive: model.classes[1] }
  return { ...rocCurve(truth, scores, positive), area: rocAuc(truth, scores, positive) }
}

/** The picture: samples and decision values on a plane through the data. */
function draw(
  model: Classifier,
  train: VectorDataset,
  { picture, cells, settings }: FileRequest,
  trainMs: number,
): Pick<FileResult, 'picture' | 'points' | 'axes' | 'explained'> {
  const started = performance.now()
  const { scaler, classes } = model
  const samples = scaler ? applyScaler(scaler, train.samples) : train.samples
  // Scaled once, here: the model that draws need not do it again.
  const plain = new SvcModel({ ...model, scaler: undefined, preparation: undefined })
  const names = train.featureNames ?? Array.from({ length: samples.cols }, (_, j) => `feature ${j + 1}`)
  const plane = picture === 'pca' ? principalPlane(samples) : featurePlane(samples, picture, names)
  const xy = coordinatesOn(plane, samples)
  const shown = Math.min(train.samples.rows, MOST_POINTS)
  const labels = train.labels as ArrayLike<Label>
  const { slacks: _, ...described } = describeClasses(model, train, settings.tol)
  const parts = partsOf(model, train.samples.rows)
  const grid = gridAround(xy, cells)
  const isPca = picture === 'pca' || plane.first === plane.second
  const axes: [string, string] = isPca
    ? ['first component', 'second component']
    : [names[plane.first.indexOf(1)], names[plane.second.indexOf(1)]]
  return {
    picture: {
      ...described,
      ...parts,
      coefficients: parts.coefficients.slice(0, shown),
      positions: described.positions.slice(0, shown),
      values: described.values.slice(0, shown),
      slackLines: new Float32Array(0),
      classes: classes.map((_, k) => k),
      grid,
      fields: sliceFields(plain, plane, grid),
      trainMs,
      fieldMs: performance.now() - started,
    },
    points: {
      xy: xy.slice(0, 2 * shown),
      classes: Uint8Array.from({ length: shown }, (_, i) => classes.indexOf(labels[i])),
    },
    axes,
    ...(picture === 'pca' && { explained: plane.explained }),
  }
}

/** The plane of two features through the mean of the others. */
function featurePlane(samples: Matrix, pair: readonly [string, string], names: readonly string[]): DataPlane {
  const origin = principalPlane(samples).origin
  const [first, second] = pair.map((feature, k) => {
    const direction = new Float64Array(samples.cols)
    const at = names.indexOf(feature)
    direction[at >= 0 ? at : Math.min(k, samples.cols - 1)] = 1
    return direction
  })
  // Coordinates are the features themselves: the origin has none of them.
  for (const direction of [first, second]) origin[direction.indexOf(1)] = 0
  return { origin, first, second, explained: Number.NaN }
}

function gridAround(xy: Float64Array, [columns, rows]: readonly [number, number]): Grid {
  const extent = (from: number): [number, number] => {
    let [low, high] = [Infinity, -Infinity]
    for (let k = from; k < xy.length; k += 2) {
      low = Math.min(low, xy[k])
      high = Math.max(high, xy[k])
    }
    const room = 0.07 * (high - low) || 1
    return [low - room, high + room]
  }
  return { columns, rows, x: extent(0), y: extent(1) }
}

/** Numbers of a batch of nodes: data may have many features. */
const BATCH_VALUES = 4e6

/** The decision values on the plane, a batch of nodes at a time. */
function sliceFields(model: SvcModel, { origin, first, second }: DataPlane, grid: Grid): Float32Array[] {
  const nodes = nodesOf(grid)
  const width = origin.length
  const total = nodes.length / 2
  const batch = Math.max(1, Math.min(total, Math.floor(BATCH_VALUES / width)))
  const count = model.classes.length === 2 ? 1 : model.classes.length
  const fields = Array.from({ length: count }, () => new Float32Array(total))
  for (let from = 0; from < total; from += batch) {
    const rows = Math.min(batch, total - from)
    const values = new Float64Array(rows * width)
    for (let k = 0; k < rows; k++) {
      const [a, b] = [nodes[2 * (from + k)], nodes[2 * (from + k) + 1]]
      for (let j = 0; j < width; j++) values[k * width + j] = origin[j] + a * first[j] + b * second[j]
    }
    scoresOf(model, { kind: 'dense', rows, cols: width, values }).forEach((scores, k) => {
      fields[k].set(scores, from)
    })
  }
  return fields
}
