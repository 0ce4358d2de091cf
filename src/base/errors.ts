/** Base class of all errors that this library throws deliberately; catch it to distinguish them from bugs. */
export class HyperplaneError extends Error {
  override name = 'HyperplaneError'
}

/**
 * An invalid parameter. The message names the caller, the parameter, the allowed values and the given one, or another
 * problem.
 */
export class ParameterError extends HyperplaneError {
  override name = 'ParameterError'
  /** The class, function or command that was called. */
  readonly who: string
  /** The parameter that was wrong. */
  readonly parameter: string

  /** "WHO: PARAMETER must be ALLOWED, got VALUE" */
  constructor(who: string, parameter: string, allowed: string, got: unknown)
  /** "WHO: PARAMETER PROBLEM", for values that are not to blame: `train: --gamma does not apply to the linear kernel`. */
  constructor(who: string, parameter: string, problem: string)
  constructor(who: string, parameter: string, text: string, ...got: unknown[]) {
    super(`${who}: ${parameter} ${got.length === 0 ? text : `must be ${text}, got ${show(got[0])}`}`)
    this.who = who
    this.parameter = parameter
  }
}

/** Data that cannot be used: not finite, wrong shape, one class only. */
export class DataError extends HyperplaneError {
  override name = 'DataError'
}

/** Where in a text a {@link FormatError} was found; lines and columns count from 1. */
export interface TextPosition {
  /** Path or other name of the source; `<input>` when it has none. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** A file (data, model, range file) that does not follow its format, with the position of the defect. */
export class FormatError extends HyperplaneError {
  override name = 'FormatError'
  readonly file: string
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, position: TextPosition = {}) {
    const file = position.file ?? '<input>'
    const place = [file, position.line, position.column].filter((part) => part !== undefined).join(':')
    super(`${place}: ${message}`)
    this.file = file
    this.line = position.line
    this.column = position.column
  }
}

/** A value as it should appear in an error message. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value)
  if (typeof value === 'function') return value.name ? `function ${value.name}` : 'a function'
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return `an array of length ${(value as ArrayLike<unknown>).length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return Object.is(value, -0) ? '-0' : String(value)
}
