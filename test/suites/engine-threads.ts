/** Threads of the engine that are there before a test begins, so that they take part in it. */
import { giveEngine, takeEngine } from '../../src/engine/memory/engine.ts'
import { nodeSpawner } from '../../src/engine/threads/spawn-thread.node.ts'
import { controlWords, stateOf, THREAD_IDLE } from '../../src/engine/threads/thread-control.ts'
import { setThreadSpawner } from '../../src/engine/threads/thread-team.ts'

// Threads cannot load TypeScript: they run what was built.
const script = new URL('../../dist/engine/threads/thread.node.js', import.meta.url)

/** Starts an engine on this many threads, the calling one among them, and waits until all wait for work. */
export async function startThreads(count: number): Promise<void> {
  setThreadSpawner(nodeSpawner(script), count)
  const engine = takeEngine(count)
  const control = controlWords(engine.memory)
  for (let helper = 0; helper < count - 1; helper++) {
    while (Atomics.load(control, stateOf(helper)) !== THREAD_IDLE) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  giveEngine(engine, engine.mark())
}

/** Lets all work be done by the calling thread again. */
export function endThreads(): void {
  setThreadSpawner(() => {}, 1)
}
