/** The files of a command: outputs must be writable, and must not destroy what the command reads or writes besides. */
import { checkWritable, fileIdentity, ParameterError } from '../index.node.ts'

/** Paths by the argument or flag that names them; undefined where it was not given, `-` is stdin. */
export type NamedFiles = Readonly<Record<string, string | undefined>>

/**
 * Looks at all files of a command before it begins. Throws a ParameterError where an output is the same file as an input or
 * as another output, by whatever names and links, and a DataError where an output could not be written.
 */
export async function checkFiles(
  command: string,
  { reads = {}, writes }: { readonly reads?: NamedFiles; readonly writes: NamedFiles },
): Promise<void> {
  const taken = new Map<string, string>()
  for (const [name, path] of Object.entries(reads)) {
    const file = path === undefined || path === '-' ? undefined : await fileIdentity(path)
    if (file !== undefined) taken.set(file, name)
  }
  for (const [name, path] of Object.entries(writes)) {
    if (path === undefined) continue
    await checkWritable(path)
    const file = await fileIdentity(path)
    if (file === undefined) continue
    const other = taken.get(file)
    if (other !== undefined) throw new ParameterError(command, name, `another file than ${other}`, path)
    taken.set(file, name)
  }
}
