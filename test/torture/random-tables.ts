/** Random tables as CSV text, and what a reader must find in them; some with one cell that is wrong. */

import { FormatError } from '../../src/base/errors.ts'
import { Random } from '../../src/base/random.ts'
import { parseDataset } from '../../src/data/files/parse-dataset.ts'
import type { ColumnChoice, Table } from '../../src/data/table/table.ts'

const kinds = ['number', 'category', 'boolean', 'date', 'text'] as const
const words = [
  'Rome',
  'São Paulo',
  'a "quoted" word',
  'x;y',
  'x,y',
  'two\nlines',
  'tab\there',
  'naïve',
  '-',
  "it's",
]

/** Reads one random table and returns what is wrong with the result; undefined where nothing is. */
export async function readRandomTable(seed: number): Promise<string | undefined> {
  const random = new Random(seed)
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)]
  const delimiter = pick([',', ';', '\t', '|'])
  const decimal = delimiter === ',' ? '.' : pick(['.', ','] as const)
  const encoding = pick(['utf-8', 'bom', 'utf-16le', 'latin1'])
  const lineEnd = pick(['\n', '\r\n'])
  const columns = Array.from({ length: 1 + random.int(5) }, (_, k) => ({ name: `c${k}`, kind: pick(kinds) }))
  const rows = 1 + random.int(12)
  const cellOf = (kind: (typeof kinds)[number]): { text: string; value: number | string | null } => {
    if (random.uniform() < 0.15) return { text: pick(['', 'NA', 'null', '?']), value: null }
    const number = Number((random.normal() * 10 ** random.int(6)).toFixed(random.int(5))) + 0
    const day = 86_400_000 * random.int(20_000)
    switch (kind) {
      case 'number':
        return { text: String(number).replace('.', decimal), value: number }
      case 'boolean': {
        const isTrue = random.uniform() < 0.5
        return { text: isTrue ? 'yes' : 'no', value: isTrue ? 1 : 0 }
      }
      case 'date':
        return { text: new Date(day).toISOString().slice(0, 10), value: day }
      default: {
        const text = pick(words)
        return { text, value: text }
      }
    }
  }
  const cells = Array.from({ length: rows }, () => columns.map(({ kind }) => cellOf(kind)))
  const strict = columns.flatMap(({ kind }, k) => (kind === 'number' || kind === 'date' ? [k] : []))
  const bad =
    strict.length > 0 && random.uniform() < 0.3 ? { row: random.int(rows), column: pick(strict) } : undefined
  if (bad) cells[bad.row][bad.column] = { text: 'wrong', value: null }
  const field = (text: string) =>
    /[",;\t|\n]/.test(text) || random.uniform() < 0.1 ? `"${text.replaceAll('"', '""')}"` : text
  const lines = [
    [...columns.map(({ name }) => name), 'label'],
    ...cells.map((row, i) => [...row.map(({ text }) => text), i % 2 === 0 ? 'a' : 'b']),
  ].map((row) => row.map(field).join(delimiter))
  const bytes = encoded(lines.map((line) => line + lineEnd).join(''), encoding)
  const choices: Record<string, ColumnChoice> = Object.fromEntries(
    columns.map(({ name, kind }) => [name, kind]),
  )
  const options = { format: 'csv', columns: choices, delimiter, decimal } as const
  try {
    const { samples } = await parseDataset(bytes, { ...options, ...(encoding === 'latin1' && { encoding }) })
    if (bad) return `seed ${seed}: a wrong cell in row ${bad.row} was taken`
    const table = samples as Table
    for (const [k, { values }] of table.columns.entries()) {
      for (const [i, row] of cells.entries()) {
        const [found, wanted] = [values[i] as number | string | null, row[k].value]
        const isMissing = found === null || Number.isNaN(found)
        if (wanted === null ? !isMissing : !Object.is(found, wanted))
          return `seed ${seed}: row ${i}, column ${k} is ${String(found)}, not ${String(wanted)}`
      }
    }
    return undefined
  } catch (error) {
    if (!bad || !(error instanceof FormatError)) return `seed ${seed}: ${String(error)}`
    // Breaks within quoted fields move what follows down.
    const above = [...cells.slice(0, bad.row).flat(), ...cells[bad.row].slice(0, bad.column)]
    const line = bad.row + 2 + above.filter(({ text }) => text.includes('\n')).length
    const isThere = error.line === line && error.column === bad.column + 1
    return isThere
      ? undefined
      : `seed ${seed}: ${error.message} where line ${line}, column ${bad.column + 1} is wrong`
  }
}

function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'bom') return new TextEncoder().encode(`\ufeff${text}`)
  if (encoding === 'latin1') return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  return new Uint8Array(Uint16Array.from(`\ufeff${text}`, (letter) => letter.charCodeAt(0)).buffer)
}
