/** The flags that choose a kernel. */
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { Gamma, Kernel, KernelSpec } from '../../kernels/kernel.ts'
import { linear } from '../../kernels/linear.ts'
import { polynomial } from '../../kernels/polynomial.ts'
import { precomputed } from '../../kernels/precomputed.ts'
import { rbf } from '../../kernels/rbf.ts'
import { sigmoid } from '../../kernels/sigmoid.ts'
import { number } from '../report/output.ts'
import { addChoiceOption, addNumberOption, addNumberOrWordOption } from './option-types.ts'

/** The flags of {@link addKernelOptions}, as commander hands them over. */
export interface KernelFlags {
  readonly kernel?: keyof typeof KERNELS
  readonly gamma?: Gamma
  readonly degree?: number
  readonly coef0?: number
}

type Shape = Pick<KernelFlags, 'gamma' | 'degree' | 'coef0'>

/** Each kernel with the flags that shape it. */
const KERNELS = {
  linear: { shapedBy: [], make: () => linear() },
  poly: { shapedBy: ['gamma', 'degree', 'coef0'], make: (shape: Shape) => polynomial(shape) },
  rbf: { shapedBy: ['gamma'], make: (shape: Shape) => rbf(shape) },
  sigmoid: { shapedBy: ['gamma', 'coef0'], make: (shape: Shape) => sigmoid(shape) },
  precomputed: { shapedBy: [], make: () => precomputed() },
} as const

/** Adds `--kernel` and what shapes it. */
export function addKernelOptions(command: Command): void {
  addChoiceOption(command, '--kernel <name>', 'kernel (default rbf)', Object.keys(KERNELS))
  addNumberOrWordOption(
    command,
    '--gamma <number>',
    'width of poly, rbf and sigmoid: a number, scale = 1 / (features · variance) or auto = 1 / features (default scale)',
    ['scale', 'auto'],
  )
  addNumberOption(command, '--degree <number>', 'degree of poly (default 3)')
  addNumberOption(command, '--coef0 <number>', 'constant inside poly and sigmoid (default 0)')
}

/** The kernel the flags describe. A flag that the kernel would ignore is refused. */
export function kernelFrom(command: string, flags: KernelFlags): Kernel {
  const { kernel: name = 'rbf' } = flags
  const { shapedBy, make } = KERNELS[name]
  const shape: Record<string, unknown> = {}
  for (const flag of ['gamma', 'degree', 'coef0'] as const) {
    if (flags[flag] === undefined) continue
    if (!(shapedBy as readonly string[]).includes(flag)) {
      throw new ParameterError(
        command,
        `--${flag}`,
        `absent, because the ${name} kernel has none`,
        flags[flag],
      )
    }
    shape[flag] = flags[flag]
  }
  return make(shape)
}

/** A kernel in a few words: rbf (gamma 0.5). */
export function kernelWords(spec: KernelSpec): string {
  const { kind, ...shape } = spec
  const words = Object.entries(shape).map(
    ([name, value]) =>
      `${name} ${typeof value === 'number' ? number(value) : typeof value === 'string' ? value : '…'}`,
  )
  return words.length > 0 ? `${kind} (${words.join(', ')})` : kind
}
