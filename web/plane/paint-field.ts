/** Fields as pictures: colours that fade to paper at the boundary, and the lines at −1, 0 and +1. */
import type { Grid } from '../worker/messages.ts'
import { colourOf, rgb, type Theme } from './colours.ts'
import { contourLines, type Polyline } from './contours.ts'
import type { Field } from './scene.ts'
import type { Size } from './view.ts'
import { countVotes } from './votes.ts'

/** A line to draw over the field. */
export interface FieldLine {
  readonly line: Polyline
  readonly role: 'boundary' | 'margin'
}

/** Strongest tint of the field. */
const MOST_TINT = 0.44
/** Decision value at which the tint is strongest: the eye should rest on the margin. */
const FULL_VALUE = 1.7

/** The field as an image, one pixel per node, the first row at the top. */
export function fieldImage({ kind, classes, fields, grid }: Field, theme: Theme): ImageData {
  const { columns, rows } = grid
  const image = new ImageData(columns, rows)
  const out = new Uint32Array(image.data.buffer)
  const shades = classes.map((c) => shadesOf(theme.paper, theme.classes[colourOf(c)]))
  // Outliers may be far below 0 and no sample far above it: each side has its own scale.
  const [below, above] =
    kind === 'one-class' || kind === 'kernel' ? reach(fields[0]) : [FULL_VALUE, FULL_VALUE]
  const votes = new Uint8Array(classes.length)
  for (let r = 0, k = 0; r < rows; r++) {
    const to = (rows - 1 - r) * columns
    for (let c = 0; c < columns; c++, k++) {
      if (kind === 'votes') {
        countVotes(fields, k, votes)
        out[to + c] = shades[winner(votes, r + c)][shadeIndex(voteTint(votes))]
      } else if (fields.length === 1) {
        const value = fields[0][k]
        out[to + c] = value > 0 ? shades[1][shadeIndex(value / above)] : shades[0][shadeIndex(-value / below)]
      } else {
        const [best, lead] = leader(fields, k)
        out[to + c] = shades[best][shadeIndex(lead / FULL_VALUE)]
      }
    }
  }
  return image
}

/** Boundary and margins of a field, in units of cells. */
export function fieldLines({ kind, fields, grid }: Field): FieldLine[] {
  const { columns, rows } = grid
  const at = (values: ArrayLike<number>, level: number, role: FieldLine['role']) =>
    contourLines(values, columns, rows, level).map((line) => ({ line, role }))
  if (kind === 'regression') return []
  if (kind === 'one-class') return at(fields[0], 0, 'boundary')
  if (kind === 'votes') return fields.flatMap((field) => at(field, 0, 'margin'))
  if (kind === 'kernel') {
    const [, above] = reach(fields[0])
    return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((share) => at(fields[0], share * above, 'margin'))
  }
  if (fields.length === 1) {
    return [...at(fields[0], -1, 'margin'), ...at(fields[0], 1, 'margin'), ...at(fields[0], 0, 'boundary')]
  }
  return fields.flatMap((field, k) => at(leadOf(fields, field, k), 0, 'boundary'))
}

/** Draws boundary and margins. */
export function paintLines(
  context: OffscreenCanvasRenderingContext2D,
  lines: readonly FieldLine[],
  grid: Grid,
  size: Size,
  theme: Theme,
): void {
  const cellWidth = size.width / (grid.columns - 1)
  const cellHeight = size.height / (grid.rows - 1)
  for (const role of ['margin', 'boundary'] as const) {
    context.beginPath()
    for (const { line, role: own } of lines) {
      if (own !== role) continue
      for (let k = 0; k < line.length; k += 2) {
        const x = line[k] * cellWidth
        const y = size.height - line[k + 1] * cellHeight
        if (k === 0) context.moveTo(x, y)
        else context.lineTo(x, y)
      }
    }
    context.strokeStyle = theme.ink
    context.lineWidth = role === 'boundary' ? 2.2 : 1.2
    context.setLineDash(role === 'boundary' ? [] : [6, 5])
    context.globalAlpha = role === 'boundary' ? 0.95 : 0.7
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
}

const SHADES = 256

function shadeIndex(value: number): number {
  const t = Math.min(value, 1)
  return (t * (2 - t) * (SHADES - 1)) | 0
}

const knownShades = new Map<string, Uint32Array>()

/** From paper to a tint of the colour, as pixels. */
function shadesOf(paper: string, colour: string): Uint32Array {
  const name = paper + colour
  const known = knownShades.get(name) ?? makeShades(paper, colour)
  knownShades.set(name, known)
  return known
}

function makeShades(paper: string, colour: string): Uint32Array {
  const [r0, g0, b0] = rgb(paper)
  const [r1, g1, b1] = rgb(colour)
  return Uint32Array.from({ length: SHADES }, (_, k) => {
    const t = (MOST_TINT * k) / (SHADES - 1)
    const r = Math.round(r0 + t * (r1 - r0))
    const g = Math.round(g0 + t * (g1 - g0))
    const b = Math.round(b0 + t * (b1 - b0))
    return (255 << 24) | (b << 16) | (g << 8) | r
  })
}

/** Nodes of a stripe where classes are tied. */
const STRIPE = 3

/** The class with the most votes; where several have them, each has its stripes. */
function winner(votes: Uint8Array, along: number): number {
  let most = 0
  for (const count of votes) if (count > most) most = count
  let tied = 0
  for (const count of votes) if (count === most) tied++
  let turn = Math.floor(along / STRIPE) % tied
  for (let c = 0; c < votes.length; c++) if (votes[c] === most && turn-- === 0) return c
  return 0
}

/** Full for a class that wins all its pairs, half where it wins fewer. */
function voteTint(votes: Uint8Array): number {
  return votes.includes(votes.length - 1) ? 1 : 0.3
}

/** The class with the highest value at node k, and how far it leads. */
function leader(fields: readonly Float32Array[], k: number): [best: number, lead: number] {
  let best = 0
  let second = Number.NEGATIVE_INFINITY
  for (let f = 1; f < fields.length; f++) {
    if (fields[f][k] > fields[best][k]) {
      second = fields[best][k]
      best = f
    } else if (fields[f][k] > second) second = fields[f][k]
  }
  return [best, fields[best][k] - second]
}

/** How far one class leads the best of the others: 0 on its boundary. */
function leadOf(fields: readonly Float32Array[], field: Float32Array, own: number): Float32Array {
  return field.map((value, k) => {
    let rival = Number.NEGATIVE_INFINITY
    for (let f = 0; f < fields.length; f++) if (f !== own && fields[f][k] > rival) rival = fields[f][k]
    return value - rival
  })
}

/** How far values go below and above 0. */
function reach(values: Float32Array): readonly [below: number, above: number] {
  let [low, high] = [0, 0]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [-low || 1, high || 1]
}
