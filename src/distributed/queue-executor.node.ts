/**
 * Searches over a queue. A job is what shares its work: all cells of a path over C (or ν), on as many folds as leave enough jobs
 * for everybody, as these share a matrix; of linear machines on one fold; else a cell on a fold. What is shared, and within how much memory,
 * is decided here and not by whoever computes it, so that the result has the bits of a local run.
 */
import { canonicalJson } from '../base/canonical-json.ts'
import { DataError, HyperplaneError, ParameterError } from '../base/errors.ts'
import { isTable } from '../data/table/table.ts'
import type { Executor, SelectionWork, Unit } from '../selection/search/executor.ts'
import { linearPath } from '../selection/share/linear-paths.ts'
import { sharedMachine } from '../selection/share/shared-machine.ts'
import { sharedPath } from '../selection/share/shared-plan.ts'
import { sharedUnits, sharedWorkExecutor } from '../selection/share/shared-work.ts'
import { cacheBytesByDefault } from '../solve/driver/run.ts'
import { type CoordinatorOptions, coordinate } from './coordinator.ts'
import type { JobBoard } from './job-board.ts'
import {
  type CellsJob,
  type CellsResult,
  type FileReference,
  MESSAGE_VERSION,
  type ReadSettings,
  type SearchDocument,
  unitId,
  unpackResult,
} from './job-message.ts'
import { unitHead } from './library-version.node.ts'

/**
 * Jobs for each thread, at least: the last ones then end at about the same time. A job for every fold costs the kernel values anew,
 * 20 ms where a path takes 70 (3,089 samples).
 */
const JOBS_PER_THREAD = 4

/** Options of {@link queueExecutor}. */
export interface QueueExecutorOptions extends CoordinatorOptions {
  /** The file that the data came from, as workers find it. */
  readonly file: FileReference
  /** How it was read. */
  readonly read?: ReadSettings
  /** Memory for kernel values. Default: a quarter of the free memory, 2 GB at most. Results depend on it in their last bits. */
  readonly cacheBytes?: number
}

/** A board that keeps documents. */
export interface DocumentBoard extends JobBoard {
  putDocument(text: string): Promise<string>
  remove(kind: string, names: readonly string[]): Promise<void>
}

/** Runs the units of a search on the workers of a queue. */
export function queueExecutor(board: DocumentBoard, options: QueueExecutorOptions): Executor {
  const { file, read = {}, cacheBytes = cacheBytesByDefault(), ...coordinator } = options
  return {
    together: sharedWorkExecutor().together,
    async run(work, units, hooks) {
      if (units.length === 0) return
      const { job } = work
      if (!job) {
        throw new ParameterError(
          'tune',
          'estimator',
          'contains functions, which cannot be sent to workers; use an estimator of Hyperplane with one of its kernels',
        )
      }
      const document: SearchDocument = {
        format: 'hyperplane-search',
        version: MESSAGE_VERSION,
        job: { ...job, cells: [] },
        file,
        read,
      }
      const text = canonicalJson(document)
      const search = await board.putDocument(text)
      const jobs = new Map<string, { readonly units: readonly Unit[]; readonly data: CellsJob }>()
      const threads = (await board.workers()).reduce((sum, worker) => sum + worker.threads, 0)
      for (const { shared, units: own } of jobsOf(work, units, cacheBytes, JOBS_PER_THREAD * threads)) {
        const cells = [...new Set(own.map(({ cell }) => cell))]
        const data: CellsJob = {
          ...unitHead(),
          kind: 'cells',
          search,
          cells: cells.map((cell) => ({ ...work.cells[cell] })),
          units: own.map(({ cell, fold }) => ({ cell: cells.indexOf(cell), fold })),
          shared,
          cacheBytes,
          withTraining: work.withTraining === true,
          countSupport: work.countSupport === true,
        }
        jobs.set(await unitId(data), { units: own, data })
      }
      await coordinate(
        board,
        Array.from(jobs, ([id, { data }]) => ({ id, data })),
        {
          signal: hooks.signal,
          subject: search,
          prepare: () => board.putDocument(text),
          onDone(id, bytes) {
            const own = jobs.get(id)?.units ?? []
            const { outputs, failures } = unpackResult(id, bytes) as CellsResult
            if (outputs.length + failures.length !== own.length)
              throw new HyperplaneError(`job ${id.slice(0, 12)}: the result has the wrong number of units`)
            for (const { unit, output } of outputs) hooks.onResult({ ...own[unit], output })
            for (const { unit, message } of failures)
              hooks.onFailure({ ...own[unit], error: new DataError(message) })
          },
          onFailed(id, reason) {
            for (const unit of jobs.get(id)?.units ?? [])
              hooks.onFailure({ ...unit, error: new HyperplaneError(reason) })
          },
        },
        coordinator,
      )
      if (!hooks.signal?.aborted) await board.remove('document', [search])
    },
  }
}

/** Units by job: those of one path together, on some folds where they share a matrix. */
function jobsOf(
  work: SelectionWork,
  units: readonly Unit[],
  cacheBytes: number,
  enough: number,
): { readonly shared: boolean; readonly units: readonly Unit[] }[] {
  const shared = sharedUnits(work, units, cacheBytes)
  const paths = new Map<string, Map<number, Unit[]>>()
  const others = new Map<string, Unit[]>()
  for (const unit of units) {
    const { cell, fold } = unit
    if (!shared.has(unit)) {
      // Linear machines go from one C to the next on each fold; any other cell is a job.
      const name = `${fold} ${linearPath(work, cell) ?? `cell ${cell}`}`
      others.set(name, [...(others.get(name) ?? []), unit])
      continue
    }
    // A scaler sees one side of a fold, and so does what is learned about columns: folds have a matrix each.
    const isLearned =
      isTable(work.data.samples) || sharedMachine(work.make(work.cells[cell]))?.scaler !== undefined
    const name = `${isLearned ? fold : ''} ${sharedPath(work, cell)}`
    const folds = paths.get(name) ?? new Map<number, Unit[]>()
    paths.set(name, folds)
    folds.set(fold, [...(folds.get(fold) ?? []), unit])
  }
  const pieces = Array.from(paths.values()).reduce((sum, { size }) => sum + size, 0)
  const foldsPerJob = Math.max(1, Math.floor(pieces / Math.max(1, enough)))
  return [
    ...Array.from(paths.values()).flatMap((folds) =>
      chunks([...folds.values()], foldsPerJob).map((some) => ({ shared: true, units: some.flat() })),
    ),
    ...Array.from(others.values(), (some) => ({ shared: false, units: some })),
  ]
}

/** Lists of at most so many, all about as long. */
function chunks<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most)
  const cut = (k: number): number => Math.floor((k * list.length) / count)
  return Array.from({ length: count }, (_, k) => list.slice(cut(k), cut(k + 1)))
}
