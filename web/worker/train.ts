/** Trains what is on the plane, and evaluates it on a grid. */
import { type DenseMatrix, type Label, makeDataset, type VectorDataset } from '../../src/index.browser.ts'
import { r2 } from '../../src/metrics.ts'
import type { SamplePosition } from '../../src/solvers.ts'
import { countVotes } from '../plane/votes.ts'
import type { Settings } from '../state/lab-state.ts'
import { gaussianField } from './gaussian-field.ts'
import { columnsOf, nodesOf } from './grid.ts'
import { inSlabs } from './in-slabs.ts'
import { planeMatrix } from './kernel-grid.ts'
import {
  type Classifier,
  coefficientsOf,
  type LabModel,
  learn,
  pairValuesOf,
  scoresOf,
  scoresOfPairs,
} from './learn.ts'
import { type Grid, type Jobs, type Picture, type PlaneData, positionNumber } from './messages.ts'
import { slackLines } from './slack-lines.ts'

/** What is reported about the samples, and what is drawn of the model. */
type Described = Pick<Picture, 'kind' | 'classes' | 'positions' | 'values' | 'marginWidth' | 'score'> & {
  /** By how much each sample misses its margin; empty where that has no meaning. */
  readonly slacks: Float64Array
}

/** A model of a regression. */
type Curve = LabModel & { readonly type: 'svr' | 'nu-svr' }

/** The last model, and what it was made of. */
let last: Awaited<ReturnType<typeof trainAnew>> | undefined
let count = 0

/** Trains on the points of the plane. */
export async function train(
  { data, settings, grid, again }: Jobs['train']['ask'],
  signal: AbortSignal,
): Promise<Picture> {
  const trained = last?.number === again && last ? last : await trainAnew(data, settings, signal)
  last = trained
  const { dataset, model, number, trainMs } = trained
  const started = performance.now()
  const { slacks, ...described } = describeAll(model, dataset, data, settings)
  const all = await fieldsOf(model, settings, grid, signal)
  const isMulti = described.kind === 'multi'
  const fields = isMulti ? all.slice(0, described.classes.length) : all
  return {
    ...described,
    fields,
    ...(isMulti && {
      pairFields: all.slice(described.classes.length),
      votes: votesOf(model as Classifier, planeDataset(data, settings)),
    }),
    slackLines: slackLines(data, { ...described, fields }, slacks, grid),
    ...spread(partsOf(model, dataset.samples.rows), data),
    ...(data.heldOut && { heldOut: data.heldOut.slice() }),
    grid,
    model: number,
    trainMs,
    fieldMs: performance.now() - started,
  }
}

async function trainAnew(data: PlaneData, settings: Settings, signal: AbortSignal) {
  const started = performance.now()
  const dataset = planeDataset(splitHeldOut(data).seen, settings)
  const model = await learn(dataset, settings, { signal })
  // A run that was cancelled gives the model it had.
  signal.throwIfAborted()
  return { dataset, model, number: ++count, trainMs: performance.now() - started }
}

/** The points that a model sees, and those held out. */
export function splitHeldOut({ xy, classes, heldOut }: PlaneData): { seen: PlaneData; unseen: PlaneData } {
  const part = (flag: number): PlaneData => {
    const chosen = Array.from(classes, (_, i) => i).filter((i) => (heldOut?.[i] ?? 0) === flag)
    return {
      xy: Float64Array.from(chosen.flatMap((i) => [xy[2 * i], xy[2 * i + 1]])),
      classes: Uint8Array.from(chosen, (i) => classes[i]),
    }
  }
  return heldOut ? { seen: part(0), unseen: part(1) } : { seen: { xy, classes }, unseen: part(1) }
}

/** What is said of all points, with the scores of those seen and of those held out apart. */
function describeAll(
  model: LabModel,
  dataset: VectorDataset,
  data: PlaneData,
  settings: Settings,
): Described & Pick<Picture, 'testScore'> {
  const seen = describe(model, dataset, settings)
  if (!data.heldOut) return seen
  const all = describe(model, planeDataset(data, settings), settings)
  const unseen = planeDataset(splitHeldOut(data).unseen, settings)
  return {
    ...seen,
    values: all.values,
    positions: all.positions,
    slacks: all.slacks.map((slack, i) => (data.heldOut?.[i] ? 0 : slack)),
    ...(unseen.samples.rows > 0 && { testScore: describe(model, unseen, settings).score }),
  }
}

/** The coefficients of all points: those held out have none. */
function spread<P extends Pick<Picture, 'coefficients'>>(parts: P, { heldOut }: PlaneData): P {
  if (!heldOut) return parts
  let next = 0
  const coefficients = Float64Array.from(heldOut, (flag) => (flag ? 0 : parts.coefficients[next++]))
  return { ...parts, coefficients }
}

/** The points as a data set: labels are the numbers of their classes, or for regression their heights. */
export function planeDataset({ xy, classes }: PlaneData, { problem }: Settings): VectorDataset {
  if (problem !== 'svr') return makeDataset(planeMatrix(xy), classes)
  const half = xy.length / 2
  const column = (offset: number) => Float64Array.from({ length: half }, (_, i) => xy[2 * i + offset])
  return makeDataset({ values: column(0), shape: [half, 1] }, column(1))
}

/** What every model has. */
export function partsOf(
  model: LabModel,
  count: number,
): Pick<Picture, 'coefficients' | 'bias' | 'certificates'> {
  return {
    coefficients: coefficientsOf(model, count),
    bias: model.biases[0],
    certificates: model.certificates ?? [],
  }
}

function describe(model: LabModel, dataset: VectorDataset, settings: Settings): Described {
  switch (model.type) {
    case 'one-class':
      return describeOneClass(model, dataset, settings)
    case 'svr':
    case 'nu-svr':
      return describeCurve(model, dataset, settings)
    default:
      return {
        ...describeClasses(model, dataset, settings.tol),
        classes: model.classes as readonly number[],
      }
  }
}

/** The votes that each sample gives to each class. */
function votesOf(model: Classifier, { samples }: VectorDataset): Uint8Array {
  const values = pairValuesOf(model, samples)
  const count = model.classes.length
  const votes = new Uint8Array(count * samples.rows)
  for (let i = 0; i < samples.rows; i++) countVotes(values, i, votes.subarray(i * count, (i + 1) * count))
  return votes
}

/** See {@link Picture.fields}; for more than two classes those of the pairs follow. */
async function fieldsOf(
  model: LabModel,
  { epsilon }: Settings,
  grid: Grid,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  switch (model.type) {
    case 'svr':
    case 'nu-svr':
      return curveOf(model, epsilon, grid)
    default:
      return inSlabs(grid, signal, (slab) => gaussians(model, slab) ?? valuesOn(model, slab))
  }
}

function valuesOn(model: Exclude<LabModel, Curve>, grid: Grid): Float32Array[] {
  const nodes = planeMatrix(nodesOf(grid))
  return valuesAt(model, nodes).map((field) => Float32Array.from(field))
}

function valuesAt(model: Exclude<LabModel, Curve>, nodes: DenseMatrix): Float64Array[] {
  if (model.type === 'one-class') return [model.decisionFunction(nodes)]
  if (model.classes.length === 2) return scoresOf(model, nodes)
  const pairs = pairValuesOf(model, nodes)
  return [...scoresOfPairs(pairs, model.classes.length), ...pairs]
}

/** The curve over the columns of the grid, and half the width of the tube around it. */
function curveOf(model: Curve, epsilon: number, grid: Grid): Float32Array[] {
  const values = columnsOf(grid)
  const curve = model.predict({ values, shape: [values.length, 1] })
  return [Float32Array.from(curve), Float32Array.of(epsilon)]
}

/** The field of a model that is one sum of Gaussians. */
function gaussians(
  { kernel, supportVectors, dualCoef, biases }: Exclude<LabModel, Curve>,
  grid: Grid,
): Float32Array[] | undefined {
  const { spec } = kernel
  if (spec?.kind !== 'rbf' || typeof spec.gamma !== 'number' || biases.length !== 1) return undefined
  const { values } = supportVectors as DenseMatrix
  return [gaussianField(grid, spec.gamma, values, dualCoef, biases[0])]
}

/** Where samples stand with a classifier. */
export function describeClasses(
  model: Classifier,
  { samples, labels }: VectorDataset,
  tol: number,
): Omit<Described, 'classes'> {
  const scores = scoresOf(model, samples)
  const isBinary = scores.length === 1
  const own = Array.from(labels as ArrayLike<Label>, (label) => model.classes.indexOf(label))
  const margins = Float64Array.from(own, (k, i) =>
    isBinary ? (k === 1 ? 1 : -1) * scores[0][i] : scores[k][i],
  )
  const right = margins.reduce((count, margin) => count + (margin > 0 ? 1 : 0), 0)
  return {
    kind: isBinary ? 'binary' : 'multi',
    positions: Uint8Array.from(margins, (margin) => positionNumber(positionOf(margin, 2 * tol))),
    values: isBinary ? scores[0].slice() : margins.slice(),
    slacks: margins.map((margin) => Math.max(0, 1 - margin)),
    marginWidth: isBinary ? 2 / norm(model, scores[0]) : Number.NaN,
    score: right / samples.rows,
  }
}

function describeOneClass(
  model: LabModel & { readonly type: 'one-class' },
  { samples }: VectorDataset,
  { tol }: Settings,
): Described {
  const values = model.decisionFunction(samples)
  const inside = values.filter((value) => value > 0).length
  return {
    kind: 'one-class',
    classes: [0, 1],
    values: values.slice(),
    positions: Uint8Array.from(values, (value) =>
      positionNumber(Math.abs(value) <= 2 * tol ? 'on-margin' : value < 0 ? 'misclassified' : 'outside'),
    ),
    slacks: new Float64Array(0),
    marginWidth: Number.NaN,
    score: inside / samples.rows,
  }
}

function describeCurve(
  model: Curve,
  { samples, labels }: VectorDataset,
  { epsilon, tol }: Settings,
): Described {
  const targets = labels as Float64Array
  const fitted = model.predict(samples)
  const errors = fitted.map((value, i) => Math.abs(value - targets[i]))
  return {
    kind: 'regression',
    classes: [0, 1],
    values: fitted.slice(),
    positions: tubePositions(errors, epsilon, tol),
    slacks: errors.map((error) => Math.max(0, error - epsilon)),
    marginWidth: Number.NaN,
    score: r2(targets, fitted),
  }
}

/** Where samples stand with a tube, by the sizes of their errors. */
export function tubePositions(errors: Float64Array, epsilon: number, tol: number): Uint8Array {
  return Uint8Array.from(errors, (error) =>
    positionNumber(
      Math.abs(error - epsilon) <= 2 * tol ? 'on-margin' : error > epsilon ? 'inside' : 'outside',
    ),
  )
}

/** ‖w‖ from ‖w‖² = Σ β_i (f(x_i) − b). */
function norm({ supportIndices, dualCoef, biases }: Classifier, values: Float64Array): number {
  let squared = 0
  supportIndices?.forEach((i, s) => {
    squared += dualCoef[s] * (values[i] - biases[0])
  })
  return Math.sqrt(Math.max(0, squared))
}

function positionOf(margin: number, tol: number): SamplePosition {
  if (Math.abs(margin - 1) <= tol) return 'on-margin'
  if (margin > 1) return 'outside'
  return margin > 0 ? 'inside' : 'misclassified'
}
