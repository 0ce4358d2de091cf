/**
 * Words in an engine's memory through which its threads hand out jobs and report: the current job; for each helper its
 * state and its scratch; how many helpers may join the job by themselves; which helper a job has failed on. A state is
 *
 *   0 absent   not started yet: jobs go on without it
 *   1 idle     waits (spins a little, then sleeps) for its word to change
 *   2 busy     takes tasks of the current job, then sets its word back to idle
 *   3 ended    told to stop, or gone: jobs go on without it
 *   4 lost     gone in the middle of a job, and the caller does not know yet
 *
 * After them there is room for the message of the error that each helper has met.
 */
export const THREAD_ABSENT = 0
export const THREAD_IDLE = 1
export const THREAD_BUSY = 2
export const THREAD_ENDED = 3
export const THREAD_LOST = 4

/** One fewer than there is room for below the arena: a message of 512 bytes each, behind the words. */
export const MAX_HELPERS = 30
/** Where it stands how many helpers may join; 0 while there is no such job. */
export const OPEN_TO = 1 + 2 * MAX_HELPERS
/** Where it stands on which helper the job has failed first, counted from 1; 0 while all is well. */
export const FAILED = OPEN_TO + 1
/** Turns of a spinning loop: some tens of microseconds. */
export const SPINS = 4000

/** Within the page below the arena, behind the constants of AssemblyScript: the words, and a message for each helper. */
const CONTROL = 49152
const MESSAGES = CONTROL + 512
const MESSAGE_BYTES = 512

/** What a helper thread is started with. */
export interface ThreadStart {
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
  readonly index: number
}

/** The control words; see the header of the file. */
export function controlWords(memory: WebAssembly.Memory): Int32Array {
  return new Int32Array(memory.buffer, CONTROL, FAILED + 1)
}

/** Where the state of a helper is among the control words; its scratch comes next. */
export function stateOf(index: number): number {
  return 1 + 2 * index
}

/** Called by a helper that is busy: the job has failed on it. */
export function reportFailure(memory: WebAssembly.Memory, index: number, error: unknown): void {
  const message = messageOf(error)
  const room = messageRoom(memory, index)
  const length = Math.min(message.length, room.length - 1)
  room[0] = length
  for (let i = 0; i < length; i++) room[i + 1] = message.charCodeAt(i)
  Atomics.compareExchange(controlWords(memory), FAILED, 0, index + 1)
}

/** What the helper has reported last. */
export function readFailure(memory: WebAssembly.Memory, index: number): string {
  const [length, ...codes] = messageRoom(memory, index)
  return String.fromCharCode(...codes.slice(0, length))
}

/**
 * Called by whoever learns that a helper is no more, once or several times; wakes who waits for it. Returns the state that
 * it was in.
 */
export function loseThread(memory: WebAssembly.Memory, index: number): number {
  const control = controlWords(memory)
  const state = stateOf(index)
  for (;;) {
    const was = Atomics.load(control, state)
    const now = was === THREAD_BUSY || was === THREAD_LOST ? THREAD_LOST : THREAD_ENDED
    if (Atomics.compareExchange(control, state, was, now) !== was) continue
    Atomics.notify(control, state)
    return was
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

function messageRoom(memory: WebAssembly.Memory, index: number): Uint16Array {
  return new Uint16Array(memory.buffer, MESSAGES + index * MESSAGE_BYTES, MESSAGE_BYTES / 2)
}
