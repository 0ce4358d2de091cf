/**
 * Where epochs of coordinate descent lead. Near the end an epoch is a linear map of d, so of the last few iterates that affine
 * combination whose change over an epoch is least is far nearer to the limit. It is taken where the objective is lower there.
 * Source: Bertrand, Massias 2021 (Anderson's acceleration).
 */
import { dotProduct } from './lists.ts'

/** Changes that are combined: the paper's number. */
const CHANGES = 5
/** Added to the diagonal of their products, as a part of its mean: they are nearly dependent. */
const RIDGE = 1e-10

/** See the header of the file. */
export class Extrapolation {
  private readonly d: Float64Array
  private readonly image: Float64Array
  private readonly objective: (d: Float64Array, image: Float64Array) => number
  private readonly kept: { readonly d: Float64Array; readonly image: Float64Array }[]
  private readonly changes: Float64Array[]
  private readonly combined: { readonly d: Float64Array; readonly image: Float64Array }
  private count = 0

  /** Of d, and of an image that is linear in it and combined in the same way; the objective follows from the two. */
  constructor(
    d: Float64Array,
    image: Float64Array,
    objective: (d: Float64Array, image: Float64Array) => number,
  ) {
    const room = () => ({ d: new Float64Array(d.length), image: new Float64Array(image.length) })
    this.d = d
    this.image = image
    this.objective = objective
    this.kept = Array.from({ length: CHANGES + 1 }, room)
    this.changes = Array.from({ length: CHANGES }, () => new Float64Array(d.length))
    this.combined = room()
  }

  /** The next iterate is the first of another map. */
  begin(): void {
    this.count = 0
  }

  /** Notes an iterate; where there are enough, goes to the combination if that is better. */
  next(): void {
    const { d, image, kept, changes, combined, objective } = this
    kept[this.count].d.set(d)
    kept[this.count].image.set(image)
    if (this.count++ < CHANGES) return
    this.count = 0
    for (let k = 0; k < CHANGES; k++) {
      for (let j = 0; j < d.length; j++) changes[k][j] = kept[k + 1].d[j] - kept[k].d[j]
    }
    const factors = affineFactors(changes)
    if (!factors) return
    for (const name of ['d', 'image'] as const) {
      const out = combined[name].fill(0)
      for (let k = 0; k < CHANGES; k++) {
        const own = kept[k + 1][name]
        for (let j = 0; j < out.length; j++) out[j] += factors[k] * own[j]
      }
    }
    if (!(objective(combined.d, combined.image) < objective(d, image))) return
    d.set(combined.d)
    image.set(combined.image)
  }
}

/** The factors of sum 1 whose combination of the changes is shortest; undefined where rounding decides. */
function affineFactors(changes: readonly Float64Array[]): Float64Array | undefined {
  const size = changes.length
  const M = changes.map((a) => Float64Array.from(changes, (b) => dotProduct(a, b)))
  const ridge = (RIDGE * M.reduce((sum, row, k) => sum + row[k], 0)) / size
  const c = new Float64Array(size).fill(1)
  for (let k = 0; k < size; k++) M[k][k] += ridge
  // Gauss's elimination: M is positive definite.
  for (let k = 0; k < size; k++) {
    for (let i = k + 1; i < size; i++) {
      const factor = M[i][k] / M[k][k]
      for (let j = k; j < size; j++) M[i][j] -= factor * M[k][j]
      c[i] -= factor * c[k]
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let j = k + 1; j < size; j++) c[k] -= M[k][j] * c[j]
    c[k] /= M[k][k]
  }
  const sum = c.reduce((total, own) => total + own, 0)
  return Number.isFinite(1 / sum) ? c.map((own) => own / sum) : undefined
}
