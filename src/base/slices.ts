/** Less than a frame of a display, 16 ms. */
const SLICE_MS = 12

/** Calls `advance` until it returns true, and lets timers, messages and signals have their turn every few milliseconds. */
export async function inSlices(advance: () => boolean): Promise<void> {
  let sliceStart = performance.now()
  while (!advance()) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await nextTask()
      sliceStart = performance.now()
    }
  }
}

/** Lets the event loop turn once; a plain promise would not. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
