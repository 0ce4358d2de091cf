/**
 * Values of classifiers for samples that they were not trained on. A part of the data may lack a rare class: what a model of
 * that part cannot say is ±1, for the class that it does know, as in LIBSVM.
 */
import { countUp } from '../../base/lists.ts'
import { signOfFirst } from '../../base/positive-class.ts'
import {
  type Dataset,
  type Label,
  type Labels,
  type Samples,
  sampleCount,
  selectSamples,
} from '../../data/table/dataset.ts'
import type { LinearSvcModel } from '../../models/linear-svc-model.ts'
import { checkDecisionOptions } from '../../models/machines/decision-options.ts'
import { rowBlocks } from '../../models/machines/row-blocks.ts'
import { pairCount, pairIndex } from '../../models/pairs.ts'
import type { SvcModel } from '../../models/svc-model.ts'
import type { Fold } from '../split/splits.ts'

/** The samples that some fold tests on, and values of each, so many, by a model that was not trained on it. */
export interface UnseenValues<S = unknown> {
  readonly seen: Dataset<S>
  readonly values: Float64Array
}

/** Values by the model of each fold, which comes with its number, of the samples that it was not trained on. */
export async function crossFitted<S>(
  dataset: Dataset<S>,
  folds: readonly Fold[],
  width: number,
  valuesOf: (fold: Fold, number: number) => Promise<Float64Array>,
): Promise<UnseenValues<S>> {
  const values: Float64Array[] = []
  for (const [number, fold] of folds.entries()) values.push(await valuesOf(fold, number))
  return gatherUnseen(dataset, folds, values, width)
}

/** The values of the test samples of each fold as those of samples: of the first model, where several have not seen one. */
export function gatherUnseen<S>(
  dataset: Dataset<S>,
  folds: readonly Fold[],
  values: readonly Float64Array[],
  width: number,
): UnseenValues<S> {
  const count = sampleCount(dataset.samples)
  const all = new Float64Array(count * width)
  const done = new Uint8Array(count)
  folds.forEach(({ test }, f) => {
    test.forEach((i, k) => {
      if (done[i]) return
      done[i] = 1
      all.set(values[f].subarray(k * width, (k + 1) * width), i * width)
    })
  })
  const tested = countUp(count).filter((i) => done[i] === 1)
  if (tested.length === count) return { seen: dataset, values: all }
  const own = new Float64Array(tested.length * width)
  tested.forEach((i, k) => {
    own.set(all.subarray(i * width, (i + 1) * width), k * width)
  })
  return { seen: selectSamples(dataset, tested), values: own }
}

/** The place of another class among all but a sample's own. */
export function otherPlace(own: number, other: number): number {
  return other < own ? other : other - 1
}

/** {@link ownPairValues} by a model, if there is one, of a part of the samples at a time. */
export function unseenPairValues<S>(
  model: SvcModel<S> | undefined,
  { samples, labels }: Dataset<S>,
  classes: readonly Label[],
  known: readonly number[],
): Float64Array {
  const width = classes.length - 1
  const values = new Float64Array(sampleCount(samples) * width)
  for (const { from, rows } of rowBlocks(samples as Samples<S>, Math.max(1, pairCount(known.length)))) {
    const found = model?.decisionFunction(rows as never, { decisionFunctionShape: 'ovo' })
    const own = labels.slice(from, from + sampleCount(rows))
    values.set(ownPairValues(found, own, classes, known), from * width)
  }
  return values
}

/**
 * Of what all pairs of the known classes say, row by row, for each sample the values of the pairs that its class makes with the others
 * ({@link otherPlace}): of k classes k − 1, where all pairs together would be k / 2 times as many.
 */
export function ownPairValues(
  found: Float64Array | undefined,
  labels: Labels,
  classes: readonly Label[],
  known: readonly number[],
): Float64Array {
  const k = classes.length
  const own = new Map(classes.map((label, c) => [label, c]))
  const place = new Int32Array(k).fill(-1)
  known.forEach((c, p) => {
    place[c] = p
  })
  const pairs = pairCount(known.length)
  const towardsFirst = signOfFirst(k)
  const sign = towardsFirst * signOfFirst(known.length)
  const values = new Float64Array(labels.length * (k - 1))
  for (let i = 0; i < labels.length; i++) {
    const c = own.get(labels[i]) as number
    for (let other = 0; other < k; other++) {
      if (other === c) continue
      const p = place[Math.min(c, other)]
      const q = place[Math.max(c, other)]
      const constant = p >= 0 ? towardsFirst : q >= 0 ? -towardsFirst : 0
      values[i * (k - 1) + otherPlace(c, other)] =
        found && p >= 0 && q >= 0 ? sign * found[i * pairs + pairIndex(p, q, known.length)] : constant
    }
  }
  return values
}

/** The value of each machine of a linear classifier of all `classes`: one a class, or one for the second of two. */
export function unseenClassValues(
  model: LinearSvcModel | undefined,
  samples: Samples<never>,
  classes: readonly Label[],
  known: readonly number[],
  machines: number,
): Float64Array {
  const found = model?.machineValues(samples, checkDecisionOptions('fitCalibrated', {}))
  if (found && known.length === classes.length) return found
  const count = sampleCount(samples)
  const values = new Float64Array(count * machines).fill(-1)
  const width = found ? found.length / count : 0
  known.forEach((c, p) => {
    // Two classes may have one function, for the second of them.
    const own = machines === 1 ? 0 : c
    const sign = machines === 1 && c === 0 ? -1 : 1
    for (let i = 0; i < count; i++) {
      const value = !found ? 1 : width === 1 ? (p === 1 ? found[i] : -found[i]) : found[i * width + p]
      values[i * machines + own] = sign * value
    }
  })
  return values
}
