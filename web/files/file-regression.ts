/** A regression on a file, and its picture: what is predicted against what is true, with the tube around equality. */
import type { Fitted, SvrModel, VectorDataset } from '../../src/index.browser.ts'
import { meanAbsoluteError, r2 } from '../../src/metrics.ts'
import type { Grid } from '../worker/messages.ts'
import { slackLines } from '../worker/slack-lines.ts'
import { partsOf, tubePositions } from '../worker/train.ts'
import type { FileRequest, FileResult } from './file-messages.ts'

/** How well the model does on `test`, and where the first samples of `train` stand with it. */
export function evaluateTargets(
  model: Fitted<SvrModel>,
  train: VectorDataset,
  test: VectorDataset,
  { cells: [columns, rows], settings: { epsilon, tol } }: FileRequest,
  mostPoints: number,
): Pick<FileResult, 'axes' | 'points' | 'targets'> & {
  readonly picture: Omit<FileResult['picture'], 'trainMs' | 'fieldMs'>
} {
  const truth = train.labels as Float64Array
  const fitted = model.predict(train.samples)
  const shown = Math.min(train.samples.rows, mostPoints)
  const xy = Float64Array.from({ length: 2 * shown }, (_, k) => (k % 2 ? truth : fitted)[k >> 1])
  const errors = fitted.map((value, i) => Math.abs(value - truth[i]))
  const ends = extent(xy)
  const grid: Grid = { columns, rows, x: ends, y: ends }
  const step = (ends[1] - ends[0]) / (columns - 1)
  const fields = [
    Float32Array.from({ length: columns }, (_, k) => ends[0] + k * step),
    Float32Array.of(epsilon),
  ]
  const described = { kind: 'regression', classes: [0, 1], fields } as const
  const points = { xy, classes: new Uint8Array(shown) }
  const slacks = errors.subarray(0, shown).map((error) => Math.max(0, error - epsilon))
  const parts = partsOf(model, train.samples.rows)
  const predicted = model.predict(test.samples)
  const expected = test.labels as Float64Array
  return {
    picture: {
      ...described,
      ...parts,
      coefficients: parts.coefficients.slice(0, shown),
      positions: tubePositions(errors, epsilon, tol).slice(0, shown),
      values: fitted.slice(0, shown),
      slackLines: slackLines(points, described, slacks, grid),
      marginWidth: Number.NaN,
      score: r2(truth, fitted),
      grid,
    },
    points,
    axes: ['predicted', 'true'],
    targets: { r2: r2(expected, predicted), meanError: meanAbsoluteError(expected, predicted) },
  }
}

/** From the least to the largest, with some room. */
function extent(values: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const room = 0.07 * (high - low) || 1
  return [low - room, high + room]
}
