/** The file a helper thread runs in Node. */
import { workerData } from 'node:worker_threads'
import { serveJobs } from './thread-loop.ts'
import type { ThreadStart } from './thread-team.ts'

serveJobs(workerData as ThreadStart)
