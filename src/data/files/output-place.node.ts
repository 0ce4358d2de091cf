/** What a path that is to be written to stands for: a file that can be replaced, or something that takes bytes as they come. */
import { constants } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DataError } from '../../base/errors.ts'
import { explainFileError } from './file-error.node.ts'
import { fileSystem } from './file-system.node.ts'

/** See the header of the file. */
export type OutputPlace =
  /** A file, there or not yet; links are followed, also one to a file that is not there yet. */
  | { readonly kind: 'file'; readonly target: string; readonly before?: FileBefore | undefined }
  /** A terminal, a pipe, /dev/null: no file that could be replaced. */
  | { readonly kind: 'device' }
  /** A descriptor that the process has open, such as /dev/stdout. It may be a file, and others may write to it, too. */
  | { readonly kind: 'descriptor'; readonly descriptor: number }

/** What is kept of a file that is replaced. */
export interface FileBefore {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Names that mean a descriptor, also where there are no such devices. */
const STANDARD_STREAM = /^\/dev\/(stdin|stdout|stderr)$/
/** Linux follows at most this many. */
const MOST_LINKS = 40

/** Finds out where writing to `path` leads. Throws a DataError that names `path` where it leads nowhere. */
export async function outputPlace(path: string): Promise<OutputPlace> {
  try {
    const descriptor = await descriptorOf(path)
    if (descriptor !== undefined) return { kind: 'descriptor', descriptor }
    const before = await fileSystem().stat(path).catch(ignoreMissing)
    if (before?.isDirectory() || /[/\\]$/.test(path))
      throw new DataError(`${path}: is a directory, not a file`)
    if (before && !before.isFile()) return { kind: 'device' }
    return { kind: 'file', target: await followLinks(path), before }
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** As {@link outputPlace}, where it can be written to; else a DataError: better before hours of work than after them. */
export async function checkWritable(path: string): Promise<OutputPlace> {
  // Before links are followed, which fails without saying that it is the folder that is missing.
  if (!STANDARD_STREAM.test(path)) await checkFolder(path, dirname(path), constants.X_OK)
  const place = await outputPlace(path)
  if (place.kind === 'device' || (place.kind === 'file' && place.before)) {
    await fileSystem()
      .access(path, constants.W_OK)
      .catch((error) => {
        throw explainFileError(path, error)
      })
  }
  if (place.kind === 'file') await checkFolder(path, dirname(place.target), constants.W_OK)
  return place
}

async function checkFolder(path: string, folder: string, mode: number): Promise<void> {
  await fileSystem()
    .access(folder, mode)
    .catch((error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EROFS' ? 'is on a read-only file system' : 'does not exist or cannot be written to'
      throw new DataError(`${path}: the folder ${folder} ${why}`, { cause: error })
    })
}

/** Identifies a file: the same text for the same file, whatever names lead to it. Undefined for what is not a file. */
export async function fileIdentity(path: string): Promise<string | undefined> {
  const there = await fileSystem()
    .stat(path, { bigint: true })
    .catch(() => undefined)
  if (there) return there.isFile() ? `${there.dev}:${there.ino}` : undefined
  return followLinks(path).catch(() => undefined)
}

/** The path behind all links; the last one may lead to what is not there yet. */
async function followLinks(path: string): Promise<string> {
  const found = await fileSystem().realpath(path).catch(ignoreMissing)
  if (found !== undefined) return found
  const folder = await fileSystem().realpath(dirname(path))
  const link = await linkAt(path)
  return link === undefined ? join(folder, basename(path)) : followLinks(resolve(folder, link))
}

/** The number of the descriptor that a path names, itself or by links. */
async function descriptorOf(path: string): Promise<number | undefined> {
  let at = STANDARD_STREAM.test(path) ? path : resolve(path)
  for (let links = 0; links < MOST_LINKS; links++) {
    const word = STANDARD_STREAM.exec(at)?.[1]
    if (word !== undefined) return ['stdin', 'stdout', 'stderr'].indexOf(word)
    const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(at)?.[1]
    if (number !== undefined) return Number(number)
    const link = await linkAt(at)
    if (link === undefined) return undefined
    at = resolve(dirname(at), link)
  }
  return undefined
}

function linkAt(path: string): Promise<string | undefined> {
  return fileSystem()
    .readlink(path)
    .catch(() => undefined)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
