/** Shows how far data have become shards. */
import type { ShardProgress } from '../../data/shards/write-shards.node.ts'
import { counted } from '../report/output.ts'
import type { LateBar } from '../terminal/late-bar.ts'

/** A callback for `onProgress` that drives `bar`. */
export function shardProgress(bar: LateBar): (progress: ShardProgress) => void {
  const left = { reading: timeLeft(), writing: timeLeft() }
  return ({ phase, fraction, rows }) => {
    const known = Number.isFinite(fraction) ? fraction : 0
    bar.update(`${phase} shards`, known, `${counted(rows, 'row')}${left[phase](known)}`)
  }
}

/** Milliseconds of work that say nothing yet. */
const QUIET_MS = 2000

/** A function that takes the share of the work that is done and says, after a comma, about how long the rest will take. */
export function timeLeft(): (fraction: number) => string {
  let first: { readonly ms: number; readonly fraction: number } | undefined
  return (fraction) => {
    const ms = performance.now()
    first ??= { ms, fraction }
    const done = fraction - first.fraction
    if (ms - first.ms < QUIET_MS || !(done > 0) || fraction >= 1) return ''
    return `, ${durationWords(((ms - first.ms) / 1000) * ((1 - fraction) / done))} left`
  }
}

/** 45 s, 12 min, 3 h: two digits are enough for a guess. */
function durationWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
