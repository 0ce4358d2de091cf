/**
 * Searches over a queue. The unit is what shares its work: all cells of a path over C (or ν) on one fold; a cell of any other
 * machine on one fold. What is shared, and within how much memory, is decided here and not by whoever computes it, so that
 * the result has the bits of a local run.
 */
import { canonicalJson } from '../base/canonical-json.ts'
import { DataError, HyperplaneError, ParameterError } from '../base/errors.ts'
import { currentBuild, engineExists } from '../engine/memory/engine-build.ts'
import type { Executor, SelectionWork, Unit } from '../selection/search/executor.ts'
import { sharedPath } from '../selection/share/shared-plan.ts'
import { sharedUnits } from '../selection/share/shared-work.ts'
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
import { libraryVersion } from './library-version.node.ts'

/** What {@link queueExecutor} takes. */
export interface QueueExecutorOptions extends CoordinatorOptions {
  /** The file that the data came from, as workers find it. */
  readonly file: FileReference
  /** How it was read. */
  readonly read?: ReadSettings
  /** Memory for kernel values; a quarter of the free memory, 2 GB at most, unless given. Results depend on it in their last bits. */
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
    together: sharedPath,
    async run(work, units, hooks) {
      if (units.length === 0) return
      const { job } = work
      if (!job) {
        throw new ParameterError(
          'tune',
          'estimator',
          'is made of functions, and code does not travel to workers; use one of Hyperplane with a kernel of its own',
        )
      }
      const document: SearchDocument = {
        format: 'hyperplane-search',
        version: MESSAGE_VERSION,
        job: { ...job, cells: [] },
        file,
        read,
      }
      const search = await board.putDocument(canonicalJson(document))
      const jobs = new Map<string, { readonly units: readonly Unit[]; readonly data: CellsJob }>()
      for (const { shared, units: own } of jobsOf(work, units, cacheBytes)) {
        const data: CellsJob = {
          format: 'hyperplane-unit',
          version: MESSAGE_VERSION,
          kind: 'cells',
          library: libraryVersion(),
          engine: engineName(),
          search,
          cells: own.map(({ cell }) => ({ ...work.cells[cell] })),
          fold: own[0].fold,
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
          onDone(id, bytes) {
            const own = jobs.get(id)?.units ?? []
            const { outputs, failures } = unpackResult(id, bytes) as CellsResult
            if (outputs.length + failures.length !== own.length)
              throw new HyperplaneError(`job ${id.slice(0, 12)}: a result of another number of cells`)
            for (const { cell, output } of outputs) hooks.onResult({ ...own[cell], output })
            for (const { cell, message } of failures)
              hooks.onFailure({ ...own[cell], error: new DataError(message) })
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

/** Units by job: those of one path on one fold together, all others on their own. */
function jobsOf(
  work: SelectionWork,
  units: readonly Unit[],
  cacheBytes: number,
): { readonly shared: boolean; readonly units: readonly Unit[] }[] {
  const shared = sharedUnits(work, units, cacheBytes)
  const groups = new Map<string, Unit[]>()
  const alone: Unit[] = []
  for (const unit of units) {
    if (!shared.has(unit)) {
      alone.push(unit)
      continue
    }
    const name = `${unit.fold} ${sharedPath(work, unit.cell)}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(unit)
  }
  return [
    ...Array.from(groups.values(), (group) => ({ shared: true, units: group })),
    ...alone.map((unit) => ({ shared: false, units: [unit] })),
  ]
}

/** The build of the engine that runs here. */
export function engineName(): string {
  return engineExists() ? currentBuild() : 'none'
}
