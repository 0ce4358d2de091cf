/** Points as workers take them, and back. */
import type { ClassIndex, Point } from '../state/lab-state.ts'
import type { PlaneData } from '../worker/messages.ts'
import { isHeldOut } from './is-held-out.ts'

const known = new WeakMap<readonly Point[], PlaneData>()
/** The last points of which some were held out. */
let parted: { readonly of: PlaneData; readonly share: number; readonly data: PlaneData } | undefined

/** Points as workers take them, a share of them held out: the same arrays for the same list and share. */
export function planeData(list: readonly Point[], share = 0): PlaneData {
  const all = known.get(list) ?? makeData(list)
  if (share === 0) return all
  if (parted?.of !== all || parted.share !== share) {
    const heldOut = Uint8Array.from(list, (_, i) => (isHeldOut(i, share) ? 1 : 0))
    parted = { of: all, share, data: { ...all, heldOut } }
  }
  return parted.data
}

function makeData(list: readonly Point[]): PlaneData {
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
