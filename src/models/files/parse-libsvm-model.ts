/**
 * LIBSVM's text format for models, read. Classes become ascending, and the pairs change their signs with them; the order of
 * the file is kept where it matters, for ties. It does not say how many features the training data had, nor how good the
 * solution is.
 */

import { DENSITY_MARKS } from '../../calibration/density-marks.ts'
import { type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import type { ModelType } from '../model-types.ts'
import { OneClassModel } from '../one-class-model.ts'
import { pairCount } from '../pairs.ts'
import { SvcModel } from '../svc-model.ts'
import { SvrModel } from '../svr-model.ts'
import { libsvmKernels } from './foreign-format.ts'
import { fromFileOrder, labelOrderOf, positionsIn } from './libsvm-pairs.ts'
import { libsvmVectors } from './libsvm-vectors.ts'
import { ModelHeader } from './model-header.ts'

/** Options of {@link parseLibsvmModel}. */
export interface ParseLibsvmModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
}

/** The fields of the header. */
const fields = [
  ...['svm_type', 'kernel_type', 'degree', 'gamma', 'coef0', 'nr_class', 'total_sv', 'rho', 'label'],
  ...['probA', 'probB', 'prob_density_marks', 'nr_sv'],
]

/** A model that LIBSVM can hold. */
export type LibsvmModel = SvcModel<unknown> | SvrModel<unknown> | OneClassModel<unknown>

const typesByName = {
  c_svc: 'svc',
  nu_svc: 'nu-svc',
  one_class: 'one-class',
  epsilon_svr: 'svr',
  nu_svr: 'nu-svr',
} as const satisfies Record<string, ModelType>

/** The model that LIBSVM's text describes. Throws a FormatError that names field and line. */
export function parseLibsvmModel(text: string, options: ParseLibsvmModelOptions = {}): LibsvmModel {
  const { name: file } = options
  const lines = text.split('\n')
  const header = new ModelHeader(lines, { fields, end: 'SV' }, file)
  const svmType = header.word('svm_type', Object.keys(typesByName) as (keyof typeof typesByName)[])
  const type = typesByName[svmType]
  const spec = readKernel(header)
  const precomputed = spec.kind === 'precomputed'
  const classCount = header.wholes('nr_class', 1, 1)[0]
  const count = header.wholes('total_sv', 1, 0)[0]
  const vectors = (columns: number) => ({
    kernel: kernelFromSpec(spec),
    ...libsvmVectors(lines, { from: header.lineCount, count, columns, precomputed, file }),
  })
  if (type === 'svc' || type === 'nu-svc') {
    header.without(svmType, ['prob_density_marks'])
    const { labels, ...pairs } = readClasses(header, classCount, count)
    const { kernel, dualCoef, supportVectors: filed } = vectors(classCount - 1)
    const classes = [...labels].sort((a, b) => a - b)
    const { order, sigmoid, ...machines } = fromFileOrder(
      { dualCoef, ...pairs },
      positionsIn(classes, labels),
    )
    const supportVectors = order ? selectRows(filed, order) : filed
    return new SvcModel<unknown>({
      ...{ type, classes, labelOrder: labelOrderOf(labels, classes), kernel, ...machines, supportVectors },
      supportIndices: precomputed ? serialIndices(supportVectors) : undefined,
      probability: sigmoid && { method: 'sigmoid', ...sigmoid },
    })
  }
  if (classCount !== 2) header.refuse('nr_class', '2', classCount)
  header.without(svmType, ['label', 'nr_sv', 'probB', type === 'one-class' ? 'probA' : 'prob_density_marks'])
  const bias = -header.reals('rho', 1)[0]
  const marks = header.has('prob_density_marks') ? readMarks(header) : undefined
  const [sigma] = header.has('probA') ? header.reals('probA', 1) : []
  if (sigma < 0) header.refuse('probA', '>= 0', sigma)
  const found = vectors(1)
  const supportIndices = precomputed ? serialIndices(found.supportVectors) : undefined
  if (type === 'one-class') {
    const probability = marks && { method: 'density' as const, marks }
    return new OneClassModel<unknown>({ ...found, supportIndices, bias, probability })
  }
  const probability = sigma === undefined ? undefined : { method: 'laplace' as const, sigma }
  return new SvrModel<unknown>({ type, ...found, supportIndices, bias, probability })
}

/** What the header says of k classes, in the order of the file. */
function readClasses(header: ModelHeader, k: number, count: number) {
  const listed = header.size('label')
  // Two lines against one: it is nr_class that is wrong.
  if (listed !== k && listed === header.size('nr_sv')) {
    header.refuse('nr_class', `${listed}, the number of labels`, k)
  }
  const pairs = pairCount(k)
  const biases = Float64Array.from(header.reals('rho', pairs), (rho) => -rho)
  const labels = header.labels(k)
  const supportCounts = Uint32Array.from(header.wholes('nr_sv', k, 0))
  if (supportCounts.reduce((sum, one) => sum + one, 0) !== count) {
    header.refuse('nr_sv', `${k} numbers that sum to total_sv, ${count}`, supportCounts.join(' '))
  }
  const numbers = (field: string) => Float64Array.from(header.reals(field, pairs))
  const isCalibrated = header.has('probA') || header.has('probB')
  const sigmoid = isCalibrated ? { a: numbers('probA'), b: numbers('probB') } : undefined
  return { labels, supportCounts, biases, sigmoid }
}

function readMarks(header: ModelHeader): Float64Array {
  const marks = header.reals('prob_density_marks', DENSITY_MARKS)
  if (marks.some((mark, i) => i > 0 && mark < marks[i - 1])) {
    header.refuse('prob_density_marks', `${DENSITY_MARKS} numbers that do not fall`, marks.join(' '))
  }
  return Float64Array.from(marks)
}

/** With a precomputed kernel, which samples the vectors were: those of their serial numbers. */
function serialIndices({ values }: Matrix): Uint32Array {
  return Uint32Array.from(values, (serial) => serial - 1)
}

function readKernel(header: ModelHeader): KernelSpec {
  const kind = header.word('kernel_type', Object.keys(libsvmKernels) as (keyof typeof libsvmKernels)[])
  const shape = libsvmKernels[kind].map((field) => {
    const [value] = field === 'degree' ? header.wholes(field, 1, 0) : header.reals(field, 1)
    if (field === 'gamma' && value < 0) header.refuse(field, '>= 0', value)
    return [field, value]
  })
  return { kind, ...Object.fromEntries(shape) } as KernelSpec
}
