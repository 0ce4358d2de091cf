/** What a search over parameters saw: a heat map over two of them with contours, and the folds of the best cells. */

import { DataError } from '../base/errors.ts'
import { largestOf } from '../base/lists.ts'
import { checkFigureOptions, checkList, checkObject } from './check-figure.ts'
import { axisOptions, dotSymbol, drawFigure, lineSymbol, plainNumber, XY } from './figure.ts'
import type { FigureOptions } from './figure-options.ts'
import { latticeOf, powerAxis, surfaceOf } from './lattice.ts'
import { PALETTE } from './palette.ts'

/** A cell, as the tuner reports it. */
export interface GridCell {
  readonly params: Readonly<Record<string, number | string | boolean>>
  readonly scores: readonly number[]
  readonly mean: number
  readonly standardError: number
}

/** How the figures are drawn. */
export interface GridFigureOptions extends FigureOptions {
  /** What the score is called. Default 'accuracy'. */
  readonly scoring?: string
  /** False where less is better. Default true. */
  readonly greaterIsBetter?: boolean
  /** The parameters of the cell that was chosen. */
  readonly best?: GridCell['params'] | undefined
}

const OPTIONS = ['scoring', 'greaterIsBetter', 'best']

function checkCells(who: string, cells: readonly GridCell[]): void {
  checkList(who, 'cells', cells, 'cells, as tune reports them')
  cells.forEach((cell, k) => {
    checkObject(who, `cells[${k}]`, cell, 'a cell with params, scores and mean')
    checkObject(who, `cells[${k}].params`, cell.params, 'an object of parameters')
    checkList(who, `cells[${k}].scores`, cell.scores, 'scores, one per fold')
  })
}

/** Dark is good: one hue, so that it reads in grey too. */
const SHADES = ['#f7fbff', '#d2e3f3', '#9dc6e0', '#4a97c9', '#1764ab', '#083672']
/** The heat map spends its shades on the better half: what is far below the best is all the same. */
const SHOWN_SHARE = 0.5

/**
 * Mean score over two parameters that are positive numbers, on logarithmic axes, as the text of an SVG. Every cell is a
 * square; contours join equal scores; a ring marks the cell that was chosen.
 */
export async function heatMapFigure(
  cells: readonly GridCell[],
  x: string,
  y: string,
  options: GridFigureOptions = {},
): Promise<string> {
  const who = 'heatMapFigure'
  checkFigureOptions(who, options, OPTIONS)
  checkCells(who, cells)
  const { width = 720, height = 560, scoring = 'accuracy', greaterIsBetter = true, best } = options
  const { title = `Cross-validated ${scoring} over ${x} and ${y}`, subtitle } = options
  const points = cells
    .filter(({ mean }) => Number.isFinite(mean))
    .map(({ params, mean }) => ({ x: exponent(who, x, params[x]), y: exponent(who, y, params[y]), mean }))
  if (points.length === 0) throw new DataError(`${who}: no cell has a score`)
  const means = points.map(({ mean }) => mean).sort((a, b) => (greaterIsBetter ? b - a : a - b))
  const [top] = means
  const floor = means[Math.min(means.length - 1, Math.ceil(SHOWN_SHARE * means.length))]
  const lattice = latticeOf(points)
  const shades = greaterIsBetter ? [floor, top] : [top, floor]
  const range = greaterIsBetter ? SHADES : [...SHADES].reverse()
  const chosen = best && { x: exponent(who, x, best[x]), y: exponent(who, y, best[y]) }
  const surface = lattice && surfaceOf(points, lattice)
  const levels = surface ? contourLevels(floor, top) : []
  const box = (fill: string) =>
    `<rect x="-8" y="-7" width="16" height="14" fill="${fill}" stroke="${PALETTE.frame}"/>`
  const legend = [
    { symbol: box(SHADES[0]), label: `${plainNumber(floor)} or worse` },
    { symbol: box(SHADES[3]), label: plainNumber((floor + top) / 2) },
    { symbol: box(SHADES[5]), label: `${plainNumber(top)} (best)` },
    levels.length > 0 && { symbol: lineSymbol(PALETTE.vermilion, 1.3), label: 'equal scores' },
    chosen && { symbol: dotSymbol(6, 'none', PALETTE.vermilion, 2.5), label: 'chosen' },
  ]
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    marginLeft: 74,
    marginBottom: 46,
    x: powerAxis(x, points, 'x'),
    y: powerAxis(y, points, 'y'),
    color: { type: 'linear', domain: spreadOver(shades, range.length), range, clamp: true },
    marks: [
      lattice
        ? plot.rect(points, {
            x1: (point) => point.x - lattice.xStep,
            x2: (point) => point.x + lattice.xStep,
            y1: (point) => point.y - lattice.yStep,
            y2: (point) => point.y + lattice.yStep,
            fill: 'mean',
            inset: 0.5,
            clip: true,
            ariaDescription: 'cells',
          })
        : plot.dot(points, { ...XY, fill: 'mean', r: 8, stroke: PALETTE.guide, ariaDescription: 'cells' }),
      surface && levels.length > 0
        ? plot.contour(surface.values, {
            ...surface.frame,
            thresholds: levels,
            stroke: PALETTE.vermilion,
            strokeWidth: 1.3,
            clip: true,
            ariaDescription: 'contours',
          })
        : null,
      plot.frame({ stroke: PALETTE.frame }),
      chosen
        ? [
            plot.dot([chosen], { ...XY, r: 9, stroke: '#fff', strokeWidth: 4.5 }),
            plot.dot([chosen], {
              ...XY,
              r: 9,
              stroke: PALETTE.vermilion,
              strokeWidth: 2.5,
              ariaDescription: 'chosen',
            }),
          ]
        : null,
    ],
  }))
}

/** The folds of the best cells, each a dot, with the mean and its standard error, as the text of an SVG. */
export async function foldSpreadFigure(
  cells: readonly GridCell[],
  options: GridFigureOptions & { readonly most?: number } = {},
): Promise<string> {
  checkFigureOptions('foldSpreadFigure', options, [...OPTIONS, 'most'])
  checkCells('foldSpreadFigure', cells)
  const { width = 720, scoring = 'accuracy', greaterIsBetter = true, best, most = 12 } = options
  const { title = 'Spread over the folds', subtitle } = options
  const key = best && paramWords(best)
  const sorted = cells
    .filter(({ mean }) => Number.isFinite(mean))
    .sort((a, b) => (greaterIsBetter ? b.mean - a.mean : a.mean - b.mean))
  // The chosen one is shown even where many are better.
  const ranked = sorted.filter(({ params }, k) => k < most || paramWords(params) === key)
  if (ranked.length === 0) throw new DataError('foldSpreadFigure: no cell has a score')
  const rows = ranked.map(({ params, scores, mean, standardError }) => ({
    name: paramWords(params),
    scores,
    low: mean - standardError,
    high: mean + standardError,
    mean,
  }))
  const dots = rows.flatMap(({ name, scores }) => scores.map((score) => ({ name, score })))
  const longest = largestOf(rows.map(({ name }) => name.length))
  const height = options.height ?? 130 + 30 * rows.length
  const mean = lineSymbol(PALETTE.ink, 1.8) + dotSymbol(3.6, PALETTE.ink)
  const legend = [
    { symbol: `<circle r="4" fill="${PALETTE.sky}" fill-opacity="0.75"/>`, label: 'one fold' },
    { symbol: mean, label: 'mean ± standard error' },
    key && { symbol: dotSymbol(4.6, PALETTE.vermilion), label: 'chosen' },
  ]
  return drawFigure({ title, subtitle, legend }, { width, height }, (plot) => ({
    marginLeft: 30 + 6.8 * Math.min(40, longest),
    marginRight: 24,
    x: axisOptions({ label: scoring, grid: true, ticks: 6, nice: true }),
    y: { domain: rows.map(({ name }) => name), label: null, padding: 0.4 },
    marks: [
      plot.dot(dots, {
        x: 'score',
        y: 'name',
        r: 4,
        fill: PALETTE.sky,
        fillOpacity: 0.75,
        ariaDescription: 'folds',
      }),
      plot.ruleY(rows, {
        x1: 'low',
        x2: 'high',
        y: 'name',
        stroke: PALETTE.ink,
        strokeWidth: 1.8,
        ariaDescription: 'standard errors',
      }),
      plot.dot(rows, {
        x: 'mean',
        y: 'name',
        r: 4.2,
        fill: (row) => (row.name === key ? PALETTE.vermilion : PALETTE.ink),
        ariaDescription: 'means',
      }),
    ],
  }))
}

/** Parameters in a few words: C 8, gamma 0.125. */
function paramWords(params: GridCell['params']): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? plainNumber(value) : value}`)
    .join(', ')
}

/** The logarithm to base 2 of a parameter. */
function exponent(who: string, name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return Math.log2(value)
  throw new DataError(`${who}: ${name} must be a positive number in every cell, got ${value}`)
}

/** A few scores between floor and top, closer together near the top, where it matters. */
function contourLevels(floor: number, top: number): number[] {
  const height = top - floor
  return height === 0 ? [] : [0.5, 0.75, 0.9, 0.97].map((share) => floor + share * height)
}

function spreadOver([from, to]: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1 || 1))
}
