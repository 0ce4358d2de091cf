import { ParameterError } from './errors.ts'

/** What a numeric parameter may be; every bound that is given must hold. */
export interface NumberRange {
  /** value >= min */
  readonly min?: number
  /** value > above */
  readonly above?: number
  /** value <= max */
  readonly max?: number
  /** value < below */
  readonly below?: number
  readonly integer?: boolean
  /** Allow Infinity; false unless given. NaN is never allowed. */
  readonly infinite?: boolean
}

/** Returns `value` when it lies in `range`, throws a {@link ParameterError} otherwise. */
export function checkNumber(who: string, parameter: string, value: unknown, range: NumberRange = {}): number {
  const ok =
    typeof value === 'number' &&
    !Number.isNaN(value) &&
    (range.infinite || Number.isFinite(value)) &&
    (!range.integer || Number.isInteger(value) || value === Number.POSITIVE_INFINITY) &&
    (range.min === undefined || value >= range.min) &&
    (range.above === undefined || value > range.above) &&
    (range.max === undefined || value <= range.max) &&
    (range.below === undefined || value < range.below)
  const isInfinite = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
  if (!ok) throw new ParameterError(who, parameter, describe(range, isInfinite), value)
  return value
}

/** Returns `value` when it is one of `allowed`, throws a {@link ParameterError} otherwise. */
export function checkOneOf<T extends string>(
  who: string,
  parameter: string,
  value: unknown,
  allowed: readonly T[],
): T {
  if (!allowed.includes(value as T))
    throw new ParameterError(who, parameter, `one of ${allowed.join(', ')}`, value)
  return value as T
}

/** Returns `value` when it is true or false, throws a {@link ParameterError} otherwise. */
export function checkBoolean(who: string, parameter: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ParameterError(who, parameter, 'true or false', value)
  return value
}

/** Throws when `options` is no object, or has a name that is not in `known`: a misspelt option must not be ignored. */
export function checkKnown(who: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ParameterError(who, 'options', 'an object', options)
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new ParameterError(who, 'option', `one of ${known.join(', ')}`, name)
  }
}

/** The range in words; "finite" is part of it where an infinite number was given and may not be. */
function describe(range: NumberRange, isInfinite: boolean): string {
  const noun = range.integer ? 'a whole number' : range.infinite ? 'a number' : 'a finite number'
  const bounds = [
    range.min !== undefined && `>= ${range.min}`,
    range.above !== undefined && `> ${range.above}`,
    range.max !== undefined && `<= ${range.max}`,
    range.below !== undefined && `< ${range.below}`,
  ].filter(Boolean)
  const limits = bounds.join(' and ')
  if (limits === '') return noun
  if (range.integer) return `${noun} ${limits}`
  return isInfinite && !range.infinite ? `finite and ${limits}` : limits
}
