/** Several figures side by side in one: small multiples. */
import { DataError } from '../base/errors.ts'
import { checkList } from './check-figure.ts'
import { escapeMarkup } from './markup.ts'

/** What stands above the panels, and how they are laid out. */
export interface PanelOptions {
  readonly title: string
  readonly subtitle?: string
  /** Panels per line. Default all of them. */
  readonly columns?: number
}

/** Height of the title, and of a subtitle below it. */
const HEAD = 34
const SUBTITLE = 20

/** Puts figures, as this library draws them, into one SVG, line by line. */
export function panelFigure(figures: readonly string[], options: PanelOptions): string {
  checkList('panelFigure', 'figures', figures, 'figures as SVG')
  const { title, subtitle, columns = figures.length } = options
  if (figures.length === 0) throw new DataError('panelFigure: there are no figures')
  const sizes = figures.map(sizeOf)
  const cell = {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  }
  const top = HEAD + (subtitle ? SUBTITLE : 0)
  const width = cell.width * Math.min(columns, figures.length)
  const height = top + cell.height * Math.ceil(figures.length / columns)
  const placed = figures.map((figure, k) => {
    const x = (k % columns) * cell.width
    const y = top + Math.floor(k / columns) * cell.height
    return figure.replace('<svg ', `<svg x="${x}" y="${y}" `)
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ' role="img" font-family="system-ui, sans-serif">',
    `<title>${escapeMarkup(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="26" font-size="17" font-weight="600" fill="#1f2328">${escapeMarkup(title)}</text>`,
    subtitle ? `<text x="16" y="46" font-size="13" fill="#57606a">${escapeMarkup(subtitle)}</text>` : '',
    ...placed,
    '</svg>',
  ].join('')
}

function sizeOf(figure: string): { width: number; height: number } {
  const found = /^<svg [^>]*?viewBox="0 0 (\d+) (\d+)"/.exec(figure)
  if (!found) throw new DataError('panelFigure: not a figure of this library')
  return { width: Number(found[1]), height: Number(found[2]) }
}
