import { FormatError, show } from '../../base/errors.ts'
import type { Label } from '../../data/table/dataset.ts'
import type { ModelOf } from '../labelled.ts'
import type { Model } from '../model.ts'
import { type ParseModelOptions, parseJsonModel } from './parse-json-model.ts'
import { parseLiblinearModel } from './parse-liblinear-model.ts'
import { parseLibsvmModel } from './parse-libsvm-model.ts'

/** More than the header of a LIBLINEAR model takes before its `solver_type`. */
const HEAD = 65536

/**
 * The model that a text holds: JSON when it starts with `{`, LIBLINEAR's format when it says `solver_type`, else LIBSVM's.
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
