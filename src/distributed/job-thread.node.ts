/** A thread of a worker: does one job after the other. The data of the last search, and some blocks, stay in memory. */
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import '../models/machines/use-engine.ts'
import '../models/machines/use-tables.ts'
import { DataError, HyperplaneError } from '../base/errors.ts'
import { unpack } from '../base/packing.ts'
import { slot } from '../base/slot.ts'
import { readDataset } from '../data/files/read-dataset.node.ts'
import { plainLineReader } from '../data/libsvm/plain-lines.ts'
import { parseBlock } from '../data/shards/arrow-block.ts'
import type { ShardBlock } from '../data/shards/shard-block.ts'
import type { ShardManifest } from '../data/shards/shard-manifest.ts'
import type { Dataset } from '../data/table/dataset.ts'
import { linesOnEngine } from '../engine/text/parse-lines.ts'
import { packError } from '../parallel/error-transfer.ts'
import { rowMemory, useNodeResources } from '../parallel/node-resources.node.ts'
import { useWorkerData } from '../parallel/worker-data.node.ts'
import type { FoldOutput } from '../selection/score/fold-output.ts'
import { datasetHash } from '../selection/search/content-hash.ts'
import { estimatorFromSpec, onOneThread } from '../selection/search/estimator-params.ts'
import type { SelectionWork, Unit } from '../selection/search/executor.ts'
import { foldsOfJob, type TuningJob } from '../selection/search/tuning-job.ts'
import { KeptGroups } from '../selection/share/kept-groups.ts'
import { sharedWorkExecutor } from '../selection/share/shared-work.ts'
import type { Fold } from '../selection/split/splits.ts'
import { setDefaultCacheBytes } from '../solve/driver/run.ts'
import { checkShardPass, runShardPass } from '../solve/shards/run-shard-pass.ts'
import type { BlockStates } from '../solve/shards/shard-pass.ts'
import { type CellsResult, type PassJob, packResult, type SearchDocument } from './job-message.ts'
import type {
  CellsCommand,
  PassCommand,
  StateAnswer,
  ThreadCommand,
  ThreadReport,
} from './thread-messages.ts'

useNodeResources()
useWorkerData(workerData)
plainLineReader.install(linesOnEngine())

const port = parentPort as MessagePort
/** Blocks of 32 MB that a thread keeps: those that it is likely to get again in the next pass. */
const KEPT_BLOCK_BYTES = 256e6

/** Matrices of distances that a thread keeps: its part of what a search on this machine would take. */
const kept = new KeptGroups(rowMemory() / availableParallelism())

/** The data and the folds that were used last. */
const held = slot<{ readonly data: Dataset<unknown>; readonly hash: string } | undefined>(undefined)
const divided = slot<{ readonly search: string; readonly folds: readonly Fold[] } | undefined>(undefined)

port.on('message', async (command: ThreadCommand) => {
  if (command.kind === 'state') {
    answers.get(command.name)?.(command)
    return
  }
  try {
    const value = command.kind === 'cells' ? await runCells(command) : await runPass(command)
    const result = packResult(command.id, value)
    report({ kind: 'done', result }, [result.buffer as ArrayBuffer])
  } catch (error) {
    report({ kind: 'failed', error: packError(error) })
  }
})

/** States that were requested. */
const answers = new Map<string, (answer: StateAnswer) => void>()

/** What blocks keep is not on this machine: the main thread fetches it, and puts it back. */
const states: BlockStates = {
  load: (name) => ask(name, { kind: 'load', name }),
  save: async (name, value) => {
    await ask(name, { kind: 'save', name, value })
  },
}

async function ask(name: string, question: ThreadReport): Promise<Uint8Array | undefined> {
  const answer = await new Promise<StateAnswer>((resolve) => {
    answers.set(name, resolve)
    report(question)
  })
  answers.delete(name)
  if (answer.error !== undefined) throw new HyperplaneError(answer.error)
  return answer.value
}

async function runPass({ job, pass, manifest, path }: PassCommand): Promise<object> {
  const asked = checkShardPass(unpack(pass))
  return runShardPass(asked, await blockOf(job, manifest, path), job.block, states, 1)
}

/** Blocks that were used last, the latest last, as far as they are not too large. */
const blocks = new Map<string, { readonly block: ShardBlock; readonly bytes: number }>()

async function blockOf({ file }: PassJob, manifest: ShardManifest, path: string): Promise<ShardBlock> {
  const known = blocks.get(file.sha256)
  blocks.delete(file.sha256)
  const block = known?.block ?? parseBlock(await readFile(path), manifest, true, path)
  blocks.set(file.sha256, { block, bytes: file.bytes })
  let total = [...blocks.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [hash, { bytes }] of blocks) {
    if (total <= KEPT_BLOCK_BYTES || blocks.size === 1) break
    blocks.delete(hash)
    total -= bytes
  }
  return block
}

async function runCells({ job, search, path }: CellsCommand): Promise<CellsResult> {
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
    ...(job.shared && { kept }),
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

async function dataOf({ job, file, read }: SearchDocument, path: string): Promise<Dataset<unknown>> {
  if (held.current?.hash === job.data) return held.current.data
  held.install(undefined)
  divided.install(undefined)
  const data = await readDataset(path, { ...read, name: file.name, threads: 1 } as never)
  const hash = await datasetHash(data)
  if (hash !== job.data) {
    throw new DataError(
      `${file.name}: the file is the same, but the data read from it differ; does this worker run another version of Hyperplane?`,
    )
  }
  held.install({ data, hash })
  return data
}

function foldsOf(search: string, job: TuningJob, data: Dataset<unknown>): readonly Fold[] {
  if (divided.current?.search === search) return divided.current.folds
  const folds = foldsOfJob(job, data)
  divided.install({ search, folds })
  return folds
}

function report(message: ThreadReport, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}
