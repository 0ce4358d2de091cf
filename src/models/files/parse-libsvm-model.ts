/**
 * LIBSVM's text format for models, read. Classes become ascending, and the pairs change their signs with them; the order of
 * the file is kept where it matters, for ties. It does not say how many features the training data had, nor how good the
 * solution is.
 */

import { type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { AnyKernel, KernelSpec } from '../../kernels/kernel.ts'
import { kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import { OneClassModel } from '../one-class-model.ts'
import { pairCount } from '../pairs.ts'
import { SvcModel } from '../svc-model.ts'
import { SvrModel } from '../svr-model.ts'
import { fromFileOrder, labelOrderOf, positionsIn } from './libsvm-pairs.ts'
import { type LibsvmVectors, libsvmVectors } from './libsvm-vectors.ts'
import { libsvmFields, ModelHeader } from './model-header.ts'

/** What {@link parseLibsvmModel} takes beside the text. */
export interface ParseLibsvmModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
}

type LibsvmHeader = ModelHeader<(typeof libsvmFields)[number]>

/** A model that LIBSVM can hold. */
export type LibsvmModel = SvcModel<unknown> | SvrModel<unknown> | OneClassModel<unknown>

const kernelTypes = ['linear', 'polynomial', 'rbf', 'sigmoid', 'precomputed'] as const

const svmTypes = ['c_svc', 'nu_svc', 'one_class', 'epsilon_svr', 'nu_svr'] as const
const classFields = ['label', 'nr_sv'] as const

/** The model that LIBSVM's text describes. Throws a FormatError that names field and line. */
export function parseLibsvmModel(text: string, options: ParseLibsvmModelOptions = {}): LibsvmModel {
  const { name: file } = options
  const lines = text.split('\n')
  const header = new ModelHeader(lines, { fields: libsvmFields, end: 'SV' }, file)
  const svmType = header.word('svm_type', svmTypes)
  const spec = readKernel(header)
  const classCount = header.wholes('nr_class', 1, 1)[0]
  const count = header.wholes('total_sv', 1, 0)[0]
  const vectors = (columns: number): LibsvmVectors & { kernel: AnyKernel } => ({
    ...libsvmVectors(lines, {
      from: header.lineCount,
      count,
      columns,
      precomputed: spec.kind === 'precomputed',
      file,
    }),
    kernel: kernelFromSpec(spec),
  })
  if (svmType === 'c_svc' || svmType === 'nu_svc') {
    header.without(svmType, ['prob_density_marks'])
    const { labels, supportCounts, biases, sigmoid } = readClasses(header, classCount, count)
    const { kernel, dualCoef, ...found } = vectors(classCount - 1)
    const classes = [...labels].sort((a, b) => a - b)
    const labelOrder = labelOrderOf(labels, classes)
    const { order, ...machines } = fromFileOrder(
      { dualCoef, supportCounts, biases, sigmoid },
      positionsIn(classes, labels),
    )
    const supportVectors = order ? selectRows(found.supportVectors, order) : found.supportVectors
    return new SvcModel<unknown>({
      type: svmType === 'c_svc' ? 'svc' : 'nu-svc',
      classes,
      labelOrder,
      kernel,
      ...machines,
      supportVectors,
      ...serials(spec, supportVectors),
      probability: machines.sigmoid && { method: 'sigmoid', ...machines.sigmoid },
    })
  }
  if (classCount !== 2) header.refuse('nr_class', '2', classCount)
  header.without(svmType, [...classFields, 'probB'])
  const bias = -header.reals('rho', 1)[0]
  if (svmType === 'one_class') {
    header.without(svmType, ['probA'])
    const marks = header.has('prob_density_marks') ? readMarks(header) : undefined
    const found = vectors(1)
    const probability = marks && { method: 'density' as const, marks }
    return new OneClassModel<unknown>({ ...found, ...serials(spec, found.supportVectors), bias, probability })
  }
  header.without(svmType, ['prob_density_marks'])
  const [sigma] = header.has('probA') ? header.reals('probA', 1) : []
  if (sigma < 0) header.refuse('probA', '>= 0', sigma)
  const found = vectors(1)
  return new SvrModel<unknown>({
    type: svmType === 'epsilon_svr' ? 'svr' : 'nu-svr',
    ...found,
    ...serials(spec, found.supportVectors),
    bias,
    probability: sigma === undefined ? undefined : { method: 'laplace', sigma },
  })
}

/** What the header says of k classes, in the order of the file. */
function readClasses(header: LibsvmHeader, k: number, count: number) {
  const listed = header.size('label')
  // Two lines against one: it is nr_class that is wrong.
  if (listed !== k && listed === header.size('nr_sv')) {
    header.refuse('nr_class', `${listed}, the number of labels`, k)
  }
  const pairs = pairCount(k)
  const biases = Float64Array.from(header.reals('rho', pairs), (rho) => -rho)
  const labels = header.wholes('label', k, -(2 ** 31))
  if (new Set(labels).size !== k) header.refuse('label', `${k} different labels`, labels.join(' '))
  const supportCounts = Uint32Array.from(header.wholes('nr_sv', k, 0))
  if (supportCounts.reduce((sum, one) => sum + one, 0) !== count) {
    header.refuse('nr_sv', `${k} numbers that sum to total_sv, ${count}`, supportCounts.join(' '))
  }
  const sigmoid =
    header.has('probA') || header.has('probB')
      ? {
          a: Float64Array.from(header.reals('probA', pairs)),
          b: Float64Array.from(header.reals('probB', pairs)),
        }
      : undefined
  return { labels, supportCounts, biases, sigmoid }
}

function readMarks(header: LibsvmHeader): Float64Array {
  const marks = header.reals('prob_density_marks', 10)
  if (marks.some((mark, i) => i > 0 && mark < marks[i - 1])) {
    header.refuse('prob_density_marks', '10 numbers that do not fall', marks.join(' '))
  }
  return Float64Array.from(marks)
}

/** With a precomputed kernel, which samples the vectors were: those of their serial numbers. */
function serials(spec: KernelSpec, vectors: Samples): { supportIndices?: Uint32Array } {
  if (spec.kind !== 'precomputed') return {}
  return { supportIndices: Uint32Array.from((vectors as Matrix).values, (serial) => serial - 1) }
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
