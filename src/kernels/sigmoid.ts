import { checkKnown, checkNumber } from '../base/check.ts'
import { checkGamma, resolveGamma, settledGamma } from './gamma.ts'
import type { Gamma, Kernel } from './kernel.ts'
import { vectorKernel } from './vector-kernel.ts'

/** Options of {@link sigmoid}. */
export interface SigmoidOptions {
  /** Factor of the product. Default 'scale'. */
  readonly gamma?: Gamma
  /** Added to the product. Default 0. */
  readonly coef0?: number
}

/** The sigmoid kernel tanh(γ⟨x, z⟩ + coef0). Not positive semi-definite in general: see `checkKernel`. */
export function sigmoid(options: SigmoidOptions = {}): Kernel {
  const who = 'sigmoid'
  checkKnown(who, options, ['gamma', 'coef0'])
  const gamma = checkGamma(who, options.gamma ?? 'scale')
  const coef0 = checkNumber(who, 'coef0', options.coef0 ?? 0)
  return vectorKernel({
    spec: { kind: 'sigmoid', gamma, coef0 },
    of: 'product',
    apply(row, from, to) {
      const factor = settledGamma(who, gamma)
      for (let j = from; j < to; j++) row[j] = Math.tanh(factor * row[j] + coef0)
    },
    resolve: (samples) => sigmoid({ gamma: resolveGamma(who, gamma, samples), coef0 }),
  })
}
