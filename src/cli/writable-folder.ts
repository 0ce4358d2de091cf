import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DataError } from '../index.node.ts'

/** Hours of work must not end in a folder that is not there, or at a folder where a file is to be written. */
export async function checkFolder(file: string): Promise<void> {
  const folder = dirname(file)
  await access(folder, constants.W_OK).catch(() => {
    throw new DataError(`${file}: the folder ${folder} does not exist or cannot be written to`)
  })
  const there = await stat(file).catch(() => undefined)
  if (there?.isDirectory()) throw new DataError(`${file}: is a directory, not a file`)
}
