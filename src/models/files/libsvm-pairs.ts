/**
 * Pairs of classes in LIBSVM's files and in models. A file lists its classes in its own order; `order[p]` is the
 * position in a model's `classes` of the file's class p. In both, the pair p < q has coefficients in row q − 1 for vectors of
 * class p and in row p for vectors of class q, of (k − 1) rows, and vectors are grouped by class. In a file f > 0 means p;
 * in a model ../pairs.ts says what it means, so that some pairs change their sign.
 */
import { positiveOf } from '../../base/positive-class.ts'
import type { Label } from '../../data/table/dataset.ts'
import { defaultLabelOrder, groupStarts, pairCount, pairIndex } from '../pairs.ts'

/** All that belongs to the pairs of classes. */
export interface PairMachines {
  readonly supportCounts: Uint32Array
  readonly dualCoef: Float64Array
  readonly biases: Float64Array
  /** Platt's sigmoids, where there are any. */
  readonly sigmoid: { readonly a: Float64Array; readonly b: Float64Array } | undefined
}

/** The same in another order of the classes. */
export interface ReorderedMachines extends PairMachines {
  /** Which support vector comes where; undefined where all stay in their place. */
  readonly order: Uint32Array | undefined
}

/** The order of a file's labels, as positions in `classes`; undefined where it is the default one. */
export function labelOrderOf(labels: readonly Label[], classes: readonly Label[]): number[] | undefined {
  const order = positionsIn(classes, labels)
  const usual = defaultLabelOrder(classes.length)
  return order.every((position, p) => position === usual[p]) ? undefined : order
}

/** Where each of `labels` is in `list`. */
export function positionsIn(list: readonly Label[], labels: readonly Label[]): number[] {
  const positions = new Map(list.map((label, position) => [label, position]))
  return labels.map((label) => positions.get(label) ?? -1)
}

/** From the order of a file to that of a model. */
export function fromFileOrder(machines: PairMachines, order: readonly number[]): ReorderedMachines {
  const k = order.length
  const places = Array.from(order.keys())
  order.forEach((position, p) => {
    places[position] = p
  })
  return reordered(machines, places, (i, j) => positiveOf(i, j, k) !== order[Math.min(places[i], places[j])])
}

/** From the order of a model to that of a file. */
export function toFileOrder(machines: PairMachines, order: readonly number[]): ReorderedMachines {
  const k = order.length
  return reordered(machines, order, (p, q) => positiveOf(order[p], order[q], k) !== order[p])
}

/** Class p becomes what class sources[p] was; `flips` says whether the pair p < q changes its sign. */
function reordered(
  machines: PairMachines,
  sources: readonly number[],
  flips: (p: number, q: number) => boolean,
): ReorderedMachines {
  const { supportCounts, dualCoef, biases, sigmoid } = machines
  const k = sources.length
  const starts = groupStarts(supportCounts)
  const count = starts[k]
  const counts = Uint32Array.from(sources, (c) => supportCounts[c])
  const newStarts = groupStarts(counts)
  const coefficients = new Float64Array(dualCoef.length)
  const newBiases = new Float64Array(pairCount(k))
  const newSigmoid = sigmoid && { a: new Float64Array(pairCount(k)), b: new Float64Array(pairCount(k)) }
  const move = (p: number, other: number, flip: boolean): void => {
    const [c, d] = [sources[p], sources[other]]
    const from = (d < c ? d : d - 1) * count + starts[c]
    const to = (other < p ? other : other - 1) * count + newStarts[p]
    for (let s = 0; s < counts[p]; s++) coefficients[to + s] = flip ? -dualCoef[from + s] : dualCoef[from + s]
  }
  for (let p = 0; p < k; p++) {
    for (let q = p + 1; q < k; q++) {
      const flip = flips(p, q)
      move(p, q, flip)
      move(q, p, flip)
      const [c, d] = [sources[p], sources[q]]
      const source = pairIndex(Math.min(c, d), Math.max(c, d), k)
      const target = pairIndex(p, q, k)
      newBiases[target] = flip ? -biases[source] : biases[source]
      if (sigmoid && newSigmoid) {
        // 1 − 1 / (1 + exp(a f + b)) = 1 / (1 + exp(a (−f) − b))
        newSigmoid.a[target] = sigmoid.a[source]
        newSigmoid.b[target] = flip ? -sigmoid.b[source] : sigmoid.b[source]
      }
    }
  }
  const order = new Uint32Array(count)
  sources.forEach((c, p) => {
    for (let s = 0; s < counts[p]; s++) order[newStarts[p] + s] = starts[c] + s
  })
  return {
    order: order.every((row, s) => row === s) ? undefined : order,
    supportCounts: counts,
    dualCoef: coefficients,
    biases: newBiases,
    sigmoid: newSigmoid,
  }
}
