/** `hyperplane queue ADDRESS status|clear`: what runs where, what waits, what failed and why; or an empty queue. */

import { type QueueStatus, RedisBoard } from '../../distributed/redis-board.node.ts'
import { type Flags, subcommand } from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import {
  count,
  counted,
  type Lines,
  number,
  paragraph,
  printResult,
  seconds,
  table,
} from '../report/output.ts'

const options = {}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: {
    '<address>': 'the queue, such as redis://localhost:6379',
    '<what>': {
      help: 'status: show it; clear: remove all jobs, results and scores',
      choices: ['status', 'clear'],
    },
  },
  options,
  notes: `Examples:
  $ hyperplane queue redis://localhost:6379 status
  $ hyperplane queue redis://localhost:6379 clear

Workers keep running after clear; a command that waits for jobs posts them again.`,
  run,
})

async function run(flags: Flags<typeof options>, address: string, what: string): Promise<void> {
  const board = await RedisBoard.open(COMMAND, address)
  try {
    if (what === 'clear') {
      const removed = await board.clear()
      printResult(flags, { removed }, () => [`${counted(removed, 'key')} removed`])
      return
    }
    const status = await board.status()
    printResult(flags, status, () => statusLines(status))
  } finally {
    await board.close()
  }
}

function statusLines(status: QueueStatus): Lines {
  const { waiting, active, delayed, failed, workers, failures, memoryBytes, persistent } = status
  const running = workers.flatMap(({ id, running: own }) => own.map((job) => ({ worker: id, ...job })))
  const refusals = workers.flatMap(({ id, refuses }) => Object.values(refuses).map((why) => `${id}: ${why}`))
  return [
    `jobs: ${count(waiting)} waiting, ${count(active)} running, ${count(delayed)} handed back, ${count(failed)} failed`,
    `Redis: ${number(memoryBytes / 1e6, 3)} MB, ${persistent ? 'kept in a file (AOF)' : 'in memory only: a restart loses the queue, and jobs are computed again'}`,
    '',
    workers.length === 0
      ? 'no workers: start some with hyperplane worker --queue ADDRESS --data FOLDER'
      : table(workers, [
          ['worker', ({ id }) => id, 'left'],
          ['threads', ({ threads }) => String(threads)],
          ['done', ({ done }) => count(done)],
          ['failed', (worker) => count(worker.failed)],
          ['busy', (worker) => seconds(worker.seconds)],
        ]),
    running.length > 0 &&
      paragraph(
        table(running, [
          ['under way', ({ what }) => what, 'left'],
          ['where', ({ worker }) => worker, 'left'],
          ['since', ({ since }) => since, 'left'],
        ]),
      ),
    refusals.length > 0 && ['', 'refused:', ...refusals],
    failures.length > 0 && ['', 'failed:', ...failures.map(failureWords)],
  ]
}

function failureWords({ id, reason, attempts }: QueueStatus['failures'][number]): string {
  return `${id.slice(0, 12)} (${counted(attempts, 'attempt')}): ${reason}`
}
