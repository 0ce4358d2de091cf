/** Models from their JSON text, checked field by field. The layout: ./model-document.ts. */
import type { z } from 'zod'
import { FormatError, HyperplaneError, show } from '../base/errors.ts'
import { type Samples, sampleCount } from '../data/dataset.ts'
import { isMatrix } from '../data/matrix.ts'
import { type Scaler, scalerColumns } from '../data/scaler.ts'
import type { AnyKernel, KernelSpec } from '../kernels/kernel.ts'
import { type KernelFunctions, kernelFromSpec } from '../kernels/kernel-from-spec.ts'
import { LinearSvcModel } from './linear-svc-model.ts'
import type { Model } from './model.ts'
import { linearSvcSchema, svcSchema } from './model-schema.ts'
import { SvcModel } from './svc-model.ts'

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
  let document: { format?: unknown; version?: unknown; type?: unknown } | null
  try {
    document = JSON.parse(text)
  } catch (error) {
    return fail([], `not valid JSON: ${(error as Error).message}`)
  }
  if (document?.format !== 'hyperplane-model') {
    return fail(['format'], `must be "hyperplane-model", got ${show(document?.format)}`)
  }
  if (document.version !== 1) return fail(['version'], `must be 1, got ${show(document.version)}`)
  if (document.type === 'linear-svc') return readLinearSvc(parse(linearSvcSchema, document), fail)
  if (document.type === 'svc') return readSvc(parse(svcSchema, document), options.functions, fail)
  return fail(['type'], `must be one of svc, linear-svc, got ${show(document.type)}`)
}

type Fail = (path: PropertyKey[], message: string) => never

function readLinearSvc(document: z.infer<typeof linearSvcSchema>, fail: Fail): LinearSvcModel {
  const [{ bias, coef, certificate }] = document.machines
  const { classes, features, featureNames, scaler } = document
  checkWidths(features, document, fail)
  if (features !== undefined && coef.length !== features) {
    fail(['machines', 0, 'coef'], `must be ${features} numbers, one a feature, got ${coef.length}`)
  }
  return new LinearSvcModel({ classes, features, featureNames, scaler, bias, coef, certificate })
}

function readSvc(
  document: z.infer<typeof svcSchema>,
  functions: KernelFunctions | undefined,
  fail: Fail,
): SvcModel<unknown> {
  const [{ bias, dualCoef, certificate, probability }] = document.machines
  const { classes, features, featureNames, scaler } = document
  const { samples, indices } = document.support
  const count = sampleCount(samples)
  if (dualCoef.length !== count) {
    fail(
      ['machines', 0, 'dualCoef'],
      `must be ${count} numbers, one a support vector, got ${dualCoef.length}`,
    )
  }
  if (indices && indices.length !== count) {
    fail(['support', 'indices'], `must be ${count} numbers, one a support vector, got ${indices.length}`)
  }
  checkWidths(features, document, fail)
  const kernel = readKernel(document.kernel, functions, fail)
  checkSamples(samples, kernel, features, scaler, fail)
  return new SvcModel<unknown>({
    classes,
    features,
    featureNames,
    scaler,
    kernel,
    supportVectors: samples,
    supportIndices: indices,
    dualCoef,
    bias,
    certificate,
    probability,
  })
}

function readKernel(spec: KernelSpec, functions: KernelFunctions | undefined, fail: Fail): AnyKernel {
  try {
    return kernelFromSpec(spec, { functions })
  } catch (error) {
    if (!(error instanceof HyperplaneError)) throw error
    return fail(['kernel'], error.message)
  }
}

function checkWidths(
  features: number | undefined,
  { featureNames, scaler }: { featureNames?: readonly string[]; scaler?: Scaler },
  fail: Fail,
): void {
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
