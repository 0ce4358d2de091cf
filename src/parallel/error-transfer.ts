/** Errors across threads: a structured clone keeps neither the class nor the fields of an error of ours. */
import { DataError, FormatError, HyperplaneError, ParameterError } from '../base/errors.ts'

const classes = { HyperplaneError, ParameterError, DataError, FormatError }

/** An error as plain data. */
export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Further fields of the error's own, such as `parameter` or `line`. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Makes plain data of anything that was thrown. */
export function packError(thrown: unknown): PackedError {
  if (!(thrown instanceof Error)) return packError(new Error(String(thrown)))
  const { name, message, stack, cause: _, ...fields } = { ...thrown, ...pick(thrown) }
  return { name, message, stack, fields }
}

/** The error again, of the same class when it is one of ours. */
export function unpackError({ name, message, stack, fields }: PackedError): Error {
  const error = Object.assign(new Error(message), fields)
  const own = classes[name as keyof typeof classes]
  if (own) Object.setPrototypeOf(error, own.prototype)
  return Object.assign(error, { name, stack })
}

/** What an error has beside its enumerable fields. */
function pick({ name, message, stack }: Error) {
  return { name, message, stack }
}
