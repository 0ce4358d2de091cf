/** The support vectors in LIBSVM's text format: the lines after `SV`. */
import { FormatError, show } from '../../base/errors.ts'
import { slot } from '../../base/slot.ts'
import { parseLibsvm } from '../../data/libsvm/libsvm-parser.ts'
import type { PlainVectorReader } from '../../data/libsvm/plain-vectors.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { numberFromText } from '../../data/text/number-text.ts'

/** The support vectors of a LIBSVM model and their coefficients, [column][vector]. */
export interface LibsvmVectors {
  readonly supportVectors: Matrix
  readonly dualCoef: Float64Array
}

/** What the header says of the lines after it. */
export interface LibsvmVectorsShape {
  /** The first of the lines. */
  readonly from: number
  readonly count: number
  /** Coefficients per line. */
  readonly columns: number
  readonly precomputed: boolean
  /** Name of the source in error messages. */
  readonly file: string | undefined
}

/** LIBSVM reads indices into 32 bits. */
const LARGEST_INDEX = 2 ** 31 - 1

/**
 * Reads the lines after `SV` with the reader of data files: a line is a data line with the last coefficient as its label, once
 * those before it are cut off. What that reader does not take, or takes in another sense, {@link checkLine} finds and names.
 */
export function libsvmVectors(lines: readonly string[], shape: LibsvmVectorsShape): LibsvmVectors {
  const { from, count, columns, precomputed, file } = shape
  const given = lines.slice(from, lines.at(-1)?.trim() === '' ? -1 : undefined)
  const dualCoef = new Float64Array(columns * count)
  const supportVectors =
    given.length === count
      ? count === 0
        ? noVectors(precomputed)
        : plainVectors(given, shape, dualCoef)
      : undefined
  if (supportVectors) return { supportVectors, dualCoef }
  given.forEach((line, s) => {
    checkLine(line, s, shape)
  })
  if (given.length === count) throw new FormatError('a model of one class has no support vectors', { file })
  throw new FormatError(`total_sv is ${count}, but ${given.length} support vectors follow`, { file })
}

function noVectors(precomputed: boolean): Matrix {
  if (precomputed) return { kind: 'dense', rows: 0, cols: 1, values: new Float64Array(0) }
  const [indptr, indices, values] = [new Uint32Array(1), new Uint32Array(0), new Float64Array(0)]
  return { kind: 'sparse', rows: 0, cols: 0, indptr, indices, values }
}

/** A faster reader of most vectors, where a platform has installed one: see ../../data/libsvm/plain-vectors.ts. */
export const vectorReader = slot<PlainVectorReader | undefined>(undefined)

/** The vectors, and the coefficients in `dualCoef`; undefined where a line is not as it should be. */
function plainVectors(
  given: readonly string[],
  { count, columns, precomputed }: LibsvmVectorsShape,
  dualCoef: Float64Array,
): Matrix | undefined {
  const fast = precomputed ? undefined : vectorReader.current?.(given, columns, LARGEST_INDEX, dualCoef)
  if (fast) return fast
  const text = columns === 1 ? given.join('\n') : cutCoefficients(given, columns, dualCoef)?.join('\n')
  // A data file may have comments and qid:, a model may not.
  if (text === undefined || /[#q]/.test(text)) return undefined
  try {
    const { samples, labels } = parseLibsvm(text, { indexBase: precomputed ? 0 : 1, labels: 'number' })
    if (samples.rows !== count || samples.cols > LARGEST_INDEX) return undefined
    dualCoef.set(labels as Float64Array, (columns - 1) * count)
    return precomputed ? serialColumn(samples) : samples
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** The lines from their last coefficient on, and the others in `dualCoef`; undefined where one is no number. */
function cutCoefficients(
  given: readonly string[],
  columns: number,
  dualCoef: Float64Array,
): string[] | undefined {
  const cut: string[] = []
  for (const [s, line] of given.entries()) {
    let rest = line.trimStart()
    for (let column = 0; column < columns - 1; column++) {
      const end = rest.search(/\s/)
      const value = end < 0 ? Number.NaN : numberFromText(rest.slice(0, end))
      if (!Number.isFinite(value)) return undefined
      dualCoef[column * given.length + s] = value
      rest = rest.slice(end).trimStart()
    }
    cut.push(rest)
  }
  return cut
}

/** A precomputed kernel knows a support vector by its serial number alone, as `0:serial`. */
function serialColumn({ rows, cols, values }: Matrix): Matrix | undefined {
  const isSerial = (value: number): boolean => Number.isInteger(value) && value >= 1
  if (cols !== 1 || values.length !== rows || !values.every(isSerial)) return undefined
  return { kind: 'dense', rows, cols, values }
}

/** Throws when the line of support vector s is not as it should be. */
function checkLine(text: string, s: number, { from, columns, precomputed, file }: LibsvmVectorsShape): void {
  const line = from + s + 1
  const tokens = [...text.matchAll(/\S+/g)]
  if (tokens.length === 0) throw new FormatError('a support vector is missing', { file, line })
  const fail = (t: number, message: string): never => {
    const column = (tokens[t]?.index ?? 0) + 1
    throw new FormatError(`support vector ${s}: ${message}`, { file, line, column })
  }
  for (let column = 0; column < columns; column++) {
    const token = tokens[column]?.[0]
    if (Number.isFinite(numberFromText(token ?? ''))) continue
    const which = columns === 1 ? 'the coefficient' : `coefficient ${column + 1} of ${columns}`
    fail(column, `${which} must be a finite number, got ${show(token)}`)
  }
  const first = precomputed ? 0 : 1
  let previous = first - 1
  for (let t = columns; t < tokens.length; t++) {
    const [token] = tokens[t]
    const [, name, value] = /^(\d+):(.*)$/.exec(token) ?? fail(t, `expected index:value, got ${show(token)}`)
    const index = Number(name)
    if (!Number.isFinite(numberFromText(value))) {
      fail(t, `the value of index ${index} must be a finite number, got ${show(value)}`)
    }
    if (index <= previous || index > LARGEST_INDEX) {
      fail(t, `indices must ascend from ${first}, got ${index} after ${previous}`)
    }
    previous = index
  }
  const serial = precomputed ? numberFromText(tokens[columns]?.[0].replace(/^0:/, '') ?? '') : 1
  if (!(Number.isInteger(serial) && serial >= 1) || (precomputed && tokens.length !== columns + 1)) {
    fail(0, 'expected 0:serial, a whole number >= 1, and nothing else')
  }
}
