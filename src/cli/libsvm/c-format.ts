/** Numbers as LIBSVM's commands print them, which scripts read: in the formats of C's printf. */
import { meanSquaredError, squaredCorrelation } from '../../metrics/regression.ts'

/** `%g`: six significant digits, no trailing zeros, an exponent below 1e-4 and from 1e6 on. */
export function percentG(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  // 0 / 0, which is what NaN comes from here, has its sign bit set on x86.
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? 'inf' : '-inf'
  const short = shortG(value)
  if (short !== undefined) return short
  const [digits, power] = toEven(value).split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(Number(`${digits}e${power}`))
  const sign = exponent < 0 ? '-' : '+'
  return `${Number(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** What a scaled number may be off by rounding, at most, and how near to the middle between two it has to be for that to matter. */
const NEAR_MIDDLE = 1e-6
/** 10^5 … 10^22: exact. */
const POWERS = Array.from({ length: 18 }, (_, k) => Number(`1e${k + 5}`))
const ZEROS = ['', '0', '00', '000']

/** `%g` of most numbers from 1e-17 on and below 1, such as probabilities, in a tenth of the time; undefined for the others. */
function shortG(value: number): string | undefined {
  if (!(value >= 1e-17 && value < 1)) return undefined
  const exponent = Math.floor(Math.log10(value))
  const scaled = value * POWERS[-exponent]
  let digits = Math.round(scaled)
  if (!(digits >= 1e5 && digits < 1e6) || Math.abs(Math.abs(scaled - digits) - 0.5) < NEAR_MIDDLE)
    return undefined
  while (digits % 10 === 0) digits /= 10
  if (exponent >= -4) return `0.${ZEROS[-exponent - 1]}${digits}`
  const text = String(digits)
  const places = text.length > 1 ? `.${text.slice(1)}` : ''
  return `${text[0]}${places}e-${exponent > -10 ? '0' : ''}${-exponent}`
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

/** `%.17g`: as many digits as tell every double from its neighbours. */
export function percent17G(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return percentG(value)
  const [digits, power] = value.toExponential(16).split('e')
  const exponent = Number(power)
  const short = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  if (exponent >= -4 && exponent < 17) return short(value.toPrecision(17))
  const sign = exponent < 0 ? '-' : '+'
  return `${short(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
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
