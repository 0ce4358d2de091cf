import { ParameterError, show } from '../base/errors.ts'
import { exp, product, scale, shift, sum } from './combinators.ts'
import type { AnyKernel, KernelSpec } from './kernel.ts'
import { linear } from './linear.ts'
import { polynomial } from './polynomial.ts'
import { precomputed } from './precomputed.ts'
import { rbf } from './rbf.ts'
import { sigmoid } from './sigmoid.ts'
import { custom, featureMap, rankOne } from './user-kernels.ts'

/** The user's functions by the names that specs know them by. */
// biome-ignore lint/suspicious/noExplicitAny: the three kinds of functions share only being functions of samples.
export type KernelFunctions = Readonly<Record<string, (...samples: any[]) => any>>

/** Options of {@link kernelFromSpec}. */
export interface KernelFromSpecOptions {
  readonly functions?: KernelFunctions
}

/** Makes the kernel that `spec` describes. User functions must be given again, by name. */
export function kernelFromSpec(spec: KernelSpec, options: KernelFromSpecOptions = {}): AnyKernel {
  const { functions = {} } = options
  const named = (name: string) => {
    const found = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (typeof found === 'function') return found
    const parameter = `functions[${show(name)}]`
    throw new ParameterError(
      'kernelFromSpec',
      parameter,
      'the function that the kernel was created with',
      found,
    )
  }
  const build = (part: KernelSpec): AnyKernel => {
    switch (part.kind) {
      case 'linear':
        return linear()
      case 'polynomial':
        return polynomial({ gamma: part.gamma, coef0: part.coef0, degree: part.degree })
      case 'rbf':
        return rbf({ gamma: part.gamma })
      case 'sigmoid':
        return sigmoid({ gamma: part.gamma, coef0: part.coef0 })
      case 'precomputed':
        return precomputed()
      case 'custom':
        return custom(named(part.name), { name: part.name })
      case 'feature-map':
        return featureMap(named(part.name), { name: part.name })
      case 'rank-one':
        return rankOne(named(part.name), { name: part.name })
      case 'sum':
        return sum(...part.of.map(build))
      case 'product':
        return product(...part.of.map(build))
      case 'scale':
        return scale(build(part.of), part.factor)
      case 'shift':
        return shift(build(part.of), part.offset)
      case 'exp':
        return exp(build(part.of))
      default:
        throw new ParameterError(
          'kernelFromSpec',
          'kind',
          'the kind of a kernel',
          (part as { kind?: unknown })?.kind,
        )
    }
  }
  return build(spec)
}
