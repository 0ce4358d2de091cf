/**
 * The models that LIBLINEAR has when it stops, at its tolerance: `-v` and `-C` report rates of these, which differ from those of
 * solved ones. A model that is written is solved, and certified, by other means.
 */
import type { LibcRandom } from '../../base/libc-random.ts'
import { type SparseMatrix, toSparse } from '../../data/matrix/matrix.ts'
import { transpose } from '../../data/matrix/transpose.ts'
import { selectSamples, type VectorDataset } from '../../data/table/dataset.ts'
import { liblinearSolvers } from '../../models/known-problems.ts'
import type { LiblinearSolver } from '../../models/model-types.ts'
import { type LinearLoss, lossTerms } from '../../problems/linear-loss.ts'
import type { Predictor } from '../libsvm/cross-validation.ts'
import type { LiblinearSettings } from './liblinear-settings.ts'
import { roughClasses } from './rough-classes.ts'
import { roughColumns } from './rough-columns.ts'
import { roughDescent } from './rough-descent.ts'
import { linearValues, type PrimalLosses, trustRegion } from './trust-region.ts'

/** How accurately LIBLINEAR solves the systems of its trust-region steps; less so for classes that begin with a model. */
const ACCURACY = 0.1
const ACCURACY_FROM_START = 0.5

/** What a rough model depends on beside the settings. */
export interface RoughStart {
  readonly C: number
  readonly p: number
  /** Weights to begin with, where the method can. */
  readonly before?: readonly Float64Array[] | undefined
  /** For methods that draw an order. */
  readonly random?: LibcRandom
}

/** Whether {@link roughModel} knows a problem: all that LIBLINEAR 2.3 has. */
export function hasRoughModel(name: LiblinearSolver): boolean {
  return liblinearSolvers[name].type !== 'linear-one-class'
}

/** See the header of the file. One function, or one per class. */
export function roughModel(
  settings: LiblinearSettings,
  dataset: VectorDataset,
  start: RoughStart,
): Predictor & { readonly weights: Float64Array[] } {
  const { constant, regression } = settings
  const { C, p } = start
  if (regression) {
    const { samples } = dataset
    const losses = {
      loss: liblinearSolvers[settings.name].loss as LinearLoss,
      prices: new Float64Array(samples.rows).fill(C),
      z: dataset.labels as Float64Array,
      epsilon: p,
    }
    const u = oneFunction(settings, samples, losses, settings.eps, start, 0)
    return { weights: [u], predict: (unseen) => valuesOf(unseen, u, constant) }
  }
  const known = byClasses(dataset, settings.weightsIn(dataset))
  const { classes } = known
  const weights =
    settings.name === 'MCSVM_CS' ? allClasses(settings, known, start) : eachClass(settings, known, start)
  const predict = (samples: VectorDataset['samples']) => {
    const values = weights.map((u) => valuesOf(samples, u, constant))
    // Crammer and Singer's two functions are opposites.
    if (classes.length === 2) return values[0].map((value) => classes[value > 0 ? 0 : 1])
    return values[0].map((_, i) => {
      let best = 0
      for (let m = 1; m < values.length; m++) if (values[m][i] > values[best][i]) best = m
      return classes[best]
    })
  }
  return { weights, predict }
}

/** Samples that are sorted by class, the first of its classes first, and what multiplies C of each. */
interface SortedClasses {
  readonly samples: VectorDataset['samples']
  readonly labels: Float64Array
  readonly classes: readonly number[]
  readonly factors: Readonly<Record<number, number>>
}

/** A function for each class; one for two. */
function eachClass(
  settings: LiblinearSettings,
  { samples, labels, classes, factors }: SortedClasses,
  start: RoughStart,
): Float64Array[] {
  const { C } = start
  const loss = liblinearSolvers[settings.name].loss as LinearLoss
  return (classes.length === 2 ? [classes[0]] : classes).map((positive, m) => {
    const z = labels.map((label) => (label === positive ? 1 : -1))
    const count = z.reduce((sum, sign) => sum + (sign > 0 ? 1 : 0), 0)
    // With many classes a weight counts where the class is not among the rest.
    const priceOf = (label: number) =>
      C * (classes.length === 2 || label === positive ? (factors[label] ?? 1) : 1)
    const losses = { loss, prices: labels.map(priceOf), z, epsilon: 0 }
    const tolerance = (settings.eps * Math.max(1, Math.min(count, samples.rows - count))) / samples.rows
    return oneFunction(settings, samples, losses, tolerance, start, m)
  })
}

/** Crammer and Singer's machine. */
function allClasses(
  { constant, hasConstant, eps }: LiblinearSettings,
  { samples: known, labels, classes, factors }: SortedClasses,
  { C, random }: RoughStart,
): Float64Array[] {
  const y = Uint32Array.from(labels, (label) => classes.indexOf(label))
  const prices = classes.map((label) => C * (factors[label] ?? 1))
  const samples = hasConstant ? withConstant(known, constant) : toSparse(known)
  const weights = roughClasses({ samples, y, prices, eps, random: given(random) })
  return weights.map((own) => padded(own, known))
}

/** The samples with a feature more, which is the same for all. */
function withConstant(samples: VectorDataset['samples'], constant: number): SparseMatrix {
  const { rows, cols, indptr, indices, values } = toSparse(samples)
  const widened = {
    kind: 'sparse' as const,
    ...{ rows, cols: cols + 1, indptr: indptr.map((end, i) => end + i) },
    indices: new Uint32Array(indices.length + rows).fill(cols),
    values: new Float64Array(values.length + rows).fill(constant),
  }
  for (let i = 0; i < rows; i++) {
    widened.indices.set(indices.subarray(indptr[i], indptr[i + 1]), widened.indptr[i])
    widened.values.set(values.subarray(indptr[i], indptr[i + 1]), widened.indptr[i])
  }
  return widened
}

/** Weights with that of the constant feature at the end, which is 0 where there is none. */
function padded(weights: Float64Array, { cols }: VectorDataset['samples']): Float64Array {
  const u = new Float64Array(cols + 1)
  u.set(weights)
  return u
}

/** By the method that LIBLINEAR has for the problem. `tolerance` is that of the primal ones. */
function oneFunction(
  { name, constant, hasConstant, eps, regression }: LiblinearSettings,
  samples: VectorDataset['samples'],
  losses: Omit<PrimalLosses, 'loss'> & { readonly loss: LinearLoss },
  tolerance: number,
  { before, random }: RoughStart,
  number: number,
): Float64Array {
  const { loss, prices, z, epsilon } = losses
  if (liblinearSolvers[name].norm === 1) {
    const columns = transpose(hasConstant ? withConstant(samples, constant) : toSparse(samples))
    return padded(roughColumns({ columns, loss, y: z, prices, tolerance, random: given(random) }), samples)
  }
  if (liblinearSolvers[name].primal) {
    const accuracy = before && !regression ? ACCURACY_FROM_START : ACCURACY
    return trustRegion(samples, constant, losses as PrimalLosses, {
      ...{ tolerance, accuracy, features: samples.cols + (hasConstant ? 1 : 0) },
      start: before?.[number],
    })
  }
  const terms = lossTerms(loss, prices, z, epsilon)
  return roughDescent({ samples, constant, terms, eps, random: given(random) })
}

/** Searches, which have no random numbers, are for methods that draw none. */
function given(random: LibcRandom | undefined): LibcRandom {
  if (!random) throw new TypeError('the method needs random numbers')
  return random
}

/** Classes in the order in which they appear, but +1 before −1: what wins where values are equal. */
function classesAsTheyCome(labels: Float64Array): number[] {
  const classes = [...new Set(labels)]
  return classes.length === 2 && classes[0] === -1 && classes[1] === 1 ? [1, -1] : classes
}

/** The samples of the first class first, and so on: the order that LIBLINEAR's solvers see. */
function byClasses(dataset: VectorDataset, factors: SortedClasses['factors']): SortedClasses {
  const labels = dataset.labels as Float64Array
  const classes = classesAsTheyCome(labels)
  const byClass = new Map<number, number[]>(classes.map((own) => [own, []]))
  for (let i = 0; i < labels.length; i++) byClass.get(labels[i])?.push(i)
  const order = Uint32Array.from(classes.flatMap((own) => byClass.get(own) as number[]))
  const { samples, labels: sorted } = selectSamples(dataset, order)
  return { samples, labels: sorted as Float64Array, classes, factors }
}

function valuesOf(samples: VectorDataset['samples'], u: Float64Array, constant: number): Float64Array {
  const values = new Float64Array(samples.rows)
  linearValues(samples, constant, u, values)
  return values
}
