/**
 * Which cells paths can solve, and as what. All five machines are one dual (../../problems/general-dual.ts); what differs is the
 * target, the tube, and what changes along a path: the box, multiplied by C, or the sum of β on each side of 0, a share ν
 * of what the boxes hold.
 *
 *              target   tube   box for 1    along a path   sum of each side
 *   C-SVC      y        0      [0, w]·y     C              free
 *   ε-SVR      z        ε      [−w, w]      C              free
 *   ν-SVC      0        0      [0, w]·y     ν              ½ ν Σw
 *   one class  0        0      [0, w]       ν              ν Σw, and nothing below 0
 *   ν-SVR      z        0      [−w, w]      C              ½ C ν Σw
 *
 * α and α* of a sample of ν-SVR are the two sides of one β: both positive they could be lowered together, unless the tube is
 * empty, and then the sums do not matter.
 */
import type { Dataset } from '../../data/table/dataset.ts'
import { NuSVC } from '../../estimators/nu-svc.ts'
import { NuSVR } from '../../estimators/nu-svr.ts'
import { OneClassSVM } from '../../estimators/one-class-svm.ts'
import type { ClassWeight } from '../../estimators/parts/class-targets.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import type { ScalerChoice } from '../../estimators/parts/scaler-choice.ts'
import { SVC } from '../../estimators/svc.ts'
import { SVR } from '../../estimators/svr.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { rbf } from '../../kernels/rbf.ts'
import { smo } from '../../solve/methods/smo.ts'
import type { Estimator } from '../search/estimator.ts'

/** A cell as paths see it; see the header of the file. */
export interface SharedMachine {
  /** Its name, for messages. */
  readonly who: string
  readonly learns: Learns
  readonly kernel: AnyKernel
  readonly scaler: ScalerChoice | undefined
  readonly tol: number
  readonly classWeight: ClassWeight | undefined
  readonly breakTies: boolean
  readonly tube: number
  /** Which parameter changes along the path, and its value. */
  readonly along: 'C' | 'nu'
  readonly value: number
  /** What multiplies the box; and, where sums are fixed, the share of Σw, times that, on each side. */
  readonly bound: number
  readonly share: number | undefined
}

/** The settings of the five. */
interface Settings {
  readonly kernel?: AnyKernel
  readonly tol?: number
  readonly scaler?: ScalerChoice
  readonly classWeight?: ClassWeight
  readonly breakTies?: boolean
  readonly solver?: unknown
  readonly C?: number
  readonly nu?: number
  readonly epsilon?: number
}

/** Options that do not change what is solved, or that paths take care of. */
const KNOWN = [
  ...['kernel', 'tol', 'shrinking', 'cacheBytes', 'threads', 'scaler', 'seed', 'C', 'nu', 'epsilon'],
  ...['solver', 'classWeight', 'decisionFunctionShape', 'breakTies'],
]

/** The machine of an estimator; undefined for one that paths do not know. */
export function sharedMachine(estimator: Estimator): SharedMachine | undefined {
  const own = ownPart(estimator)
  if (!own || !Number.isFinite(own.bound)) return undefined
  const options = (estimator as unknown as { readonly options: Settings }).options
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  if (given.some(([name]) => !KNOWN.includes(name))) return undefined
  const { kernel = rbf(), tol = smo.defaults.tol, scaler, classWeight, breakTies = false } = options
  if ((options.solver ?? 'smo') !== 'smo') return undefined
  return { ...{ kernel, scaler, tol, classWeight, breakTies }, ...own }
}

type OwnPart = Pick<SharedMachine, 'who' | 'learns' | 'tube' | 'along' | 'value' | 'bound' | 'share'>

/** A row of the table at the header of the file. */
function ownPart(estimator: Estimator): OwnPart | undefined {
  if (estimator instanceof SVC) {
    const { C = 1 } = estimator.options
    return { who: 'SVC', learns: 'classes', tube: 0, along: 'C', value: C, bound: C, share: undefined }
  }
  if (estimator instanceof SVR) {
    const { C = 1, epsilon = 0.1 } = estimator.options
    return { who: 'SVR', learns: 'numbers', tube: epsilon, along: 'C', value: C, bound: C, share: undefined }
  }
  if (estimator instanceof NuSVC) {
    const { nu = 0.5 } = estimator.options
    return { who: 'NuSVC', learns: 'classes', tube: 0, along: 'nu', value: nu, bound: 1, share: nu / 2 }
  }
  if (estimator instanceof OneClassSVM) {
    const { nu = 0.5 } = estimator.options
    return { who: 'OneClassSVM', learns: 'normal', tube: 0, along: 'nu', value: nu, bound: 1, share: nu }
  }
  if (estimator instanceof NuSVR) {
    const { C = 1, nu = 0.5 } = estimator.options
    return { who: 'NuSVR', learns: 'numbers', tube: 0, along: 'C', value: C, bound: C, share: nu / 2 }
  }
  return undefined
}

/** What machines on the same path have in common, beside samples and kernel. */
export function pathKey({ who, tol, tube, classWeight, along, share }: SharedMachine): unknown {
  return [who, tol, tube, classWeight ?? 1, along === 'nu' ? 0 : (share ?? 0)]
}

/** Whether labels are what the machine could learn from; if not, `fit` will say so itself. */
export function hasTargets({ learns }: SharedMachine, { labels }: Dataset<unknown>): boolean {
  return learns !== 'numbers' || (labels instanceof Float64Array && labels.every(Number.isFinite))
}
