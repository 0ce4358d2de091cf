import { checkKnown, checkNumber } from '../base/check.ts'
import { checkGamma, resolveGamma, settledGamma } from './gamma.ts'
import type { Gamma, Kernel } from './kernel.ts'
import { vectorKernel } from './vector-kernel.ts'

/** Options of {@link polynomial}. */
export interface PolynomialOptions {
  /** Factor of the product. Default 'scale'. */
  readonly gamma?: Gamma
  /** Added to the product: weighs lower degrees against higher ones. Default 0. */
  readonly coef0?: number
  /** A whole number >= 0. Default 3. */
  readonly degree?: number
}

/** The polynomial kernel (γ⟨x, z⟩ + coef0)^degree. Valid (positive semi-definite) for coef0 >= 0. */
export function polynomial(options: PolynomialOptions = {}): Kernel {
  const who = 'polynomial'
  checkKnown(who, options, ['gamma', 'coef0', 'degree'])
  const gamma = checkGamma(who, options.gamma ?? 'scale')
  const coef0 = checkNumber(who, 'coef0', options.coef0 ?? 0)
  const degree = checkNumber(who, 'degree', options.degree ?? 3, { integer: true, min: 0, max: 2 ** 31 - 1 })
  return vectorKernel({
    spec: { kind: 'polynomial', gamma, coef0, degree },
    of: 'product',
    apply(row, from, to) {
      const factor = settledGamma(who, gamma)
      for (let j = from; j < to; j++) row[j] = factor * row[j] + coef0
      raise(row, from, to, degree)
    },
    resolve: (samples) => polynomial({ gamma: resolveGamma(who, gamma, samples), coef0, degree }),
  })
}

/** Each value to a whole power, by repeated squaring. */
function raise(row: Float64Array, from: number, to: number, degree: number): void {
  for (let j = from; j < to; j++) {
    let base = row[j]
    let power = 1
    for (let left = degree; left > 0; left >>= 1) {
      if (left & 1) power *= base
      base *= base
    }
    row[j] = power
  }
}
