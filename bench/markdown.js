// Parts of reports in Markdown.

/** On what, with which versions and how the numbers were measured, and what a reader must know beside. */
export function introduction({ date, machine, versions, options, notes }) {
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}; ${date}.`,
    '',
    `Versions: ${peers.join(', ')}.`,
    '',
    `Best of ${options.runs} interleaved runs; fewer for tools that take longer than ${options.budget} s together.`,
    '',
    ...notes.flatMap((note) => [`- ${note}`]),
    ...(notes.length > 0 ? [''] : []),
  ]
}

/** A heading with remarks and a text; nothing without the text. */
export function section(title, text, remarks) {
  if (!text) return []
  return [`## ${title}`, '', ...remarks, ...(remarks.length > 0 ? [''] : []), text]
}

/** Which goals were reached. */
export function goalTable(goals) {
  const words = (reached) => (reached === undefined ? 'not decided' : reached ? 'reached' : '**missed**')
  return table(
    ['goal', 'measured', ''],
    goals.map(({ goal, measured, reached }) => [goal, measured, words(reached)]),
  )
}

/** Samples and features. */
export const sizeOf = ({ rows, cols }) => `${rows.toLocaleString('en-US')} x ${cols.toLocaleString('en-US')}`

/** A time with three digits. */
export const seconds = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** How many times faster. */
export const times = (value) =>
  value === undefined ? '–' : `${value >= 100 ? value.toFixed(0) : value.toPrecision(2)}x`

/** Rows below a head, padded. */
export function table(head, rows) {
  // A bar in a cell would end it.
  const escaped = [head, ...rows].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')))
  const widths = head.map((_, c) => Math.max(3, ...escaped.map((row) => row[c].length)))
  const line = (cells) => `| ${cells.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`
  const [first, ...others] = escaped
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return `${[line(first), rule, ...others.map(line)].join('\n')}\n`
}
