/** How many points each part of the Lab can take, and how it says so. */
import type { Mode } from './lab-state.ts'

/**
 * Watch keeps the coefficients of every step, and more points make steps too small to see. Race keeps kernel values between
 * all points and nodes of the small planes. Tune trains for every cell and fold.
 */
const mostPoints: Readonly<Partial<Record<Mode, number>>> = { watch: 1000, race: 1500, tune: 2000 }

const names = { watch: 'Watch', race: 'Race', tune: 'Tune' } as Readonly<Record<Mode, string>>

/** What is wrong with so many points in a part, in words; undefined if nothing is. */
export function tooMany(mode: Mode, count: number): string | undefined {
  const most = mostPoints[mode] ?? Number.POSITIVE_INFINITY
  if (count <= most) return undefined
  return `${names[mode]} takes at most ${most.toLocaleString('en')} points, and there are ${count.toLocaleString('en')}`
}

/** The limit of a part before it is reached; undefined where there is none. */
export function limitWords(mode: Mode): string | undefined {
  const most = mostPoints[mode]
  return most === undefined ? undefined : `${names[mode]} takes up to ${most.toLocaleString('en')} points.`
}
