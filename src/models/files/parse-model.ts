import { checkKnown } from '../../base/check.ts'
import { FormatError, ParameterError, show } from '../../base/errors.ts'
import type { Label } from '../../data/table/dataset.ts'
import { kernelFromSpec } from '../../kernels/kernel-from-spec.ts'
import { BaseModel } from '../base-model.ts'
import type { ModelOf } from '../labelled.ts'
import { LinearOneClassModel } from '../linear-one-class-model.ts'
import { LinearSvcModel } from '../linear-svc-model.ts'
import { LinearSvrModel } from '../linear-svr-model.ts'
import type { Model } from '../model.ts'
import type { ModelType } from '../model-types.ts'
import { OneClassModel } from '../one-class-model.ts'
import { SvcModel } from '../svc-model.ts'
import { SvrModel } from '../svr-model.ts'
import { modelOfDocument, type ParseModelOptions, parseJsonModel } from './parse-json-model.ts'
import { parseLiblinearModel } from './parse-liblinear-model.ts'
import { parseLibsvmModel } from './parse-libsvm-model.ts'

/** More than the header of a LIBLINEAR model takes before its `solver_type`. */
const HEAD = 65536

/**
 * Parses a model: JSON if the text starts with `{`, LIBLINEAR's format if it contains `solver_type`, else LIBSVM's.
 *
 * @example
 * const model = parseModel<number>(await (await fetch('moons.json')).text()) // <string> if the labels are strings
 * model.predict([[0.5, 0.25]])
 */
export function parseModel<L extends Label = Label>(
  text: string,
  options: ParseModelOptions = {},
): ModelOf<L> {
  return parseText(text, options) as ModelOf<L>
}

const classes: Readonly<Record<ModelType, new (parts: never) => Model>> = {
  svc: SvcModel<unknown>,
  'nu-svc': SvcModel<unknown>,
  svr: SvrModel<unknown>,
  'nu-svr': SvrModel<unknown>,
  'one-class': OneClassModel<unknown>,
  'linear-svc': LinearSvcModel,
  'linear-svr': LinearSvrModel,
  'linear-one-class': LinearOneClassModel,
}

/**
 * Recreates a model from a copy of its data: the result of `structuredClone(model)` or of `postMessage(model)` to another
 * thread, which has no methods; or of `model.toJSON()`, which is validated like a file. Custom kernels need their functions
 * again.
 *
 * @example
 * const copy = structuredClone(model) // or what another thread gets from postMessage(model)
 * modelFrom(copy).predict(rows)
 */
export function modelFrom<M extends Model>(copy: M, options?: ModelFromOptions): M
export function modelFrom<L extends Label = Label>(copy: object, options?: ModelFromOptions): ModelOf<L>
export function modelFrom(copy: object, options: ModelFromOptions = {}): object {
  checkKnown('modelFrom', options, ['functions'])
  if (copy instanceof BaseModel) return copy
  const data = (copy ?? {}) as Partial<Omit<Model, 'type'>> & { type?: ModelType; trace?: unknown }
  if ('format' in data) return modelOfDocument(data, { name: 'modelFrom', ...options })
  const { type, kernel, biases, trace } = data
  if (!(type && Object.hasOwn(classes, type) && kernel?.spec && biases)) {
    const allowed = 'what structuredClone(model) or model.toJSON() gives'
    throw new ParameterError('modelFrom', 'copy', allowed, copy)
  }
  const parts = { ...data, kernel: kernelFromSpec(kernel.spec, options), bias: biases[0] }
  return Object.assign(new classes[type](parts as never), trace !== undefined && { trace })
}

/** Options of {@link modelFrom}. */
export type ModelFromOptions = Pick<ParseModelOptions, 'functions'>

function parseText(text: string, options: ParseModelOptions): Model {
  if (/^\s*\{/.test(text)) return parseJsonModel(text, options)
  const { name } = options
  refuseData(text, name)
  if (/^solver_type\s/m.test(text.slice(0, HEAD))) return parseLiblinearModel(text, { name })
  return parseLibsvmModel(text, { name })
}

/** Paths are easily confused. Headers are words without commas and colons; LIBSVM data and tables have them in their first line. */
function refuseData(text: string, file: string | undefined): void {
  const [line] = text.slice(0, HEAD).split('\n', 1)
  if (!/^\s*\S+\s+(qid:\S+\s+)?\d+:|[,;\t|]/.test(line)) return
  throw new FormatError(`looks like data, not like a model: it starts with ${show(line.trim())}`, { file })
}
