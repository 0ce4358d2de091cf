/**
 * Cells over two positive parameters, in logarithms to base 2: whether they stand on a lattice, axes that fit them, and the
 * scores between them.
 */
import { largestOf, smallestOf } from '../base/lists.ts'
import { axisOptions, plainNumber } from './figure.ts'

/** A cell by the logarithms of its two parameters. */
interface LatticePoint {
  readonly x: number
  readonly y: number
}

/** Half the distance of neighbours: from the middle of a cell to its border, on each axis. */
interface Lattice {
  readonly xStep: number
  readonly yStep: number
}

/** Points of the fine grid between two cells: contours look smooth. */
const FINE = 12
/** As many as there is room for. */
const MOST_TICKS = 12

/** The steps between neighbours, where cells stand on a regular lattice; undefined elsewhere. */
export function latticeOf(points: readonly LatticePoint[]): Lattice | undefined {
  const [xStep, yStep] = (['x', 'y'] as const).map((axis) => {
    const values = valuesOf(points, axis)
    if (values.length < 2 || points.length < values.length * 2) return undefined
    const distances = values.slice(1).map((value, k) => value - values[k])
    const least = smallestOf(distances)
    return largestOf(distances) < 1.01 * least ? least / 2 : undefined
  })
  return xStep !== undefined && yStep !== undefined ? { xStep, yStep } : undefined
}

/** An axis with ticks at the cells of a lattice, at every second one where they are many, else at round values. */
export function powerAxis(label: string, points: readonly LatticePoint[], axis: 'x' | 'y') {
  const values = valuesOf(points, axis)
  const stride = Math.ceil(values.length / MOST_TICKS)
  return axisOptions({
    label,
    domain: extent(points, axis),
    ticks: latticeOf(points) ? values.filter((_, k) => k % stride === 0) : MOST_TICKS / 2,
    tickFormat: powerWords,
  })
}

/**
 * The scores between the cells, interpolated linearly on a fine grid; beyond the outermost cells, as far
 * as the figure shows and a little further (contours close along the rim of their grid, which must be out of sight), the
 * nearest cell's.
 */
export function surfaceOf(
  points: readonly (LatticePoint & { readonly mean: number })[],
  { xStep, yStep }: Lattice,
) {
  const xs = valuesOf(points, 'x')
  const ys = valuesOf(points, 'y')
  const known = new Map(points.map(({ x, y, mean }) => [`${x} ${y}`, mean]))
  const worst = smallestOf(points.map(({ mean }) => mean))
  const table = ys.map((y) => xs.map((x) => known.get(`${x} ${y}`) ?? worst))
  const width = FINE * (xs.length + 1)
  const height = FINE * (ys.length + 1)
  const values = new Float64Array(width * height)
  for (let r = 0; r < height; r++) {
    const [y0, y1, v] = between(r, ys.length)
    for (let c = 0; c < width; c++) {
      const [x0, x1, u] = between(c, xs.length)
      const low = table[y0][x0] * (1 - u) + table[y0][x1] * u
      const high = table[y1][x0] * (1 - u) + table[y1][x1] * u
      values[r * width + c] = low * (1 - v) + high * v
    }
  }
  const [x1, x2] = [xs[0] - 2 * xStep, xs[xs.length - 1] + 2 * xStep]
  const [y1, y2] = [ys[0] - 2 * yStep, ys[ys.length - 1] + 2 * yStep]
  return { values, frame: { width, height, x1, x2, y1, y2 } }
}

/** The cells on both sides of a point of the fine grid, and how far it is from the first to the second. */
function between(k: number, cells: number): [number, number, number] {
  const at = Math.min(cells - 1, Math.max(0, (k + 0.5) / FINE - 1))
  const low = Math.floor(at)
  return [low, Math.min(cells - 1, low + 1), at - low]
}

/** The different values on one axis, ascending. */
function valuesOf(points: readonly LatticePoint[], axis: 'x' | 'y'): number[] {
  return [...new Set(points.map((point) => point[axis]))].sort((a, b) => a - b)
}

/** What an axis must show: whole cells on a lattice, a little room around the cells elsewhere. */
function extent(points: readonly LatticePoint[], axis: 'x' | 'y'): [number, number] {
  const values = valuesOf(points, axis)
  const [low, high] = [values[0], values[values.length - 1]]
  const room = latticeOf(points)?.[`${axis}Step`] ?? (0.08 * (high - low) || 1)
  return [low - room, high + room]
}

/** What a logarithm stands for; whole powers of two that are long to write as 2 with an exponent: 2⁻⁹. */
function powerWords(exponent: number): string {
  if (!Number.isInteger(exponent) || Math.abs(exponent) <= 4) return plainNumber(2 ** exponent)
  const raised = Array.from(String(exponent), (sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]))
  return `2${raised.join('')}`
}
