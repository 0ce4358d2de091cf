import { readFileSync } from 'node:fs'
import { slot } from '../base/slot.ts'

const version = slot<string | undefined>(undefined)

/** The version of this package. */
export function libraryVersion(): string {
  if (version.current !== undefined) return version.current
  const { version: read } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  version.install(read)
  return read
}
