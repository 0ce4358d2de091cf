import { decodedHead } from '../text/text-encoding.ts'

/** Formats of data sets that can be read. */
export type DataFormat = 'libsvm' | 'csv' | 'tsv' | 'parquet'

const endings: Readonly<Record<DataFormat, RegExp>> = {
  libsvm: /\.(libsvm|svm|svmlight)$/i,
  csv: /\.csv$/i,
  tsv: /\.(tsv|tab)$/i,
  parquet: /\.(parquet|pq)$/i,
}
const compressionEnding = /\.(gz|bz2|xz)$/i
const parquetMagic = 'PAR1'
/** The head of a file: enough to see its first lines. Heads as long as this are cut off somewhere. */
export const HEAD_BYTES = 1 << 16

/** Endings of data that are not read: as text they would fail somewhere in their middle, or be taken for something else. */
const refused =
  /\.(jsonl?|ndjson|xlsx?|ods|arrow|feather|avro|orc|npy|npz|arff|mat|pkl|pickle|sav|dta|rds|sqlite3?|db|duckdb|zip|zst|7z|tar|tgz|rar)$/i

/** The ending of a file name that tells a format which is not read; undefined for others. */
export function refusedEnding(name: string): string | undefined {
  return refused.exec(name.replace(compressionEnding, ''))?.[0]
}

/** The format that a file name implies, below the ending of a compression; undefined when it implies none. */
export function formatFromName(name: string): DataFormat | undefined {
  const inner = name.replace(compressionEnding, '')
  const formats = Object.keys(endings) as DataFormat[]
  return formats.find((format) => endings[format].test(inner))
}

/**
 * The format that the first bytes look like: Parquet by its magic, LIBSVM when the first line is a label followed by
 * `index:value` tokens only, CSV when it has a delimiter, else LIBSVM.
 */
export function formatFromContent(head: Uint8Array): DataFormat {
  if (isParquet(head)) return 'parquet'
  const [line = ''] = firstLines(head)
  const [, ...pairs] = line.replace(/#.*/, '').trim().split(/\s+/)
  if (pairs.length > 0 && pairs.every((pair) => /^(qid|\d+):/.test(pair))) return 'libsvm'
  return /[,;\t|]/.test(line) ? 'csv' : 'libsvm'
}

/** True when the bytes start as a Parquet file does. */
export function isParquet(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head.subarray(0, parquetMagic.length)) === parquetMagic
}

/** The delimiter that a first line such as `sep=;` names, as Excel reads and writes it; undefined without such a line. */
export function delimiterFromFirstLine(head: Uint8Array): string | undefined {
  return /^"?sep=(.)"?(\r|\n)/i.exec(decodedHead(head))?.[1]
}

/** Lines that the delimiter is detected from. */
const SNIFFED_LINES = 20
/** In this order of preference: a comma may be a decimal mark. */
const delimiters = [';', '\t', '|', ',']

/**
 * The delimiter that cuts the first lines into the same number of fields, the most of them; otherwise the one that occurs
 * most often in
 * the first line. Quoted fields are left out. The comma when there is none.
 */
export function delimiterFromContent(head: Uint8Array): string {
  const lines = firstLines(head).slice(0, SNIFFED_LINES)
  const fields = (line: string, delimiter: string): number => line.split(delimiter).length
  const [first = ''] = lines
  const isEven = (delimiter: string) =>
    fields(first, delimiter) > 1 &&
    lines.every((line) => fields(line, delimiter) === fields(first, delimiter))
  const even = delimiters.filter(isEven)
  return (even.length > 0 ? even : [...delimiters].reverse()).reduce((best, next) =>
    fields(first, next) > fields(first, best) ? next : best,
  )
}

/** The lines of the head that are neither blank nor comments, quoted fields left out; the last may be cut off, and goes. */
function firstLines(head: Uint8Array): string[] {
  const text = decodedHead(head).replace(/"[^"]*"/g, '')
  const all = text.split(/\r\n|\r|\n/)
  const lines = all.filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  return lines.length > 1 && head.length >= HEAD_BYTES ? lines.slice(0, -1) : lines
}
