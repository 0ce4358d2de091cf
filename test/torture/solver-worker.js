// Solves machines on its own thread, so that a run that does not end can be ended.
import { register } from 'node:module'
import { parentPort } from 'node:worker_threads'

register('./typescript-hooks.js', import.meta.url)
const { solveMachine } = await import('./solve-machine.ts')

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

parentPort.on('message', async ({ machine, options, abortAfter }) => {
  const controller = new AbortController()
  const spentBefore = process.cpuUsage()
  const started = performance.now()
  let aborted
  let spentAtAbort
  const timer =
    abortAfter === undefined
      ? undefined
      : setTimeout(() => {
          aborted = performance.now()
          spentAtAbort = process.cpuUsage()
          controller.abort()
        }, 1000 * abortAfter)
  try {
    const { alpha, bias, weights, width, certificate } = await solveMachine(machine, {
      ...options,
      signal: controller.signal,
    })
    const ended = performance.now()
    parentPort.postMessage({
      // Whole: the model of a machine that solves for w is not in α.
      result: { alpha, bias, weights, width, certificate, trace: [] },
      seconds: (ended - started) / 1000,
      cpuSeconds: cpuSince(spentBefore),
      ...(aborted !== undefined && {
        afterAbort: (ended - aborted) / 1000,
        cpuAfterAbort: cpuSince(spentAtAbort),
      }),
    })
  } catch (error) {
    parentPort.postMessage({ error: `${error.name}: ${error.message}` })
  } finally {
    clearTimeout(timer)
  }
})
parentPort.postMessage('ready')
