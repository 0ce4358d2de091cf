/**
 * Which cells and folds can be solved together, and how. Cells of a machine (./shared-machine.ts) that differ in nothing but C,
 * or ν where there is no C, are one path; paths on the same samples, whatever their kernel parameters and tubes, share one
 * matrix of squared distances (rbf) or products. A scaler is fitted on the training side of each fold, so its folds have a
 * matrix each.
 */

import { canonicalJson } from '../../base/canonical-json.ts'
import { largestOf } from '../../base/lists.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import type { Label } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import type { RoughValues } from '../../engine/jobs/measured-samples.ts'
import { mostPathSteps, type PathInput } from '../../engine/jobs/path-input.ts'
import { kernelForEngine, LARGEST_SINGLE, SMALLEST_SINGLE } from '../../kernels/kernel-for-engine.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import type { SelectionWork, Unit } from '../search/executor.ts'
import { type FoldInput, GroupSamples, type HeldOutPlaces } from './group-samples.ts'
import { hasTargets, pathKey, type SharedMachine, sharedMachine } from './shared-machine.ts'

/**
 * Folds that start from nothing, so that two threads have something to do; each of the others starts from one of these. More would leave
 * less to gain, and who does it must not depend on how many threads there are.
 */
export const SEED_FOLDS = 2

/** Of tol: what a solution that will be measured comes down to, so that rounding of kernel values is not what decides. */
const SOLVED_SHARE = 0.5

/** One cell on one fold, and where its results come from. */
export interface PlannedUnit extends Unit, HeldOutPlaces {
  readonly machine: SharedMachine
  /** The classes of a classifier. */
  readonly classes: readonly Label[]
  /** For each pair of classes, in their order, or for the one problem: a path of the group, and which step of it. */
  readonly parts: readonly { readonly path: number; readonly c: number }[]
  /** Whether solutions are wanted. */
  readonly isSolved: boolean
}

/** Paths that share a matrix. */
export interface SharedGroup {
  readonly samples: GroupSamples
  readonly paths: readonly PathInput[]
  readonly units: readonly PlannedUnit[]
  /** Of folds of one machine: how exact their kernel values have to be. */
  readonly ofFolds: RoughValues | undefined
}

/** See the header of the file. */
export interface SharedPlan {
  readonly groups: readonly SharedGroup[]
  /** Units that have to be solved one by one. */
  readonly others: readonly Unit[]
}

/** A unit and the machine of its cell. */
interface Wanted extends Unit {
  readonly machine: SharedMachine
}

/** Makes the samples of a group, or has them already, by a name that stands for all but the work. */
export type SamplesMaker = (name: string, make: () => GroupSamples) => GroupSamples

/** Plans the work; `samplesOf` may know the samples of groups from before. */
export function planSharedWork(
  work: SelectionWork,
  units: readonly Unit[],
  samplesOf: SamplesMaker = (_, make) => make(),
): SharedPlan {
  const others: Unit[] = []
  const groups = new Map<string, GroupBuilder>()
  const machines = new Map<number, SharedMachine | undefined>()
  for (const unit of units) {
    if (!machines.has(unit.cell)) machines.set(unit.cell, machineOf(work, unit.cell))
    const machine = machines.get(unit.cell)
    if (!machine) {
      others.push(unit)
      continue
    }
    const { scaler, kernel, learns } = machine
    // What is fitted to the training side of a fold makes samples that are its own.
    const isLearned = scaler !== undefined || isTable(work.data.samples)
    const ofFold: FoldInput | undefined = isLearned ? { fold: unit.fold, scaler } : undefined
    // A matrix of its own would take longer than a fit that makes some rows of it.
    if (isLearned && unit.fold === work.solvedFold) continue
    const key = JSON.stringify([kernel.spec.kind === 'rbf', learns, ofFold ?? -1])
    let group = groups.get(key)
    if (!group) {
      const classifies = learns === 'classes'
      const only = work.isOfFolds && !kernel.dependsOnSamples ? kernel : undefined
      const samples = samplesOf(key, () => new GroupSamples(work, classifies, ofFold, only))
      group = new GroupBuilder(work, samples, classifies)
      groups.set(key, group)
    }
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

class GroupBuilder {
  private readonly work: SelectionWork
  private readonly samples: GroupSamples
  private readonly classifies: boolean
  private readonly paths: OpenPath[] = []
  private readonly pathOf = new Map<string, number[]>()
  private readonly units: OpenUnit[] = []

  constructor(work: SelectionWork, samples: GroupSamples, classifies: boolean) {
    this.work = work
    this.samples = samples
    this.classifies = classifies
  }

  /** False when the unit has to be solved on its own. */
  add(unit: Wanted): boolean {
    const { machine, fold } = unit
    const { samples } = this
    const { withTraining, countSupport, solvedFold } = this.work
    if (samples.tooLarge) return false
    const side = samples.sideOf(fold)
    if (side.repeats) return false
    const targets = samples.targetsOf(side, machine)
    const kernel = samples.resolve(machine.kernel, fold)
    const engineKernel = kernelForEngine(kernel)
    if (!targets || !engineKernel) return false
    const key = JSON.stringify([fold, engineKernel, pathKey(machine)])
    let paths = this.pathOf.get(key)
    if (!paths) {
      const largest = samples.largestValue(kernel)
      if (!(largest > SMALLEST_SINGLE && largest < LARGEST_SINGLE)) return false
      const count = targets.classes.length
      const pairs = this.classifies ? Array.from(classPairs(count)) : [undefined]
      const { tube, tol } = machine
      paths = pairs.map((pair) => {
        const subset = samples.subsetOf(fold, targets, pair, machine)
        const { training, target } = subset
        this.paths.push({
          input: {
            ...{ samples: subset.samples, training, target },
            ...samples.boxOf(fold, targets, pair, subset, machine),
            ...{ kernel: engineKernel, tube, maxSteps: mostPathSteps(training) },
            tol: fold === solvedFold ? SOLVED_SHARE * tol : tol,
            // Of several pairs, each sample is one support vector.
            keepSolutions: fold === solvedFold || ((withTraining || countSupport) === true && count > 2),
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

  /**
   * Whether all there is goes by data and estimator alone: what continues from a checkpoint has some of the folds only, and
   * must decide on
   * the same arithmetic.
   */
  private ofFolds(): RoughValues | undefined {
    const { isOfFolds = false, data } = this.work
    if (!isOfFolds || data.weights) return undefined
    const largest = { bound: 0, tol: Number.POSITIVE_INFINITY }
    for (const { machine } of this.units) {
      const { kernel, classWeight = {}, bound, tol } = machine
      if (kernel.dependsOnSamples || classWeight === 'balanced') return undefined
      largest.bound = Math.max(largest.bound, bound * Math.max(1, largestOf(Object.values(classWeight))))
      largest.tol = Math.min(largest.tol, tol)
    }
    return { variables: this.samples.largestProblem, ...largest }
  }

  /**
   * Of the paths of later folds: which path of an earlier one each starts from. Only ν-SVC and ν-SVR gain by it: where β may add up to
   * anything, steps from 0 take as long, and one class begins near its end.
   */
  private seeds(placeOf: ReadonlyMap<OpenPath, number>): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    const unitOf = new Map(this.units.map((unit) => [unit.fold, unit]))
    const place = (path: number) => placeOf.get(this.paths[path]) as number
    for (const { fold, classes, paths, machine } of this.units) {
      const { learns, share } = machine
      if (share === undefined || learns === 'normal') continue
      const seed = fold < SEED_FOLDS ? undefined : unitOf.get(fold % SEED_FOLDS)
      const isAlike = seed?.classes.every((label, c) => label === classes[c])
      if (!seed || !isAlike || seed.classes.length !== classes.length) continue
      // What the solution says of others is not known.
      if (!this.samples.isComplete(seed.fold)) continue
      paths.forEach((path, pair) => {
        found.set(place(path), place(seed.paths[pair]))
      })
    }
    return found
  }

  build(): SharedGroup {
    const { samples } = this
    // A path that no cell could be on has no steps.
    const open = this.paths.filter(({ steps }) => steps.size > 0)
    const steps = open.map((path) => Array.from(path.steps.values()).sort(easyFirst))
    const placeOf = new Map(open.map((path, at) => [path, at]))
    const partOf = (path: number, { value }: SharedMachine) => {
      const at = placeOf.get(this.paths[path]) as number
      return { path: at, c: steps[at].findIndex((step) => step.value === value) }
    }
    const ofFolds = this.ofFolds()
    const seeds = ofFolds ? this.seeds(placeOf) : new Map<number, number>()
    return {
      samples,
      ofFolds,
      paths: open.map(({ input }, p) => ({ ...input, ...stepsOf(input, steps[p]), seed: seeds.get(p) })),
      units: this.units.map(({ cell, fold, classes, machine, paths: own }) => ({
        ...{ cell, fold, classes, machine },
        parts: own.map((path) => partOf(path, machine)),
        isSolved: fold === this.work.solvedFold,
        ...samples.placesOf(fold),
      })),
    }
  }
}

/** The order of steps: from many support vectors at their bounds to few. */
function easyFirst(a: SharedMachine, b: SharedMachine): number {
  return a.along === 'C' ? a.value - b.value : b.value - a.value
}

/** What all boxes hold: above 0, and below. */
function holdings({ lower, upper }: Pick<PathInput, 'lower' | 'upper'>): readonly [number, number] {
  let above = 0
  let below = 0
  for (let k = 0; k < upper.length; k++) {
    above += upper[k]
    below -= lower[k]
  }
  return [above, below]
}

/** Σw: a sample of two sides has the same weight on both. */
function weightOf({ lower, upper }: Pick<PathInput, 'lower' | 'upper'>): number {
  let total = 0
  for (let k = 0; k < lower.length; k++) total += Math.max(-lower[k], upper[k])
  return total
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
