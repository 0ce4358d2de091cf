/** Models from their JSON text, checked field by field. The layout: ./model-document.ts. */

import type { z } from 'zod'
import { allocate } from '../../base/allocate.ts'
import { FormatError, HyperplaneError, show } from '../../base/errors.ts'
import { positiveOf } from '../../base/positive-class.ts'
import type { Certificate } from '../../certify/certificate.ts'
import { MOST_CERTIFICATES } from '../../certify/summarise-certificates.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import { type Scaler, scalerColumns } from '../../data/scaling/scaler.ts'
import { type Label, type Samples, sampleCount } from '../../data/table/dataset.ts'
import { parseJson } from '../../data/text/json-text.ts'
import type { AnyKernel, KernelSpec } from '../../kernels/kernel.ts'
import { type KernelFunctions, kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import { LinearOneClassModel } from '../linear-one-class-model.ts'
import { LinearSvcModel } from '../linear-svc-model.ts'
import { LinearSvrModel } from '../linear-svr-model.ts'
import type { Model } from '../model.ts'
import type {
  ClassifierParts,
  KernelParts,
  ModelParts,
  PairProbability,
  SingleKernelParts,
  SingleLinearParts,
  TrainingSettings,
} from '../model-parts.ts'
import { OneClassModel } from '../one-class-model.ts'
import { groupStarts, pairCount, pairIndex, setPairCoefficients } from '../pairs.ts'
import { SvcModel } from '../svc-model.ts'
import { SvrModel } from '../svr-model.ts'
import {
  linearOneClassSchema,
  linearSvcSchema,
  linearSvrSchema,
  oneClassSchema,
  svcSchema,
  svrSchema,
} from './model-schema.ts'

/** What reading a model takes beside its text. */
export interface ParseModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
  /** The functions that the model's kernel was made of (`custom`, `featureMap`, `rankOne`), by name. */
  readonly functions?: KernelFunctions
}

/** The model that a JSON text holds. Throws a {@link FormatError} that names the field that is wrong. */
export function parseJsonModel(text: string, options: ParseModelOptions = {}): Model {
  const fail = (path: PropertyKey[], message: string): never => {
    throw new FormatError(path.length > 0 ? `${fieldName(path)}: ${message}` : message, {
      file: options.name,
    })
  }
  const parse = <T>(schema: z.ZodType<T>, document: unknown): T => {
    const result = schema.safeParse(document)
    if (result.success) return result.data
    const [issue] = result.error.issues
    return fail(issue.path, issue.message)
  }
  const document = parseJson(text, 'not valid JSON', options.name) as {
    format?: unknown
    version?: unknown
    type?: unknown
  } | null
  if (document?.format !== 'hyperplane-model') {
    return fail(['format'], `must be "hyperplane-model", got ${show(document?.format)}`)
  }
  if (document.version !== 1) return fail(['version'], `must be 1, got ${show(document.version)}`)
  const { functions } = options
  switch (document.type) {
    case 'svc':
    case 'nu-svc':
      return readSvc(parse(svcSchema, document), functions, fail)
    case 'svr':
    case 'nu-svr':
      return readSvr(parse(svrSchema, document), functions, fail)
    case 'one-class':
      return readOneClass(parse(oneClassSchema, document), functions, fail)
    case 'linear-svc':
      return readLinearSvc(parse(linearSvcSchema, document), fail)
    case 'linear-svr':
      return new LinearSvrModel(singleLinearParts(parse(linearSvrSchema, document), fail))
    case 'linear-one-class':
      return new LinearOneClassModel(singleLinearParts(parse(linearOneClassSchema, document), fail))
    default:
      return fail(['type'], `must be one of ${types.join(', ')}, got ${show(document.type)}`)
  }
}

const types = ['svc', 'nu-svc', 'svr', 'nu-svr', 'one-class', 'linear-svc', 'linear-svr', 'linear-one-class']

type Fail = (path: PropertyKey[], message: string) => never

function readSvc(
  document: z.infer<typeof svcSchema>,
  functions: KernelFunctions | undefined,
  fail: Fail,
): SvcModel<unknown> {
  const { machines, type, decisionFunctionShape, breakTies, certificates } = document
  const { counts } = document.support
  const k = document.classes.length
  const labelled = classifierParts(document, fail)
  const kernelled = kernelParts(document, functions, fail)
  const total = sampleCount(document.support.samples)
  if (counts.length !== k) {
    fail(['support', 'counts'], `must be ${k} numbers, one a class, got ${counts.length}`)
  }
  if (counts.reduce((sum, one) => sum + one, 0) !== total) {
    fail(['support', 'counts'], `must sum to ${total}, the number of support vectors`)
  }
  checkMachineCount(machines.length, pairCount(k), 'one a pair of classes', fail)
  checkCertificateCount(certificates?.length, machines.length, fail)
  const dualCoef = allocate(Float64Array, (k - 1) * total)
  const starts = groupStarts(counts)
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      const p = pairIndex(i, j, k)
      const positive = positiveOf(i, j, k)
      checkPosition(p, 'negative', machines[p].negative, positive === i ? j : i, fail)
      checkPosition(p, 'positive', machines[p].positive, positive, fail)
      checkLength(p, 'dualCoef', machines[p].dualCoef, counts[i] + counts[j], 'one a support vector', fail)
      setPairCoefficients(dualCoef, starts, i, j, machines[p].dualCoef)
    }
  }
  return new SvcModel<unknown>({
    ...labelled,
    ...kernelled,
    type,
    supportCounts: counts,
    dualCoef,
    biases: Float64Array.from(machines, (machine) => machine.bias),
    probability: readProbability(machines, fail),
    decisionFunctionShape,
    breakTies,
  })
}

function readSvr(
  document: z.infer<typeof svrSchema>,
  functions: KernelFunctions | undefined,
  fail: Fail,
): SvrModel<unknown> {
  const { type, machines } = document
  return new SvrModel<unknown>({
    ...singleKernelParts(document, functions, fail),
    type,
    probability: machines[0].probability,
  })
}

function readOneClass(
  document: z.infer<typeof oneClassSchema>,
  functions: KernelFunctions | undefined,
  fail: Fail,
): OneClassModel<unknown> {
  return new OneClassModel<unknown>({
    ...singleKernelParts(document, functions, fail),
    probability: document.machines[0].probability,
  })
}

function readLinearSvc(document: z.infer<typeof linearSvcSchema>, fail: Fail): LinearSvcModel {
  const { machines, classes, multiClass, liblinearSolver, certificates } = document
  const k = classes.length
  const labelled = classifierParts(document, fail)
  const together = multiClass === 'crammer-singer'
  const one = k === 2 && !together
  checkMachineCount(machines.length, one ? 1 : k, one ? 'for two classes' : 'one a class', fail)
  checkCertificateCount(certificates?.length, together ? 1 : machines.length, fail)
  const width = document.features ?? machines[0].coef.length
  machines.forEach((machine, p) => {
    checkPosition(p, 'negative', machine.negative, one ? 0 : undefined, fail)
    checkPosition(p, 'positive', machine.positive, one ? 1 : p, fail)
    checkLength(p, 'coef', machine.coef, width, 'one a feature', fail)
  })
  const coef = new Float64Array(machines.length * width)
  machines.forEach((machine, p) => {
    coef.set(machine.coef, p * width)
  })
  const dual = readDual(machines, document.training, fail)
  return new LinearSvcModel({
    ...labelled,
    coef,
    biases: Float64Array.from(machines, (machine) => machine.bias),
    multiClass,
    probability: readProbability(machines, fail),
    liblinearSolver,
    dual,
  })
}

function singleLinearParts(
  document: z.infer<typeof linearSvrSchema> | z.infer<typeof linearOneClassSchema>,
  fail: Fail,
): SingleLinearParts {
  const { machines, features, liblinearSolver } = document
  const [{ bias, coef }] = machines
  const parts = modelParts(document, fail)
  checkCertificateCount(document.certificates?.length, 1, fail)
  if (features !== undefined) checkLength(0, 'coef', coef, features, 'one a feature', fail)
  return { ...parts, bias, coef, liblinearSolver, dual: readDual(machines, document.training, fail) }
}

function singleKernelParts(
  document: z.infer<typeof svrSchema> | z.infer<typeof oneClassSchema>,
  functions: KernelFunctions | undefined,
  fail: Fail,
): SingleKernelParts<unknown> {
  const [{ bias, dualCoef }] = document.machines
  const count = sampleCount(document.support.samples)
  const parts = { ...modelParts(document, fail), ...kernelParts(document, functions, fail), bias, dualCoef }
  checkCertificateCount(document.certificates?.length, 1, fail)
  checkLength(0, 'dualCoef', dualCoef, count, 'one a support vector', fail)
  return parts
}

/** What all documents have in common, once it is checked. */
interface CommonDocument {
  readonly features?: number
  readonly featureNames?: readonly string[]
  readonly scaler?: Scaler
  readonly certificates?: readonly Certificate[]
  readonly training?: TrainingSettings
}

function modelParts(document: CommonDocument, fail: Fail): ModelParts {
  const { features, featureNames, scaler, certificates, training } = document
  checkWidths(document, fail)
  return { features, featureNames, scaler, certificates, training }
}

function classifierParts(
  document: CommonDocument & { readonly classes: Label[]; readonly labelOrder?: number[] },
  fail: Fail,
): ClassifierParts {
  const { classes, labelOrder } = document
  const k = classes.length
  if (labelOrder && !isOrder(labelOrder, k)) {
    fail(['labelOrder'], `must be the numbers from 0 to ${k - 1} in some order, got ${labelOrder.join(' ')}`)
  }
  return { ...modelParts(document, fail), classes, labelOrder }
}

function isOrder(order: readonly number[], k: number): boolean {
  return order.length === k && new Set(order).size === k && order.every((position) => position < k)
}

function kernelParts(
  document: CommonDocument & {
    readonly kernel: KernelSpec
    readonly support: { readonly samples: Samples; readonly indices?: Uint32Array }
  },
  functions: KernelFunctions | undefined,
  fail: Fail,
): KernelParts<unknown> {
  const { samples, indices } = document.support
  const count = sampleCount(samples)
  if (indices && indices.length !== count) {
    fail(['support', 'indices'], `must be ${count} numbers, one a support vector, got ${indices.length}`)
  }
  const kernel = readKernel(document.kernel, functions, fail)
  checkSamples(samples, kernel, document.features, document.scaler, fail)
  return { kernel, supportVectors: samples, supportIndices: indices }
}

type MachineProbability = z.infer<typeof svcSchema>['machines'][number]['probability']

/** The probabilities of all machines together: every one of them has some, by one method, or none has. */
function readProbability(
  machines: readonly { readonly probability?: MachineProbability }[],
  fail: Fail,
): PairProbability | undefined {
  const method = machines[0]?.probability?.method
  machines.forEach(({ probability }, p) => {
    if (probability?.method === method) return
    const at = ['machines', p, 'probability', ...(probability && method ? ['method'] : [])]
    fail(at, `must be as in machines[0]: ${method ?? 'absent'}, got ${probability?.method ?? 'none'}`)
  })
  if (method === undefined) return undefined
  const all = machines.map(({ probability }) => probability)
  const sigmoids = all.filter((one) => one?.method === 'sigmoid')
  if (method === 'sigmoid') {
    return {
      method,
      a: Float64Array.from(sigmoids, ({ a }) => a),
      b: Float64Array.from(sigmoids, ({ b }) => b),
    }
  }
  const curves = all.filter((one) => one?.method === 'isotonic')
  return { method, x: curves.map(({ x }) => x), y: curves.map(({ y }) => y) }
}

/** The dual variables of all machines: every one of them has some, as many as there were samples, or none has. */
function readDual(
  machines: readonly { readonly dual?: Float64Array }[],
  training: TrainingSettings | undefined,
  fail: Fail,
): readonly Float64Array[] | undefined {
  const wanted = machines[0].dual && (training?.samples ?? machines[0].dual.length)
  const all: Float64Array[] = []
  machines.forEach(({ dual }, p) => {
    if (wanted === undefined && dual) fail(['machines', p, 'dual'], 'must be absent, as in machines[0]')
    if (wanted === undefined) return
    checkLength(p, 'dual', dual ?? new Float64Array(0), wanted, 'one a training sample', fail)
    if (dual) all.push(dual)
  })
  return wanted === undefined ? undefined : all
}

function checkMachineCount(got: number, wanted: number, which: string, fail: Fail): void {
  if (got !== wanted) fail(['machines'], `must be ${wanted}, ${which}, got ${got}`)
}

/** One a problem that was solved, or one for all where they are very many. */
function checkCertificateCount(got: number | undefined, wanted: number, fail: Fail): void {
  if (got === undefined || got === wanted || (got === 1 && wanted > MOST_CERTIFICATES)) return
  fail(['certificates'], `must be ${wanted}, one a problem that was solved, got ${got}`)
}

function checkPosition(
  p: number,
  field: string,
  got: number | undefined,
  wanted: number | undefined,
  fail: Fail,
): void {
  if (got !== wanted) fail(['machines', p, field], `must be ${wanted ?? 'absent'}, got ${got ?? 'none'}`)
}

function checkLength(
  p: number,
  field: string,
  { length }: Float64Array,
  wanted: number,
  which: string,
  fail: Fail,
): void {
  if (length !== wanted) fail(['machines', p, field], `must be ${wanted} numbers, ${which}, got ${length}`)
}

function readKernel(spec: KernelSpec, functions: KernelFunctions | undefined, fail: Fail): AnyKernel {
  try {
    return kernelFromSpec(spec, { functions })
  } catch (error) {
    if (!(error instanceof HyperplaneError)) throw error
    return fail(['kernel'], error.message)
  }
}

function checkWidths({ features, featureNames, scaler }: CommonDocument, fail: Fail): void {
  if (features === undefined && (featureNames || scaler)) {
    fail(['features'], 'is missing, which featureNames and scaler must agree with')
  }
  if (featureNames && featureNames.length !== features) {
    fail(['featureNames'], `must be ${features} names, one a feature, got ${featureNames.length}`)
  }
  if (scaler && scalerColumns(scaler) !== features) {
    fail(['scaler'], `must be for ${features} features, got one for ${scalerColumns(scaler)}`)
  }
}

/** The support vectors must be what the kernel can work on. */
function checkSamples(
  samples: Samples,
  kernel: AnyKernel,
  features: number | undefined,
  scaler: Scaler | undefined,
  fail: Fail,
): void {
  const at = (...path: PropertyKey[]) => ['support', 'samples', ...path]
  if (!isMatrix(samples)) {
    if (kernel.portable) fail(at('kind'), `must be dense or sparse for the ${kernel.spec.kind} kernel`)
    if (scaler) fail(['scaler'], 'cannot scale samples that are not vectors')
    return
  }
  if (kernel.spec.kind !== 'precomputed') {
    if (features !== undefined && samples.cols !== features) {
      fail(at('cols'), `must be ${features}, the number of features, got ${samples.cols}`)
    }
    return
  }
  if (samples.cols !== 1) fail(at('cols'), `must be 1 (the serial numbers), got ${samples.cols}`)
  if (samples.kind !== 'dense') fail(at('kind'), 'must be dense for the precomputed kernel')
  const last = (features ?? Number.POSITIVE_INFINITY) - 1
  const bad = samples.values.findIndex(
    (serial) => !(Number.isInteger(serial) && serial >= 1 && serial <= last),
  )
  if (bad >= 0) {
    fail(at('values', bad), `must be a whole number from 1 to ${last}, got ${samples.values[bad]}`)
  }
}

/** `support.samples.values[3]` */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part),
    '',
  )
}
