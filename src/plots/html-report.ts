/** A self-contained page: text, tables and figures in one file, with no script and nothing to load. */
import { escapeMarkup } from './markup.ts'

/** Rows of cells under column names. */
export interface ReportTable {
  readonly columns: readonly string[]
  /** Columns that hold words and are aligned left. Default: the first one. All others are aligned right. */
  readonly left?: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** One section of a report; what is given appears in this order. */
export interface ReportSection {
  readonly heading: string
  /** Plain text; each string is a paragraph. */
  readonly text?: readonly string[]
  readonly table?: ReportTable
  /** Figures as SVG text, placed side by side where there is room. */
  readonly figures?: readonly string[]
}

const STYLE = `
:root { color-scheme: light }
body { margin: 0; background: #f6f8fa; color: #1f2328; font: 16px/1.55 system-ui, sans-serif }
main { max-width: 1180px; margin: 0 auto; padding: 32px 20px 48px }
h1 { font-size: 28px; margin: 0 0 4px }
section { background: #fff; border: 1px solid #d0d7de; border-radius: 8px; padding: 16px 24px 20px; margin-top: 20px }
h2 { font-size: 19px; margin: 0 0 8px }
p { margin: 6px 0; max-width: 78ch }
.figures { display: flex; flex-wrap: wrap; gap: 16px; justify-content: center; margin-top: 12px }
.figures > figure { flex: 1 1 480px; max-width: 760px; margin: 0 }
.figures svg { width: 100%; height: auto }
.table { overflow-x: auto }
table { border-collapse: collapse; margin-top: 10px; font-variant-numeric: tabular-nums }
th, td { padding: 5px 14px 5px 0; border-bottom: 1px solid #d8dee4; text-align: left; font-size: 14.5px }
th { color: #57606a; font-weight: 600 }
td.number, th.number { text-align: right }
`

/**
 * Makes a page of sections; all text is escaped, figures are put in as they are.
 *
 * @example
 * const figure = await boundsFigure({ name: 'smo', trace: model.trace })
 * const page = htmlReport('Training', [{ heading: 'Bounds of the optimum', figures: [figure] }])
 */
export function htmlReport(title: string, sections: readonly ReportSection[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeMarkup(title)}</h1>`,
    ...sections.map(sectionHtml),
    '</main></body></html>',
    '',
  ].join('\n')
}

function sectionHtml({ heading, text = [], table, figures = [] }: ReportSection): string {
  return [
    `<section><h2>${escapeMarkup(heading)}</h2>`,
    ...text.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`),
    table ? tableHtml(table) : '',
    figures.length > 0
      ? `<div class="figures">${figures.map((svg) => `<figure>${svg}</figure>`).join('')}</div>`
      : '',
    '</section>',
  ].join('\n')
}

function tableHtml({ columns, rows, left = columns.slice(0, 1) }: ReportTable): string {
  const cell = (tag: 'th' | 'td', value: string | number, k: number): string =>
    `<${tag}${left.includes(columns[k]) ? '' : ' class="number"'}>${escapeMarkup(String(value))}</${tag}>`
  const line = (tag: 'th' | 'td', cells: readonly (string | number)[]): string =>
    `<tr>${cells.map((value, k) => cell(tag, value, k)).join('')}</tr>`
  return [
    `<div class="table"><table><thead>${line('th', columns)}</thead>`,
    `<tbody>${rows.map((row) => line('td', row)).join('')}</tbody></table></div>`,
  ].join('')
}
