/**
 * The samples of a group of cells that share a matrix (./shared-plan.ts), in the order that suits their paths, and what the paths of
 * each fold need of them. All of it depends on data and folds alone, so that who gets the cells of a search in pieces can keep it.
 */
import { positiveOf } from '../../base/positive-class.ts'
import { type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import type { PathInput } from '../../engine/jobs/path-input.ts'
import { type ClassTargets, classTargets } from '../../estimators/parts/class-targets.ts'
import type { ScalerChoice } from '../../estimators/parts/scaler-choice.ts'
import { asTrained, type TrainingSamples, trainingVectors } from '../../estimators/parts/training-samples.ts'
import { LARGEST_SINGLE } from '../../kernels/kernel-for-engine.ts'
import type { ClassPair } from '../../problems/pairwise-problem.ts'
import type { SelectionWork } from '../search/executor.ts'
import { orderByNearness } from '../split/order-by-nearness.ts'
import type { Fold } from '../split/splits.ts'
import type { SharedMachine } from './shared-machine.ts'

/** One problem of a fold: which samples, what to predict of them and how much each weighs. */
export interface Subset extends Pick<PathInput, 'samples' | 'training' | 'target'> {
  /** Of `training`, their places in `fold.train`. */
  readonly chosen: Uint32Array
}

/** The training side of a fold, looked up again and again. */
export interface TrainingSide {
  readonly train: Dataset
  readonly vectors: TrainingSamples<Matrix>
  readonly samples: Matrix
  /** Whether a sample is in it more than once. */
  readonly repeats: boolean
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

/** See the head of the file. */
export class GroupSamples {
  /** Whether squared distances could be beyond the matrix. */
  readonly tooLarge: boolean
  /** All samples, in the order that suits the paths. */
  readonly ordered: Matrix
  private readonly work: Pick<SelectionWork, 'data' | 'folds' | 'withTraining'>
  private readonly classifies: boolean
  private readonly ofFold: FoldInput | undefined
  private readonly position: Uint32Array
  private readonly sides = new Map<number, TrainingSide>()
  private readonly subsets = new Map<string, Subset>()
  private readonly boxes = new Map<string, Pick<PathInput, 'lower' | 'upper'>>()
  private readonly heldOutPlaces = new Map<number, HeldOutPlaces>()

  constructor(
    { data, folds, withTraining }: SelectionWork,
    classifies: boolean,
    ofFold: FoldInput | undefined,
  ) {
    this.work = { data, folds, withTraining }
    this.classifies = classifies
    this.ofFold = ofFold
    const all = data.samples as Matrix
    const samples = ofFold ? asTrained(this.sideOf(ofFold.fold).vectors, all) : all
    this.tooLarge = squaredNorms(samples).some((norm) => !(norm < LARGEST_SINGLE))
    const order = this.orderOf(samples, ofFold ? [folds[ofFold.fold]] : folds)
    this.ordered = selectRows(samples, order)
    this.position = new Uint32Array(order.length)
    for (let at = 0; at < order.length; at++) this.position[order[at]] = at
  }

  /** The training side of a fold. */
  sideOf(fold: number): TrainingSide {
    let side = this.sides.get(fold)
    if (!side) {
      const chosen = this.work.folds[fold].train
      const train = selectSamples(this.work.data, chosen)
      const vectors = trainingVectors(train, this.ofFold?.scaler)
      const repeats = new Set(chosen).size < chosen.length
      side = { train, vectors, samples: vectors.samples, repeats, targets: new Map() }
      this.sides.set(fold, side)
    }
    return side
  }

  /** Undefined where `fit` would find fault with the data: it will say so itself. */
  targetsOf(side: TrainingSide, { who, classWeight }: SharedMachine): ClassTargets | undefined {
    const key = JSON.stringify([who, classWeight ?? 1])
    if (!side.targets.has(key)) {
      let found: ClassTargets | undefined
      try {
        found = this.classifies ? classTargets(who, side.train, classWeight) : withoutClasses(side.train)
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
    const { train } = this.work.folds[fold]
    const chosen = Uint32Array.from(train.keys())
      .filter((k) => !pair || pair.includes(classOf[k]))
      .sort((a, b) => this.position[train[a]] - this.position[train[b]])
    const heldOut = this.heldOut(this.work.folds[fold])
    const samples = new Uint32Array(chosen.length + heldOut.length)
    samples.set(chosen.map((k) => this.position[train[k]]))
    samples.set(heldOut, chosen.length)
    const positive = pair && positiveOf(...pair, classes.length)
    const { labels } = this.work.data
    const target = Float64Array.from(chosen, (k) => {
      if (learns === 'numbers') return labels[train[k]] as number
      if (share !== undefined) return 0
      return classOf[k] === positive ? 1 : -1
    })
    const subset = { samples, training: chosen.length, target, chosen }
    this.subsets.set(key, subset)
    return subset
  }

  /** The positions of the samples whose decision values are wanted, ascending. */
  private heldOut({ train, test }: Fold): Uint32Array {
    const wanted = new Uint32Array(test.length + (this.work.withTraining ? train.length : 0))
    wanted.set(test)
    if (this.work.withTraining) wanted.set(train, test.length)
    return wanted.map((i) => this.position[i]).sort()
  }

  /** Where the held-out samples of a fold are. */
  placesOf(fold: number): HeldOutPlaces {
    const known = this.heldOutPlaces.get(fold)
    if (known) return known
    const { train, test } = this.work.folds[fold]
    const place = new Map(Array.from(this.heldOut({ train, test }), (position, k) => [position, k]))
    const placesOf = (side: Uint32Array) => side.map((i) => place.get(this.position[i]) as number)
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
    const hasLower = (k: number) => (pair ? classOf[k] !== positive : learns === 'numbers')
    const hasUpper = (k: number) => !pair || classOf[k] === positive
    const box = {
      lower: Float64Array.from(chosen, (k) => (hasLower(k) ? -factors[k] : 0)),
      upper: Float64Array.from(chosen, (k) => (hasUpper(k) ? factors[k] : 0)),
    }
    this.boxes.set(key, box)
    return box
  }

  /**
   * One problem a fold: samples that are near to one another side by side, as kernel values that are far from the diagonal are
   * then small together. Several: samples that are held out together, and are of the same class, side by side; what a path
   * needs of a row is then a few stretches of it.
   */
  private orderOf(samples: Matrix, folds: readonly Fold[]): Uint32Array {
    const { labels } = this.work.data
    const rank = new Map<Label, number>()
    for (const label of labels as Iterable<Label>) if (!rank.has(label)) rank.set(label, rank.size)
    if (!this.classifies || rank.size === 2) return orderByNearness(samples)
    const key = new Float64Array(labels.length).fill(folds.length)
    folds.forEach(({ test }, f) => {
      for (const i of test) key[i] = Math.min(key[i], f)
    })
    const classOf = Float64Array.from(labels as ArrayLike<Label>, (label) => rank.get(label) as number)
    return Uint32Array.from(labels.keys()).sort((a, b) => key[a] - key[b] || classOf[a] - classOf[b] || a - b)
  }
}

/** All samples of some weight, as if they were of one class. */
function withoutClasses({ labels, weights }: Dataset): ClassTargets | undefined {
  const factors = weights ?? new Float64Array(labels.length).fill(1)
  if (!factors.some((factor) => factor > 0)) return undefined
  return { classes: [], classOf: new Uint32Array(labels.length), factors }
}
