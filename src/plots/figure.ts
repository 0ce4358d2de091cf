/**
 * Draws a figure: Observable Plot does scales, axes and marks; around it come a title, a subtitle and a legend,
 * inside the same SVG so that the text stands alone in a file, a page or a report.
 *
 * Plot builds its result as document nodes. Pages can make documents; elsewhere linkedom stands in for them. Both
 * libraries are loaded when the first figure is drawn, so that importing this one costs nothing.
 */
import type { PlotOptions, ScaleOptions } from '@observablehq/plot'
import type { FigureSize } from './figure-options.ts'
import { escapeMarkup } from './markup.ts'

/** The Plot library, as figure builders receive it. */
type PlotLibrary = typeof import('@observablehq/plot')

/** One entry of a legend: a piece of SVG around the origin, and what it stands for. */
export interface LegendEntry {
  readonly symbol: string
  readonly label: string
}

/** What stands around the plot itself. */
interface Heading {
  readonly title: string
  readonly subtitle?: string | undefined
  /** Entries that are not given are left out. */
  readonly legend?: readonly (LegendEntry | undefined | false | '')[]
}

/** One axis: its label, what scales numbers, and how ticks are written. */
export interface AxisSettings
  extends Pick<ScaleOptions, 'ticks' | 'nice' | 'grid' | 'padding' | 'tickRotate'> {
  readonly label: string
  readonly domain?: readonly (number | string)[]
  readonly logarithmic?: boolean
  readonly percent?: boolean
  readonly tickFormat?: (value: number) => string
}

/** Where marks find the position of a point. */
export const XY = { x: 'x', y: 'y' } as const

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const LEGEND_FONT_SIZE = 12
/** Width of an average letter, as a part of the font size; legends only need to be roughly right. */
const LETTER = 0.56
/** Width of a symbol and the space to its label, and the space between entries. */
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
  const legend = layOutLegend(
    (heading.legend ?? []).filter((entry) => !!entry),
    width,
  )
  const legendTop = heading.subtitle ? 58 : 40
  const plotTop = legendTop + legend.height
  const drawing = plot.plot({
    document: await figureDocument(),
    width,
    height: height - plotTop,
    style: { fontFamily: FONT, fontSize: '12px' },
    marginLeft: 52,
    marginBottom: 44,
    marginRight: 20,
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
    withOwnIds(drawing.outerHTML),
    '</svg>',
  ].join('')
}

/** The settings of an axis, as Plot wants them. */
export function axisOptions({ logarithmic, percent, ...settings }: AxisSettings): ScaleOptions {
  return {
    labelAnchor: 'center',
    labelArrow: 'none',
    ...(logarithmic && { type: 'log', tickFormat: plainNumber, ticks: 7 }),
    ...(percent && { tickFormat: (value: number) => `${Number((100 * value).toFixed(2))}%` }),
    ...settings,
  } as ScaleOptions
}

/** 1000, 0.1, 2e-5: numbers as people write them. */
export function plainNumber(value: number): string {
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e7) return String(value)
  if (size === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(value.toPrecision(4)))
  return Number(value.toPrecision(3)).toExponential().replace('e+', 'e')
}

/** A line as the symbol of a legend. */
export function lineSymbol(stroke: string, width: number, dash?: string): string {
  const dashes = dash ? ` stroke-dasharray="${dash}"` : ''
  return `<line x1="-9" x2="9" stroke="${stroke}" stroke-width="${width}"${dashes}/>`
}

/** A circle as the symbol of a legend. */
export function dotSymbol(
  radius: number,
  fill: string,
  stroke?: string,
  width?: number,
  dash?: string,
): string {
  const outline = stroke ? ` stroke="${stroke}" stroke-width="${width}"` : ''
  const dashes = dash ? ` stroke-dasharray="${dash}"` : ''
  return `<circle r="${radius}" fill="${fill}"${outline}${dashes}/>`
}

/**
 * The ids and classes of a drawing, named after its content. Plot numbers them anew in every process, so that two figures from two
 * of them would clip and style each other on one page.
 */
function withOwnIds(svg: string): string {
  const names = new Set(Array.from(svg.matchAll(/ (?:id|class)="(plot-[\w-]+)"/g), ([, name]) => name))
  const mark = contentMark(svg)
  return svg.replaceAll(/plot-[\w-]+/g, (name) =>
    names.has(name) ? `figure-${mark}-${name.slice(5)}` : name,
  )
}

/** 64 bits of FNV-1a: figures of other content have other marks, as far as anybody will see. */
function contentMark(text: string): string {
  let [low, high] = [0x811c9dc5, 0xcbf29ce4]
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(i), 0x01000193) + low
  }
  return [low, high].map((part) => (part >>> 0).toString(36)).join('')
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
