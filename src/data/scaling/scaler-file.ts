/** Scalers as text: svm-scale's range file for a scaling to a range, JSON for one to unit variance. */
import { FormatError } from '../../base/errors.ts'
import { parseJson } from '../text/json-text.ts'
import { formatRangeFile, parseRangeFile } from './range-file.ts'
import type { Scaler } from './scaler.ts'
import { scalerSchema } from './scaler-schema.ts'

/** The text of a file that keeps a scaler; {@link parseScaler} reads it back. */
export function formatScaler(scaler: Scaler): string {
  return scaler.kind === 'range' ? formatRangeFile(scaler) : `${JSON.stringify(scaler)}\n`
}

/** Reads a scaler from text: JSON when it starts with `{`, a range file otherwise. `file` names it in errors. */
export function parseScaler(text: string, file?: string): Scaler {
  if (!/^\s*\{/.test(text)) return parseRangeFile(text, file)
  const value = parseJson(text, 'not a scaler', file)
  const { success, data, error } = scalerSchema.safeParse(value)
  if (success) return data
  const { path, message } = error
  throw new FormatError(`not a scaler: ${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`, { file })
}
