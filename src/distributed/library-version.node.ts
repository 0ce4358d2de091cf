import { readFileSync } from 'node:fs'
import { slot } from '../base/slot.ts'
import { buildName } from '../engine/memory/engine-build.ts'
import { MESSAGE_VERSION, type UnitJob } from './job-message.ts'

const version = slot<string | undefined>(undefined)

/** What every job says of itself: results depend on the version and the build in their last bits. */
export function unitHead(): Pick<UnitJob, 'format' | 'version' | 'library' | 'engine'> {
  const [library, engine] = [libraryVersion(), buildName()]
  return { format: 'hyperplane-unit', version: MESSAGE_VERSION, library, engine }
}

/** The version of this package. */
export function libraryVersion(): string {
  if (version.current !== undefined) return version.current
  const { version: read } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  version.install(read)
  return read
}
