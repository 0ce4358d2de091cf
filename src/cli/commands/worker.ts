/** `hyperplane worker`: works on the jobs of a queue until it is stopped. */

import { ParameterError } from '../../base/errors.ts'
import { present } from '../../base/lists.ts'
import { QueueWorker, type WorkerCounts } from '../../distributed/queue-worker.node.ts'
import { serveMetrics } from '../../distributed/worker-metrics.node.ts'
import { defined, type Flags, listOption, numberOption, subcommand, textOption } from '../options/options.ts'
import { queueFrom, queueOption } from '../options/queue-options.ts'
import { COMMAND } from '../report/failure.ts'
import { CTRL_C_AND_TERM } from '../report/interrupt.ts'
import { counted, notice, printResult, seconds } from '../report/output.ts'

const options = {
  ...queueOption(
    'address of the queue, such as redis://localhost:6379 (default: the environment variable HYPERPLANE_QUEUE)',
  ),
  threads: numberOption('number of jobs to run in parallel, each on its own thread (default: all cores)'),
  data: listOption(
    'place',
    'a folder with data, or its address (https://HOST/FOLDER/); may be repeated; no other files are read',
  ),
  cache: textOption(
    'folder',
    'where to keep files fetched from servers (default: in the folder for temporary files)',
  ),
  cacheLimit: numberOption('maximum size of the cache (default 10)', 'gigabytes'),
  status: numberOption('serve /metrics (for Prometheus) and /health on this port', 'port'),
  lock: numberOption('how long a worker may be silent before its jobs go to others (default 30)', 'seconds'),
  grace: numberOption(
    'how long running jobs may continue after SIGTERM or Ctrl-C before they are handed back (default 20)',
    'seconds',
  ),
}

/** Seconds between two lines on what was done, where there is anything new. */
const LINE_SECONDS = 10
/** Seconds that running jobs get after a signal: less than the 30 after which schedulers such as Kubernetes kill. */
const GRACE_SECONDS = 20

/** Adds arguments, options and action. */
export const configure = subcommand({
  options,
  notes: `Example:
  $ hyperplane worker --queue redis://localhost:6379 --data /srv/data --status 9464

Start any number of workers, on any machine that can reach the queue and the data. After SIGTERM or Ctrl-C, running jobs are
finished, or handed back after --grace seconds; a second signal hands them back immediately. User and password come from the address, or
from HYPERPLANE_QUEUE_USER and HYPERPLANE_QUEUE_PASSWORD. A worker never runs code from a job, and reads nothing outside --data.`,
  run,
})

async function run(flags: Flags<typeof options>): Promise<void> {
  const { threads, data, cache, cacheLimit, status, lock, grace = GRACE_SECONDS } = flags
  if (!(grace >= 0)) throw new ParameterError(COMMAND, '--grace', '>= 0', grace)
  const say = (line: string): void => notice(`${new Date().toISOString()} ${line}`)
  const starting = QueueWorker.start(queueFrom(flags), {
    ...defined({ threads, places: data, cache, lockSeconds: lock }),
    ...(cacheLimit !== undefined && { cacheBytes: 1e9 * cacheLimit }),
    onLine: say,
  })
  // From the beginning: it may have taken a job before this command knows that it has started.
  const stopped = stoppedBySignal(starting, grace, say)
  const worker = await starting
  const server = status === undefined ? undefined : await serveMetrics(status, () => worker.status)
  say(
    `worker ${worker.id} waiting for jobs of ${worker.address}${data ? `; data from ${data.join(', ')}` : ''}`,
  )
  let before = ''
  const timer = setInterval(() => {
    const line = healthLine(worker.status)
    if (line !== before) say(line)
    before = line
  }, 1000 * LINE_SECONDS)
  await stopped
  clearInterval(timer)
  server?.close()
  printResult(flags, { worker: worker.id, ...worker.status }, () => [healthLine(worker.status)])
  // Threads that wait are of no more use.
  process.exit(0)
}

/** Resolves when the worker has been stopped by a signal; a second one hands its jobs back immediately. */
function stoppedBySignal(
  starting: Promise<QueueWorker>,
  grace: number,
  say: (line: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = async (): Promise<void> => {
      const isFirst = !isStopping
      isStopping = true
      // One that does not start says why elsewhere.
      const worker = await starting.catch(() => undefined)
      if (isFirst && worker) say(`stopping: ${counted(worker.status.running, 'job')} running`)
      await worker?.stop(isFirst ? 1000 * grace : 0).catch(() => {})
      if (isFirst) resolve()
    }
    for (const name of CTRL_C_AND_TERM) process.on(name, () => void stop())
  })
}

function healthLine({ done, failed, refused, handedBack, running, seconds: time }: WorkerCounts): string {
  return present([
    `${counted(done, 'job')} done in ${seconds(time)}`,
    running > 0 && `${running} running`,
    failed > 0 && `${failed} failed`,
    refused > 0 && `${refused} left to others`,
    handedBack > 0 && `${handedBack} handed back`,
  ]).join(', ')
}
