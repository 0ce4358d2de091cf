/** A linear machine on the points lifted to (x, y, x² + y²). */
import { linear, type Matrix, makeDataset, SVC, toDense } from '../../src/index.browser.ts'
import type { Jobs, LiftedPlane } from './messages.ts'

/** See the header of the file; the plane is w · (x, y, z) + bias = 0. */
export async function lift({ data, C }: Jobs['lift']['ask'], signal: AbortSignal): Promise<LiftedPlane> {
  const { xy, classes } = data
  const rows = Array.from(classes, (_, i) => [xy[2 * i], xy[2 * i + 1], xy[2 * i] ** 2 + xy[2 * i + 1] ** 2])
  const dataset = makeDataset(rows, classes)
  const model = await new SVC({ kernel: linear(), C }).fit(dataset, { signal })
  const { values, cols } = toDense(model.supportVectors as Matrix)
  const w = new Float64Array(3)
  model.dualCoef.forEach((coefficient, s) => {
    for (let j = 0; j < cols; j++) w[j] += coefficient * values[s * cols + j]
  })
  const predicted = model.predict(dataset.samples) as ArrayLike<number>
  const right = classes.reduce((count, c, i) => count + (predicted[i] === c ? 1 : 0), 0)
  return { w, bias: model.biases[0], score: right / classes.length }
}
