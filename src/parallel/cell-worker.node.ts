/** A thread that fits cells on folds, one after the other. */
import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import '../models/machines/use-engine.ts'
import '../models/machines/use-tables.ts'
import { slot } from '../base/slot.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { fitOnFold } from '../selection/score/fold-output.ts'
import { estimatorFromSpec } from '../selection/search/estimator-params.ts'
import { foldsOfJob, type TuningJob } from '../selection/search/tuning-job.ts'
import type { Fold } from '../selection/split/splits.ts'
import { setDefaultCacheBytes } from '../solve/driver/run.ts'
import type { CellCommand, CellReport } from './cell-messages.ts'
import { packError } from './error-transfer.ts'
import { rowMemory } from './node-resources.node.ts'
import { useWorkerData } from './worker-data.node.ts'

useWorkerData(workerData)

// One core each: the threads share the memory that a fit on its own would have, and start no helpers.
setDefaultCacheBytes(rowMemory() / availableParallelism())

const port = parentPort as MessagePort
/** What is being worked on. */
const work = slot<
  { readonly job: TuningJob; readonly data: Dataset<unknown>; readonly folds: readonly Fold[] } | undefined
>(undefined)

port.on('message', async (command: CellCommand) => {
  try {
    if (command.kind === 'job') {
      const { job, data } = command
      work.install({ job, data, folds: foldsOfJob(job, data) })
      return
    }
    const { job, data, folds } = work.current as NonNullable<typeof work.current>
    const estimator = estimatorFromSpec(job.estimator, job.cells[command.cell])
    const { output } = await fitOnFold(estimator, data, folds[command.fold])
    report({ kind: 'done', output })
  } catch (error) {
    report({ kind: 'failed', error: packError(error) })
  }
})

report({ kind: 'ready' })

function report(message: CellReport): void {
  port.postMessage(message)
}
