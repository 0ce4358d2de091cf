import { checkKnown, checkNumber } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import { checkGamma, resolveGamma, settledGamma } from './gamma.ts'
import type { Gamma, Kernel } from './kernel.ts'
import { vectorKernel } from './vector-kernel.ts'

/** The width of a Gaussian, in one of three notations; gamma 'scale' when none is given. */
export interface RbfOptions {
  /** exp(−γ‖x − z‖²) */
  readonly gamma?: Gamma
  /** exp(−‖x − z‖² / (2σ²)), so γ = 1 / (2σ²) */
  readonly sigma?: number
  /** exp(−τ/2 · ‖x − z‖²), so γ = τ / 2 */
  readonly tau?: number
}

/** The Gaussian kernel exp(−γ‖x − z‖²). */
export function rbf(options: RbfOptions = {}): Kernel {
  const who = 'rbf'
  const gamma = gammaOf(who, options)
  return vectorKernel({
    spec: { kind: 'rbf', gamma },
    of: 'distance',
    apply(row, from, to) {
      const factor = -settledGamma(who, gamma)
      for (let j = from; j < to; j++) row[j] = Math.exp(factor * row[j])
    },
    resolve: (samples) => rbf({ gamma: resolveGamma(who, gamma, samples) }),
  })
}

function gammaOf(who: string, options: RbfOptions): Gamma {
  const names = ['gamma', 'sigma', 'tau'] as const
  checkKnown(who, options, names)
  const given = names.filter((name) => options[name] !== undefined)
  if (given.length > 1) {
    throw new ParameterError(who, given[1], `cannot be used together with ${given[0]}`)
  }
  if (options.sigma !== undefined) {
    const sigma = checkNumber(who, 'sigma', options.sigma, { above: 0 })
    return checkNumber(who, 'gamma = 1 / (2 sigma^2)', 1 / (2 * sigma * sigma), { min: 0 })
  }
  if (options.tau !== undefined) return checkNumber(who, 'tau', options.tau, { min: 0 }) / 2
  return checkGamma(who, options.gamma ?? 'scale')
}
