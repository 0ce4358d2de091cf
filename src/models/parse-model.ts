import type { Model } from './model.ts'
import { type ParseModelOptions, parseJsonModel } from './parse-json-model.ts'
import { parseLibsvmModel } from './parse-libsvm-model.ts'

/** The model that a text holds: JSON when it starts with `{`, LIBSVM's format otherwise. */
export function parseModel(text: string, options: ParseModelOptions = {}): Model {
  if (/^\s*\{/.test(text)) return parseJsonModel(text, options)
  return parseLibsvmModel(text, { name: options.name })
}
