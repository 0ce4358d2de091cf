/** What LIBSVM's commands print about the noise of a regression. */
import { percentG } from './c-format.ts'

/** LIBSVM's description of Laplace noise; `svm-train` prints `sigma` after a space, `svm-predict` without one. */
export function noiseLines(sigma: number, space: '' | ' ' = ''): string {
  return (
    'Prob. model for test data: target value = predicted value + z,\n' +
    `z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=${space}${percentG(sigma)}\n`
  )
}
