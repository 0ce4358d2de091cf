/** The names that a file exports, followed through re-exports to where they are declared. */
import { type ModuleGraph, syntaxOf } from './module-graph.ts'

/** An exported name and its declaration. */
export interface ExportedName {
  readonly name: string
  /** File of the declaration. */
  readonly path: string
  /** Text of the TSDoc comment right before the declaration; undefined when there is none. */
  readonly comment: string | undefined
}

/** Every name that `path` exports, each once. */
export function exportedNames(graph: ModuleGraph, path: string): ExportedName[] {
  return [...exportsOf(graph, path).values()]
}

/** The exported names whose declaration has no comment, as `name (file)`. */
export function undocumentedNames(graph: ModuleGraph, path: string): string[] {
  return exportedNames(graph, path)
    .filter(({ comment }) => !comment || !/\p{L}/u.test(comment))
    .map(({ name, path: where }) => `${name} (${where})`)
}

/** What was found before: one graph is asked about many entries that share most of their files. */
const known = new WeakMap<ModuleGraph, Map<string, Map<string, ExportedName>>>()

function exportsOf(graph: ModuleGraph, path: string): Map<string, ExportedName> {
  const files = known.get(graph) ?? new Map<string, Map<string, ExportedName>>()
  known.set(graph, files)
  const found = files.get(path) ?? readExports(graph, path)
  files.set(path, found)
  return found
}

function readExports(graph: ModuleGraph, path: string): Map<string, ExportedName> {
  const file = graph.get(path)
  if (!file) throw new Error(`${path} is not in the graph`)
  const { program, comments, module } = syntaxOf(path, file.text)
  // Remarks to tools may stand between a comment and what it describes.
  const commentBefore = (start: number): string | undefined =>
    comments.find(
      ({ type, value, end }) =>
        type === 'Block' &&
        value.startsWith('*') &&
        end <= start &&
        file.text
          .slice(end, start)
          .replace(/^\s*\/\/.*$/gm, '')
          .trim() === '',
    )?.value
  const local = new Map<string, string | undefined>()
  for (const node of program.body) {
    const isExport = node.type === 'ExportNamedDeclaration' && node.declaration
    const declaration = isExport ? node.declaration : node
    for (const name of declaredNames(declaration)) {
      // Of overloads, one documented signature is enough.
      local.set(name, commentBefore(node.start) ?? local.get(name))
    }
  }
  const found = new Map<string, ExportedName>()
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, localName } of entries) {
      const name = exportName.name ?? ''
      if (!moduleRequest) {
        const own = localName.name ?? ''
        if (!local.has(own)) throw new Error(`${path}: the declaration of ${name} was not found`)
        found.set(name, { name, path, comment: local.get(own) })
        continue
      }
      const target = file.imports.find(({ specifier }) => specifier === moduleRequest.value)?.target ?? ''
      const there = exportsOf(graph, target)
      if (importName.kind === 'AllButDefault') {
        for (const [key, value] of there) if (!found.has(key)) found.set(key, value)
      } else {
        const declared = there.get(importName.name ?? '')
        if (!declared) throw new Error(`${path}: ${target} does not export ${importName.name}`)
        found.set(name, { ...declared, name })
      }
    }
  }
  return found
}

/** The parts of a declaration that matter here, whatever kind it is. */
interface Declaration {
  readonly id?: unknown
  readonly declarations?: readonly { readonly id: unknown }[]
}

function declaredNames(declaration: unknown): string[] {
  const { id, declarations = [] } = declaration as Declaration
  return [id, ...declarations.map((one) => one.id)]
    .map((identifier) => (identifier as { name?: string } | null | undefined)?.name)
    .filter((name) => name !== undefined)
}
