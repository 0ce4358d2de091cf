import type { Model } from './model.ts'
import { type ParseModelOptions, parseJsonModel } from './parse-json-model.ts'
import { parseLiblinearModel } from './parse-liblinear-model.ts'
import { parseLibsvmModel } from './parse-libsvm-model.ts'

/** More than the header of a LIBLINEAR model takes before its `solver_type`. */
const HEAD = 65536

/** The model that a text holds: JSON when it starts with `{`, LIBLINEAR's format when it says `solver_type`, else LIBSVM's. */
export function parseModel(text: string, options: ParseModelOptions = {}): Model {
  if (/^\s*\{/.test(text)) return parseJsonModel(text, options)
  const { name } = options
  if (/^solver_type\s/m.test(text.slice(0, HEAD))) return parseLiblinearModel(text, { name })
  return parseLibsvmModel(text, { name })
}
