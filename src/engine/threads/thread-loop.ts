/** What a helper thread does all its life; see ./thread-team.ts. */
import type { EngineExports } from '../memory/engine-build.ts'
import {
  controlWords,
  OPEN_TO,
  reportFailure,
  SPINS,
  stateOf,
  THREAD_ABSENT,
  THREAD_BUSY,
  THREAD_ENDED,
  THREAD_IDLE,
  type ThreadStart,
} from './thread-control.ts'

/** Takes part in jobs until told to end. Returns then. A job that fails here is reported; the thread continues. */
export function serveJobs({ module, memory, index }: ThreadStart): void {
  const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as EngineExports
  const control = controlWords(memory)
  const state = stateOf(index)
  const takePart = (): void => {
    try {
      exports.work(control[0], control[state + 1])
    } catch (error) {
      exports.abandon(control[0])
      reportFailure(memory, index, error)
    }
  }
  if (Atomics.compareExchange(control, state, THREAD_ABSENT, THREAD_BUSY) === THREAD_ENDED) return
  if (index < Atomics.load(control, OPEN_TO)) takePart()
  for (;;) {
    if (Atomics.compareExchange(control, state, THREAD_BUSY, THREAD_IDLE) === THREAD_ENDED) return
    Atomics.notify(control, state)
    for (let spin = 0; Atomics.load(control, state) === THREAD_IDLE; spin++) {
      if (spin > SPINS) Atomics.wait(control, state, THREAD_IDLE)
    }
    if (Atomics.load(control, state) === THREAD_ENDED) return
    takePart()
  }
}
