/** The files of a command: outputs must be writable, and must not destroy what the command reads or writes besides. */

import { ParameterError } from '../../base/errors.ts'
import { checkWritable, fileIdentity } from '../../data/files/output-place.node.ts'

/** Paths by the argument or flag that names them; undefined where it was not given, `-` is stdin. */
export type NamedFiles = Readonly<Record<string, string | undefined>>

/**
 * Looks at all files of a command before it begins, stdin and stdout among them where they are files. Throws a
 * ParameterError where an output is the same file as an input or as another output, by whatever names and links, and a
 * DataError where an output could not be written.
 */
export async function checkFiles(
  command: string,
  { reads = {}, writes = {} }: { readonly reads?: NamedFiles; readonly writes?: NamedFiles },
): Promise<void> {
  const taken = new Map<string, { readonly name: string; readonly path: string | undefined }>()
  const take = (file: string | undefined, name: string, path?: string): void => {
    if (file === undefined) return
    const other = taken.get(file)
    if (other) throw new ParameterError(command, name, `another file than ${other.name}`, path ?? other.path)
    taken.set(file, { name, path })
  }
  for (const [name, path] of Object.entries(reads)) {
    if (path === undefined) continue
    const file = await fileIdentity(path === '-' ? '/dev/stdin' : path)
    if (file !== undefined) taken.set(file, { name, path })
  }
  take(await fileIdentity('/dev/stdout'), 'stdout')
  for (const [name, path] of Object.entries(writes)) {
    if (path === undefined) continue
    const { kind } = await checkWritable(path)
    if (kind === 'file') take(await fileIdentity(path), name, path)
  }
}
