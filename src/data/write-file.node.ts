import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { explainFileError } from './file-error.node.ts'

/** What can be written: text or bytes, whole or piece by piece. A piece must last until the next but one is made. */
export type FileContent =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>

/**
 * Writes a file so that `path` holds either what was there before or all of the new content, never a part: the
 * content goes to a new file beside it, is flushed to disk, and takes the name at the end. The mode of a file that is
 * replaced is kept, a link is followed. Devices and pipes, which cannot be replaced, are written to directly.
 */
export async function writeFileAtomically(path: string, content: FileContent): Promise<void> {
  try {
    const before = await stat(path).catch(ignoreMissing)
    if (before && !before.isFile() && !before.isDirectory()) {
      await fill(await open(path, 'w'), content)
      return
    }
    const target = before ? await realpath(path) : path
    // Opening fails where the name is taken, so any chance will do.
    const chance = Math.random().toString(36).slice(2)
    const beside = join(dirname(target), `.${basename(target)}.${chance}.tmp`)
    const file = await open(beside, 'wx', before ? before.mode & 0o777 : 0o666)
    try {
      await fill(file, content)
      await rename(beside, target)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** While one piece is being written, the next is made. */
async function fill(file: FileHandle, content: FileContent): Promise<void> {
  let writing: Promise<void> | undefined
  try {
    const whole = typeof content === 'string' || content instanceof Uint8Array
    for await (const piece of whole ? [content] : content) {
      await writing
      writing = file.writeFile(piece)
      // Whoever waits for it gets the error; until then nobody handles it.
      writing.catch(() => {})
    }
    await writing
    if ((await file.stat()).isFile()) await file.sync()
  } finally {
    await Promise.allSettled([writing])
    await file.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
