/**
 * The import graph of the repository's TypeScript and JavaScript files, read from their syntax trees. Files are named
 * by their path from the root of the graph, with forward slashes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/** Root of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** One import, export-from, dynamic import or worker URL. */
export interface ImportEdge {
  /** As it is written: './x.ts', 'zod', 'node:fs'. */
  readonly specifier: string
  /** Path of the file for relative specifiers, the specifier itself for packages. */
  readonly target: string
  /** True when nothing of it is left after compilation. */
  readonly typeOnly: boolean
}

/** One source file. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly ImportEdge[]
}

/** Source files by path. */
export type ModuleGraph = ReadonlyMap<string, SourceFile>

/** Makes a graph of file texts by path. */
export function graphOf(texts: Readonly<Record<string, string>>): ModuleGraph {
  return new Map(
    Object.entries(texts).map(([path, text]) => [path, { path, text, imports: importsOf(path, text) }]),
  )
}

/** Reads all .ts, .tsx and .js files of some folders. */
export function readGraph(...folders: readonly string[]): ModuleGraph {
  return graphOf(readTexts(...folders))
}

/** The texts of all .ts, .tsx and .js files of some folders, by path. */
export function readTexts(...folders: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const folder of folders) {
    for (const path of sourcePaths(folder)) texts[path] = readFileSync(join(repository, path), 'utf8')
  }
  return texts
}

function sourcePaths(folder: string): string[] {
  const entries = readdirSync(join(repository, folder), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.([jt]s|tsx)$/.test(entry.name))
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map((entry) => posix.join(posix.relative(repository, entry.parentPath), entry.name))
    .sort()
}

/** The syntax tree, the comments and the dynamic imports of a file. */
export function syntaxOf(path: string, text: string): ReturnType<typeof parseSync> {
  const syntax = parseSync(path, text)
  if (syntax.errors.length > 0) throw new Error(`${path}: ${syntax.errors[0].message}`)
  return syntax
}

function importsOf(path: string, text: string): ImportEdge[] {
  const { program, module } = syntaxOf(path, text)
  const edge = (specifier: string, typeOnly = false): ImportEdge => ({
    specifier,
    target: specifier.startsWith('.') ? posix.join(dirname(path), specifier) : specifier,
    typeOnly,
  })
  const edges: ImportEdge[] = []
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') edges.push(edge(node.source.value, node.importKind === 'type'))
    else if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
      if (node.source) edges.push(edge(node.source.value, node.exportKind === 'type'))
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    edges.push(edge(literal(text.slice(moduleRequest.start, moduleRequest.end), path)))
  }
  // A worker's file is not imported, but it is part of the program all the same; it is named as it is built.
  for (const [, specifier] of text.matchAll(/new URL\(\s*['"](\.[^'"]+\.[jt]s)['"],\s*import\.meta\.url/g)) {
    edges.push(edge(path.endsWith('.ts') ? specifier.replace(/\.js$/, '.ts') : specifier))
  }
  return edges
}

function literal(source: string, path: string): string {
  const match = /^(['"`])(.*)\1$/.exec(source)
  if (!match) throw new Error(`${path}: import(${source}) cannot be checked; write its path as a literal`)
  return match[2]
}
