/** The options that choose a kernel. */
import type { Gamma, Kernel, KernelSpec } from '../../kernels/kernel.ts'
import { linear } from '../../kernels/linear.ts'
import { polynomial } from '../../kernels/polynomial.ts'
import { precomputed } from '../../kernels/precomputed.ts'
import { rbf } from '../../kernels/rbf.ts'
import { sigmoid } from '../../kernels/sigmoid.ts'
import { number } from '../report/output.ts'
import { choiceOption, type Flags, notApplicable, numberOption, type OptionSpec } from './options.ts'

type Shape = { readonly gamma?: Gamma; readonly degree?: number; readonly coef0?: number }

/** Each kernel with the options that shape it. */
const KERNELS = {
  linear: { shapedBy: [], make: () => linear() },
  poly: { shapedBy: ['gamma', 'degree', 'coef0'], make: (shape: Shape) => polynomial(shape) },
  rbf: { shapedBy: ['gamma'], make: (shape: Shape) => rbf(shape) },
  sigmoid: { shapedBy: ['gamma', 'coef0'], make: (shape: Shape) => sigmoid(shape) },
  precomputed: { shapedBy: [], make: () => precomputed() },
} as const satisfies Record<string, { shapedBy: readonly (keyof Shape)[]; make: (shape: Shape) => Kernel }>

const numberOfGamma = numberOption(
  'coefficient of poly, rbf and sigmoid: a number, scale = 1 / (features · variance) or auto = 1 / features (default scale)',
)
const gamma: OptionSpec<Gamma> = {
  ...numberOfGamma,
  allowed: 'a number, scale or auto',
  read: (text) => (text === 'scale' || text === 'auto' ? text : numberOfGamma.read?.(text)),
}

/** The degree and the constant of a kernel. */
export const shapeOptions = {
  degree: numberOption('degree of poly (default 3)'),
  coef0: numberOption('constant term in poly and sigmoid (default 0)'),
}

/** The kernel and what shapes it. */
export const kernelOptions = {
  kernel: choiceOption(Object.keys(KERNELS) as (keyof typeof KERNELS)[], 'kernel (default rbf)'),
  gamma,
  ...shapeOptions,
}

/** The kernel that the flags describe. A flag that the kernel would ignore is refused. */
export function kernelFrom(flags: Flags<typeof kernelOptions>): Kernel {
  const { kernel: name = 'rbf' } = flags
  const { shapedBy, make }: { shapedBy: readonly string[]; make: (shape: Shape) => Kernel } = KERNELS[name]
  const shape = (['gamma', 'degree', 'coef0'] as const).filter((flag) => flags[flag] !== undefined)
  const ignored = shape.find((flag) => !shapedBy.includes(flag))
  if (ignored) throw notApplicable(ignored, `the ${name} kernel`)
  return make(Object.fromEntries(shape.map((flag) => [flag, flags[flag]])))
}

/** A kernel in a few words: rbf (gamma 0.5). */
export function kernelWords({ kind, ...shape }: KernelSpec): string {
  const words = Object.entries(shape).map(
    ([name, value]) =>
      `${name} ${typeof value === 'number' ? number(value) : typeof value === 'string' ? value : '…'}`,
  )
  return words.length > 0 ? `${kind} (${words.join(', ')})` : kind
}
