/** What a version 1 model file must look like, and what becomes of it. The layout: ./model-document.ts. */
import { z } from 'zod'
import type { Certificate, Evidence, StopReason } from '../../certify/certificate.ts'
import { scalerSchema } from '../../data/scaling/scaler-schema.ts'
import type { Samples } from '../../data/table/dataset.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { classLosses, tubeLosses } from '../../problems/linear-loss.ts'
import { liblinearNames, type TrainingSettings } from '../model-parts.ts'
import type { ModelType } from '../model-types.ts'
import { anyNumber, counts, finiteNumber, finiteNumbers } from './json-number-schemas.ts'
import { decodeDeep } from './json-numbers.ts'

const count = z.int().min(0).max(0xffffffff)
const label = z.union([z.number(), z.string()], 'must be a number or a string')

const shape = { gamma: finiteNumber, coef0: finiteNumber }

const kernelSchema: z.ZodType<KernelSpec> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('linear') }),
    z.strictObject({ kind: z.literal('polynomial'), ...shape, degree: finiteNumber }),
    z.strictObject({ kind: z.literal('rbf'), gamma: finiteNumber }),
    z.strictObject({ kind: z.literal('sigmoid'), ...shape }),
    z.strictObject({ kind: z.literal('precomputed') }),
    z.strictObject({ kind: z.enum(['custom', 'feature-map', 'rank-one']), name: z.string() }),
    z.strictObject({ kind: z.enum(['sum', 'product']), of: z.array(kernelSchema).min(1) }),
    z.strictObject({ kind: z.literal('scale'), factor: finiteNumber, of: kernelSchema }),
    z.strictObject({ kind: z.literal('shift'), offset: finiteNumber, of: kernelSchema }),
    z.strictObject({ kind: z.literal('exp'), of: kernelSchema }),
  ]),
)

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

const evidenceSchema: z.ZodType<Evidence> = z.strictObject({
  rows: count,
  rowsInDouble: count,
  rowsSampled: count,
  bound: z.enum(['worst-case', 'sampled']),
  violationError: errorBar,
  primalError: errorBar,
  dualError: errorBar,
  gapError: errorBar,
})

const certificateSchema: z.ZodType<Certificate> = z.strictObject({
  primal: anyNumber,
  dual: anyNumber,
  gap: anyNumber,
  maxViolation: anyNumber,
  supportVectors: count,
  boundedSupportVectors: count,
  evidence: evidenceSchema.optional(),
  stopReason: z.enum(stopReasons),
  iterations: z.number().min(0),
  seconds: z.number().min(0),
  solver: z.string(),
  tol: anyNumber,
  proves: z.enum(['optimum', 'stationary-point']).optional(),
  precision: z.enum(['f32', 'f64']).optional(),
  width: anyNumber.optional(),
  noMargin: z.literal(true).optional(),
})

const trainingSchema: z.ZodType<TrainingSettings> = z.strictObject({
  C: anyNumber.optional(),
  nu: finiteNumber.optional(),
  epsilon: finiteNumber.optional(),
  classWeight: z.union([z.literal('balanced'), z.record(z.string(), finiteNumber)]).optional(),
  loss: z.enum([...classLosses, ...tubeLosses]).optional(),
  penalty: z.enum(['l2', 'l1']).optional(),
  bias: z.enum(['free', 'regularised', 'none']).optional(),
  interceptScaling: finiteNumber.optional(),
  samples: count.optional(),
  weighted: z.boolean().optional(),
  fromDual: z.boolean().optional(),
})

const denseSchema = z
  .strictObject({ kind: z.literal('dense'), rows: count, cols: count, values: finiteNumbers })
  .refine(({ rows, cols, values }) => values.length === rows * cols, {
    path: ['values'],
    error: 'must hold rows x cols numbers',
  })

const sparseSchema = z
  .strictObject({
    kind: z.literal('sparse'),
    rows: count,
    cols: count,
    indptr: counts,
    indices: counts,
    values: finiteNumbers,
  })
  .superRefine(({ rows, cols, indptr, indices, values }, context) => {
    const issue = issuesOf(context)
    if (indptr.length !== rows + 1) return issue(['indptr'], 'must hold rows + 1 numbers')
    if (indptr[0] !== 0) return issue(['indptr', 0], 'must be 0')
    if (indices.length !== values.length) return issue(['indices'], 'must be as many as values')
    if (indptr[rows] !== values.length) return issue(['indptr', rows], 'must be the number of values')
    const falls = firstFall(indptr)
    if (falls >= 0) return issue(['indptr', falls], 'must not be smaller than the one before')
    for (let i = 0; i < rows; i++) {
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        if (indices[k] >= cols) return issue(['indices', k], 'must be smaller than cols')
        if (k > indptr[i] && indices[k] <= indices[k - 1]) {
          return issue(['indices', k], 'must be larger than the one before it in its row')
        }
      }
    }
  })

const listSchema = z.strictObject({ kind: z.literal('list'), values: z.array(z.unknown()) })

const samplesSchema = z
  .discriminatedUnion('kind', [denseSchema, sparseSchema, listSchema])
  .transform((samples): Samples => (samples.kind === 'list' ? samples.values : samples))

const headShape = {
  format: z.literal('hyperplane-model'),
  version: z.literal(1),
  features: count.optional(),
  featureNames: z.array(z.string()).optional(),
  scaler: z.preprocess(decodeDeep, scalerSchema).optional(),
  certificates: z.array(certificateSchema).min(1).optional(),
  training: trainingSchema.optional(),
}

const classifierShape = {
  ...headShape,
  classes: z
    .array(label)
    .min(1)
    .refine(
      (labels) =>
        new Set(labels).size === labels.length && new Set(labels.map((one) => typeof one)).size === 1,
      'must be different labels of one type',
    ),
  labelOrder: z.array(count).optional(),
}

const supportShape = { indices: counts.optional(), samples: samplesSchema }

const probabilitySchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('sigmoid'), a: finiteNumber, b: finiteNumber }),
  z
    .strictObject({ method: z.literal('isotonic'), x: finiteNumbers, y: finiteNumbers })
    .superRefine(({ x, y }, context) => {
      const issue = issuesOf(context)
      if (x.length === 0) return issue(['x'], 'must not be empty')
      if (y.length !== x.length) return issue(['y'], 'must be as many as x')
      const falls = x.findIndex((value, i) => i > 0 && !(value > x[i - 1]))
      if (falls >= 0) return issue(['x', falls], 'must be larger than the one before')
    }),
])

const noiseSchema = z.strictObject({
  method: z.literal('laplace'),
  sigma: finiteNumber.refine((sigma) => sigma >= 0, 'must be >= 0'),
})

const densitySchema = z.strictObject({
  method: z.literal('density'),
  marks: finiteNumbers.superRefine((marks, context) => {
    const issue = issuesOf(context)
    if (marks.length !== 10) return issue([], `must be 10 numbers, got ${marks.length}`)
    const falls = firstFall(marks)
    if (falls >= 0) issue([falls], 'must not be smaller than the one before')
  }),
})

/** The place of the first number that is smaller than the one before, or −1. */
function firstFall(numbers: Float64Array | Uint32Array): number {
  return numbers.findIndex((value: number, i: number) => i > 0 && value < numbers[i - 1])
}

function issuesOf(context: z.RefinementCtx) {
  return (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
}

const linearMachine = { bias: finiteNumber, coef: finiteNumbers, dual: finiteNumbers.optional() }

/** A kernel classifier's file. */
export const svcSchema = z.strictObject({
  ...classifierShape,
  type: z.enum(['svc', 'nu-svc']),
  kernel: kernelSchema,
  support: z.strictObject({ counts, ...supportShape }),
  decisionFunctionShape: z.enum(['ovr', 'ovo']).optional(),
  breakTies: z.boolean().optional(),
  machines: z.array(
    z.strictObject({
      negative: count,
      positive: count,
      bias: finiteNumber,
      dualCoef: finiteNumbers,
      probability: probabilitySchema.optional(),
    }),
  ),
})

/** A kernel regression's file. */
export const svrSchema = singleKernelSchema(z.enum(['svr', 'nu-svr']), noiseSchema)

/** A one-class model's file. */
export const oneClassSchema = singleKernelSchema(z.literal('one-class'), densitySchema)

/** A linear classifier's file. */
export const linearSvcSchema = z.strictObject({
  ...classifierShape,
  type: z.literal('linear-svc'),
  multiClass: z.enum(['ovr', 'crammer-singer']).optional(),
  liblinearSolver: z.enum(liblinearNames('linear-svc')).optional(),
  machines: z
    .array(
      z.strictObject({
        ...linearMachine,
        negative: count.optional(),
        positive: count,
        probability: probabilitySchema.optional(),
      }),
    )
    .min(1),
})

/** A linear regression's file. */
export const linearSvrSchema = singleLinearSchema('linear-svr')

/** A linear one-class model's file. */
export const linearOneClassSchema = singleLinearSchema('linear-one-class')

function singleKernelSchema<T extends z.ZodType, P extends z.ZodType>(type: T, probability: P) {
  return z.strictObject({
    ...headShape,
    type,
    kernel: kernelSchema,
    support: z.strictObject(supportShape),
    machines: z.tuple([
      z.strictObject({ bias: finiteNumber, dualCoef: finiteNumbers, probability: probability.optional() }),
    ]),
  })
}

function singleLinearSchema<T extends ModelType>(type: T) {
  return z.strictObject({
    ...headShape,
    type: z.literal(type),
    liblinearSolver: z.enum(liblinearNames(type)).optional(),
    machines: z.tuple([z.strictObject(linearMachine)]),
  })
}
