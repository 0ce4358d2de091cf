/** Surfaces and points in space, drawn from the back to the front, without a graphics library: a few hundred faces are enough. */
import type { Theme } from '../plane/colours.ts'
import { colourOf } from '../plane/colours.ts'
import type { Size } from '../plane/view.ts'

/** Where one looks from: an angle around the upright axis, and one above the ground, in radians. */
export interface Camera {
  readonly azimuth: number
  readonly elevation: number
}

/** Heights over a regular grid; places go from −1 to 1 along x, and as far along y as the shape of the plane asks. */
export interface Surface {
  readonly columns: number
  readonly rows: number
  /** `[row * columns + column]`, from the lower left; NaN where there is no surface. */
  readonly heights: Float64Array
  /** A colour for a face, by its mean height. */
  readonly colour: (height: number) => string
}

/** A line in space: x, y, z, x, y, z, … */
export interface SpaceLine {
  readonly places: readonly number[]
  readonly role: 'boundary' | 'margin' | 'curve' | 'shadow'
}

/** Everything that is drawn. */
export interface Space {
  readonly aspect: number
  readonly surface?: Surface
  /** Corners of a plane that cuts through, and its colour. */
  readonly cut?: { readonly corners: readonly number[]; readonly colour: string }
  readonly lines: readonly SpaceLine[]
  /** x, y, z of each point, and its class. */
  readonly points: Float64Array
  readonly classes: ArrayLike<number>
}

/** Draws a space. */
export function paintSpace(
  context: CanvasRenderingContext2D,
  space: Space,
  camera: Camera,
  size: Size,
  ratio: number,
  theme: Theme,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = theme.paper
  context.fillRect(0, 0, size.width, size.height)
  const project = projection(camera, size)
  const { surface, cut } = space
  if (surface) paintSurface(context, surface, space.aspect, camera, project, theme)
  if (cut) paintFace(context, cut.corners, project, cut.colour, theme.ink)
  for (const line of space.lines) paintLine(context, line, project, theme)
  paintPoints(context, space, camera, project, theme)
}

type Project = (x: number, y: number, z: number) => readonly [x: number, y: number]

/** Parallel rays: nothing is smaller for being far, so that lengths can be compared. */
function projection({ azimuth, elevation }: Camera, { width, height }: Size): Project {
  const scale = 0.34 * Math.min(width, 1.3 * height)
  const [cos, sin] = [Math.cos(azimuth), Math.sin(azimuth)]
  const [up, down] = [Math.cos(elevation), Math.sin(elevation)]
  return (x, y, z) => {
    const across = x * cos - y * sin
    const away = x * sin + y * cos
    return [width / 2 + scale * across, 0.54 * height - scale * (away * down + z * up)]
  }
}

function paintSurface(
  context: CanvasRenderingContext2D,
  { columns, rows, heights, colour }: Surface,
  aspect: number,
  { azimuth }: Camera,
  project: Project,
  theme: Theme,
): void {
  // From the far corner to the near one: the direction of each axis on the screen says which that is.
  const [backX, backY] = [Math.sin(azimuth) > 0, Math.cos(azimuth) > 0]
  context.lineWidth = 0.5
  context.strokeStyle = theme.line
  const at = (c: number, r: number) => {
    const x = (2 * c) / (columns - 1) - 1
    const y = ((2 * r) / (rows - 1) - 1) / aspect
    return project(x, y, heights[r * columns + c])
  }
  for (let j = 0; j < rows - 1; j++) {
    const r = backY ? rows - 2 - j : j
    for (let k = 0; k < columns - 1; k++) {
      const c = backX ? columns - 2 - k : k
      const corners = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)]
      const i = r * columns + c
      const mean = (heights[i] + heights[i + 1] + heights[i + columns] + heights[i + columns + 1]) / 4
      if (Number.isNaN(mean)) continue
      context.beginPath()
      for (const [x, y] of corners) context.lineTo(x, y)
      context.closePath()
      context.fillStyle = colour(mean)
      context.fill()
      context.stroke()
    }
  }
}

function paintFace(
  context: CanvasRenderingContext2D,
  corners: readonly number[],
  project: Project,
  fill: string,
  stroke: string,
): void {
  context.beginPath()
  for (let k = 0; k < corners.length; k += 3) {
    const [x, y] = project(corners[k], corners[k + 1], corners[k + 2])
    if (k === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.closePath()
  context.globalAlpha = 0.45
  context.fillStyle = fill
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 1
  context.strokeStyle = stroke
  context.stroke()
}

const widths = { boundary: 2.4, margin: 1.3, curve: 1.8, shadow: 1.2 } as const

function paintLine(
  context: CanvasRenderingContext2D,
  { places, role }: SpaceLine,
  project: Project,
  theme: Theme,
): void {
  context.beginPath()
  for (let k = 0; k < places.length; k += 3) {
    const [x, y] = project(places[k], places[k + 1], places[k + 2])
    if (k === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.strokeStyle = role === 'shadow' ? theme.muted : theme.ink
  context.lineWidth = widths[role]
  context.setLineDash(role === 'margin' || role === 'shadow' ? [6, 5] : [])
  context.stroke()
  context.setLineDash([])
}

function paintPoints(
  context: CanvasRenderingContext2D,
  { points, classes }: Space,
  { azimuth }: Camera,
  project: Project,
  theme: Theme,
): void {
  const away = (i: number) => points[3 * i] * Math.sin(azimuth) + points[3 * i + 1] * Math.cos(azimuth)
  const order = Array.from(classes, (_, i) => i).sort((a, b) => away(b) - away(a))
  const radius = classes.length <= 300 ? 4.5 : 2.5
  context.strokeStyle = theme.paper
  context.lineWidth = 1
  for (const i of order) {
    const [x, y] = project(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fillStyle = theme.classes[colourOf(classes[i])]
    context.fill()
    context.stroke()
  }
}
