/** JSON with rows in it, as CSV: a list of objects, an object of lists, or an object per line. */

/** Bytes that are looked at. */
const HEAD = 64

/** Whether a file is JSON, by its name or its first character. */
export function looksLikeJson(name: string, bytes: Uint8Array): boolean {
  if (/\.(json|ndjson|jsonl)$/i.test(name)) return true
  const start = new TextDecoder().decode(bytes.subarray(0, HEAD)).trimStart()
  return /^(\[\s*(\{|$)|\{\s*("|$))/.test(start)
}

/** The rows as CSV with the names of all columns. */
export function csvFromJson(name: string, bytes: Uint8Array): Uint8Array {
  const rows = rowsOf(name, new TextDecoder().decode(bytes))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((column) => jsonCell(row[column])))]
  return new TextEncoder().encode(
    lines.map((cells) => `${cells.map((cell) => csvField(cell, ',')).join(',')}\n`).join(''),
  )
}

/** A cell of CSV; what would not read back as it is stands in quotes. */
export function csvField(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Row = Readonly<Record<string, unknown>>

const ALLOWED = 'the rows must be a list of objects, an object of lists, or one object per line'

function rowsOf(name: string, text: string): readonly Row[] {
  const value = parsed(name, text)
  const rows = Array.isArray(value) ? value : rowsOfLists(value as Readonly<Record<string, unknown>>)
  if (rows.length === 0) throw new Error(`${name}: there are no rows`)
  const odd = rows.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row))
  if (odd >= 0)
    throw new Error(`${name}: row ${odd + 1} is ${JSON.stringify(rows[odd])?.slice(0, 40)}: ${ALLOWED}`)
  return rows as readonly Row[]
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line))
    } catch {
      // Not an object per line either: the first error says more.
    }
    throw new Error(`${name}: not JSON: ${(error as Error).message}`)
  }
}

/** Columns by name, perhaps under a key such as "data". */
function rowsOfLists(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const entries = Object.entries(value ?? {})
  const within = entries.find(
    ([, list]) => Array.isArray(list) && typeof list[0] === 'object' && list[0] !== null,
  )
  if (within) return within[1] as readonly unknown[]
  const lists = entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  if (lists.length !== entries.length) return [value]
  const count = Math.max(0, ...lists.map(([, list]) => list.length))
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(lists.map(([column, list]) => [column, list[i]])),
  )
}

function jsonCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
