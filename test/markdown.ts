/** What the tests read out of Markdown files. */

/** A fenced block of code. */
export interface CodeBlock {
  readonly language: string
  /** The words after the language: `run`, `output`, `file=src/x.ts`. */
  readonly flags: readonly string[]
  readonly code: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
}

/** All fenced blocks of a text, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const lines = markdown.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const opening = /^(`{3,})(.*)$/.exec(lines[i])
    if (!opening) continue
    const end = lines.indexOf(opening[1], i + 1)
    if (end < 0) throw new Error(`line ${i + 1}: the code block is not closed`)
    const [language = '', ...flags] = opening[2].trim().split(/\s+/)
    blocks.push({ language, flags, code: `${lines.slice(i + 1, end).join('\n')}\n`, line: i + 1 })
    i = end
  }
  return blocks
}

/** The cells of the first table whose first column has this title; the header is left out. */
export function tableRows(markdown: string, firstColumn: string): string[][] {
  const rows = markdown
    .split('\n')
    .map((line) => (line.startsWith('|') ? line.split('|').slice(1, -1) : []).map((cell) => cell.trim()))
  const start = rows.findIndex(([first]) => first === firstColumn)
  if (start < 0) throw new Error(`no table with the first column ${firstColumn}`)
  const end = rows.findIndex((row, i) => i > start && row.length === 0)
  return rows.slice(start + 2, end)
}

/** The targets of all links that are not to other sites, without their fragments. */
export function localLinks(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
}

/**
 * The first line of `expected` that is not in `actual`, in that order; undefined when all are. `…` stands for anything
 * within a line, and alone for any lines.
 */
export function missingLine(actual: string, expected: string): string | undefined {
  const left = actual.split('\n').map((line) => line.trimEnd())
  for (const line of expected.split('\n').map((one) => one.trimEnd())) {
    if (line === '' || line === '…') continue
    const pattern = new RegExp(`^${line.split('…').map(escapeRegExp).join('.*')}$`)
    const at = left.findIndex((one) => pattern.test(one))
    if (at < 0) return line
    left.splice(0, at + 1)
  }
  return undefined
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
