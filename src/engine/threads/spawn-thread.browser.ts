import { setThreadSpawner } from './thread-team.ts'

/**
 * Lets engines on this page (or in this worker) use helper threads. Browsers share memory between threads only on
 * pages that are cross-origin isolated; elsewhere everything runs on one thread, with the same results.
 */
export function useBrowserThreads(): void {
  if (!globalThis.crossOriginIsolated || typeof Worker === 'undefined') return
  setThreadSpawner((start, lost) => {
    const worker = new Worker(new URL('./thread.browser.js', import.meta.url), { type: 'module' })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      worker.terminate()
      // Of a script that is not there or that the page's policy forbids, the event says nothing.
      lost(event.message || 'their script could not be loaded')
    })
    worker.postMessage(start)
    return undefined
  }, navigator.hardwareConcurrency)
}
