/**
 * Which cells and folds can be solved together, and how. Cells of a machine (./shared-machine.ts) that differ in nothing but C,
 * or ν where there is no C, are one path; paths on the same samples, whatever their kernel parameters and tubes, share one
 * matrix of squared distances (rbf) or products. A scaler is fitted on the training side of each fold, so its folds have a
 * matrix each.
 */

import { canonicalJson } from '../../base/canonical-json.ts'
import { positiveOf } from '../../base/positive-class.ts'
import { isMatrix, type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { squaredNorms } from '../../data/matrix/products.ts'
import { type Dataset, type Label, selectSamples } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import type { PathInput } from '../../engine/jobs/c-paths.ts'
import { type ClassTargets, classTargets } from '../../estimators/parts/class-targets.ts'
import type { ScalerChoice } from '../../estimators/parts/scaler-choice.ts'
import { asTrained, type TrainingSamples, trainingVectors } from '../../estimators/parts/training-samples.ts'
import { kernelForEngine } from '../../kernels/kernel-for-engine.ts'
import { type ClassPair, classPairs } from '../../problems/pairwise-problem.ts'
import type { SelectionWork, Unit } from '../search/executor.ts'
import { orderByNearness } from '../split/order-by-nearness.ts'
import type { Fold } from '../split/splits.ts'
import { hasTargets, pathKey, type SharedMachine, sharedMachine } from './shared-machine.ts'

/** One cell on one fold, and where its results come from. */
export interface PlannedUnit extends Unit {
  readonly machine: SharedMachine
  /** Of classifiers. */
  readonly classes: readonly Label[]
  /** For each pair of classes, in their order, or for the one problem: a path of the group, and which step of it. */
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

/** A unit and the machine of its cell. */
interface Wanted extends Unit {
  readonly machine: SharedMachine
}

/** Plans the work. */
export function planSharedWork(work: SelectionWork, units: readonly Unit[]): SharedPlan {
  const others: Unit[] = []
  const groups = new Map<string, GroupBuilder>()
  for (const unit of units) {
    const machine = machineOf(work, unit.cell)
    if (!machine) {
      others.push(unit)
      continue
    }
    const { scaler, kernel, learns } = machine
    // What is learned from the training side of a fold makes samples that are its own.
    const isLearned = scaler !== undefined || isTable(work.data.samples)
    const ofFold = isLearned ? { fold: unit.fold, scaler } : undefined
    const key = JSON.stringify([kernel.spec.kind === 'rbf', learns, ofFold ?? -1])
    const group = groups.get(key) ?? new GroupBuilder(work, learns === 'classes', ofFold)
    groups.set(key, group)
    if (!group.add({ ...unit, machine })) others.push(unit)
  }
  return { groups: Array.from(groups.values(), (group) => group.build()).filter(hasUnits), others }
}

const hasUnits = ({ units }: SharedGroup): boolean => units.length > 0

/** A name for the path that a cell is on: all its parameters but the one along it. Undefined where it is solved on its own. */
export function sharedPath(work: SelectionWork, cell: number): string | undefined {
  const machine = machineOf(work, cell)
  if (!machine) return undefined
  const others = Object.entries(work.cells[cell]).filter(([name]) => name !== machine.along)
  return canonicalJson(Object.fromEntries(others))
}

/** The machine of a cell whose problem paths can solve; undefined for any other. */
function machineOf({ data, cells, make }: SelectionWork, cell: number): SharedMachine | undefined {
  const { samples } = data
  if (!(isTable(samples) || (isMatrix(samples) && samples.cols > 0))) return undefined
  const machine = sharedMachine(make(cells[cell]))
  return machine && hasTargets(machine, data) ? machine : undefined
}

/** A path while its steps are collected: the machines at these. */
interface OpenPath {
  readonly input: Omit<PathInput, 'C' | 'sums'>
  readonly steps: Map<number, SharedMachine>
}

/** A unit and its paths. */
interface OpenUnit extends Wanted {
  readonly classes: readonly Label[]
  readonly paths: readonly number[]
}

/** One problem of a fold: which samples, what to predict of them and how much each weighs. */
interface Subset extends Pick<PathInput, 'samples' | 'training' | 'target'> {
  /** Of `training`, their places in `fold.train`. */
  readonly chosen: Uint32Array
}

/** The training side of a fold, looked up again and again. */
interface TrainingSide {
  readonly train: Dataset
  readonly vectors: TrainingSamples<Matrix>
  readonly samples: Matrix
  /** Whether a sample is in it more than once. */
  readonly repeats: boolean
  readonly targets: Map<string, ClassTargets | undefined>
}

/** What is learned from the training side of one fold. */
interface FoldInput {
  readonly fold: number
  readonly scaler: ScalerChoice | undefined
}

class GroupBuilder {
  private readonly work: SelectionWork
  private readonly classifies: boolean
  private readonly ofFold: FoldInput | undefined
  /** All samples, in the order of the data. */
  private readonly samples: Matrix
  /** Whether squared distances could be beyond the matrix. */
  private readonly tooLarge: boolean
  private readonly order: Uint32Array
  private readonly position: Uint32Array
  private readonly sides = new Map<number, TrainingSide>()
  private readonly paths: OpenPath[] = []
  private readonly pathOf = new Map<string, number[]>()
  private readonly subsets = new Map<string, Subset>()
  private readonly boxes = new Map<string, Pick<PathInput, 'lower' | 'upper'>>()
  private readonly units: OpenUnit[] = []

  constructor(work: SelectionWork, classifies: boolean, ofFold: FoldInput | undefined) {
    this.work = work
    this.classifies = classifies
    this.ofFold = ofFold
    const all = work.data.samples as Matrix
    this.samples = ofFold ? asTrained(this.sideOf(ofFold.fold).vectors, all) : all
    this.tooLarge = squaredNorms(this.samples).some((norm) => !(norm < LARGEST_VALUE))
    this.order = this.orderOf(ofFold ? [work.folds[ofFold.fold]] : work.folds)
    this.position = new Uint32Array(this.order.length)
    for (let at = 0; at < this.order.length; at++) this.position[this.order[at]] = at
  }

  /** False when the unit has to be solved on its own. */
  add(unit: Wanted): boolean {
    const { machine, fold } = unit
    if (this.tooLarge) return false
    const side = this.sideOf(fold)
    if (side.repeats) return false
    const targets = this.targetsOf(side, machine)
    const kernel = machine.kernel.resolve(side.samples)
    const engineKernel = kernelForEngine(kernel)
    if (!targets || !engineKernel) return false
    const key = JSON.stringify([fold, engineKernel, pathKey(machine)])
    let paths = this.pathOf.get(key)
    if (!paths) {
      const largest = kernel.diagonal(side.samples).reduce((a, b) => Math.max(a, Math.abs(b)), 0)
      if (!(largest > SMALLEST_VALUE && largest < LARGEST_VALUE)) return false
      const count = targets.classes.length
      const pairs = this.classifies ? Array.from(classPairs(count)) : [undefined]
      const { tube, tol } = machine
      paths = pairs.map((pair) => {
        const subset = this.subsetOf(fold, targets, pair, machine)
        const { samples, training, target } = subset
        this.paths.push({
          input: {
            ...{ samples, training, target },
            ...this.boxOf(fold, targets, pair, subset, machine),
            ...{ kernel: engineKernel, tube, tol, maxSteps: stepsFor(training) },
            // Of several pairs, each sample is one support vector.
            keepSolutions: (this.work.withTraining || this.work.countSupport) === true && count > 2,
          },
          steps: new Map(),
        })
        return this.paths.length - 1
      })
      this.pathOf.set(key, paths)
    }
    if (!paths.every((path) => isFeasible(this.paths[path].input, machine))) return false
    for (const path of paths) this.paths[path].steps.set(machine.value, machine)
    this.units.push({ ...unit, classes: targets.classes, paths })
    return true
  }

  build(): SharedGroup {
    const { folds } = this.work
    const samples = selectRows(this.samples, this.order)
    const places = new Map<number, Pick<PlannedUnit, 'places' | 'seenPlaces'>>()
    for (const { fold } of this.units) if (!places.has(fold)) places.set(fold, this.placesOf(folds[fold]))
    // A path that no cell could be on has no steps.
    const open = this.paths.filter(({ steps }) => steps.size > 0)
    const steps = open.map((path) => Array.from(path.steps.values()).sort(easyFirst))
    const placeOf = new Map(open.map((path, at) => [path, at]))
    const partOf = (path: number, { value }: SharedMachine) => {
      const at = placeOf.get(this.paths[path]) as number
      return { path: at, c: steps[at].findIndex((step) => step.value === value) }
    }
    return {
      samples,
      paths: open.map(({ input }, p) => ({ ...input, ...stepsOf(input, steps[p]) })),
      units: this.units.map(({ cell, fold, classes, machine, paths: own }) => ({
        ...{ cell, fold, classes, machine },
        parts: own.map((path) => partOf(path, machine)),
        ...(places.get(fold) as Pick<PlannedUnit, 'places' | 'seenPlaces'>),
      })),
    }
  }

  private sideOf(fold: number): TrainingSide {
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
  private targetsOf(side: TrainingSide, { who, classWeight }: SharedMachine): ClassTargets | undefined {
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
  private subsetOf(
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

  private placesOf(fold: Fold): Pick<PlannedUnit, 'places' | 'seenPlaces'> {
    const place = new Map(Array.from(this.heldOut(fold), (position, k) => [position, k]))
    const placesOf = (side: Uint32Array) => side.map((i) => place.get(this.position[i]) as number)
    return {
      places: placesOf(fold.test),
      seenPlaces: this.work.withTraining ? placesOf(fold.train) : undefined,
    }
  }

  /** The box for C = 1: [−w, w], or the side of it that a class is on, where w is class weight · sample weight. */
  private boxOf(
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
  private orderOf(folds: readonly Fold[]): Uint32Array {
    const { labels } = this.work.data
    const rank = new Map<Label, number>()
    for (const label of labels as Iterable<Label>) if (!rank.has(label)) rank.set(label, rank.size)
    if (!this.classifies || rank.size === 2) return orderByNearness(this.samples)
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

/** The order of steps: from many support vectors at their bounds to few. */
function easyFirst(a: SharedMachine, b: SharedMachine): number {
  return a.along === 'C' ? a.value - b.value : b.value - a.value
}

/** What all boxes hold: above 0, and below. */
function holdings({ lower, upper }: Pick<PathInput, 'lower' | 'upper'>): readonly [number, number] {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  return [sum(upper), -sum(lower)]
}

/** Σw: a sample of two sides has the same weight on both. */
function weightOf(input: Pick<PathInput, 'lower' | 'upper'>): number {
  return input.lower.reduce((total, lower, k) => total + Math.max(-lower, input.upper[k]), 0)
}

/** Whether either side can hold the sum that is wanted there; if not, `fit` says so. */
function isFeasible(input: Pick<PathInput, 'lower' | 'upper'>, { share, learns }: SharedMachine): boolean {
  if (share === undefined) return true
  const [above, below] = holdings(input)
  const wanted = share * weightOf(input)
  return wanted <= above && (learns === 'normal' || wanted <= below)
}

/** What changes from step to step. */
function stepsOf(
  input: Pick<PathInput, 'lower' | 'upper'>,
  machines: readonly SharedMachine[],
): Pick<PathInput, 'C' | 'sums'> {
  const C = Float64Array.from(machines, ({ bound }) => bound)
  if (machines[0]?.share === undefined) return { C }
  const weight = weightOf(input)
  return { C, sums: Float64Array.from(machines, ({ bound, share = 0 }) => share * bound * weight) }
}
