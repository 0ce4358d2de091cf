/** The file a helper thread runs in a browser. */
import { serveJobs } from './thread-loop.ts'
import type { ThreadStart } from './thread-team.ts'

addEventListener(
  'message',
  ({ data }: MessageEvent<ThreadStart>) => {
    serveJobs(data)
    close()
  },
  { once: true },
)
