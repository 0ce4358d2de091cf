/** Shows how far data have become shards. */
import type { ShardProgress } from '../../data/shards/write-shards.node.ts'
import { counted } from '../report/output.ts'
import type { LateBar } from '../terminal/late-bar.ts'
import { timeLeft } from './time-left.ts'

/** A callback for `onProgress` that drives `bar`. */
export function shardProgress(bar: LateBar): (progress: ShardProgress) => void {
  const left = { reading: timeLeft(), writing: timeLeft() }
  return ({ phase, fraction, rows }) => {
    const known = Number.isFinite(fraction) ? fraction : 0
    bar.update(`${phase} shards`, known, `${counted(rows, 'row')}${left[phase](known)}`)
  }
}
