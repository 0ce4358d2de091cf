/** The columns of a table, for the menu of label columns. The file itself is read by the library. */

const HEAD_BYTES = 1 << 16
const delimiters = [',', ';', '\t', '|']

/** Names of the columns of a CSV or TSV file; empty for other files. */
export function columnNames(name: string, bytes: Uint8Array): string[] {
  if (!/\.(csv|tsv|tab|txt)$/i.test(name)) return []
  const [line = ''] = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).split(/\r?\n/)
  const [fields] = delimiters.map((one) => fieldsOf(line, one)).toSorted((a, b) => b.length - a.length)
  if (fields.length < 2) return []
  const isHeader = fields.every((field) => field === '' || Number.isNaN(Number(field)))
  return isHeader ? fields : fields.map((_, k) => `column ${k + 1}`)
}

/** The column that is no feature: the label, where nothing was said about it. */
export function missingColumn(
  columns: readonly string[],
  features: readonly string[] | undefined,
  count: number,
): string | undefined {
  if (columns.length !== count + 1) return undefined
  return features ? columns.find((column, k) => features[k] !== column) : columns.at(-1)
}

function fieldsOf(line: string, delimiter: string): string[] {
  const fields = ['']
  let quoted = false
  for (const character of line) {
    if (character === '"') quoted = !quoted
    else if (character === delimiter && !quoted) fields.push('')
    else fields[fields.length - 1] += character
  }
  return fields.map((field) => field.trim())
}
