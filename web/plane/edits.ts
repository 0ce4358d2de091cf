/** Changes of the points. */
import type { ClassIndex, Point } from '../state/lab-state.ts'
import { change, points } from '../state/store.ts'

/** Adds a point and returns its number. */
export function addPoint(point: Point): number {
  const { length } = points.value
  draw([...points.value, point])
  return length
}

/** Moves a point; a drag is one step of undo. */
export function movePoint(index: number, x: number, y: number): void {
  const next = points.value.map((point, i) => (i === index ? { ...point, x, y } : point))
  draw(next, `move ${index}`)
}

/** Takes a point away. */
export function erasePoint(index: number): void {
  draw(points.value.filter((_, i) => i !== index))
}

/** Gives a point another class. */
export function recolour(index: number, c: ClassIndex): void {
  draw(points.value.map((point, i) => (i === index ? { ...point, c } : point)))
}

/** Replaces all points. */
export function draw(next: readonly Point[], group = ''): void {
  change({ source: { kind: 'drawn', points: next } }, group)
}
