import { currentBuild, type EngineBuild, engineExists } from './engine-build.ts'
import { availableThreads } from './thread-team.ts'

/** What the engine has to work with here. */
export interface EngineInfo {
  /** The WebAssembly build in use: fused multiply-add, SIMD, or neither; undefined where plain code does everything. */
  readonly build: EngineBuild | undefined
  /** Threads a run uses unless told otherwise. */
  readonly threads: number
  /** Why there is only one thread; undefined when there are more. */
  readonly singleThreaded: string | undefined
}

/** Says which build and how many threads the engine uses here, and why there is only one thread if so. */
export function engineInfo(): EngineInfo {
  if (!engineExists()) {
    return { build: undefined, threads: 1, singleThreaded: 'there is no WebAssembly with shared memory here' }
  }
  const threads = availableThreads()
  return { build: currentBuild(), threads, singleThreaded: threads > 1 ? undefined : whySingle() }
}

function whySingle(): string {
  if (globalThis.crossOriginIsolated === false && 'document' in globalThis) {
    return 'the page is not cross-origin isolated, so memory cannot be shared between threads'
  }
  return 'there is one core, or no way to start threads was set up'
}
