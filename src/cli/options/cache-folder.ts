import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the command keeps something that can be made again, among what other programs of the user keep so. */
export function cacheFolder(what: string): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hyperplane', what)
}
