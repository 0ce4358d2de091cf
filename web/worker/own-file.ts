/** A file of the user's: read, trained on with all its features, and shown on a plane through them. */

import {
  applyScaler,
  type Fitted,
  type Label,
  type Matrix,
  parseDataset,
  SvcModel,
  type SvrModel,
  selectFeatures,
  trainTestSplit,
  type VectorDataset,
} from '../../src/index.browser.ts'
import { confusionMatrix, rocAuc, rocCurve } from '../../src/metrics.ts'
import type { Settings } from '../state/lab-state.ts'
import { evaluateTargets } from './file-regression.ts'
import { libsvmForm } from './fold-scaler.ts'
import { nodesOf } from './grid.ts'
import {
  type Classifier,
  classesOf,
  type LearnOptions,
  learnClasses,
  learnTargets,
  scoresOf,
} from './learn.ts'
import type { FileRequest, FileResult, FileSummary, Grid, Jobs } from './messages.ts'
import { coordinatesOn, type DataPlane, principalPlane } from './principal-plane.ts'
import { columnNames, missingColumn } from './table-columns.ts'
import { describeClasses, partsOf } from './train.ts'

/** More points would hide each other. */
const MOST_POINTS = 4000
/** More classes than this are targets of a regression, not classes. */
const MOST_CLASSES = 30

/** What helps with columns of words, categories and dates. */
const WORDS_HELP =
  'The Lab takes columns of numbers, and a label: choose another label column, leave the column out of the file, or use ' +
  '`hyperplane train`, which prepares categories, dates and texts'

let opened: VectorDataset | undefined
let trained: { readonly model: Classifier | Fitted<SvrModel>; readonly number: number } | undefined

/** The model of the last fit, if that had the number. */
export function fileModel(number: number): Classifier | Fitted<SvrModel> | undefined {
  return trained?.number === number ? trained.model : undefined
}

/** Reads a file; errors have the same messages as on the command line. */
export async function openFile(
  { name, bytes, labelColumn }: Jobs['open']['ask'],
  signal: AbortSignal,
  say: (share: number) => void,
): Promise<FileSummary> {
  const columns = columnNames(name, bytes)
  const wanted = labelColumn === undefined ? -1 : columns.indexOf(labelColumn)
  const dataset = await parseDataset(bytes, {
    name,
    columns: 'number',
    signal,
    onProgress: ({ bytesRead, bytesTotal = bytes.length }) => say(bytesRead / bytesTotal),
    ...(wanted >= 0 && { labelColumn: wanted }),
  }).catch((error: Error) => {
    // Words in a table: the page takes numbers only, the command line prepares the column.
    const hasWords = columns.length > 0 && error.message.includes('must be a number')
    throw hasWords ? new Error(`${error.message}. ${WORDS_HELP}`) : error
  })
  // Cancelled on the last stretch: the page goes on with the file it had.
  signal.throwIfAborted()
  const { samples, labels } = dataset
  const featureNames =
    dataset.featureNames ?? Array.from({ length: samples.cols }, (_, j) => `feature ${j + 1}`)
  opened = { ...dataset, featureNames }
  trained = undefined
  const classes = classesOf(labels as ArrayLike<Label>)
  return {
    name,
    rows: samples.rows,
    features: featureNames,
    isNamed: dataset.featureNames !== undefined,
    columns,
    labelColumn: labelColumn ?? missingColumn(columns, dataset.featureNames, samples.cols),
    classes:
      classes.length > MOST_CLASSES
        ? []
        : classes.map((label) => ({
            label,
            count: Array.from(labels as ArrayLike<Label>).filter((one) => one === label).length,
          })),
    isNumeric: classes.every((label) => typeof label === 'number'),
  }
}

/** Trains on the open file. */
export async function fitFile(
  request: FileRequest,
  signal: AbortSignal,
  say: (news: Jobs['fit']['news']) => void,
): Promise<FileResult> {
  if (!opened) throw new Error('no file is open')
  const { holdOut, settings } = request
  const isRegression = settings.problem === 'svr'
  checkLabels(opened, isRegression, settings)
  const names = opened.featureNames as readonly string[]
  const all =
    request.features.length === names.length
      ? opened
      : selectFeatures(
          opened,
          request.features.map((j) => names[j]),
        )
  const split = { testFraction: holdOut, seed: 0, stratify: !isRegression }
  const { train, test } = holdOut > 0 ? trainTestSplit(all, split) : { train: all, test: all }
  const counts = { trainCount: train.samples.rows, testCount: holdOut > 0 ? test.samples.rows : 0 }
  const started = performance.now()
  const options: LearnOptions = {
    signal,
    scaler: request.scaler === 'none' ? undefined : request.scaler,
    balanced: request.balanced,
    onProgress: ({ violation, tol, seconds }) => say({ kind: 'training', violation, tol, seconds }),
  }
  if (isRegression) {
    const model = await learnTargets(train, settings, options)
    signal.throwIfAborted()
    const trainMs = performance.now() - started
    say({ kind: 'evaluating' })
    trained = { model, number: request.number }
    const { picture, ...evaluation } = evaluateTargets(model, train, test, request, MOST_POINTS)
    const fieldMs = performance.now() - started - trainMs
    const noClasses = { labels: [], confusion: [], accuracy: Number.NaN, libsvm: libsvmForm(model) }
    return { ...evaluation, ...counts, ...noClasses, picture: { ...picture, trainMs, fieldMs } }
  }
  const model = await learnClasses(train, settings, options)
  // A run that was cancelled gives the model it had; the page keeps the one before it.
  signal.throwIfAborted()
  const trainMs = performance.now() - started
  say({ kind: 'evaluating' })
  trained = { model, number: request.number }
  const { classes } = model
  const predicted = model.predict(test.samples) as ArrayLike<Label>
  const matrix = confusionMatrix(test.labels as ArrayLike<Label>, predicted, { labels: classes })
  const right = matrix.counts.reduce((sum, row, k) => sum + row[k], 0)
  return {
    ...draw(model, train, request, trainMs),
    ...counts,
    labels: classes,
    confusion: matrix.counts,
    accuracy: right / test.samples.rows,
    libsvm: libsvmForm(model),
    ...(classes.length === 2 && { roc: rocOf(model, test) }),
  }
}

/** Says what does not go together. */
function checkLabels({ labels }: VectorDataset, isRegression: boolean, { problem }: Settings): void {
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
  { picture, features, cells, settings }: FileRequest,
  trainMs: number,
): Pick<FileResult, 'picture' | 'points' | 'axes' | 'explained'> {
  const started = performance.now()
  const { scaler, classes } = model
  const samples = scaler ? applyScaler(scaler, train.samples) : train.samples
  // Scaled once, here: the model that draws need not do it again.
  const plain = new SvcModel({ ...model, scaler: undefined })
  const plane = picture === 'pca' ? principalPlane(samples) : featurePlane(samples, picture, features)
  const xy = coordinatesOn(plane, samples)
  const shown = Math.min(train.samples.rows, MOST_POINTS)
  const labels = train.labels as ArrayLike<Label>
  const { slacks: _, ...described } = describeClasses(model, train, settings.tol)
  const parts = partsOf(model, train.samples.rows)
  const grid = gridAround(xy, cells)
  const names = train.featureNames as readonly string[]
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

/** The plane of two features through the mean of the others; features are named as in the file. */
function featurePlane(
  samples: Matrix,
  pair: readonly [number, number],
  features: readonly number[],
): DataPlane {
  const origin = principalPlane(samples).origin
  const [first, second] = pair.map((feature, k) => {
    const direction = new Float64Array(samples.cols)
    const at = features.indexOf(feature)
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
