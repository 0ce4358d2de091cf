/**
 * The same problem is written with different constants. All forms below have the same minimiser w (and b, in whatever
 * form it enters), and differ by a factor in value; ξ_i = max(0, 1 − y_i f(x_i)), n samples:
 *
 *   here                           ½‖w‖² + C Σ ξ_i
 *   average of losses, Pegasos     λ/2 ‖w‖² + (1/n) Σ ξ_i       λ = 1/(nC)       divide by nC
 *   sum of losses                  λ/2 ‖w‖² + Σ ξ_i             λ = 1/C          divide by C
 *   norm not halved                ‖w‖² + C′ Σ ξ_i              C′ = 2C          multiply by 2
 *
 * Seed 004 uses all four. Its "λ = C/2" between the first and the third cannot hold: a larger C means less
 * regularisation, a larger λ means more. scikit-learn's SGDClassifier calls the λ of the second form `alpha`.
 */
import { checkNumber } from '../base/check.ts'

/** λ of λ/2 ‖w‖² + (1/n) Σ ξ_i, for the C of ½‖w‖² + C Σ ξ_i and n samples. */
export function lambdaFromC(C: number, samples: number): number {
  checkNumber('lambdaFromC', 'C', C, { above: 0 })
  checkNumber('lambdaFromC', 'samples', samples, { min: 1, integer: true })
  return 1 / (samples * C)
}

/** C of ½‖w‖² + C Σ ξ_i, for the λ of λ/2 ‖w‖² + (1/n) Σ ξ_i and n samples. */
export function cFromLambda(lambda: number, samples: number): number {
  checkNumber('cFromLambda', 'lambda', lambda, { above: 0 })
  checkNumber('cFromLambda', 'samples', samples, { min: 1, integer: true })
  return 1 / (samples * lambda)
}

/** λ of λ/2 ‖w‖² + Σ ξ_i (a sum, not an average), for the C of ½‖w‖² + C Σ ξ_i. */
export function sumLambdaFromC(C: number): number {
  return 1 / checkNumber('sumLambdaFromC', 'C', C, { above: 0 })
}

/** C of ½‖w‖² + C Σ ξ_i, for the λ of λ/2 ‖w‖² + Σ ξ_i (a sum, not an average). */
export function cFromSumLambda(lambda: number): number {
  return 1 / checkNumber('cFromSumLambda', 'lambda', lambda, { above: 0 })
}

/** C′ of ‖w‖² + C′ Σ ξ_i (the norm not halved), for the C of ½‖w‖² + C Σ ξ_i. */
export function unhalvedCFromC(C: number): number {
  return 2 * checkNumber('unhalvedCFromC', 'C', C, { above: 0 })
}

/** C of ½‖w‖² + C Σ ξ_i, for the C′ of ‖w‖² + C′ Σ ξ_i (the norm not halved). */
export function cFromUnhalvedC(C: number): number {
  return checkNumber('cFromUnhalvedC', 'C', C, { above: 0 }) / 2
}
