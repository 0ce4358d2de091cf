/** Errors across threads: a structured clone keeps neither the class nor the fields of an error of ours. */
import { DataError, FormatError, HyperplaneError, ParameterError } from '../base/errors.ts'

const classes = { HyperplaneError, ParameterError, DataError, FormatError, RangeError, TypeError }

/** An error as plain data. */
export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Further fields of the error's own, such as `parameter` or `line`. */
  readonly fields: object
}

/** Makes plain data of anything that was thrown. */
export function packError(thrown: unknown): PackedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack } = error
  return { name, message, stack, fields: { ...error } }
}

/** The error again, of the same class where that is one of ours or of JavaScript's own. */
export function unpackError({ name, message, stack, fields }: PackedError): Error {
  const error = Object.assign(new Error(message), fields)
  error.stack = stack
  const known = classes[name as keyof typeof classes]
  if (known) Object.setPrototypeOf(error, known.prototype)
  return error
}
