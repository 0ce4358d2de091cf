/**
 * LIBLINEAR's text format for linear models, read. Classes become ascending, and weights change their order or sign with
 * them; the order of the file is kept where it matters, for ties. Models of logistic regression come with its probabilities.
 */
import { FormatError, show } from '../../base/errors.ts'
import { numberFromText } from '../../data/text/number-text.ts'
import { liblinearSolvers } from '../known-problems.ts'
import { LinearOneClassModel } from '../linear-one-class-model.ts'
import { LinearSvcModel } from '../linear-svc-model.ts'
import { LinearSvrModel } from '../linear-svr-model.ts'
import type { TrainingSettings } from '../model-parts.ts'
import type { LiblinearSolver } from '../model-types.ts'
import { labelOrderOf, positionsIn } from './libsvm-pairs.ts'
import { ModelHeader } from './model-header.ts'

/** The fields of the header. */
const fields = ['solver_type', 'nr_class', 'label', 'nr_feature', 'bias', 'rho']

/** Options of {@link parseLiblinearModel}. */
export interface ParseLiblinearModelOptions {
  /** Name of the source in error messages. */
  readonly name?: string
}

/** A model that LIBLINEAR can hold. */
export type LiblinearModel = LinearSvcModel | LinearSvrModel | LinearOneClassModel

/** The model that LIBLINEAR's text describes. Throws a FormatError that names field and line. */
export function parseLiblinearModel(text: string, options: ParseLiblinearModelOptions = {}): LiblinearModel {
  const { name: file } = options
  const lines = text.split('\n')
  const header = new ModelHeader(lines, { fields, end: 'w' }, file)
  const liblinearSolver = header.word('solver_type', Object.keys(liblinearSolvers) as LiblinearSolver[])
  const [k] = header.wholes('nr_class', 1, 1)
  const [features] = header.wholes('nr_feature', 1, 0)
  const [constant] = header.reals('bias', 1)
  const { type, loss } = liblinearSolvers[liblinearSolver]
  const classifies = type === 'linear-svc'
  if (!classifies && k !== 2) header.refuse('nr_class', '2', k)
  const machines = !classifies || (k === 2 && liblinearSolver !== 'MCSVM_CS') ? 1 : k
  const labels = classifies ? header.labels(k) : []
  if (!classifies) header.without(liblinearSolver, ['label'])
  if (type !== 'linear-one-class') header.without(liblinearSolver, ['rho'])
  const [rho] = type === 'linear-one-class' ? header.reals('rho', 1) : [0]
  const rows = features + (constant >= 0 ? 1 : 0)
  const weights = readWeights(lines, header.lineCount, rows, machines, file)
  const columns = Array.from({ length: machines }, (_, p) => ({
    coef: Float64Array.from({ length: features }, (_, j) => weights[j * machines + p]),
    bias: constant >= 0 ? constant * weights[features * machines + p] : 0,
  }))
  const [first] = columns
  const training: TrainingSettings =
    constant > 0 ? { bias: 'regularised', interceptScaling: constant } : { bias: 'none' }
  const common = { features, liblinearSolver, training }
  if (type === 'linear-one-class') {
    return new LinearOneClassModel({
      ...common,
      coef: first.coef,
      bias: constant >= 0 ? first.bias - rho : -rho,
    })
  }
  if (!classifies) return new LinearSvrModel({ ...common, coef: first.coef, bias: first.bias })
  const classes = [...labels].sort((a, b) => a - b)
  // One function: f > 0 means the first label there, the larger one here.
  const flips = k === 2 && machines === 1 && labels[0] === classes[0]
  const sources = machines === 1 ? [0] : positionsIn(labels, classes)
  const coef = new Float64Array(machines * features)
  sources.forEach((source, p) => {
    const { coef: own } = columns[source]
    coef.set(flips ? own.map((weight) => -weight) : own, p * features)
  })
  return new LinearSvcModel({
    ...common,
    classes,
    labelOrder: labelOrderOf(labels, classes),
    coef,
    biases: Float64Array.from(sources, (source) => (flips ? -columns[source].bias : columns[source].bias)),
    multiClass: liblinearSolver === 'MCSVM_CS' ? 'crammer-singer' : 'ovr',
    probability:
      loss === 'logistic'
        ? { method: 'sigmoid', a: new Float64Array(machines).fill(-1), b: new Float64Array(machines) }
        : undefined,
  })
}

/** The lines after `w`: one per feature, one number per machine. */
function readWeights(
  lines: readonly string[],
  from: number,
  rows: number,
  machines: number,
  file: string | undefined,
): Float64Array {
  const end = lines.at(-1)?.trim() === '' ? lines.length - 1 : lines.length
  if (end - from !== rows) {
    const which = `nr_feature and bias ask for ${rows} rows of weights`
    throw new FormatError(`${which}, but ${end - from} follow`, { file })
  }
  const weights = new Float64Array(rows * machines)
  for (let row = 0; row < rows; row++) {
    const line = lines[from + row]
    const words = [...line.matchAll(/\S+/g)]
    const position = { file, line: from + row + 1 }
    if (words.length !== machines) {
      const wanted = machines === 1 ? '1 weight' : `${machines} weights`
      throw new FormatError(`row ${row} of w must have ${wanted}, got ${words.length}`, position)
    }
    words.forEach(({ 0: word, index }, p) => {
      const value = numberFromText(word)
      if (!Number.isFinite(value)) {
        const message = `a weight must be a finite number, got ${show(word)}`
        throw new FormatError(message, { ...position, column: index + 1 })
      }
      weights[row * machines + p] = value
    })
  }
  return weights
}
