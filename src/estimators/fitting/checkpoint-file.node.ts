import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { explainFileError } from '../../data/files/file-error.node.ts'
import type { CheckpointStore } from './kept-work.ts'

/** Settings of {@link checkpointFile}. */
export interface CheckpointFileOptions {
  /** Minimum number of seconds between two saves. Default 10. */
  readonly every?: number
}

/**
 * Keeps work in a file, which holds one state or the next at any moment, never a part of one: a state goes to a new file
 * beside it, is flushed to disk, and takes the name at the end. It is written without a pause, so that it is there when
 * the work continues.
 *
 * @example
 * await new SVC().fit(train, { checkpoint: checkpointFile('fit.checkpoint', { every: 60 }) })
 */
export function checkpointFile(path: string, options: CheckpointFileOptions = {}): CheckpointStore {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  return {
    name: path,
    ...(options.every !== undefined && { every: options.every }),
    load: () => explained(path, () => read(path)),
    save: (state) =>
      explained(path, () => {
        write(beside, state)
        renameSync(beside, path)
      }),
  }
}

function explained<R>(path: string, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw explainFileError(path, error)
  }
}

function read(path: string): Uint8Array | undefined {
  removeLeftovers(path)
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function write(path: string, state: Uint8Array): void {
  const file = openSync(path, 'w')
  try {
    for (let done = 0; done < state.length; ) done += writeSync(file, state, done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What processes that were killed while they wrote have left beside it. */
function removeLeftovers(path: string): void {
  const start = `.${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(start) && /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(dirname(path), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
