/**
 * LIBSVM's text format for two-class models, read. What it says is kept: the first label is the positive class,
 * whichever of the two is larger, so that decision values are LIBSVM's own, and the support vectors keep their order.
 * It does not say how many features the training data had, nor how good the solution is.
 */
import { FormatError, show } from '../base/errors.ts'
import { parseLibsvm } from '../data/libsvm-parser.ts'
import type { Matrix } from '../data/matrix.ts'
import { numberFromText } from '../data/number-text.ts'
import type { KernelSpec } from '../kernels/kernel.ts'
import { kernelFromSpec } from '../kernels/kernel-from-spec.ts'
import { LibsvmHeader } from './libsvm-header.ts'
import { SvcModel } from './svc-model.ts'

/** What {@link parseLibsvmModel} takes beside the text. */
export interface ParseLibsvmModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
}

const kernelTypes = ['linear', 'polynomial', 'rbf', 'sigmoid', 'precomputed'] as const
const largestIndex = 2 ** 31 - 1
const wholePattern = /^\d+$/

/** The model that LIBSVM's text describes. Throws a {@link FormatError} that names field and line. */
export function parseLibsvmModel(text: string, options: ParseLibsvmModelOptions = {}): SvcModel<unknown> {
  const { name: file } = options
  const lines = text.split('\n')
  const header = new LibsvmHeader(lines, file)
  header.word('svm_type', ['c_svc'])
  const spec = readKernel(header)
  const [classCount] = header.wholes('nr_class', 1, 0)
  if (classCount !== 2) header.refuse('nr_class', '2', classCount)
  const [count] = header.wholes('total_sv', 1, 0)
  const [rho] = header.reals('rho', 1)
  const [positive, negative] = header.wholes('label', 2, -(2 ** 31))
  if (positive === negative) header.refuse('label', 'two different labels', `${positive} ${negative}`)
  const perClass = header.wholes('nr_sv', 2, 0)
  if (perClass[0] + perClass[1] !== count) {
    header.refuse('nr_sv', `two numbers that sum to total_sv, ${count}`, perClass.join(' '))
  }
  const hasProbability = header.has('probA') || header.has('probB')
  const probability = hasProbability
    ? { a: header.reals('probA', 1)[0], b: header.reals('probB', 1)[0] }
    : undefined
  const precomputed = spec.kind === 'precomputed'
  const { supportVectors, dualCoef } =
    (precomputed ? undefined : plainVectors(lines, header.lineCount, count)) ??
    readVectors(lines, header.lineCount, count, precomputed, file)
  return new SvcModel<unknown>({
    classes: [negative, positive],
    bias: -rho,
    kernel: kernelFromSpec(spec),
    supportVectors,
    dualCoef,
    ...(precomputed && { supportIndices: Uint32Array.from(supportVectors.values, (serial) => serial - 1) }),
    probability,
  })
}

function readKernel(header: LibsvmHeader): KernelSpec {
  const kind = header.word('kernel_type', kernelTypes)
  const gamma = () => {
    const [value] = header.reals('gamma', 1)
    return value >= 0 ? value : header.refuse('gamma', '>= 0', value)
  }
  const coef0 = () => header.reals('coef0', 1)[0]
  switch (kind) {
    case 'polynomial':
      return { kind, degree: header.wholes('degree', 1, 0)[0], gamma: gamma(), coef0: coef0() }
    case 'rbf':
      return { kind, gamma: gamma() }
    case 'sigmoid':
      return { kind, gamma: gamma(), coef0: coef0() }
    default:
      return { kind }
  }
}

interface Vectors {
  readonly supportVectors: Matrix
  readonly dualCoef: Float64Array
}

/**
 * The vectors by the reader of data files, several times as fast: a line is a data line with the coefficient as its
 * label. Undefined where they have a flaw (a comment is one here), which {@link readVectors} then finds and names.
 */
function plainVectors(lines: readonly string[], from: number, count: number): Vectors | undefined {
  const given = lines.length - from - (lines.at(-1) === '' ? 1 : 0)
  const text = lines.slice(from).join('\n')
  if (given === 0 || given !== count || /[#q]/.test(text)) return undefined
  try {
    const { samples, labels } = parseLibsvm(text, { indexBase: 1, labels: 'number' })
    if (samples.rows !== count || samples.cols > largestIndex) return undefined
    return { supportVectors: samples, dualCoef: labels as Float64Array }
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

function readVectors(
  lines: readonly string[],
  from: number,
  count: number,
  precomputed: boolean,
  file: string | undefined,
): Vectors {
  const reader = new VectorReader(file, precomputed)
  for (let i = from; i < lines.length; i++) {
    if (lines[i].trim() !== '') reader.line(lines[i], i + 1)
    else if (i < lines.length - 1) throw new FormatError('a support vector is missing', { file, line: i + 1 })
  }
  if (reader.count !== count) {
    throw new FormatError(`total_sv is ${count}, but ${reader.count} support vectors follow`, { file })
  }
  return { supportVectors: reader.matrix(), dualCoef: Float64Array.from(reader.coefficients) }
}

/** Collects the lines after `SV`: a coefficient and `index:value` pairs, or `0:serial` for precomputed kernels. */
class VectorReader {
  readonly coefficients: number[] = []
  private readonly file: string | undefined
  private readonly precomputed: boolean
  private readonly ends: number[] = [0]
  private readonly indices: number[] = []
  private readonly values: number[] = []
  private cols = 0

  constructor(file: string | undefined, precomputed: boolean) {
    this.file = file
    this.precomputed = precomputed
  }

  get count(): number {
    return this.coefficients.length
  }

  line(text: string, line: number): void {
    const tokens = text.trim().split(/\s+/)
    const dual = numberFromText(tokens[0])
    if (!Number.isFinite(dual)) {
      throw this.error(text, line, 0, `the coefficient must be a finite number, got ${show(tokens[0])}`)
    }
    const first = this.precomputed ? 0 : 1
    let previous = first - 1
    for (let t = 1; t < tokens.length; t++) {
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
    this.ends.push(this.values.length)
    if (this.precomputed && !this.endsInSerial()) {
      throw this.error(text, line, 0, 'expected 0:serial, a whole number >= 1, and nothing else')
    }
    this.coefficients.push(dual)
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
