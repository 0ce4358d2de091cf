/**
 * Draws a figure: Observable Plot does scales, axes and marks; around it come a title, a subtitle and a legend,
 * inside the same SVG so that the text stands alone in a file, a page or a report.
 *
 * Plot builds its result as document nodes. Pages can make documents; elsewhere linkedom stands in for them. Both
 * libraries are loaded when the first figure is drawn, so that importing this one costs nothing.
 */
import type { PlotOptions } from '@observablehq/plot'
import type { FigureSize } from './figure-size.ts'
import { escapeMarkup } from './markup.ts'

/** The Plot library, as figure builders receive it. */
export type PlotLibrary = typeof import('@observablehq/plot')

/** One entry of a legend: a piece of SVG around the origin, and what it stands for. */
export interface LegendEntry {
  readonly symbol: string
  readonly label: string
}

/** What stands around the plot itself. */
export interface Heading {
  readonly title: string
  readonly subtitle?: string
  readonly legend?: readonly LegendEntry[]
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const LEGEND_FONT_SIZE = 12
/** Width of an average letter, as a part of the font size; legends only need to be roughly right. */
const LETTER = 0.56
const SYMBOL_ROOM = 26
const ENTRY_GAP = 18

/** Draws the plot that `build` describes and returns the text of a self-contained SVG. */
export async function drawFigure(
  heading: Heading,
  size: Required<FigureSize>,
  build: (plot: PlotLibrary) => PlotOptions,
): Promise<string> {
  const plot = await import('@observablehq/plot')
  const { width, height } = size
  const legend = layOutLegend(heading.legend ?? [], width)
  const legendTop = heading.subtitle ? 58 : 40
  const plotTop = legendTop + legend.height
  const drawing = plot.plot({
    document: await figureDocument(),
    width,
    height: height - plotTop,
    style: { fontFamily: FONT, fontSize: '12px' },
    ...build(plot),
  })
  drawing.setAttribute('y', String(plotTop))
  const title = escapeMarkup(heading.title)
  const subtitle = heading.subtitle && escapeMarkup(heading.subtitle)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` role="img" font-family="${escapeMarkup(FONT)}" color="#1f2328">`,
    `<title>${title}</title>`,
    subtitle ? `<desc>${subtitle}</desc>` : '',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="25" font-size="16" font-weight="600" fill="#1f2328">${title}</text>`,
    subtitle ? `<text x="16" y="45" font-size="12.5" fill="#57606a">${subtitle}</text>` : '',
    `<g transform="translate(16,${legendTop})" font-size="${LEGEND_FONT_SIZE}" fill="#1f2328">${legend.svg}</g>`,
    drawing.outerHTML,
    '</svg>',
  ].join('')
}

/** An XML document, not an HTML one: only then is what Plot builds written out as well-formed XML. */
async function figureDocument(): Promise<Document> {
  const Parser = globalThis.DOMParser ?? (await import('linkedom/worker')).DOMParser
  return new Parser().parseFromString('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
}

/** Entries from left to right, on as many lines as they need. */
function layOutLegend(entries: readonly LegendEntry[], width: number): { svg: string; height: number } {
  if (entries.length === 0) return { svg: '', height: 0 }
  let x = 0
  let y = 8
  let svg = ''
  for (const { symbol, label } of entries) {
    const room = SYMBOL_ROOM + label.length * LETTER * LEGEND_FONT_SIZE
    if (x > 0 && x + room > width - 32) {
      x = 0
      y += 20
    }
    svg += `<g transform="translate(${x.toFixed(1)},${y})"><g transform="translate(9,0)">${symbol}</g>`
    svg += `<text x="${SYMBOL_ROOM - 3}" y="4">${escapeMarkup(label)}</text></g>`
    x += room + ENTRY_GAP
  }
  return { svg, height: y + 8 }
}
