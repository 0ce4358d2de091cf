/**
 * How files are read and written: by Node's promises, which leave the thread free, or by calls that block it. A short command does
 * nothing else meanwhile, and blocking calls save it a tenth of its time: promises take threads, and code that Node has yet to load.
 */
import {
  accessSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  promises,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { slot } from '../../base/slot.ts'

/** A file that is open. */
export type OpenFile = Pick<FileHandle, 'writeFile' | 'stat' | 'sync' | 'chown' | 'chmod' | 'close'> & {
  /** Reads from where the last call ended. */
  read(buffer: Uint8Array, offset: number, length: number): Promise<FileRead>
}

/** What was read, and into what. */
export interface FileRead {
  readonly buffer: Uint8Array
  readonly bytesRead: number
}

/** What is done with files; the functions are those of `node:fs/promises`. */
export type FileSystem = Pick<
  typeof promises,
  'access' | 'readdir' | 'readlink' | 'realpath' | 'rename' | 'stat'
> & {
  open(path: string, flags?: string, mode?: number): Promise<OpenFile>
}

const blocking = slot(false)

/** Lets file operations block the thread from now on. */
export function useBlockingFiles(): void {
  blocking.install(true)
}

/** A longer file (8 MiB) is read while it is parsed: where it is not in memory yet, that takes as long as the rest of the command. */
const LONG_FILE = 1 << 23

/** The operations to use for a file of this many bytes. Node loads its promises when they are first used. */
export function fileSystem(bytes = 0): FileSystem {
  return blocking.current && bytes < LONG_FILE ? blockingFiles : promises
}

const blockingFiles = {
  access: async (path: string, mode?: number) => accessSync(path, mode),
  readdir: async (path: string) => readdirSync(path),
  readlink: async (path: string) => readlinkSync(path),
  realpath: async (path: string) => realpathSync.native(path),
  rename: async (from: string, to: string) => renameSync(from, to),
  stat: async (path: string, options?: { bigint: true }) => statSync(path, options),
  open: async (path: string, flags = 'r', mode?: number) => new BlockingFile(openSync(path, flags, mode)),
} as unknown as FileSystem

class BlockingFile {
  private readonly descriptor: number

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  async read(buffer: Uint8Array, offset: number, length: number): Promise<FileRead> {
    return { buffer, bytesRead: readSync(this.descriptor, buffer, offset, length, null) }
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    writeFileSync(this.descriptor, content)
  }

  async stat() {
    return fstatSync(this.descriptor)
  }

  async sync(): Promise<void> {
    fsyncSync(this.descriptor)
  }

  async chown(uid: number, gid: number): Promise<void> {
    fchownSync(this.descriptor, uid, gid)
  }

  async chmod(mode: number): Promise<void> {
    fchmodSync(this.descriptor, mode)
  }

  async close(): Promise<void> {
    closeSync(this.descriptor)
  }
}
