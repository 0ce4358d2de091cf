/**
 * The samples of a group of cells that share a matrix (./shared-plan.ts), in the order that suits their paths, and what the paths of
 * each fold need of them. All of it depends on data and folds alone, so that who gets the cells of a search in pieces can keep it.
 */
import { countUp, pickNumbers } from '../../base/lists.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import type { PathInput } from '../../engine/jobs/path-input.ts'
import { type ClassTargets, classTargets } from '../../estimators/parts/class-targets.ts'
import type { ScalerChoice } from '../../estimators/parts/scaler-choice.ts'
import { asTrained, type TrainingSamples, trainingVectors } from '../../estimators/parts/training-samples.ts'
import type { AnyKernel, Kernel } from '../../kernels/kernel.ts'
import { LARGEST_SINGLE } from '../../kernels/kernel-for-engine.ts'
import type { ClassPair } from '../../problems/pairwise-problem.ts'
import type { SelectionWork } from '../search/executor.ts'
import { orderByNearness } from '../split/order-by-nearness.ts'
import { type Fold, pickLabels } from '../split/splits.ts'
import type { SharedMachine } from './shared-machine.ts'

/** NEGLIGIBLE of assembly/dual/sparse-rows.ts. */
const NEGLIGIBLE = 1e-10
/**
 * Rows and columns by which it is told whether a kernel matrix is dense, and the share of its values from which on it is: a third more than
 * SPARSE_BELOW of assembly/paths/path-kernel.ts, seven standard deviations of so many values.
 */
const DRAWN_ROWS = 16
const DRAWN_COLUMNS = 32
const DENSE_FROM = 0.6

/** One problem of a fold: which samples, what to predict of them and how much each weighs. */
export interface Subset extends Pick<PathInput, 'samples' | 'training' | 'target'> {
  /** Of `training`, their places in `fold.train`. */
  readonly chosen: Uint32Array
}

/** The training side of a fold, looked up again and again. */
export interface TrainingSide {
  readonly labels: Pick<Dataset, 'labels' | 'weights'>
  /** Whether a sample is in it more than once. */
  readonly repeats: boolean
  /** Places in `fold.train`, in the order of the group. */
  readonly inOrder: Uint32Array
  /** The positions of the samples whose decision values are wanted, ascending. */
  readonly heldOut: Uint32Array
  readonly targets: Map<string, ClassTargets | undefined>
}

/** What is fitted to the training side of one fold. */
export interface FoldInput {
  readonly fold: number
  readonly scaler: ScalerChoice | undefined
}

/** Where the held-out samples of a fold are among those of its paths. */
export interface HeldOutPlaces {
  /** For each sample of `fold.test`. */
  readonly places: Uint32Array
  /** For each sample of `fold.train`, where models are scored on these as well. */
  readonly seenPlaces: Uint32Array | undefined
}

/** See the header of the file. */
export class GroupSamples {
  /** Whether squared distances could be beyond the matrix. */
  readonly tooLarge: boolean
  /** Whether it is known that most values of the one kernel that there is are not zero. */
  readonly isDense: boolean
  /** All samples, in the order that suits the paths. */
  readonly ordered: Matrix
  private readonly work: Pick<SelectionWork, 'data' | 'folds' | 'withTraining'>
  private readonly classifies: boolean
  private readonly ofFold: FoldInput | undefined
  /** The sample at each position of that order, and the position of each sample. */
  readonly order: Uint32Array
  private readonly position: Uint32Array
  private readonly vectors = new Map<number, TrainingSamples<Matrix>>()
  private readonly sides = new Map<number, TrainingSide>()
  private readonly subsets = new Map<string, Subset>()
  private readonly boxes = new Map<string, Pick<PathInput, 'lower' | 'upper'>>()
  private readonly heldOutPlaces = new Map<number, HeldOutPlaces>()
  private readonly largestValues = new Map<string, number>()

  /** Where there is one kernel only, it may be named. */
  constructor(
    { data, folds, withTraining }: SelectionWork,
    classifies: boolean,
    ofFold: FoldInput | undefined,
    kernel?: AnyKernel,
  ) {
    this.work = { data, folds, withTraining }
    this.classifies = classifies
    this.ofFold = ofFold
    const all = data.samples as Matrix
    const samples = ofFold ? asTrained(this.vectorsOf(ofFold.fold), all) : all
    this.tooLarge = squaredNorms(samples).some((norm) => !(norm < LARGEST_SINGLE))
    this.isDense = kernel !== undefined && isMostlyDense(kernel, samples)
    this.order = this.orderOf(samples, ofFold ? [folds[ofFold.fold]] : folds)
    this.ordered = selectRows(samples, this.order)
    this.position = new Uint32Array(this.order.length)
    for (let at = 0; at < this.order.length; at++) this.position[this.order[at]] = at
  }

  /** What the samples of the training side of a fold are made to, and how. */
  private vectorsOf(fold: number): TrainingSamples<Matrix> {
    let vectors = this.vectors.get(fold)
    if (!vectors) {
      const { data, folds } = this.work
      vectors = trainingVectors(selectSamples(data, folds[fold].train), this.ofFold?.scaler)
      this.vectors.set(fold, vectors)
    }
    return vectors
  }

  /** A kernel with all that depends on the training side of a fold settled. */
  resolve(kernel: Kernel, fold: number): Kernel {
    return kernel.resolve(kernel.dependsOnSamples ? this.vectorsOf(fold).samples : this.ordered)
  }

  /** The largest |k(x, x)|. */
  largestValue(kernel: Kernel): number {
    if (kernel.spec.kind === 'rbf') return 1
    const key = JSON.stringify(kernel.spec)
    const known = this.largestValues.get(key)
    if (known !== undefined) return known
    let largest = 0
    for (const value of kernel.diagonal(this.ordered)) largest = Math.max(largest, Math.abs(value))
    this.largestValues.set(key, largest)
    return largest
  }

  /** The training side of a fold. */
  sideOf(fold: number): TrainingSide {
    let side = this.sides.get(fold)
    if (!side) {
      const { labels, weights } = this.work.data
      const { train } = this.work.folds[fold]
      const { inOrder, repeats } = this.inOrder(train)
      side = {
        labels: {
          labels: pickLabels(labels, train),
          ...(weights && { weights: pickNumbers(weights, train) }),
        },
        ...{ repeats, inOrder, heldOut: this.heldOut(this.work.folds[fold]), targets: new Map() },
      }
      this.sides.set(fold, side)
    }
    return side
  }

  /** The places of a list of samples in the order of the group; those of a sample that comes more than once are not all there. */
  private inOrder(list: Uint32Array): { readonly inOrder: Uint32Array; readonly repeats: boolean } {
    const { position } = this
    // 1 + its place, 0 of those that are not in the list.
    const placeAt = new Uint32Array(position.length)
    for (let k = 0; k < list.length; k++) placeAt[position[list[k]]] = k + 1
    const found = new Uint32Array(list.length)
    let count = 0
    for (let at = 0; at < placeAt.length; at++) if (placeAt[at] > 0) found[count++] = placeAt[at] - 1
    return { inOrder: found.subarray(0, count), repeats: count < list.length }
  }

  /** Undefined where `fit` would find fault with the data: it will say so itself. */
  targetsOf(side: TrainingSide, { who, classWeight }: SharedMachine): ClassTargets | undefined {
    const key = JSON.stringify([who, classWeight ?? 1])
    if (!side.targets.has(key)) {
      let found: ClassTargets | undefined
      try {
        found = this.classifies ? classTargets(who, side.labels, classWeight) : withoutClasses(side.labels)
      } catch {
        found = undefined
      }
      side.targets.set(key, found)
    }
    return side.targets.get(key)
  }

  /**
   * The samples of a pair of classes, or all, and the held-out ones, by position, ascending; of classes +1 is what f > 0 means.
   */
  subsetOf(
    fold: number,
    { classOf, classes }: ClassTargets,
    pair: ClassPair | undefined,
    { learns, share }: SharedMachine,
  ): Subset {
    const key = JSON.stringify([fold, pair, share === undefined])
    const known = this.subsets.get(key)
    if (known) return known
    const { position } = this
    const { train } = this.work.folds[fold]
    const { inOrder, heldOut } = this.sideOf(fold)
    const chosen = pair && classes.length > 2 ? ofClasses(inOrder, classOf, pair) : inOrder
    const count = chosen.length
    const samples = new Uint32Array(count + heldOut.length)
    for (let a = 0; a < count; a++) samples[a] = position[train[chosen[a]]]
    samples.set(heldOut, count)
    const positive = pair && positiveOf(...pair, classes.length)
    const target = new Float64Array(count)
    if (learns === 'numbers') {
      const labels = this.work.data.labels as Float64Array
      for (let a = 0; a < count; a++) target[a] = labels[train[chosen[a]]]
    } else if (share === undefined) {
      for (let a = 0; a < count; a++) target[a] = classOf[chosen[a]] === positive ? 1 : -1
    }
    const subset = { samples, training: chosen.length, target, chosen }
    this.subsets.set(key, subset)
    return subset
  }

  /** The positions of the samples whose decision values are wanted, ascending. */
  private heldOut({ train, test }: Fold): Uint32Array {
    const { position } = this
    const { withTraining } = this.work
    const wanted = new Uint32Array(test.length + (withTraining ? train.length : 0))
    for (let k = 0; k < test.length; k++) wanted[k] = position[test[k]]
    if (withTraining) for (let k = 0; k < train.length; k++) wanted[test.length + k] = position[train[k]]
    return wanted.sort()
  }

  /** Samples of the largest problem, were it not for folds: all of them, or of more than two classes the two largest. */
  get largestProblem(): number {
    const { labels } = this.work.data
    if (!this.classifies) return labels.length
    const counts = new Map<Label, number>()
    for (const label of labels as Iterable<Label>) counts.set(label, (counts.get(label) ?? 0) + 1)
    const [first = 0, second = 0] = Array.from(counts.values()).sort((a, b) => b - a)
    return first + second
  }

  /** Whether every sample is in a fold, on either side. */
  isComplete(fold: number): boolean {
    const { train, test } = this.work.folds[fold]
    const isIn = new Uint8Array(this.position.length)
    for (let k = 0; k < train.length; k++) isIn[train[k]] = 1
    for (let k = 0; k < test.length; k++) isIn[test[k]] = 1
    return !isIn.includes(0)
  }

  /** Where the held-out samples of a fold are. */
  placesOf(fold: number): HeldOutPlaces {
    const known = this.heldOutPlaces.get(fold)
    if (known) return known
    const { position } = this
    const { train, test } = this.work.folds[fold]
    const { heldOut } = this.sideOf(fold)
    const place = new Uint32Array(position.length)
    for (let k = 0; k < heldOut.length; k++) place[heldOut[k]] = k
    const placesOf = (side: Uint32Array) => {
      const places = new Uint32Array(side.length)
      for (let k = 0; k < side.length; k++) places[k] = place[position[side[k]]]
      return places
    }
    const found = {
      places: placesOf(test),
      seenPlaces: this.work.withTraining ? placesOf(train) : undefined,
    }
    this.heldOutPlaces.set(fold, found)
    return found
  }

  /** The box for C = 1: [−w, w], or the side of it that a class is on, where w is class weight · sample weight. */
  boxOf(
    fold: number,
    { factors, classOf, classes }: ClassTargets,
    pair: ClassPair | undefined,
    { chosen }: Subset,
    { who, learns, classWeight }: SharedMachine,
  ): Pick<PathInput, 'lower' | 'upper'> {
    const key = JSON.stringify([fold, pair, who, classWeight ?? 1])
    const known = this.boxes.get(key)
    if (known) return known
    const positive = pair && positiveOf(...pair, classes.length)
    const lower = new Float64Array(chosen.length)
    const upper = new Float64Array(chosen.length)
    for (let a = 0; a < chosen.length; a++) {
      const k = chosen[a]
      const isPositive = classOf[k] === positive
      if (pair ? !isPositive : learns === 'numbers') lower[a] = -factors[k]
      if (pair ? isPositive : true) upper[a] = factors[k]
    }
    const box = { lower, upper }
    this.boxes.set(key, box)
    return box
  }

  /**
   * One problem a fold: samples that are near to one another side by side, as kernel values that are far from the diagonal are
   * then small together, where any are small. Several: samples of the same class, and of these the ones that are held out together, side by side; what a
   * path needs of a row is then a few stretches of it.
   */
  private orderOf(samples: Matrix, folds: readonly Fold[]): Uint32Array {
    const { labels } = this.work.data
    const rank = new Map<Label, number>()
    for (const label of labels as Iterable<Label>) if (!rank.has(label)) rank.set(label, rank.size)
    if (!this.classifies || rank.size === 2) {
      return this.isDense ? countUp(samples.rows) : orderByNearness(samples)
    }
    // One bucket for each class and fold, and for those that no fold holds out.
    const { length } = labels
    const buckets = folds.length + 1
    const bucketOf = new Uint32Array(length).fill(folds.length)
    for (let f = folds.length - 1; f >= 0; f--) for (const i of folds[f].test) bucketOf[i] = f
    const next = new Uint32Array(buckets * rank.size + 1)
    for (let i = 0; i < length; i++) {
      bucketOf[i] += buckets * (rank.get(labels[i]) as number)
      next[bucketOf[i] + 1]++
    }
    for (let b = 1; b < next.length; b++) next[b] += next[b - 1]
    const order = new Uint32Array(length)
    for (let i = 0; i < length; i++) order[next[bucketOf[i]]++] = i
    return order
  }
}

/** Whether so many values of a kernel are not zero, by some of them, that no order of the samples makes most blocks of its matrix zero. */
function isMostlyDense(kernel: AnyKernel, samples: Matrix): boolean {
  const some = (most: number) => {
    const apart = Math.max(1, Math.floor(samples.rows / most))
    return selectRows(
      samples,
      countUp(Math.min(most, samples.rows)).map((k) => k * apart),
    )
  }
  const { rows, cols, row } = kernel.resolve(samples).between(some(DRAWN_ROWS), some(DRAWN_COLUMNS))
  const values = new Float64Array(cols)
  let found = 0
  for (let i = 0; i < rows; i++) {
    row(i, values)
    for (let j = 0; j < cols; j++) if (Math.abs(values[j]) > NEGLIGIBLE) found++
  }
  return found > DENSE_FROM * rows * cols
}

/** Those of `places` whose class is one of a pair. */
function ofClasses(places: Uint32Array, classOf: Uint32Array, [first, second]: ClassPair): Uint32Array {
  const found = new Uint32Array(places.length)
  let count = 0
  for (let a = 0; a < places.length; a++) {
    const own = classOf[places[a]]
    if (own === first || own === second) found[count++] = places[a]
  }
  return found.slice(0, count)
}

/** All samples of some weight, as if they were of one class. */
function withoutClasses({ labels, weights }: Pick<Dataset, 'labels' | 'weights'>): ClassTargets | undefined {
  const factors = weights ?? new Float64Array(labels.length).fill(1)
  if (!factors.some((factor) => factor > 0)) return undefined
  return { classes: [], classOf: new Uint32Array(labels.length), factors }
}
