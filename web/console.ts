/** What the page knows, for people with a console open, and for tests: `lab.points()`, `lab.take()?.recording`. */
import { file, preview, result, tuned } from './data/file-state.ts'
import { shown } from './plane/live.ts'
import { painted } from './plane/painting.ts'
import { finished } from './race/race-state.ts'
import { points, state } from './state/store.ts'
import { done, stop } from './stories/story.ts'
import { cells } from './tune/tune-state.ts'
import { frame, take } from './watch/player.ts'

/** See the header of the file. */
export const lab = {
  state: () => state.value,
  points: () => points.value,
  shown: () => shown.value,
  painted: () => painted,
  take: () => take.value,
  frame: () => frame.value,
  race: () => finished.value?.race,
  cells: () => cells.value,
  file: () => file.value,
  preview: () => preview.value,
  tuned: () => tuned.value,
  story: () => stop.value?.name,
  done: () => [...done.value],
  result: () => result.value,
}
