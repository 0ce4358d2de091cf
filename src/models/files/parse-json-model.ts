/** Models from their JSON text, checked field by field. The layout: ./model-document.ts. */

import { allocate } from '../../base/allocate.ts'
import { FormatError, HyperplaneError, ParameterError, show } from '../../base/errors.ts'
import { positiveOf } from '../../base/positive-class.ts'
import type * as z from '../../base/schema.ts'
import { MOST_CERTIFICATES } from '../../certify/summarise-certificates.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import { scalerColumns } from '../../data/scaling/scaler.ts'
import { sampleCount } from '../../data/table/dataset.ts'
import { parseJson } from '../../data/text/json-text.ts'
import type { AnyKernel, KernelSpec } from '../../kernels/kernel.ts'
import { type KernelFunctions, kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import { LinearOneClassModel } from '../linear-one-class-model.ts'
import { LinearSvcModel } from '../linear-svc-model.ts'
import { LinearSvrModel } from '../linear-svr-model.ts'
import type { Model } from '../model.ts'
import type { KernelParts, PairProbability, TrainingSettings } from '../model-parts.ts'
import { modelTypes } from '../model-types.ts'
import { OneClassModel } from '../one-class-model.ts'
import { groupStarts, pairCount, setPairCoefficients } from '../pairs.ts'
import { SvcModel } from '../svc-model.ts'
import { SvrModel } from '../svr-model.ts'
import { tableRows } from '../table-rows.ts'
import {
  linearOneClassSchema,
  linearSvcSchema,
  linearSvrSchema,
  oneClassSchema,
  svcSchema,
  svrSchema,
} from './model-schema.ts'

/** Options for reading a model. */
export interface ParseModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
  /** The functions that the model's kernel was made of (`custom`, `featureMap`, `rankOne`), by name. */
  readonly functions?: KernelFunctions
}

/** The model that a JSON text holds. Throws a {@link FormatError} that names the field that is wrong. */
export function parseJsonModel(text: string, options: ParseModelOptions = {}): Model {
  return modelOfDocument(parseJson(text, 'not valid JSON', options.name), options)
}

/** The model whose JSON text says what `document` holds. */
export function modelOfDocument(document: unknown, { name: file, functions }: ParseModelOptions): Model {
  try {
    return readDocument(document as Partial<Record<string, unknown>> | null, functions)
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const { path, message } = error
    throw new FormatError(path.length > 0 ? `${fieldName(path)}: ${message}` : message, { file })
  }
}

/** A field that is not as it must be. */
class FieldError extends Error {
  readonly path: readonly PropertyKey[]

  constructor(path: readonly PropertyKey[], message: string) {
    super(message)
    this.path = path
  }
}

function refuse(path: readonly PropertyKey[], message: string): never {
  throw new FieldError(path, message)
}

function readDocument(
  document: Partial<Record<string, unknown>> | null,
  functions: KernelFunctions | undefined,
): Model {
  const parse = <T>(schema: z.Schema<T>): T => {
    const result = schema.safeParse(document)
    if (result.success) return result.data
    return refuse(result.error.path, result.error.message)
  }
  const { format, version, type } = document ?? {}
  if (format !== 'hyperplane-model') refuse(['format'], `must be "hyperplane-model", got ${show(format)}`)
  if (version !== 1 && version !== 2) refuse(['version'], `must be 1 or 2, got ${show(version)}`)
  switch (type) {
    case 'svc':
    case 'nu-svc':
      return readSvc(parse(svcSchema), functions)
    case 'svr':
    case 'nu-svr': {
      const svr = parse(svrSchema)
      return new SvrModel<unknown>({ ...singleParts(svr), ...kernelParts(svr, functions) })
    }
    case 'one-class': {
      const oneClass = parse(oneClassSchema)
      return new OneClassModel<unknown>({ ...singleParts(oneClass), ...kernelParts(oneClass, functions) })
    }
    case 'linear-svc':
      return readLinearSvc(parse(linearSvcSchema))
    case 'linear-svr':
      return new LinearSvrModel(linearParts(parse(linearSvrSchema)))
    case 'linear-one-class':
      return new LinearOneClassModel(linearParts(parse(linearOneClassSchema)))
    default:
      return refuse(['type'], `must be one of ${modelTypes.join(', ')}, got ${show(type)}`)
  }
}

function readSvc(
  document: z.Infer<typeof svcSchema>,
  functions: KernelFunctions | undefined,
): SvcModel<unknown> {
  const { machines, support } = document
  const { counts, samples } = support
  const k = document.classes.length
  const common = classifierParts(document)
  const kernelled = kernelParts(document, functions)
  const total = sampleCount(samples)
  checkCount(['support', 'counts'], counts.length, k, ' numbers, one per class')
  if (counts.reduce((sum, one) => sum + one, 0) !== total) {
    refuse(['support', 'counts'], `must sum to ${total}, the number of support vectors`)
  }
  checkCount(['machines'], machines.length, pairCount(k), ', one per pair of classes')
  checkCertificates(document, machines.length)
  const dualCoef = allocate(Float64Array, (k - 1) * total)
  const starts = groupStarts(counts)
  let p = 0
  for (const [i, j] of classPairs(k)) {
    const own = machines[p].dualCoef
    const positive = positiveOf(i, j, k)
    checkPosition(p, 'negative', machines[p].negative, positive === i ? j : i)
    checkPosition(p, 'positive', machines[p].positive, positive)
    checkCount(
      ['machines', p, 'dualCoef'],
      own.length,
      counts[i] + counts[j],
      ' numbers, one per support vector',
    )
    setPairCoefficients(dualCoef, starts, i, j, own)
    p++
  }
  return new SvcModel<unknown>({
    ...common,
    ...kernelled,
    ...{ supportCounts: counts, dualCoef },
    biases: Float64Array.from(machines, (machine) => machine.bias),
    probability: readProbability(machines),
  })
}

function readLinearSvc(document: z.Infer<typeof linearSvcSchema>): LinearSvcModel {
  const { machines, classes, multiClass } = document
  const k = classes.length
  const common = classifierParts(document)
  const together = multiClass === 'crammer-singer'
  const one = k === 2 && !together
  checkCount(['machines'], machines.length, one ? 1 : k, one ? ', for two classes' : ', one per class')
  checkCertificates(document, together ? 1 : machines.length)
  const width = document.features ?? machines[0].coef.length
  machines.forEach((machine, p) => {
    checkPosition(p, 'negative', machine.negative, one ? 0 : undefined)
    checkPosition(p, 'positive', machine.positive, one ? 1 : p)
    checkCount(['machines', p, 'coef'], machine.coef.length, width, ' numbers, one per feature')
  })
  // Allocated only now that there are as many numbers as the file announces.
  const coef = new Float64Array(machines.length * width)
  machines.forEach((machine, p) => {
    coef.set(machine.coef, p * width)
  })
  return new LinearSvcModel({
    ...common,
    coef,
    biases: Float64Array.from(machines, (machine) => machine.bias),
    probability: readProbability(machines),
    dual: readDual(machines, document.training),
  })
}

function linearParts(document: z.Infer<typeof linearSvrSchema> | z.Infer<typeof linearOneClassSchema>) {
  const { machines, features, training } = document
  const parts = singleParts(document)
  const { length } = parts.coef
  checkCount(['machines', 0, 'coef'], length, features ?? length, ' numbers, one per feature')
  return { ...parts, dual: readDual(machines, training) }
}

/** What documents have in common, once it is checked. */
type CommonDocument = Pick<
  z.Infer<typeof svrSchema>,
  'features' | 'featureNames' | 'preparation' | 'scaler' | 'certificates' | 'training' | 'conformal'
>

/** All that belongs to the one machine of a document, and to the document. */
function singleParts<M extends object, D extends CommonDocument & { readonly machines: readonly [M] }>(
  document: D,
): D & D['machines'][0] {
  checkCertificates(document, 1)
  return { ...modelParts(document), ...document.machines[0] }
}

/** The document with the names of its features. Models take of it what is theirs. */
function modelParts<D extends CommonDocument>(document: D): D {
  const { features, preparation, scaler } = document
  const prepared = preparation && tableRows.current.namesOf(preparation)
  const featureNames = prepared ?? document.featureNames
  if (features === undefined && (featureNames || scaler)) {
    refuse(['features'], 'is missing, which featureNames and scaler must agree with')
  }
  if (prepared && prepared.length !== features) {
    refuse(['preparation'], `must make ${features} features, got ${prepared.length}`)
  }
  if (featureNames) checkCount(['featureNames'], featureNames.length, features, ' names, one per feature')
  if (scaler && scalerColumns(scaler) !== features) {
    refuse(['scaler'], `must be for ${features} features, got one for ${scalerColumns(scaler)}`)
  }
  return { ...document, featureNames }
}

function classifierParts<
  D extends CommonDocument & Pick<z.Infer<typeof svcSchema>, 'classes' | 'labelOrder' | 'threshold'>,
>(document: D): D {
  const { classes, labelOrder, threshold } = document
  const isOrder = classes.every((_, position) => labelOrder?.includes(position))
  if (labelOrder && !(isOrder && labelOrder.length === classes.length)) {
    const last = classes.length - 1
    refuse(['labelOrder'], `must be the numbers from 0 to ${last} in some order, got ${labelOrder.join(' ')}`)
  }
  if (threshold !== undefined && classes.length !== 2) {
    refuse(['threshold'], `applies to two classes only, got ${classes.length}`)
  }
  return modelParts(document)
}

type KernelDocument = CommonDocument &
  Pick<z.Infer<typeof svrSchema>, 'kernel' | 'support'> & {
    readonly machines: readonly { readonly dualCoef: Float64Array }[]
  }

function kernelParts(document: KernelDocument, functions: KernelFunctions | undefined): KernelParts<unknown> {
  const { samples, indices } = document.support
  const count = sampleCount(samples)
  if (indices) checkCount(['support', 'indices'], indices.length, count, ' numbers, one per support vector')
  const kernel = readKernel(document.kernel, functions)
  checkSamples(document, kernel)
  if (!('classes' in document)) {
    const { length } = document.machines[0].dualCoef
    checkCount(['machines', 0, 'dualCoef'], length, count, ' numbers, one per support vector')
  }
  return { kernel, supportVectors: samples, supportIndices: indices }
}

type MachineProbability = z.Infer<typeof svcSchema>['machines'][number]['probability']

/** The probabilities of all machines together: every one of them has some, by one method, or none has. */
function readProbability(
  machines: readonly { readonly probability?: MachineProbability }[],
): PairProbability | undefined {
  const method = machines[0]?.probability?.method
  machines.forEach(({ probability }, p) => {
    if (probability?.method === method) return
    const at = ['machines', p, 'probability', ...(probability && method ? ['method'] : [])]
    refuse(at, `must be as in machines[0]: ${method ?? 'absent'}, got ${probability?.method ?? 'none'}`)
  })
  const all = machines.map(({ probability }) => probability)
  if (method === 'sigmoid') {
    const sigmoids = all.filter((one) => one?.method === method)
    const [a, b] = [sigmoids.map((one) => one.a), sigmoids.map((one) => one.b)]
    return { method, a: Float64Array.from(a), b: Float64Array.from(b) }
  }
  const curves = all.filter((one) => one?.method === 'isotonic')
  return method && { method, x: curves.map(({ x }) => x), y: curves.map(({ y }) => y) }
}

/** The dual variables of all machines: every one of them has some, as many as there were samples, or none has. */
function readDual(
  machines: readonly { readonly dual?: Float64Array }[],
  training: TrainingSettings | undefined,
): readonly Float64Array[] | undefined {
  const [{ dual: first }] = machines
  const all = machines.map(({ dual }, p) => {
    if (!first && dual)
      refuse(['machines', p, 'dual'], 'must be given for all machines or for none; machines[0] has none')
    const wanted = first && (training?.samples ?? first.length)
    checkCount(['machines', p, 'dual'], dual?.length ?? 0, wanted ?? 0, ' numbers, one per training sample')
    return dual as Float64Array
  })
  return first && all
}

function checkCount(path: PropertyKey[], got: number, wanted: number | undefined, which: string): void {
  if (got !== wanted) refuse(path, `must be ${wanted}${which}, got ${got}`)
}

/** One per problem that was solved, or one for all where they are very many. */
function checkCertificates({ certificates }: CommonDocument, wanted: number): void {
  const got = certificates?.length ?? wanted
  if (got === 1 && wanted > MOST_CERTIFICATES) return
  checkCount(['certificates'], got, wanted, ', one per problem that was solved')
}

function checkPosition(p: number, field: string, got: number | undefined, wanted: number | undefined): void {
  if (got !== wanted) refuse(['machines', p, field], `must be ${wanted ?? 'absent'}, got ${got ?? 'none'}`)
}

function readKernel(spec: KernelSpec, functions: KernelFunctions | undefined): AnyKernel {
  try {
    return kernelFromSpec(spec, { functions })
  } catch (error) {
    if (!(error instanceof HyperplaneError)) throw error
    const hint =
      error instanceof ParameterError && error.parameter.startsWith('functions')
        ? '; pass it again: readModel(path, { functions }) or parseModel(text, { functions })'
        : ''
    return refuse(['kernel'], `${error.message}${hint}`)
  }
}

/** The support vectors must be what the kernel can work on. */
function checkSamples({ support: { samples }, features, scaler }: KernelDocument, kernel: AnyKernel): void {
  const { kind } = kernel.spec
  const at = (...path: PropertyKey[]) => ['support', 'samples', ...path]
  if (!isMatrix(samples)) {
    if (kernel.portable) refuse(at('kind'), `must be dense or sparse for the ${kind} kernel`)
    if (scaler) refuse(['scaler'], 'cannot scale samples that are not vectors')
    return
  }
  const { cols, values } = samples
  if (kind !== 'precomputed') {
    if (features === undefined || cols === features) return
    refuse(at('cols'), `must be ${features}, the number of features, got ${cols}`)
  }
  if (cols !== 1) refuse(at('cols'), `must be 1 (the serial numbers), got ${cols}`)
  if (samples.kind !== 'dense') refuse(at('kind'), 'must be dense for the precomputed kernel')
  const last = (features ?? Number.POSITIVE_INFINITY) - 1
  const bad = values.findIndex((serial) => !(Number.isInteger(serial) && serial >= 1 && serial <= last))
  if (bad >= 0) refuse(at('values', bad), `must be a whole number from 1 to ${last}, got ${values[bad]}`)
}

/** `support.samples.values[3]` */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part),
    '',
  )
}
