/** Another file, row by row with what the model says: its columns are found by name, as the command line does. */
import { type Matrix, SvcModel, selectFeatures, type VectorDataset } from '../../src/index.browser.ts'
import type { ColumnPreparation, Table } from '../../src/tables.ts'
import type { FileJobs, FilePeek, FilePredictions } from './file-messages.ts'
import { csvField } from './json-records.ts'
import { trainedModel } from './own-file.ts'
import { type FileSource, isTable, peekFile, readForModel, sourceOf } from './read-file.ts'

type Model = NonNullable<ReturnType<typeof trainedModel>>['model']

/** Rows that are shown. */
const SHOWN_ROWS = 5
/** Values that are named in a note. */
const MOST_NAMED = 3

/** See the header of the file. */
export async function predictFile({
  file,
  name,
  bytes,
}: FileJobs['predict']['ask']): Promise<FilePredictions | undefined> {
  const found = trainedModel(file)
  if (!found) return undefined
  const { model, label } = found
  const source = sourceOf(name, bytes)
  const peek = await peekFile(source, {}, Number.POSITIVE_INFINITY)
  const samples = await rowsFor(model, source, peek, label.place)
  const predicted = Array.from<string | number>(model.predict(samples))
  const isRanked = model instanceof SvcModel && model.classes.length === 2
  const decisions = isRanked ? model.decisionFunction(samples) : undefined
  const written = (value: string | number) =>
    typeof value === 'number' && peek.text?.decimal === ',' ? String(value).replace('.', ',') : String(value)
  const isLibsvm = peek.format === 'libsvm'
  const own = isLibsvm ? [] : peek.columns.map(({ title }) => title)
  const names = [...own, free('predicted', own), ...(decisions ? [free('decision value', own)] : [])]
  const rows = predicted.map((value, i) => [
    ...(isLibsvm ? [] : peek.rows[i]),
    written(value),
    ...(decisions ? [written(decisions[i])] : []),
  ])
  const delimiter = peek.text?.delimiter ?? ','
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => csvField(cell, delimiter)).join(delimiter)}\n`
  return {
    rows: predicted.length,
    csv: [names, ...rows].map(line).join(''),
    names,
    own: own.length,
    head: rows.slice(0, SHOWN_ROWS),
    notes: [
      ...(isTable(samples) && model.preparation ? preparationNotes(model.preparation, samples) : []),
      ...labelNotes(label.name, peek, predicted, model instanceof SvcModel),
    ],
  }
}

/** The rows as the model takes them. */
async function rowsFor(
  model: Model,
  source: FileSource,
  peek: FilePeek,
  labelPlace: number | undefined,
): Promise<Matrix | Table> {
  const { preparation, featureNames, features } = model
  const match = { preparation, ...(!preparation && { featureNames }) }
  const data = await readForModel(source, match)
  const { samples } = data
  if (isTable(samples)) return samples
  if (featureNames && data.featureNames) return selectFeatures(data as VectorDataset, featureNames).samples
  if (samples.kind === 'sparse' || samples.cols === features) return samples
  // Columns without names go by their places: the file may have the labels, where the training data had them.
  if (samples.cols === (features ?? 0) + 1 && peek.text?.header === false && labelPlace !== undefined) {
    return (await readForModel(source, match, labelPlace)).samples as Matrix
  }
  throw new Error(`${source.name}: ${samples.cols} columns, but the model needs ${features}`)
}

/** A name that no column has. */
function free(name: string, taken: readonly string[]): string {
  let found = name
  for (let k = 2; taken.includes(found); k++) found = `${name} ${k}`
  return found
}

/** What was filled in, and what training did not know. */
function preparationNotes({ columns }: ColumnPreparation, table: Table): string[] {
  return columns.flatMap((encoder) => {
    const column = table.columns.find(({ name }) => name === encoder.name)
    if (!column || column.kind === 'vector') return []
    const cells: readonly (number | string | null)[] | Float64Array = column.values
    const isMissing = (cell: number | string | null) => cell === null || Number.isNaN(cell)
    const missing = Array.from<number | string | null>(cells).filter(isMissing).length
    const notes: string[] = []
    if (missing > 0 && 'fill' in encoder && encoder.fill) {
      const { value, by } = encoder.fill
      const shown = encoder.kind === 'date' ? new Date(value as number).toISOString().slice(0, 10) : value
      const how = by === 'constant' ? '' : `the ${by.replace('-', ' ')} of the training rows, `
      notes.push(`${encoder.name}: ${counted(missing, 'missing cell')} filled with ${how}${shown}.`)
    }
    if (encoder.kind === 'category') {
      const known = new Set(encoder.categories)
      const strange = Array.from<number | string | null>(cells).filter(
        (cell): cell is string => typeof cell === 'string' && !known.has(cell),
      )
      const different = [...new Set(strange)]
      const named = different.slice(0, MOST_NAMED).join(', ') + (different.length > MOST_NAMED ? ', …' : '')
      if (strange.length > 0) {
        notes.push(
          `${encoder.name}: ${counted(strange.length, 'cell')} with values that the model does not know (${named}), taken for none of those it knows.`,
        )
      }
    }
    return notes
  })
}

/** How often the predictions are right, where the file has the labels, too. */
function labelNotes(
  label: string | undefined,
  { columns, rows }: FilePeek,
  predicted: readonly (string | number)[],
  areClasses: boolean,
): string[] {
  const place = columns.findIndex(({ name }) => name === label)
  if (label === undefined || place < 0 || !areClasses) return []
  const isSame = (text: string, value: string | number) =>
    text === String(value) || (typeof value === 'number' && Number(text) === value)
  const labelled = predicted.flatMap((value, i) =>
    rows[i][place] === '' ? [] : [isSame(rows[i][place], value)],
  )
  const right = labelled.filter(Boolean).length
  if (labelled.length === 0) return []
  const share = ((100 * right) / labelled.length).toFixed(1)
  return [
    `The file has the column “${label}”, too: ${right} of ${labelled.length} predictions agree with it (${share}%).`,
  ]
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
