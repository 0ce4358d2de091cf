/**
 * Which cells and folds can be solved together, and how. Cells of an SVC that differ in nothing but C are one path over
 * ascending C; paths on the same samples, whatever their kernel parameters, share one matrix of squared distances (rbf)
 * or products. A scaler is fitted on the training side of each fold, so its folds have a matrix each.
 */

import { canonicalJson } from '../../base/canonical-json.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { isMatrix, type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { applyScaler } from '../../data/scaling/scaler.ts'
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import type { PathInput } from '../../engine/jobs/c-paths.ts'
import { type ClassTargets, type ClassWeight, classTargets } from '../../estimators/parts/class-targets.ts'
import { fitScaler, type ScalerChoice } from '../../estimators/parts/scaler-choice.ts'
import { SVC, type SvcOptions } from '../../estimators/svc.ts'
import { kernelForEngine } from '../../kernels/kernel-for-engine.ts'
import { rbf } from '../../kernels/rbf.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import { smo } from '../../solve/methods/smo.ts'
import type { SelectionWork, Unit } from '../search/executor.ts'
import { orderByNearness } from '../split/order-by-nearness.ts'
import type { Fold } from '../split/splits.ts'

/** One cell on one fold, and where its results come from. */
export interface PlannedUnit extends Unit {
  readonly classes: readonly Label[]
  readonly breakTies: boolean
  /** For each pair of classes, in their order: a path of the group, and which C of it. */
  readonly parts: readonly { readonly path: number; readonly c: number }[]
  /** For each sample of `fold.test`, its place among the held-out samples of the paths; the same for `fold.train`. */
  readonly places: Uint32Array
  readonly seenPlaces: Uint32Array | undefined
}

/** Paths that share a matrix. */
export interface SharedGroup {
  /** All samples, in the order that suits the paths. */
  readonly samples: Matrix
  readonly paths: readonly PathInput[]
  readonly units: readonly PlannedUnit[]
}

/** See the head of the file. */
export interface SharedPlan {
  readonly groups: readonly SharedGroup[]
  /** Units that have to be solved one by one. */
  readonly others: readonly Unit[]
}

/** Options that do not change what is solved, or that paths take care of. */
const KNOWN = [
  ...['C', 'kernel', 'solver', 'tol', 'shrinking', 'cacheBytes', 'threads', 'classWeight', 'scaler', 'seed'],
  ...['decisionFunctionShape', 'breakTies'],
]
const DEFAULT_TOL = smo.defaults.tol
/**
 * Kernel values and squared distances are f32 there, from 1.2e-38 to 3.4e38. Sums of a hundred million of the largest, and
 * products of the smallest with 1e-12 (what a curvature is at least), are to be within that range.
 */
const LARGEST_VALUE = 1e30
const SMALLEST_VALUE = 1e-25
/** Steps per sample of a path at one C, and at least, after which the cell is left to others. */
const STEPS_PER_SAMPLE = 150
const FEWEST_STEPS = 1e5
const stepsFor = (training: number): number => Math.max(FEWEST_STEPS, STEPS_PER_SAMPLE * training)

/** What a unit needs beside its C. */
interface Wanted extends Unit {
  readonly C: number
  readonly tol: number
  readonly options: SvcOptions
}

/** Plans the work. */
export function planSharedWork(work: SelectionWork, units: readonly Unit[]): SharedPlan {
  const others: Unit[] = []
  const wanted: Wanted[] = []
  for (const unit of units) {
    const options = sharedOptions(work, unit.cell)
    if (options) wanted.push({ ...unit, options, C: options.C ?? 1, tol: options.tol ?? DEFAULT_TOL })
    else others.push(unit)
  }
  const groups = new Map<string, GroupBuilder>()
  for (const unit of wanted) {
    const { scaler, kernel = rbf() } = unit.options
    const key = JSON.stringify([kernel.spec.kind === 'rbf', scaler === undefined ? -1 : [unit.fold, scaler]])
    let group = groups.get(key)
    if (!group) {
      group = new GroupBuilder(work, scaler === undefined ? undefined : { fold: unit.fold, scaler })
      groups.set(key, group)
    }
    if (!group.add(unit)) others.push({ cell: unit.cell, fold: unit.fold })
  }
  return { groups: Array.from(groups.values(), (group) => group.build()).filter(hasUnits), others }
}

const hasUnits = ({ units }: SharedGroup): boolean => units.length > 0

/** A name for the path that a cell is on: that of all its parameters but C. Undefined where it is solved on its own. */
export function sharedPath(work: SelectionWork, cell: number): string | undefined {
  if (!sharedOptions(work, cell)) return undefined
  const { C: _, ...others } = work.cells[cell]
  return canonicalJson(others)
}

/** The options of a cell whose problem paths can solve; undefined for any other. */
function sharedOptions({ data, cells, make }: SelectionWork, cell: number): SvcOptions | undefined {
  if (!isMatrix(data.samples) || data.samples.cols === 0) return undefined
  const estimator = make(cells[cell])
  if (!(estimator instanceof SVC)) return undefined
  const options = estimator.options as SvcOptions
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (given.some(([name]) => !KNOWN.includes(name))) return undefined
  const { solver = 'smo', C = 1 } = options
  return solver === 'smo' && Number.isFinite(C) ? options : undefined
}

/** A path while its C are collected. */
interface OpenPath {
  readonly input: Omit<PathInput, 'C'>
  readonly C: Set<number>
}

/** A unit and the paths of its pairs. */
interface OpenUnit extends Wanted {
  readonly classes: readonly Label[]
  readonly paths: readonly number[]
}

/** The training side of a fold, looked up again and again. */
interface TrainingSide {
  readonly train: Dataset & { readonly samples: Matrix }
  readonly samples: Matrix
  /** Whether a sample is in it more than once. */
  readonly repeats: boolean
  readonly targets: Map<string, ClassTargets | undefined>
}

class GroupBuilder {
  private readonly work: SelectionWork
  private readonly scaled: { readonly fold: number; readonly scaler: ScalerChoice } | undefined
  /** All samples, in the order of the data. */
  private readonly samples: Matrix
  /** Whether squared distances could be beyond the matrix. */
  private readonly tooLarge: boolean
  private readonly order: Uint32Array
  private readonly position: Uint32Array
  private readonly sides = new Map<number, TrainingSide>()
  private readonly paths: OpenPath[] = []
  private readonly pathOf = new Map<string, number[]>()
  private readonly subsets = new Map<string, Pick<PathInput, 'samples' | 'training' | 'target'>>()
  private readonly boxes = new Map<object, Map<ClassTargets, Pick<PathInput, 'lower' | 'upper'>>>()
  private readonly units: OpenUnit[] = []

  constructor(work: SelectionWork, scaled: { fold: number; scaler: ScalerChoice } | undefined) {
    this.work = work
    this.scaled = scaled
    const all = work.data.samples as Matrix
    this.samples = scaled ? this.scaleAll(all) : all
    this.tooLarge = squaredNorms(this.samples).some((norm) => !(norm < LARGEST_VALUE))
    this.order = orderFor(work.data, this.samples, scaled ? [work.folds[scaled.fold]] : work.folds)
    this.position = new Uint32Array(this.order.length)
    for (let at = 0; at < this.order.length; at++) this.position[this.order[at]] = at
  }

  /** False when the unit has to be solved on its own. */
  add(unit: Wanted): boolean {
    const { options, fold, tol, C } = unit
    if (this.tooLarge) return false
    const side = this.sideOf(fold)
    if (side.repeats) return false
    const targets = this.targetsOf(side, options.classWeight)
    const kernel = (options.kernel ?? rbf()).resolve(side.samples)
    const engineKernel = kernelForEngine(kernel)
    if (!targets || !engineKernel) return false
    const key = JSON.stringify([fold, engineKernel, tol, options.classWeight ?? 1])
    let paths = this.pathOf.get(key)
    if (!paths) {
      const largest = kernel.diagonal(side.samples).reduce((a, b) => Math.max(a, Math.abs(b)), 0)
      if (!(largest > SMALLEST_VALUE && largest < LARGEST_VALUE)) return false
      paths = Array.from(classPairs(targets.classes.length), ([first, second]) => {
        const subset = this.subsetOf(fold, targets, first, second)
        const box = this.boxOf(fold, targets, subset)
        this.paths.push({
          input: {
            ...subset,
            ...box,
            kernel: engineKernel,
            tube: 0,
            tol,
            maxSteps: stepsFor(subset.training),
            // Of several pairs, each sample is one support vector.
            keepSolutions: this.work.withTraining === true && targets.classes.length > 2,
          },
          C: new Set(),
        })
        return this.paths.length - 1
      })
      this.pathOf.set(key, paths)
    }
    for (const path of paths) this.paths[path].C.add(C)
    this.units.push({ ...unit, classes: targets.classes, paths })
    return true
  }

  build(): SharedGroup {
    const { folds } = this.work
    const paths = this.paths.map(({ input, C }) => ({ ...input, C: Float64Array.from(C).sort() }))
    const samples = selectRows(this.samples, this.order)
    const places = new Map<number, Pick<PlannedUnit, 'places' | 'seenPlaces'>>()
    for (const { fold } of this.units) if (!places.has(fold)) places.set(fold, this.placesOf(folds[fold]))
    return {
      samples,
      paths,
      units: this.units.map(({ cell, fold, classes, C, options, paths: own }) => ({
        cell,
        fold,
        classes,
        breakTies: options.breakTies ?? false,
        parts: own.map((path) => ({ path, c: paths[path].C.indexOf(C) })),
        ...(places.get(fold) as Pick<PlannedUnit, 'places' | 'seenPlaces'>),
      })),
    }
  }

  private scaleAll(matrix: Matrix): Matrix {
    const { fold, scaler } = this.scaled as { fold: number; scaler: ScalerChoice }
    return applyScaler(fitScaler(scaler, this.sideOf(fold).train.samples), matrix)
  }

  private sideOf(fold: number): TrainingSide {
    let side = this.sides.get(fold)
    if (!side) {
      const chosen = this.work.folds[fold].train
      const train = selectSamples(this.work.data, chosen) as TrainingSide['train']
      const samples = this.scaled
        ? applyScaler(fitScaler(this.scaled.scaler, train.samples), train.samples)
        : train.samples
      side = { train, samples, repeats: new Set(chosen).size < chosen.length, targets: new Map() }
      this.sides.set(fold, side)
    }
    return side
  }

  /** Undefined where `fit` would find fault with the data: it will say so itself. */
  private targetsOf(side: TrainingSide, classWeight: ClassWeight | undefined): ClassTargets | undefined {
    const key = JSON.stringify(classWeight ?? 1)
    if (!side.targets.has(key)) {
      let found: ClassTargets | undefined
      try {
        found = classTargets('SVC', side.train, classWeight)
      } catch {
        found = undefined
      }
      side.targets.set(key, found)
    }
    return side.targets.get(key)
  }

  /** The samples of a pair of classes and the held-out ones, by position, ascending; +1 is what f > 0 means. */
  private subsetOf(fold: number, targets: ClassTargets, first: number, second: number) {
    const key = `${fold} ${first} ${second}`
    const known = this.subsets.get(key)
    if (known) return known
    const { train } = this.work.folds[fold]
    const { classOf, classes } = targets
    const positive = positiveOf(first, second, classes.length)
    const chosen = Uint32Array.from(train.keys())
      .filter((k) => classOf[k] === first || classOf[k] === second)
      .sort((a, b) => this.position[train[a]] - this.position[train[b]])
    const heldOut = this.heldOut(this.work.folds[fold])
    const samples = new Uint32Array(chosen.length + heldOut.length)
    samples.set(chosen.map((k) => this.position[train[k]]))
    samples.set(heldOut, chosen.length)
    const subset = {
      samples,
      training: chosen.length,
      target: Float64Array.from(chosen, (k) => (classOf[k] === positive ? 1 : -1)),
    }
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

  private placesOf(fold: Fold): Pick<PlannedUnit, 'places' | 'seenPlaces'> {
    const place = new Map(Array.from(this.heldOut(fold), (position, k) => [position, k]))
    const placesOf = (side: Uint32Array) => side.map((i) => place.get(this.position[i]) as number)
    return {
      places: placesOf(fold.test),
      seenPlaces: this.work.withTraining ? placesOf(fold.train) : undefined,
    }
  }

  /** The box of a classifier for C = 1: [0, w] or [−w, 0], where w is class weight · sample weight. */
  private boxOf(
    fold: number,
    targets: ClassTargets,
    subset: Pick<PathInput, 'samples' | 'training' | 'target'>,
  ): Pick<PathInput, 'lower' | 'upper'> {
    const boxes = this.boxes.get(subset) ?? new Map<ClassTargets, Pick<PathInput, 'lower' | 'upper'>>()
    this.boxes.set(subset, boxes)
    const known = boxes.get(targets)
    if (known) return known
    const { samples, training, target } = subset
    const byPosition = new Float64Array(this.position.length)
    this.work.folds[fold].train.forEach((i, k) => {
      byPosition[this.position[i]] = targets.factors[k]
    })
    const factors = Float64Array.from(samples.subarray(0, training), (at) => byPosition[at])
    const box = {
      lower: target.map((t, k) => (t > 0 ? 0 : -factors[k])),
      upper: target.map((t, k) => (t > 0 ? factors[k] : 0)),
    }
    boxes.set(targets, box)
    return box
  }
}

/**
 * Two classes: samples that are near to one another side by side, as kernel values that are far from the diagonal are then
 * small together. More classes: samples that are held out together, and are of the same class, side by side; what a path
 * needs of a row is then a few stretches of it.
 */
function orderFor({ labels }: Dataset, samples: Matrix, folds: readonly Fold[]): Uint32Array {
  const rank = new Map<Label, number>()
  for (const label of labels as Iterable<Label>) if (!rank.has(label)) rank.set(label, rank.size)
  if (rank.size === 2) return orderByNearness(samples)
  const key = new Float64Array(labels.length).fill(folds.length)
  folds.forEach(({ test }, f) => {
    for (const i of test) key[i] = Math.min(key[i], f)
  })
  const classOf = Float64Array.from(labels as ArrayLike<Label>, (label) => rank.get(label) as number)
  return Uint32Array.from(labels.keys()).sort((a, b) => key[a] - key[b] || classOf[a] - classOf[b] || a - b)
}
