/** What a model file of version 1 or 2 must look like, and what becomes of it. The layout: ./model-document.ts. */
import * as z from '../../base/schema.ts'
import { DENSITY_MARKS } from '../../calibration/density-marks.ts'
import type { Certificate, Evidence, StopReason } from '../../certify/certificate.ts'
import { scalerSchema } from '../../data/scaling/scaler-schema.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { classLosses, tubeLosses } from '../../problems/linear-loss.ts'
import type { Conformal, TrainingSettings } from '../model-parts.ts'
import { liblinearNames, type ModelType } from '../model-types.ts'
import { tableRows } from '../table-rows.ts'
import { anyNumber, counts, finiteNumber, finiteNumbers } from './json-number-schemas.ts'
import { decodeDeep } from './json-numbers.ts'

const count = z.count
const label = z.union([z.number(), z.string()], 'must be a number or a string')

const shape = { gamma: finiteNumber, coef0: finiteNumber }

const kernelSchema: z.Schema<KernelSpec> = z.lazy(() => anyKernel)

const namedKernel = z.object({ kind: z.oneOf(['custom', 'feature-map', 'rank-one']), name: z.string() })
const joinedKernel = z.object({ kind: z.oneOf(['sum', 'product']), of: z.array(kernelSchema, { min: 1 }) })

const anyKernel: z.Schema<KernelSpec> = z.variants('kind', {
  linear: z.object({ kind: z.literal('linear') }),
  polynomial: z.object({ kind: z.literal('polynomial'), ...shape, degree: finiteNumber }),
  rbf: z.object({ kind: z.literal('rbf'), gamma: finiteNumber }),
  sigmoid: z.object({ kind: z.literal('sigmoid'), ...shape }),
  precomputed: z.object({ kind: z.literal('precomputed') }),
  custom: namedKernel,
  'feature-map': namedKernel,
  'rank-one': namedKernel,
  sum: joinedKernel,
  product: joinedKernel,
  scale: z.object({ kind: z.literal('scale'), factor: finiteNumber, of: kernelSchema }),
  shift: z.object({ kind: z.literal('shift'), offset: finiteNumber, of: kernelSchema }),
  exp: z.object({ kind: z.literal('exp'), of: kernelSchema }),
})

const stopReasons = [
  'converged',
  'stalled',
  'unbounded',
  'iteration-limit',
  'time-limit',
  'aborted',
] as const satisfies readonly StopReason[]

/** NaN is allowed, too: it makes every claim fail. */
const errorBar = anyNumber.refine((error) => !(error < 0), 'must not be negative')

const evidenceSchema: z.Schema<Evidence> = z.object({
  rows: count,
  rowsInDouble: count,
  rowsSampled: count,
  bound: z.oneOf(['worst-case', 'sampled']),
  violationError: errorBar,
  primalError: errorBar,
  dualError: errorBar,
  gapError: errorBar,
})

const certificateSchema: z.Schema<Certificate> = z.object({
  primal: anyNumber,
  dual: anyNumber,
  gap: anyNumber,
  maxViolation: anyNumber,
  supportVectors: count,
  boundedSupportVectors: count,
  evidence: evidenceSchema.optional(),
  stopReason: z.oneOf(stopReasons),
  iterations: z.number({ min: 0 }),
  seconds: z.number({ min: 0 }),
  solver: z.string(),
  tol: anyNumber,
  proves: z.oneOf(['optimum', 'stationary-point']).optional(),
  precision: z.oneOf(['f32', 'f64']).optional(),
  width: anyNumber.optional(),
  noMargin: z.literal(true).optional(),
})

const trainingSchema: z.Schema<TrainingSettings> = z.object({
  C: anyNumber.optional(),
  nu: finiteNumber.optional(),
  epsilon: finiteNumber.optional(),
  classWeight: z.union([z.literal('balanced'), z.record(finiteNumber)]).optional(),
  loss: z.oneOf([...classLosses, ...tubeLosses]).optional(),
  penalty: z.oneOf(['l2', 'l1']).optional(),
  bias: z.oneOf(['free', 'regularised', 'none']).optional(),
  interceptScaling: finiteNumber.optional(),
  samples: count.optional(),
  weighted: z.boolean().optional(),
  fromDual: z.boolean().optional(),
  targetScaling: z.object({ mean: finiteNumber, scale: finiteNumber }).optional(),
})

const conformalSchema: z.Schema<Conformal> = z.object({
  level: z.number({ above: 0, max: 1 }),
  by: z.oneOf(['residuals', 'probabilities', 'scores']),
  quantile: anyNumber.refine((value) => !Number.isNaN(value), 'must not be NaN'),
  from: z.oneOf(['split', 'folds']),
  samples: count,
})

const denseSchema = z
  .object({ kind: z.literal('dense'), rows: count, cols: count, values: finiteNumbers })
  .check(({ rows, cols, values }, refuse) => {
    if (values.length !== rows * cols) refuse('must hold rows x cols numbers', ['values'])
  })

const sparseSchema = z
  .object({
    kind: z.literal('sparse'),
    rows: count,
    cols: count,
    indptr: counts,
    indices: counts,
    values: finiteNumbers,
  })
  .check(({ rows, cols, indptr, indices, values }, refuse) => {
    if (indptr.length !== rows + 1) return refuse('must hold rows + 1 numbers', ['indptr'])
    if (indptr[0] !== 0) return refuse('must be 0', ['indptr', 0])
    if (indices.length !== values.length) return refuse('must be as many as values', ['indices'])
    if (indptr[rows] !== values.length) return refuse('must be the number of values', ['indptr', rows])
    const falls = firstFall(indptr)
    if (falls >= 0) return refuse('must not be smaller than the one before', ['indptr', falls])
    for (let i = 0; i < rows; i++) {
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        if (indices[k] >= cols) return refuse('must be smaller than cols', ['indices', k])
        if (k > indptr[i] && indices[k] <= indices[k - 1]) {
          return refuse('must be larger than the one before it in its row', ['indices', k])
        }
      }
    }
  })

const listSchema = z.object({ kind: z.literal('list'), values: z.array(z.unknown()) })

const samplesSchema = z
  .variants('kind', { dense: denseSchema, sparse: sparseSchema, list: listSchema })
  .transform((samples): Samples => (samples.kind === 'list' ? samples.values : samples))

const headShape = {
  format: z.literal('hyperplane-model'),
  version: z.int({ min: 1, max: 2 }),
  features: count.optional(),
  featureNames: z.array(z.string()).optional(),
  preparation: z.custom((value) => tableRows.current.schema.read(value)).optional(),
  scaler: z.custom((value) => scalerSchema.read(decodeDeep(value))).optional(),
  certificates: z.array(certificateSchema, { min: 1 }).optional(),
  training: trainingSchema.optional(),
  conformal: conformalSchema.optional(),
}

const classifierShape = {
  ...headShape,
  classes: z
    .array(label, { min: 1 })
    .refine(
      (labels) =>
        new Set(labels).size === labels.length && new Set(labels.map((one) => typeof one)).size === 1,
      'must be different labels of one type',
    ),
  labelOrder: z.array(count).optional(),
  threshold: anyNumber.refine((value) => !Number.isNaN(value), 'must not be NaN').optional(),
}

const supportShape = { indices: counts.optional(), samples: samplesSchema }

const probabilitySchema = z.variants('method', {
  sigmoid: z.object({ method: z.literal('sigmoid'), a: finiteNumber, b: finiteNumber }),
  isotonic: z
    .object({ method: z.literal('isotonic'), x: finiteNumbers, y: finiteNumbers })
    .check(({ x, y }, refuse) => {
      if (x.length === 0) return refuse('must not be empty', ['x'])
      if (y.length !== x.length) return refuse('must be as many as x', ['y'])
      const falls = x.findIndex((value, i) => i > 0 && !(value > x[i - 1]))
      if (falls >= 0) return refuse('must be larger than the one before', ['x', falls])
    }),
})

const noiseSchema = z.object({
  method: z.literal('laplace'),
  sigma: finiteNumber.refine((sigma) => sigma >= 0, 'must be >= 0'),
})

const densitySchema = z.object({
  method: z.literal('density'),
  marks: finiteNumbers.check((marks, refuse) => {
    if (marks.length !== DENSITY_MARKS) return refuse(`must be ${DENSITY_MARKS} numbers, got ${marks.length}`)
    const falls = firstFall(marks)
    if (falls >= 0) refuse('must not be smaller than the one before', [falls])
  }),
})

/** The place of the first number that is smaller than the one before, or −1. */
function firstFall(numbers: Float64Array | Uint32Array): number {
  return numbers.findIndex((value: number, i: number) => i > 0 && value < numbers[i - 1])
}

const linearMachine = { bias: finiteNumber, coef: finiteNumbers, dual: finiteNumbers.optional() }

/** A kernel classifier's file. */
export const svcSchema = z.object({
  ...classifierShape,
  type: z.oneOf(['svc', 'nu-svc']),
  kernel: kernelSchema,
  support: z.object({ counts, ...supportShape }),
  decisionFunctionShape: z.oneOf(['ovr', 'ovo']).optional(),
  breakTies: z.boolean().optional(),
  machines: z.array(
    z.object({
      negative: count,
      positive: count,
      bias: finiteNumber,
      dualCoef: finiteNumbers,
      probability: probabilitySchema.optional(),
    }),
  ),
})

/** A kernel regression's file. */
export const svrSchema = singleKernelSchema(z.oneOf(['svr', 'nu-svr']), noiseSchema)

/** A one-class model's file. */
export const oneClassSchema = singleKernelSchema(z.literal('one-class'), densitySchema)

/** A linear classifier's file. */
export const linearSvcSchema = z.object({
  ...classifierShape,
  type: z.literal('linear-svc'),
  multiClass: z.oneOf(['ovr', 'crammer-singer']).optional(),
  liblinearSolver: z.oneOf(liblinearNames['linear-svc']).optional(),
  machines: z.array(
    z.object({
      ...linearMachine,
      negative: count.optional(),
      positive: count,
      probability: probabilitySchema.optional(),
    }),
    { min: 1 },
  ),
})

/** A linear regression's file. */
export const linearSvrSchema = singleLinearSchema('linear-svr')

/** A linear one-class model's file. */
export const linearOneClassSchema = singleLinearSchema('linear-one-class')

function singleKernelSchema<T extends ModelType, P>(type: z.Schema<T>, probability: z.Schema<P>) {
  return z.object({
    ...headShape,
    type,
    kernel: kernelSchema,
    support: z.object(supportShape),
    machines: z.single(
      z.object({ bias: finiteNumber, dualCoef: finiteNumbers, probability: probability.optional() }),
    ),
  })
}

function singleLinearSchema<T extends 'linear-svr' | 'linear-one-class'>(type: T) {
  return z.object({
    ...headShape,
    type: z.literal(type),
    liblinearSolver: z.oneOf(liblinearNames[type]).optional(),
    machines: z.single(z.object(linearMachine)),
  })
}
