/** What every command knows of failing: its exit codes, what an error says, and what becomes of its output. */
import { fstatSync, writeSync } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { explainFileError } from '../../data/files/file-error.node.ts'

/** Who complains about flags: `reportFailure` puts the name of the command in its place. */
export const COMMAND = 'hyperplane'

/** Something went wrong while running: data, files, an interrupt. */
export const EXIT_FAILED = 1
/** The command was misused: unknown options, values that are not allowed. */
export const EXIT_USAGE = 2

/** The message; for errors of the file system, which file and what about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { errno, path, message }: NodeJS.ErrnoException = error
  const [, meaning] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return path !== undefined && meaning !== undefined ? `${path}: ${meaning}` : message
}

/**
 * Lets `hyperplane … | head` end without a complaint when the reader has gone; a full disk is a failure. What cannot be
 * said on stderr cannot be said at all, and is no reason to stop.
 */
export function watchStdout(): void {
  onFirstUse('stderr', (stream) => stream.on('error', () => {}))
  onFirstUse('stdout', (stream) => {
    writeWhole(stream)
    stream.on('error', endWithoutStdout)
  })
}

/** Ends the process where stdout takes no more: with exit code 0 where its reader has gone. */
export function endWithoutStdout(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: ${explain(explainFileError('stdout', error))}\n`)
  process.exit(EXIT_FAILED)
}

type OutputStream = NodeJS.WriteStream & { readonly fd: number }

/** Prepares a stream when it is first asked for: the stream of a pipe takes 4 ms to make, and a command with -q needs none. */
function onFirstUse(name: 'stdout' | 'stderr', prepare: (stream: OutputStream) => void): void {
  const own = Object.getOwnPropertyDescriptor(process, name)
  if (!own?.get) {
    prepare(process[name])
    return
  }
  Object.defineProperty(process, name, {
    ...own,
    get() {
      Object.defineProperty(process, name, own)
      prepare(process[name])
      return process[name]
    },
  })
}

/** Node's stream for files does not look at how much of a text was written: on a full disk the rest would be lost silently. */
function writeWhole(stream: OutputStream): void {
  if (!isFile(stream.fd)) return
  stream._write = (chunk: string | Uint8Array, encoding, done) => {
    try {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
      for (let at = 0; at < bytes.length; ) at += writeSync(stream.fd, bytes, at)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/** Whether a descriptor is a file; one that is closed is none. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}
