import {
  compileEngine,
  type EngineBuild,
  engineExists,
  useCompiledEngine,
} from '../engine/memory/engine-build.ts'

/** What a thread that fits gets when it starts. */
export interface WorkerData {
  /** Fits of a problem each, cells of a search, or jobs of a queue. */
  readonly work: 'fits' | 'cells' | 'jobs'
  /** The engine, compiled: its binaries are not a part of the script. Absent where there is none. */
  readonly engine: { readonly module: WebAssembly.Module; readonly build: EngineBuild } | undefined
}

/** What a thread gets that is started now. */
export function makeWorkerData(work: WorkerData['work']): WorkerData {
  return { work, engine: engineExists() ? compileEngine() : undefined }
}

/** Uses what the thread got. */
export function useWorkerData(data: WorkerData): void {
  if (data.engine) useCompiledEngine(data.engine)
}
