import { ParameterError, show } from './errors.ts'
import { slot } from './slot.ts'

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
  /** Allow Infinity. Default: false. NaN is never allowed. */
  readonly infinite?: boolean
}

/** Returns `value` when it lies in `range`, throws a {@link ParameterError} otherwise. */
export function checkNumber(who: string, parameter: string, value: unknown, range: NumberRange = {}): number {
  const isNumber = typeof value === 'number' && !Number.isNaN(value)
  const isInfinite = isNumber && !Number.isFinite(value)
  const ok =
    isNumber &&
    (range.infinite || !isInfinite) &&
    (!range.integer || Number.isInteger(value) || (isInfinite && value > 0)) &&
    (range.min === undefined || value >= range.min) &&
    (range.above === undefined || value > range.above) &&
    (range.max === undefined || value <= range.max) &&
    (range.below === undefined || value < range.below)
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
  if (!allowed.includes(value as T)) throw notOneOf(who, parameter, value, allowed)
  return value as T
}

/**
 * What an error adds that says which word was probably meant. `./nearest-word.ts` installs it where it is imported, as by all that
 * trains; prediction alone is too small for it.
 */
export const suggestion = slot<(word: unknown, known: readonly string[]) => string>(() => '')

/** The error that a value is none of the allowed words; it names the one that was probably meant. `note` follows the list. */
export function notOneOf(
  who: string,
  parameter: string,
  value: unknown,
  allowed: readonly string[],
  note = '',
): ParameterError {
  const problem = `must be one of ${allowed.join(', ')}${note}, got ${show(value)}`
  return new ParameterError(who, parameter, problem + suggestion.current(value, allowed))
}

/** Returns `value` when it is true or false, throws a {@link ParameterError} otherwise. */
export function checkBoolean(who: string, parameter: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ParameterError(who, parameter, 'true or false', value)
  return value
}

/**
 * Throws when `options` is no object, or has a name that is not in `known`: a misspelt option must not be ignored. `elsewhere` says
 * of names that belong to something else where they do.
 */
export function checkKnown(
  who: string,
  options: object,
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ParameterError(who, 'options', 'an object', options)
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    if (!Object.hasOwn(elsewhere, name)) throw notOneOf(who, 'option', name, known)
    const problem = `must be one of ${known.join(', ')}, got ${show(name)}: ${elsewhere[name]}`
    throw new ParameterError(who, 'option', problem)
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
