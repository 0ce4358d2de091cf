/** Numbers as LIBSVM's commands print them, which scripts read: in the formats of C's printf. */
import { meanSquaredError, squaredCorrelation } from '../../metrics/regression.ts'

/** `%g`: six significant digits, no trailing zeros, an exponent below 1e-4 and from 1e6 on. */
export function percentG(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  // 0 / 0, which is what NaN comes from here, has its sign bit set on x86.
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? 'inf' : '-inf'
  const [digits, power] = toEven(value).split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(Number(`${digits}e${power}`))
  const sign = exponent < 0 ? '-' : '+'
  return `${Number(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Six significant digits; what is in the middle between two numbers becomes the even one, as C has it, not the larger. */
function toEven(value: number): string {
  // What is in the middle has seven digits and no more. Hardly any number has, and a hundred digits take microseconds.
  if (Number(value.toPrecision(7)) !== value) return value.toExponential(5)
  const [exact, power] = value.toExponential(100).split('e')
  const kept = exact.slice(0, -95)
  const isTie = /^50*$/.test(exact.slice(-95))
  return isTie && Number(kept.at(-1)) % 2 === 0 ? `${kept}e${power}` : value.toExponential(5)
}

/** `%f`: six digits after the point. */
export function percentF(value: number): string {
  if (!Number.isFinite(value)) return percentG(value)
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`
}

/** How many predictions are right. */
export function countRight(labels: Float64Array, predicted: Float64Array): number {
  return labels.reduce((count, label, i) => (label === predicted[i] ? count + 1 : count), 0)
}

/** Mean squared error and squared correlation, as they are printed. */
export function regressionScores(
  labels: Float64Array,
  predicted: Float64Array,
): [error: string, correlation: string] {
  return [percentG(meanSquaredError(labels, predicted)), percentG(squaredCorrelation(labels, predicted))]
}

/** LIBSVM's description of Laplace noise; `svm-train` prints `sigma` after a space, `svm-predict` without one. */
export function noiseLines(sigma: number, space: '' | ' ' = ''): string {
  return (
    'Prob. model for test data: target value = predicted value + z,\n' +
    `z: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma=${space}${percentG(sigma)}\n`
  )
}
