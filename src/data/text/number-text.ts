import { show } from '../../base/errors.ts'

// No digit can be matched in two ways: a failure costs no more than a success.
const pattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const notFinite = /^[+-]?(nan|inf|infinity)$/i

/** The decimal number that `text` is; NaN when it is none, infinite when it is too large. */
export function numberFromText(text: string): number {
  return pattern.test(text) ? Number(text) : Number.NaN
}

/** What is wrong with a text that should be a finite number, for an error message: "must be a number, got …". */
export function numberProblem(text: string): string {
  if (text === '') return 'is missing'
  return `must be a ${isNotFiniteText(text) ? 'finite ' : ''}number, got ${show(text)}`
}

/** True for NaN, inf and infinity in any case, and for numbers too large for a double. */
export function isNotFiniteText(text: string): boolean {
  return notFinite.test(text) || Math.abs(numberFromText(text)) === Number.POSITIVE_INFINITY
}

/** The longest text of a double, as in -0.0000012345678901234567. */
export const LONGEST_NUMBER_TEXT = 25

/** The shortest text that reads back as the same double; -0 keeps its sign. */
export function textFromNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
