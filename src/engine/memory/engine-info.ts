import { availableThreads, whyFewerThreads } from '../threads/thread-team.ts'
import { currentBuild, type EngineBuild, engineExists } from './engine-build.ts'

/** The build and the threads of the engine on this machine. */
export interface EngineInfo {
  /** The WebAssembly build in use: fused multiply-add, SIMD, or neither; undefined if plain code does everything. */
  readonly build: EngineBuild | undefined
  /** Default number of threads of a run. */
  readonly threads: number
  /** Why there is only one thread; undefined if there are more. */
  readonly singleThreaded: string | undefined
  /** Why there are fewer threads than cores. Undefined if no thread has failed to start so far. */
  readonly fewerThreads: string | undefined
}

/** Reports which build and how many threads the engine uses on this machine, and the reason if there is only one thread. */
export function engineInfo(): EngineInfo {
  if (!engineExists()) {
    const singleThreaded =
      'there is no WebAssembly with shared memory here, or no address space for it (see ulimit -v)'
    return { build: undefined, threads: 1, singleThreaded, fewerThreads: undefined }
  }
  const threads = availableThreads()
  return {
    build: currentBuild(),
    threads,
    singleThreaded: threads > 1 ? undefined : whySingle(),
    fewerThreads: whyFewerThreads(),
  }
}

function whySingle(): string {
  if (globalThis.crossOriginIsolated === false && 'document' in globalThis) {
    return 'the page is not cross-origin isolated, so memory cannot be shared between threads'
  }
  const failure = whyFewerThreads()
  if (failure !== undefined) return `threads could not be started: ${failure}`
  return 'there is one core, or no way to start threads was set up'
}
