import { writeSync } from 'node:fs'
import { endWithoutStdout } from '../report/failure.ts'

const STDOUT = 1
/** How long to wait for a reader that has not kept up, in ms. */
const PAUSE_MS = 5

/** Prints on stdout. Node's stream for it would take a short command 4 ms to make. */
export function printOut(text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') endWithoutStdout(error as Error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
