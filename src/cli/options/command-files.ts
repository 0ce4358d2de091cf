/** The files of a command: outputs must be writable, and must not destroy what the command reads or writes besides. */

import { ParameterError } from '../../base/errors.ts'
import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import { checkWritable, fileIdentity } from '../../data/files/output-place.node.ts'
import { COMMAND } from '../report/failure.ts'

/** What is written by the flags of several commands, with the endings that suit it. Others check their own, as formats decide. */
const WRITTEN: Readonly<Record<string, readonly [what: string, endings: readonly string[], advice: string]>> =
  {
    '--html': ['pages', ['html', 'htm'], 'allowed: .html'],
    '--trace': ['traces', ['csv'], 'allowed: .csv'],
    '--save-range': ['ranges', ['json'], 'allowed: .range, or .json for --to standard'],
  }

/** Paths by the argument or flag that names them; undefined where it was not given, `-` is stdin. */
export type NamedFiles = Readonly<Record<string, string | undefined>>

/**
 * Looks at all files of a command before it begins, including stdin and stdout where they are files. Throws a ParameterError
 * where an output is the same file as an input or as another output, by whatever names and links, and a DataError where an
 * output could not be written.
 */
export async function checkFiles(reads: NamedFiles, writes: NamedFiles = {}, who = COMMAND): Promise<void> {
  const taken = new Map<string, { readonly name: string; readonly path: string | undefined }>()
  for (const [name, path] of Object.entries(reads)) {
    const file = path === undefined ? undefined : await fileIdentity(path === '-' ? '/dev/stdin' : path)
    if (file !== undefined) taken.set(file, { name, path })
  }
  const claim = (file: string | undefined, name: string, path?: string): void => {
    if (file === undefined) return
    const other = taken.get(file)
    if (other) throw new ParameterError(who, name, `a different file from ${other.name}`, path ?? other.path)
    taken.set(file, { name, path })
  }
  claim(await fileIdentity('/dev/stdout'), 'stdout')
  for (const [name, path] of Object.entries(writes)) {
    if (path === undefined) continue
    const written = WRITTEN[name]
    if (written) refuseOtherEndings(path, ...written)
    const place = await checkWritable(path)
    if (place.kind === 'file') claim(await fileIdentity(path), name, path)
    // Two texts in one stream would be neither.
    if (place.kind === 'descriptor') claim(`descriptor ${place.descriptor}`, name, path)
  }
}
