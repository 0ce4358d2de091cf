import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DataError } from '../index.node.ts'

/** Hours of work must not end in a folder that is not there. */
export async function checkFolder(file: string): Promise<void> {
  const folder = dirname(file)
  await access(folder, constants.W_OK).catch(() => {
    throw new DataError(`${file}: the folder ${folder} does not exist or cannot be written to`)
  })
}
