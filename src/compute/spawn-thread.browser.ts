import { setThreadSpawner } from './thread-team.ts'

/**
 * Lets engines on this page (or in this worker) use helper threads. Browsers share memory between threads only on
 * pages that are cross-origin isolated; elsewhere everything runs on one thread, with the same results.
 */
export function useBrowserThreads(): void {
  if (!globalThis.crossOriginIsolated || typeof Worker === 'undefined') return
  setThreadSpawner((start) => {
    const worker = new Worker(new URL('./thread.browser.js', import.meta.url), { type: 'module' })
    worker.postMessage(start)
  }, navigator.hardwareConcurrency)
}
