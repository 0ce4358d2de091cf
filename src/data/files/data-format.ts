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
  const line = firstLine(head)
  const [, ...pairs] = line.replace(/#.*/, '').trim().split(/\s+/)
  if (pairs.length > 0 && pairs.every((pair) => /^(qid|\d+):/.test(pair))) return 'libsvm'
  return /[,;\t|]/.test(line) ? 'csv' : 'libsvm'
}

/** True when the bytes start as a Parquet file does. */
export function isParquet(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head.subarray(0, parquetMagic.length)) === parquetMagic
}

/** The delimiter that occurs most often in the first line, quoted fields left out; the comma when there is none. */
export function delimiterFromContent(head: Uint8Array): string {
  const line = firstLine(head).replace(/"[^"]*"/g, '')
  const count = (delimiter: string): number => line.split(delimiter).length
  return [',', ';', '\t', '|'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** The first line that is neither blank nor a comment. */
function firstLine(head: Uint8Array): string {
  const lines = new TextDecoder().decode(head).split(/\r\n|\r|\n/)
  return lines.find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? ''
}
