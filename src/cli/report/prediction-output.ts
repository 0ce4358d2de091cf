/**
 * Predictions as text: lines of words, as LIBSVM's svm-predict writes them, or, where the name of the file requires it, a
 * table with
 * a header (.csv, .tsv), an object per line (.jsonl, .ndjson) or a list of objects (.json).
 */
import { present } from '../../base/lists.ts'
import { fieldWriter } from '../../data/csv/csv-writer.ts'
import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import type { Label } from '../../data/table/dataset.ts'
import { textFromNumber } from '../../data/text/number-text.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { toJsonText } from './output.ts'

/** What a model says of each of some samples: a label, and as many values as were requested. */
export interface Answers {
  /** Of each sample, the cell of the column that names it. */
  readonly ids?: readonly string[] | undefined
  readonly labels: readonly Label[]
  readonly decisions?: Float64Array | undefined
  readonly probabilities?: Float64Array | undefined
  readonly lower?: Float64Array | undefined
  readonly upper?: Float64Array | undefined
  readonly sets?: readonly (readonly Label[])[] | undefined
}

/** How predictions are written. */
export type PredictionFormat = 'lines' | 'csv' | 'tsv' | 'jsonl' | 'json'

/** What predictions are called, and the classes that values belong to. */
export interface PredictionNames {
  /** The column that names samples. */
  readonly id: string | undefined
  /** What values of the decision function belong to: one or several; nothing where there is one per sample. */
  readonly decisions: readonly string[]
  /** What probabilities belong to; nothing where there is one per sample. */
  readonly probabilities: readonly string[]
}

/** The format that a name requires. Throws where it requires one that predictions are not written in. */
export function predictionFormat(path: string): PredictionFormat {
  const advice = 'allowed: .csv, .tsv, .jsonl, .json and .txt'
  refuseOtherEndings(path, 'predictions', ['csv', 'tsv', 'jsonl', 'ndjson', 'json'], advice)
  const [, ending = ''] = /\.(csv|tsv|jsonl|ndjson|json)(?:\.gz)?$/i.exec(path) ?? []
  const format = ending.toLowerCase()
  return format === 'ndjson' ? 'jsonl' : ((format || 'lines') as PredictionFormat)
}

/** What the values of a model belong to. */
export function predictionNames(model: Model, id: string | undefined): PredictionNames {
  if (!isClassifier(model)) return { id, decisions: [], probabilities: [] }
  const { classes, outputs } = model
  const names = classes.map(String)
  const pairs = names.flatMap((first, i) => names.slice(i + 1).map((second) => `${first}_${second}`))
  const isByClass =
    outputs === names.length && !('decisionFunctionShape' in model && model.decisionFunctionShape === 'ovo')
  const decisions = outputs === 1 ? [] : isByClass ? names : pairs
  return { id, decisions, probabilities: names }
}

/** The text of answers, batch after batch, in a format; and how many samples there were. */
export class PredictionText implements AsyncIterable<string> {
  count = 0
  private readonly batches: AsyncIterable<Answers>
  private readonly names: PredictionNames
  private readonly format: PredictionFormat

  constructor(batches: AsyncIterable<Answers>, names: PredictionNames, format: PredictionFormat) {
    this.batches = batches
    this.names = names
    this.format = format
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    const { format, names } = this
    let isFirst = true
    for await (const answers of this.batches) {
      if (isFirst) yield headOf(format, names, answers)
      isFirst = false
      yield textOf(format, names, answers, this.count)
      this.count += answers.labels.length
    }
    if (isFirst) yield headOf(format, names, { labels: [] })
    if (format === 'json') yield '\n]\n'
  }
}

function headOf(format: PredictionFormat, names: PredictionNames, answers: Answers): string {
  if (format === 'json') return '['
  return isTable(format) ? rowOf(columnNames(names, answers), format) : ''
}

/** The samples of a batch; `done` are those of batches before it. */
function textOf(format: PredictionFormat, names: PredictionNames, answers: Answers, done: number): string {
  const { labels } = answers
  if (format === 'json' || format === 'jsonl') {
    const records = labels.map((_, i) => toJsonText(recordOf(names, answers, i)))
    if (format === 'jsonl') return records.map((record) => `${record}\n`).join('')
    return records.map((record, i) => `${done + i > 0 ? ',' : ''}\n${record}`).join('')
  }
  const fields = fieldsOf(names, answers)
  const { ids, sets } = answers
  const rows = labels.map((label, i) => [
    ...(ids ? [ids[i]] : []),
    label,
    ...fields.flatMap(({ values }) => {
      const width = values.length / labels.length
      return Array.from(values.subarray(i * width, (i + 1) * width))
    }),
    ...(sets ? setCells(sets[i], format) : []),
  ])
  return rows.map((row) => (isTable(format) ? rowOf(row, format) : `${row.join(' ')}\n`)).join('')
}

function isTable(format: PredictionFormat): format is 'csv' | 'tsv' {
  return format === 'csv' || format === 'tsv'
}

function rowOf(cells: readonly Label[], format: 'csv' | 'tsv'): string {
  const delimiter = format === 'csv' ? ',' : '\t'
  const field = fieldWriter(delimiter)
  const texts = cells.map((cell) => (typeof cell === 'number' ? textFromNumber(cell) : field(cell)))
  return `${texts.join(delimiter)}\n`
}

/** A set in a table, and how many classes it has; in lines it is one word. */
function setCells(set: readonly Label[], format: PredictionFormat): Label[] {
  return format === 'lines' ? [`{${set.join(',')}}`] : [set.join(' | '), set.length]
}

/** Numbers of every sample: one, or one for each of `of`. */
interface Field {
  readonly name: string
  readonly of: readonly string[]
  readonly values: Float64Array
}

function fieldsOf(names: PredictionNames, answers: Answers): Field[] {
  const { decisions, probabilities, lower, upper } = answers
  return present([
    decisions && { name: 'decision', of: names.decisions, values: decisions },
    probabilities && { name: 'probability', of: names.probabilities, values: probabilities },
    lower && { name: 'lower', of: [], values: lower },
    upper && { name: 'upper', of: [], values: upper },
  ])
}

/** Names of all columns of a table. */
function columnNames(names: PredictionNames, answers: Answers): string[] {
  return [
    ...(answers.ids ? [names.id ?? 'id'] : []),
    'prediction',
    ...fieldsOf(names, answers).flatMap(({ name, of }) =>
      of.length === 0 ? [name] : of.map((one) => `${name}_${one}`),
    ),
    ...(answers.sets ? ['set', 'set_size'] : []),
  ]
}

/** A sample as an object. */
function recordOf(names: PredictionNames, answers: Answers, i: number): object {
  const { ids, labels, sets } = answers
  const valuesOf = ({ of, values }: Field): object | number =>
    of.length === 0 ? values[i] : Object.fromEntries(of.map((name, k) => [name, values[i * of.length + k]]))
  return {
    ...(ids && { [names.id ?? 'id']: ids[i] }),
    prediction: labels[i],
    ...Object.fromEntries(fieldsOf(names, answers).map((field) => [field.name, valuesOf(field)])),
    ...(sets && { set: sets[i] }),
  }
}
