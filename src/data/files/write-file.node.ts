import { constants, promises, write } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { explainFileError } from './file-error.node.ts'
import { fileSystem, type OpenFile } from './file-system.node.ts'
import { type FileBefore, outputPlace } from './output-place.node.ts'

/** What can be written: text or bytes, whole or piece by piece. A piece must last until the next but one is made. */
export type FileContent =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>

/** So many characters of a name, at most 3 bytes each, leave room for the rest within the 255 bytes of file systems. */
const NAME_LENGTH = 40
/** How long to wait for a reader that has not kept up, in ms. */
const PAUSE_MS = 5

/**
 * Writes a file so that `path` holds either what was there before or all of the new content, never a part: the
 * content goes to a new file beside it, is flushed to disk, and takes the name at the end. Mode and, where the system
 * allows it, owner of a file that is replaced are kept; a link is followed, also where the file that it leads to is not
 * there yet. What processes that were killed left beside it is removed. Devices, pipes and open descriptors
 * (/dev/stdout), which cannot be replaced, are written to directly.
 */
export async function writeFileAtomically(path: string, content: FileContent): Promise<void> {
  try {
    const place = await outputPlace(path)
    if (place.kind === 'file') await replace(place.target, place.before, content)
    else if (place.kind === 'device') await fillFile(await fileSystem().open(path, 'w'), content)
    else await fill((piece) => writeWhole(place.descriptor, piece), content)
  } catch (error) {
    throw explainFileError(path, error)
  }
}

async function replace(target: string, before: FileBefore | undefined, content: FileContent): Promise<void> {
  // Renaming would replace a file that is protected from writing.
  if (before) await fileSystem().access(target, constants.W_OK)
  const folder = dirname(target)
  const home = await processHome()
  await removeLeftovers(folder, home)
  // Opening fails where the name is taken, so any chance will do.
  const chance = Math.random().toString(36).slice(2)
  const name = basename(target).slice(0, NAME_LENGTH)
  const beside = join(folder, `.${name}.${process.pid}@${home}.${chance}.tmp`)
  const file = await fileSystem().open(beside, 'wx', before ? 0o600 : 0o666)
  try {
    if (before) await keepOwnerAndMode(file, before)
    await fillFile(file, content)
    await fileSystem().rename(beside, target)
  } catch (error) {
    await promises.rm(beside, { force: true })
    throw error
  }
}

/** Only the system's administrator may give files away; a mode does not depend on it. */
async function keepOwnerAndMode(file: OpenFile, { mode, uid, gid }: FileBefore): Promise<void> {
  await file.chown(uid, gid).catch(() => {})
  await file.chmod(mode & 0o777)
}

/** Removes files of {@link replace} whose processes have ended on this machine before they could do it. */
async function removeLeftovers(folder: string, home: string): Promise<void> {
  for (const name of await fileSystem()
    .readdir(folder)
    .catch(() => [])) {
    const [, pid, where] = /^\..*\.(\d+)@([\w-]*)\.\w+\.tmp$/.exec(name) ?? []
    if (pid === undefined || where !== home) continue
    const path = join(folder, name)
    if (await hasEnded(Number(pid), path)) await promises.rm(path, { force: true }).catch(() => {})
  }
}

/** Whether the process that made the file at `path` is no more. */
async function hasEnded(pid: number, path: string): Promise<boolean> {
  if (pid === process.pid) {
    // Numbers come again, in containers soon: what is older than this process is not its own.
    const made = await fileSystem()
      .stat(path)
      .catch(() => undefined)
    return made !== undefined && made.mtimeMs < Date.now() - 1000 * process.uptime()
  }
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Where the number of a process means something: on this machine, in this container. Folders may be shared by others. */
async function processHome(): Promise<string> {
  const space = await fileSystem()
    .readlink('/proc/self/ns/pid')
    .catch(() => '')
  const name = hostname().replaceAll(/[^\w-]/g, '-')
  return `${name.slice(0, NAME_LENGTH)}${space.replaceAll(/\D+/g, '-')}`
}

async function fillFile(file: OpenFile, content: FileContent): Promise<void> {
  try {
    await fill((piece) => file.writeFile(piece), content)
    if ((await file.stat()).isFile()) await file.sync()
  } finally {
    await file.close()
  }
}

/** While one piece is being written, the next is made. */
async function fill(put: (piece: string | Uint8Array) => Promise<void>, content: FileContent): Promise<void> {
  let writing: Promise<void> | undefined
  try {
    const whole = typeof content === 'string' || content instanceof Uint8Array
    for await (const piece of whole ? [content] : content) {
      await writing
      writing = put(piece)
      // The error is thrown where it is awaited; until then it must not count as unhandled.
      writing.catch(() => {})
    }
    await writing
  } finally {
    await Promise.allSettled([writing])
  }
}

/** Writes a piece to an open descriptor, however little is taken at a time. */
async function writeWhole(descriptor: number, piece: string | Uint8Array): Promise<void> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  let at = 0
  while (at < bytes.length) {
    try {
      at += (await promisify(write)(descriptor, bytes, at)).bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
