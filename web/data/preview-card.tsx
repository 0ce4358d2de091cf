/** How the file is read: its text, what each column is taken for, and its first rows. All of it can be chosen otherwise. */
import type { ComponentChildren } from 'preact'
import type { TextForm } from '../../src/tables.ts'
import { Menu } from '../controls/fields.tsx'
import { type ColumnPick, type FilePeek, MOST_LISTED, type TableChoices } from '../files/file-messages.ts'
import { choices, choose, file, preview } from './file-state.ts'

/** See the header of the file. */
export function PreviewCard() {
  const now = preview.value
  if (!now) return null
  const { peek } = now
  return (
    <section class="card" aria-labelledby="preview-title">
      <h2 id="preview-title">How the file is read</h2>
      <p class="quiet">{formatWords[peek.format]}</p>
      <TextControls peek={peek} />
      {peek.columns.length > 0 ? <Columns peek={peek} /> : <Lines rows={peek.rows} />}
      <Remarks peek={peek} />
    </section>
  )
}

const formatWords: Readonly<Record<FilePeek['format'], string>> = {
  csv: 'Text with separated fields (CSV).',
  tsv: 'Text with tabs between the fields (TSV).',
  parquet: 'A Parquet file: its columns have types of their own.',
  libsvm: 'LIBSVM text: a label, then the features that are not 0, by number.',
  json: 'JSON records: each name is a column.',
}

const delimiters: readonly (readonly [string, string])[] = [
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
  [' ', 'space'],
]

const encodings: readonly (readonly [TextForm['encoding'], string])[] = [
  ['utf-8', 'UTF-8'],
  ['latin1', 'Latin-1'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
]

function TextControls({ peek: { text, columns } }: { readonly peek: FilePeek }) {
  if (columns.length === 0 && !text) return null
  const now: TableChoices = choices.value
  const form: TextForm | undefined = text && { ...text, ...now }
  const delimiter = form?.delimiter ?? ','
  const isKnown = delimiters.some(([one]) => one === delimiter)
  return (
    <div class="fields">
      {form && (
        <>
          <Menu
            label="Delimiter"
            value={delimiter}
            options={isKnown ? delimiters : [...delimiters, [delimiter, delimiter]]}
            onChange={(next) => choose({ delimiter: next })}
          />
          <Menu
            label="Decimal sign"
            value={form.decimal}
            options={[
              ['.', 'point'],
              [',', 'comma'],
            ]}
            onChange={(decimal) => choose({ decimal })}
          />
          <Menu
            label="Encoding"
            value={form.encoding}
            options={encodings}
            onChange={(encoding) => choose({ encoding })}
          />
          <Menu
            label="First line"
            value={form.header ? 'names' : 'data'}
            options={[
              ['names', 'names'],
              ['data', 'data'],
            ]}
            onChange={(next) => choose({ header: next === 'names' })}
          />
        </>
      )}
      <Menu
        label="Missing cells"
        value={now.missing ?? 'fill'}
        options={[
          ['fill', 'filled in'],
          ['drop', 'rows left out'],
        ]}
        onChange={(next) => choose({ missing: next === 'drop' ? next : undefined })}
      />
    </div>
  )
}

const pickWords: Readonly<Record<ColumnPick, string>> = {
  number: 'number',
  category: 'category',
  boolean: 'true or false',
  date: 'date',
  dmy: 'date, day first',
  mdy: 'date, month first',
  text: 'text',
  vector: 'list of numbers',
  ignored: 'ignored',
}

function Columns({ peek }: { readonly peek: FilePeek }) {
  const shown = peek.columns.slice(0, MOST_LISTED)
  const left = peek.columns.length - shown.length
  return (
    <>
      <Scrolling label="Columns and first rows">
        <table class="numbers preview">
          <caption class="unseen">What each column is taken for, and the first rows</caption>
          <thead>
            <tr>
              {shown.map((column, k) => (
                <th key={column.name} scope="col">
                  <ColumnHead peek={peek} k={k} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {peek.rows.map((row, i) => (
              <tr key={String(i)}>
                {shown.map((column, k) => (
                  <td key={column.name} class={isLeftOut(peek, k) ? 'off' : undefined}>
                    {row[k]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      {left > 0 && <p class="quiet">{left} more columns are read as they look.</p>}
    </>
  )
}

function isLeftOut({ columns, label }: FilePeek, k: number): boolean {
  return k !== label && (choices.value.columns?.[columns[k].name] ?? columns[k].kind) === 'ignored'
}

function ColumnHead({ peek, k }: { readonly peek: FilePeek; readonly k: number }) {
  const { name, title, kind, reason } = peek.columns[k]
  const picks = choices.value.columns ?? {}
  const picked = picks[name]
  const isLabel = k === peek.label
  const words = file.value?.columns[k] ?? (reason === undefined || picked ? '' : `${kind}: ${reason}`)
  const pick = (next: string) => {
    if (next === 'label') {
      const { [name]: _, ...others } = picks
      choose({ label: k, columns: others })
      return
    }
    // The label that is none any more leaves its place to the one that is detected from the names.
    const { [name]: _, ...others } = picks
    const columns = next === kind ? others : { ...others, [name]: next as ColumnPick }
    choose(
      isLabel
        ? { columns: { ...others, [name]: next as ColumnPick }, label: otherLabel(peek, k) }
        : { columns },
    )
  }
  const options = (Object.keys(pickWords) as ColumnPick[]).filter(
    (one) => one !== 'vector' || kind === 'vector' || picked === 'vector',
  )
  return (
    <div class="column-head">
      <span>{title}</span>
      <select
        aria-label={`Column ${title}`}
        value={isLabel ? 'label' : (picked ?? kind)}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      >
        <option value="label">label</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {pickWords[one]}
          </option>
        ))}
      </select>
      <small>
        {words}
        {picked && !isLabel && words !== '' && ' (chosen)'}
      </small>
    </div>
  )
}

/** The column that becomes the label when the present one is made something else: the last of the others. */
function otherLabel({ columns }: FilePeek, k: number): number {
  return k === columns.length - 1 ? columns.length - 2 : columns.length - 1
}

/** LIBSVM text as it is. */
function Lines({ rows }: { readonly rows: FilePeek['rows'] }) {
  return (
    <Scrolling label="First lines">
      <pre class="code">{rows.map(([line]) => line).join('\n')}</pre>
    </Scrolling>
  )
}

/** What scrolls must be reached by the keyboard. */
export function Scrolling({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

function Remarks({ peek }: { readonly peek: FilePeek }) {
  const summary = file.value
  if (!summary || peek.columns.length === 0) return null
  const { dropped, notes, isPrepared } = summary
  const sentences = [
    // The others are what the menus say.
    ...notes
      .filter((note) => note.includes('thousands'))
      .map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`),
    ...(dropped > 0
      ? [`${dropped.toLocaleString('en')} ${dropped === 1 ? 'row' : 'rows'} with missing cells left out.`]
      : []),
    ...(isPrepared
      ? [
          'Each model learns its categories, and what stands in for missing cells, from its own training rows; the values above are those of all rows.',
        ]
      : []),
  ]
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="quiet">
          {sentence}
        </p>
      ))}
    </>
  )
}
