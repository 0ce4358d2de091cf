/** The support vectors in LIBSVM's text format: the lines after `SV`. */
import { FormatError, show } from '../../base/errors.ts'
import { parseLibsvm } from '../../data/libsvm/libsvm-parser.ts'
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
  /** Coefficients in a line. */
  readonly columns: number
  readonly precomputed: boolean
  /** Name of the source in error messages. */
  readonly file: string | undefined
}

const largestIndex = 2 ** 31 - 1
const wholePattern = /^\d+$/

/** Reads the lines after `SV`. */
export function libsvmVectors(lines: readonly string[], shape: LibsvmVectorsShape): LibsvmVectors {
  return (shape.precomputed ? undefined : plainVectors(lines, shape)) ?? readVectors(lines, shape)
}

/**
 * The vectors by the reader of data files, several times as fast: a line is a data line with the last coefficient as its
 * label, once those before it are cut off. Undefined where they have a flaw (a comment is one here), which {@link readVectors} then finds and names.
 */
function plainVectors(
  lines: readonly string[],
  { from, count, columns }: LibsvmVectorsShape,
): LibsvmVectors | undefined {
  const given = lines.length - from - (lines.at(-1) === '' ? 1 : 0)
  if (given === 0 || given !== count || columns === 0) return undefined
  const dualCoef = new Float64Array(columns * count)
  const plain = columns === 1 ? lines.slice(from) : cutCoefficients(lines, from, count, columns, dualCoef)
  const text = plain?.join('\n')
  if (text === undefined || /[#q]/.test(text)) return undefined
  try {
    const { samples, labels } = parseLibsvm(text, { indexBase: 1, labels: 'number' })
    if (samples.rows !== count || samples.cols > largestIndex) return undefined
    dualCoef.set(labels as Float64Array, (columns - 1) * count)
    return { supportVectors: samples, dualCoef }
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** The lines from their last coefficient on, and the others in `dualCoef`; undefined where one is not as it should be. */
function cutCoefficients(
  lines: readonly string[],
  from: number,
  count: number,
  columns: number,
  dualCoef: Float64Array,
): string[] | undefined {
  const cut: string[] = []
  for (let s = 0; s < count; s++) {
    const line = lines[from + s]
    let start = 0
    for (let column = 0; column < columns - 1; column++) {
      const end = line.indexOf(' ', start)
      const value = end < 0 ? Number.NaN : numberFromText(line.slice(start, end))
      if (!Number.isFinite(value)) return undefined
      dualCoef[column * count + s] = value
      start = end + 1
    }
    cut.push(line.slice(start))
  }
  return cut
}

function readVectors(lines: readonly string[], shape: LibsvmVectorsShape): LibsvmVectors {
  const { from, count, columns, file } = shape
  const reader = new VectorReader(shape)
  for (let i = from; i < lines.length; i++) {
    if (lines[i].trim() !== '') reader.line(lines[i], i + 1)
    else if (i < lines.length - 1) throw new FormatError('a support vector is missing', { file, line: i + 1 })
  }
  if (reader.count !== count) {
    throw new FormatError(`total_sv is ${count}, but ${reader.count} support vectors follow`, { file })
  }
  const dualCoef = new Float64Array(columns * count)
  reader.coefficients.forEach((value, at) => {
    dualCoef[(at % columns) * count + Math.floor(at / columns)] = value
  })
  return { supportVectors: reader.matrix(), dualCoef }
}

/** Collects the lines after `SV`: coefficients and `index:value` pairs, or `0:serial` for precomputed kernels. */
class VectorReader {
  /** [vector][column] */
  readonly coefficients: number[] = []
  private readonly columns: number
  private readonly file: string | undefined
  private readonly precomputed: boolean
  private readonly ends: number[] = [0]
  private readonly indices: number[] = []
  private readonly values: number[] = []
  private cols = 0

  constructor({ columns, precomputed, file }: LibsvmVectorsShape) {
    this.columns = columns
    this.file = file
    this.precomputed = precomputed
  }

  get count(): number {
    return this.ends.length - 1
  }

  line(text: string, line: number): void {
    const tokens = text.trim().split(/\s+/)
    const { columns } = this
    for (let column = 0; column < columns; column++) {
      const dual = numberFromText(tokens[column] ?? '')
      if (!Number.isFinite(dual)) {
        const which = columns === 1 ? 'the coefficient' : `coefficient ${column + 1} of ${columns}`
        throw this.error(text, line, column, `${which} must be a finite number, got ${show(tokens[column])}`)
      }
      this.coefficients.push(dual)
    }
    const first = this.precomputed ? 0 : 1
    let previous = first - 1
    for (let t = columns; t < tokens.length; t++) {
      const token = tokens[t]
      const colon = token.indexOf(':')
      const name = token.slice(0, Math.max(0, colon))
      const index = Number(name)
      const value = numberFromText(token.slice(colon + 1))
      if (!wholePattern.test(name))
        throw this.error(text, line, t, `expected index:value, got ${show(token)}`)
      if (!Number.isFinite(value)) {
        const got = show(token.slice(colon + 1))
        throw this.error(text, line, t, `the value of index ${index} must be a finite number, got ${got}`)
      }
      if (index <= previous || index > largestIndex) {
        throw this.error(text, line, t, `indices must ascend from ${first}, got ${index} after ${previous}`)
      }
      previous = index
      this.indices.push(index - 1)
      this.values.push(value)
    }
    this.cols = Math.max(this.cols, previous)
    if (this.precomputed && !this.endsInSerial()) {
      throw this.error(text, line, 0, 'expected 0:serial, a whole number >= 1, and nothing else')
    }
    this.ends.push(this.values.length)
  }

  matrix(): Matrix {
    const values = Float64Array.from(this.values)
    const rows = this.count
    if (this.precomputed) return { kind: 'dense', rows, cols: 1, values }
    const indptr = Uint32Array.from(this.ends)
    const indices = Uint32Array.from(this.indices)
    return { kind: 'sparse', rows, cols: this.cols, indptr, indices, values }
  }

  /** A precomputed kernel knows a support vector by its serial number alone. */
  private endsInSerial(): boolean {
    const start = this.ends[this.count]
    const serial = this.values[start]
    const alone = this.values.length === start + 1 && this.indices[start] === -1
    return alone && Number.isInteger(serial) && serial >= 1
  }

  /** The error in token t of a line. */
  private error(text: string, line: number, t: number, message: string): FormatError {
    const column = ([...text.matchAll(/\S+/g)][t]?.index ?? 0) + 1
    return new FormatError(`support vector ${this.count}: ${message}`, { file: this.file, line, column })
  }
}
