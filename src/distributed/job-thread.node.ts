/** A thread of a worker: does one job after the other. The data of the last search stay in memory. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import '../models/machines/use-engine.ts'
import '../models/machines/use-tables.ts'
import { DataError } from '../base/errors.ts'
import { readDataset } from '../data/files/read-dataset.node.ts'
import { plainLineReader } from '../data/libsvm/plain-lines.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { linesOnEngine } from '../engine/text/parse-lines.ts'
import { packError } from '../parallel/error-transfer.ts'
import { useNodeResources } from '../parallel/node-resources.node.ts'
import { useWorkerData } from '../parallel/worker-data.node.ts'
import type { FoldOutput } from '../selection/score/fold-output.ts'
import { datasetHash } from '../selection/search/content-hash.ts'
import { estimatorFromSpec, onOneThread } from '../selection/search/estimator-params.ts'
import type { SelectionWork, Unit } from '../selection/search/executor.ts'
import { foldsOfJob, type TuningJob } from '../selection/search/tuning-job.ts'
import { sharedWorkExecutor } from '../selection/share/shared-work.ts'
import type { Fold } from '../selection/split/splits.ts'
import { setDefaultCacheBytes } from '../solve/driver/run.ts'
import { type CellsResult, packResult, type SearchDocument } from './job-message.ts'
import type { ThreadCommand, ThreadReport } from './thread-messages.ts'

useNodeResources()
useWorkerData(workerData)
plainLineReader.install(linesOnEngine())

const port = parentPort as MessagePort

/** The data and the folds that were used last. */
let held: { readonly data: Dataset; readonly hash: string } | undefined
let divided: { readonly search: string; readonly folds: readonly Fold[] } | undefined

port.on('message', async (command: ThreadCommand) => {
  try {
    const result = packResult(command.id, await runCells(command))
    report({ kind: 'done', result }, [result.buffer])
  } catch (error) {
    report({ kind: 'failed', error: packError(error) })
  }
})

async function runCells({ job, search, path }: ThreadCommand): Promise<CellsResult> {
  const { job: asked } = search
  const data = await dataOf(search, path)
  const folds = foldsOf(job.search, asked, data)
  const stray = job.units.find(({ cell, fold }) => cell >= job.cells.length || fold >= folds.length)
  if (stray)
    throw new DataError(
      `job: fold ${stray.fold} of ${folds.length}, cell ${stray.cell} of ${job.cells.length}`,
    )
  setDefaultCacheBytes(job.cacheBytes)
  const work: SelectionWork = {
    ...{ data, folds, cells: job.cells, job: undefined },
    ...{ withTraining: job.withTraining, countSupport: job.countSupport },
    make: (params) => onOneThread(estimatorFromSpec(asked.estimator, params)),
  }
  const outputs: { unit: number; output: FoldOutput }[] = []
  const failures: { unit: number; message: string }[] = []
  const placeOf = ({ cell, fold }: Unit): number =>
    job.units.findIndex((unit) => unit.cell === cell && unit.fold === fold)
  // Whether there is a matrix was decided elsewhere: here, where it must be, it is an error that there is no room for it.
  const executor = sharedWorkExecutor({
    threads: 1,
    cacheBytes: job.shared ? Number.MAX_SAFE_INTEGER : 0,
    insist: job.shared,
  })
  await executor.run(work, job.units, {
    onResult: ({ output, ...unit }) => {
      outputs.push({ unit: placeOf(unit), output })
    },
    onFailure: ({ error, ...unit }) => {
      failures.push({ unit: placeOf(unit), message: error.message })
    },
  })
  return {
    outputs: outputs.sort((a, b) => a.unit - b.unit),
    failures: failures.sort((a, b) => a.unit - b.unit),
  }
}

async function dataOf({ job, file, read }: SearchDocument, path: string): Promise<Dataset> {
  if (held?.hash === job.data) return held.data
  held = undefined
  divided = undefined
  const data = await readDataset(path, { ...read, name: file.name, threads: 1 } as never)
  const hash = await datasetHash(data)
  if (hash !== job.data) {
    throw new DataError(
      `${file.name}: the file is the same, but the data read from it are others; is another version of Hyperplane at work?`,
    )
  }
  held = { data, hash }
  return data
}

function foldsOf(search: string, job: TuningJob, data: Dataset): readonly Fold[] {
  if (divided?.search !== search) divided = { search, folds: foldsOfJob(job, data) }
  return divided.folds
}

function report(message: ThreadReport, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
