/**
 * Parameters of a cell, and estimators that have them. A cell is plain data: `{ C: 10, gamma: 0.5 }`. Parameters of the
 * kernel (`kernel`, `gamma`, `degree`, `coef0`) go into the kernel; all others are options of the estimator.
 */
import { checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { estimators } from '../../estimators/estimators.ts'
import type { AnyKernel, KernelSpec } from '../../kernels/kernel.ts'
import { kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import { linear } from '../../kernels/linear.ts'
import { polynomial } from '../../kernels/polynomial.ts'
import { rbf } from '../../kernels/rbf.ts'
import { sigmoid } from '../../kernels/sigmoid.ts'
import type { Estimator } from './estimator.ts'

/** The parameters of a cell. */
export type Params = Readonly<Record<string, number | string | boolean>>

/** Makes the estimator of a cell. */
export type EstimatorMaker = (params: Params) => Estimator

/** What can be tuned: an estimator that parameters are added to, or a function from parameters to an estimator. */
export type Tunable = Estimator | EstimatorMaker

/** An estimator as plain data: what crosses to other threads and machines. */
export interface EstimatorSpec {
  readonly type: string
  /** Its options; a kernel is its spec. */
  readonly options: Readonly<Record<string, unknown>>
}

// biome-ignore lint/suspicious/noExplicitAny: each class checks its own options.
type EstimatorClass = new (options: any) => Estimator & { readonly options: object }

/** Estimators that can be made again from plain data, by the name they have there. */
const registry: Readonly<Record<string, EstimatorClass>> = estimators

const KERNEL_PARAMETERS = ['kernel', 'gamma', 'degree', 'coef0']
const KERNELS = {
  linear: () => linear(),
  poly: () => polynomial(),
  polynomial: () => polynomial(),
  rbf: () => rbf(),
  sigmoid: () => sigmoid(),
}

/** Makes the estimators of cells. */
export function estimatorMaker(tunable: Tunable): EstimatorMaker {
  if (typeof tunable === 'function') return tunable
  const found = estimatorType(tunable)
  if (!found) {
    const allowed = `one of ${Object.keys(registry).join(', ')}, or a function that makes an estimator of parameters`
    throw new ParameterError('tune', 'estimator', allowed, tunable)
  }
  const { options } = tunable as unknown as { readonly options: object }
  return (params) => new registry[found](withParams(options, params))
}

/** An estimator as plain data; undefined where that is not all of it: user functions, unknown classes. */
export function estimatorSpec(tunable: Tunable): EstimatorSpec | undefined {
  const type = estimatorType(tunable)
  if (!type) return undefined
  // Threads and memory are the machine's affair: no result depends on them.
  const { kernel, threads, cacheBytes, ...options } = (
    tunable as unknown as { readonly options: { kernel?: AnyKernel; threads?: number; cacheBytes?: number } }
  ).options
  if (kernel && !kernel.portable) return undefined
  return { type, options: { ...options, ...(kernel && { kernel: kernel.spec }) } }
}

/** The estimator that a spec describes, with the parameters of a cell. */
export function estimatorFromSpec({ type, options }: EstimatorSpec, params: Params = {}): Estimator {
  const EstimatorOfType = Object.hasOwn(registry, type) ? registry[type] : undefined
  if (!EstimatorOfType) {
    throw new ParameterError('job', 'estimator', `one of ${Object.keys(registry).join(', ')}`, type)
  }
  const { kernel, ...others } = options
  const made = { ...others, ...(kernel !== undefined && { kernel: kernelFromSpec(kernel as KernelSpec) }) }
  return new EstimatorOfType(withParams(made, params))
}

/** The name of an estimator of this library; undefined for all others. */
export function estimatorType(tunable: Tunable): string | undefined {
  return Object.keys(registry).find((type) => tunable?.constructor === registry[type])
}

/** The same estimator on one thread, where it could use more and was not told how many. */
export function onOneThread(estimator: Estimator): Estimator {
  const { options } = estimator as { options?: { readonly threads?: number } }
  const type = estimatorType(estimator)
  if (type === undefined || options?.threads !== undefined) return estimator
  return new registry[type]({ ...options, threads: 1 })
}

function withParams(options: { readonly kernel?: AnyKernel }, params: Params): object {
  const shape = Object.entries(params).filter(([name]) => KERNEL_PARAMETERS.includes(name))
  const others = Object.entries(params).filter(([name]) => !KERNEL_PARAMETERS.includes(name))
  const kernel =
    shape.length > 0 ? shapedKernel(options.kernel ?? rbf(), Object.fromEntries(shape)) : undefined
  return { ...options, ...Object.fromEntries(others), ...(kernel && { kernel }) }
}

function shapedKernel(kernel: AnyKernel, { kernel: name, ...shape }: Params): AnyKernel {
  const base = name === undefined ? kernel : KERNELS[checkOneOf('tune', 'kernel', name, KERNEL_NAMES)]()
  const { spec } = base
  const strange = Object.keys(shape).find((parameter) => !(parameter in spec))
  if (strange !== undefined) {
    throw new ParameterError('tune', strange, `does not apply to the ${spec.kind} kernel`)
  }
  return Object.keys(shape).length === 0 ? base : kernelFromSpec({ ...spec, ...shape } as KernelSpec)
}

const KERNEL_NAMES = Object.keys(KERNELS) as readonly (keyof typeof KERNELS)[]
