/** The file a helper thread runs in a browser. */
import type { ThreadStart } from './thread-control.ts'
import { serveJobs } from './thread-loop.ts'

addEventListener(
  'message',
  ({ data }: MessageEvent<ThreadStart>) => {
    serveJobs(data)
    close()
  },
  { once: true },
)
addEventListener('messageerror', () => {
  throw new Error('the memory of the engine cannot be shared with them')
})
