/** Exported values that nothing else needs. */
import { dirname, posix } from 'node:path'
import { syntaxOf } from './module-graph.ts'

/** Texts of files by their paths. */
type Texts = Readonly<Record<string, string>>

/** Values that no import leads to, and what uses them all the same. */
const usedElsewhere: Readonly<Record<string, string>> = {
  resetSlots: 'makes the process as good as new between two tests',
  runCompiled: 'called by the scripts that scripts/bundle-command.js writes',
  TILE: 'scripts/build.js passes all numbers of structures.ts on to assembly/',
}

/** `{ a, b } = await import('./c.ts')`, `(await import('./c.ts')).a`, `import('./c.ts')` and `new URL('./c.ts', …)`. */
const later =
  /(?:\{([^{}]*)\} = await )?\(?(?:await )?(?:import|new URL)\(\s*['"](\.[^'"]+)['"](?:\)\)\.(\w+))?/g

/**
 * The values that a file of src/ or web/ exports and no other file imports, as `name (file)`; and those that only tests import and the
 * file itself does not use, which would be code for tests. What users import (`entries`) may be used by nobody here. Types
 * are left out: one that occurs in the signature of an exported function is exported with it.
 */
export function unusedExports(texts: Texts, entries: readonly string[]): string[] {
  const uses = new Map<string, Set<string>>()
  const usesByTests = new Map<string, Set<string>>()
  const exported: { readonly path: string; readonly names: readonly string[] }[] = []
  for (const [path, text] of Object.entries(texts)) {
    const { program, module } = syntaxOf(path, text)
    const used = path.startsWith('test/') ? usesByTests : uses
    const use = (specifier: string, name: string) => {
      const target = posix.join(dirname(path), specifier)
      used.set(target, (used.get(target) ?? new Set()).add(name))
    }
    for (const { moduleRequest, entries: names } of module.staticImports) {
      for (const { importName } of names) {
        use(moduleRequest.value, importName.kind === 'NamespaceObject' ? '*' : (importName.name ?? 'default'))
      }
    }
    for (const { entries: names } of module.staticExports) {
      for (const { moduleRequest, importName } of names) {
        if (moduleRequest) use(moduleRequest.value, importName.name ?? '*')
      }
    }
    // What is loaded later says what it takes, or may take all; so may threads.
    for (const [, names, specifier, name = '*'] of text.matchAll(later)) {
      for (const one of names?.split(',') ?? [name]) use(specifier, one.trim().replace(/:.*/, ''))
    }
    const names = program.body.flatMap((node) =>
      node.type === 'ExportNamedDeclaration' && node.exportKind !== 'type' && node.declaration
        ? valuesOf(node.declaration)
        : [],
    )
    if (/^(src|web)\//.test(path) && !entries.includes(path)) exported.push({ path, names })
  }
  return exported.flatMap(({ path, names }) =>
    names
      .filter((name) => !(name in usedElsewhere) && !isUsed(uses, path, name))
      .filter((name) => !isNeededByTests(texts[path], usesByTests, path, name))
      .map((name) => `${name} (${path})`),
  )
}

function isUsed(uses: ReadonlyMap<string, ReadonlySet<string>>, path: string, name: string): boolean {
  const used = uses.get(path)
  return used !== undefined && (used.has(name) || used.has('*'))
}

/** Tests may look at a part of a file that the file itself uses. */
function isNeededByTests(
  text: string,
  usesByTests: ReadonlyMap<string, ReadonlySet<string>>,
  path: string,
  name: string,
): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const isUsedHere = (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
  return isUsed(usesByTests, path, name) && isUsedHere
}

interface Declaration {
  readonly type: string
  readonly id?: { readonly name?: string } | null
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[]
}

function valuesOf(declaration: unknown): string[] {
  const { type, id, declarations = [] } = declaration as Declaration
  if (/^TS(Interface|TypeAlias)/.test(type)) return []
  return [id?.name, ...declarations.map((one) => one.id.name)].filter((name) => name !== undefined)
}
