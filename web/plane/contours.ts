/**
 * Lines of equal value on a grid (marching squares). Each cell that the level passes through holds one or two pieces
 * between points on its edges, placed by linear interpolation; pieces are joined at shared edges, so that dashes run on.
 */

/** A line as x, y, x, y, … in units of cells from the first node. */
export type Polyline = readonly number[]

/** The lines at which `values` (`[row * columns + column]`) equals `level`. */
export function contourLines(
  values: ArrayLike<number>,
  columns: number,
  rows: number,
  level: number,
): Polyline[] {
  // Edges have numbers: 2k is the one from node k to the right, 2k + 1 the one from node k upwards.
  const links = new Map<number, number[]>()
  const join = (a: number, b: number) => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ]) {
      const known = links.get(from)
      if (known) known.push(to)
      else links.set(from, [to])
    }
  }
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const k = r * columns + c
      const a = values[k] >= level
      const b = values[k + 1] >= level
      const d = values[k + columns] >= level
      const e = values[k + columns + 1] >= level
      if (a === b && b === d && d === e) continue
      const bottom = 2 * k
      const left = 2 * k + 1
      const top = 2 * (k + columns)
      const right = 2 * (k + 1) + 1
      const crossed: number[] = []
      if (a !== b) crossed.push(bottom)
      if (b !== e) crossed.push(right)
      if (d !== e) crossed.push(top)
      if (a !== d) crossed.push(left)
      if (crossed.length === 2) {
        join(crossed[0], crossed[1])
      } else {
        // A saddle: the value in the middle says which corners belong together.
        const middle =
          (values[k] + values[k + 1] + values[k + columns] + values[k + columns + 1]) / 4 >= level
        if (middle === a) {
          join(bottom, right)
          join(left, top)
        } else {
          join(bottom, left)
          join(right, top)
        }
      }
    }
  }
  const place = (edge: number, line: number[]) => {
    const k = edge >> 1
    const upwards = edge & 1
    const from = values[k]
    const to = values[upwards ? k + columns : k + 1]
    const at = (level - from) / (to - from)
    const c = k % columns
    const r = (k - c) / columns
    line.push(upwards ? c : c + at, upwards ? r + at : r)
  }
  return follow(links, place)
}

/** Walks along the links, open lines from their ends first, then rings. */
function follow(links: Map<number, number[]>, place: (edge: number, line: number[]) => void): Polyline[] {
  const lines: Polyline[] = []
  const walk = (start: number) => {
    const line: number[] = []
    let edge: number | undefined = start
    while (edge !== undefined) {
      place(edge, line)
      const next: number | undefined = links.get(edge)?.pop()
      if (next === undefined) break
      const back = links.get(next) as number[]
      back.splice(back.indexOf(edge), 1)
      edge = next
    }
    if (line.length > 2) lines.push(line)
  }
  for (const [edge, next] of links) if (next.length === 1) walk(edge)
  for (const [edge, next] of links) while (next.length > 0) walk(edge)
  return lines
}
