/** Points as workers take them, and back. */
import type { ClassIndex, Point } from '../state/lab-state.ts'
import type { PlaneData } from '../worker/messages.ts'

const known = new WeakMap<readonly Point[], PlaneData>()

/** Points as workers take them: the same arrays for the same list. */
export function planeData(list: readonly Point[]): PlaneData {
  const made = known.get(list)
  if (made) return made
  const xy = new Float64Array(2 * list.length)
  const classes = new Uint8Array(list.length)
  list.forEach(({ x, y, c }, i) => {
    xy[2 * i] = x
    xy[2 * i + 1] = y
    classes[i] = c
  })
  const data = { xy, classes }
  known.set(list, data)
  return data
}

/** The points that a worker made. */
export function pointsOf(data: PlaneData): readonly Point[] {
  const { xy, classes } = data
  const list: Point[] = []
  for (let i = 0; i < classes.length; i++) {
    list.push({ x: xy[2 * i], y: xy[2 * i + 1], c: classes[i] as ClassIndex })
  }
  known.set(list, data)
  return list
}
