/**
 * Readers given damaged inputs (./reader-cases.ts). A finding is an error that is not the library's, an input that takes more
 * than five seconds of processor time, or data that are taken and are not those of the input. A reader that never comes back
 * would keep its own thread from noticing, so another one watches, and ends the process with the case that did it.
 */
import { cpuUsage } from 'node:process'
import { Worker } from 'node:worker_threads'
import { HyperplaneError } from '../../src/base/errors.ts'
import { type CaseOptions, countOne, tryCases } from './cases.ts'
import { readerCases } from './reader-cases.ts'

/** What became of the inputs of one reader. */
export interface ReaderCounts {
  inputs: number
  accepted: number
  /** How many were refused, by the class of the error. */
  readonly rejected: Record<string, number>
  findings: number
  slowestMs: number
}

const mostMs = 5000
/** After this time an input counts as one that never ends. */
const foreverSeconds = 60

/** Damages inputs and reads them; returns the counts of each reader by its name. */
export async function fuzzReaders(options: CaseOptions): Promise<Record<string, ReaderCounts>> {
  const counts: Record<string, ReaderCounts> = {}
  const watch = new Watch(
    `a reader does not end: npm run torture -- --only readers --seed ${options.seed} --from # --count 1`,
  )
  try {
    await tryCases('readers', options, async ({ index, random, ...one }) => {
      const { name, attempt } = readerCases[index % readerCases.length]
      counts[name] ??= { inputs: 0, accepted: 0, rejected: {}, findings: 0, slowestMs: 0 }
      const tally = counts[name]
      const find = (what: string): void => {
        tally.findings++
        one.find(`${name}: ${what}`)
      }
      tally.inputs++
      const read = await attempt(random)
      watch.begin(index)
      const started = cpuUsage()
      try {
        const problem = await read()
        if (problem !== undefined) find(problem)
        tally.accepted++
      } catch (error) {
        countOne(tally.rejected, error instanceof Error ? error.name : typeof error)
        if (!(error instanceof HyperplaneError)) find(`threw ${error instanceof Error ? error.stack : error}`)
      }
      const { user, system } = cpuUsage(started)
      const ms = (user + system) / 1000
      tally.slowestMs = Math.max(tally.slowestMs, ms)
      if (ms > mostMs) find(`an input takes ${ms / 1000} s`)
      watch.end()
    })
  } finally {
    await watch.close()
  }
  return counts
}

/** Ends the process when one input takes for ever. */
class Watch {
  /** The number of the input that is being read, or -1. */
  private readonly current = new Float64Array(new SharedArrayBuffer(8)).fill(-1)
  private readonly worker: Worker

  /** `message` has # in the place of the number of the input. */
  constructor(message: string) {
    // Seconds are counted one by one: the clock of a machine that sleeps jumps.
    const source = `
      const { workerData: { current, forever, message } } = require('node:worker_threads')
      let last = -1
      let seconds = 0
      setInterval(() => {
        seconds = current[0] === last ? seconds + 1 : 0
        last = current[0]
        if (last < 0 || seconds < forever) return
        require('node:fs').writeSync(2, message.replace('#', last) + '\\n')
        process.kill(process.pid, 'SIGKILL')
      }, 1000)`
    const workerData = { current: this.current, forever: foreverSeconds, message }
    this.worker = new Worker(source, { eval: true, workerData })
    this.worker.unref()
  }

  begin(index: number): void {
    this.current[0] = index
  }

  end(): void {
    this.current[0] = -1
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }
}
