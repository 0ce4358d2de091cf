/** Which part of the repository may import which, and a search for cycles. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ModuleGraph, repository } from './module-graph.ts'

/** The files of src/ that users import: those that are in none of its folders. */
export const entries = readdirSync(join(repository, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `src/${entry.name}`)

const data = ['base']
const engine = [...data, 'data']
const kernels = [...engine, 'engine']
const problems = [...kernels, 'kernels']
const aboveProblems = [...problems, 'problems']
const aboveCertify = [...aboveProblems, 'certify']
const models = [...aboveCertify, 'calibration']
const estimators = [...models, 'models', 'solve']
const selection = [...estimators, 'estimators', 'metrics']
const parallel = [...selection, 'selection']
const distributed = [...parallel, 'parallel']
const verify = [...estimators, 'estimators']

/**
 * What each part may import beside itself. The folders of src/ from the bottom to the top; `entry` stands for the
 * files that users import; what lies outside src/ uses the package as a user does.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  base: [],
  data,
  engine,
  kernels,
  problems,
  certify: aboveProblems,
  solve: aboveCertify,
  calibration: ['base'],
  models,
  estimators,
  metrics: ['base'],
  selection,
  parallel,
  distributed,
  verify,
  plots: ['base', 'data'],
  reports: ['base', 'data', 'calibration', 'metrics', 'plots'],
  entry: [...distributed, 'distributed', 'plots', 'reports', 'verify'],
  cli: [...distributed, 'distributed', 'plots', 'reports', 'verify'],
  examples: ['entry'],
  bench: ['entry'],
  web: ['entry'],
}

/** Imports beside the layers, and why. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The engine is no part of what users import: it is measured where it was built.
  'bench/peak.js': [
    'dist/engine/memory/all-builds.js',
    'dist/engine/memory/engine.js',
    'dist/engine/matrix/engine-kernel.js',
    'dist/engine/matrix/engine-matrix.js',
  ],
}

/** The part a file belongs to: 'kernels' for src/kernels/rbf.ts. */
export function partOf(path: string): string {
  const [top, folder, ...rest] = path.split('/')
  if (top !== 'src') return top
  return rest.length > 0 ? folder : 'entry'
}

/** Every import that points the wrong way, as `from → to`; the files must be in a known part and exist. */
export function wrongImports(graph: ModuleGraph): string[] {
  const wrong: string[] = []
  for (const { path, imports } of graph.values()) {
    const part = partOf(path)
    const allowed = allowedImports[part]
    if (!allowed) {
      wrong.push(`${path} is in no known layer`)
      continue
    }
    for (const { specifier, target } of imports) {
      // Style sheets are no modules of this graph.
      if (!specifier.startsWith('.') || specifier.endsWith('.css')) continue
      if (exceptions[path]?.includes(target)) continue
      const targetPart = partOf(target)
      if (!graph.has(target)) wrong.push(`${path} → ${target}, which does not exist`)
      else if (targetPart !== part && !allowed.includes(targetPart)) wrong.push(`${path} → ${target}`)
    }
  }
  return wrong
}

/** Every file that imports a Node module but is not named as one that may, and every import of a file so named. */
export function strayNodeImports(graph: ModuleGraph): string[] {
  const isNodeFile = (path: string): boolean => /\.node\.ts$/.test(path) || partOf(path) === 'cli'
  const isNodeTarget = (target: string): boolean =>
    target.startsWith('node:') || /\.node\.[jt]s$/.test(target)
  return [...graph.values()]
    .filter(({ path }) => path.startsWith('src/') && !isNodeFile(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target }) => isNodeTarget(target)).map(({ target }) => `${path} → ${target}`),
    )
}

/** A cycle of imports, types included, as the files on it; undefined when there is none. */
export function findCycle(graph: ModuleGraph): string[] | undefined {
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (path: string): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    trail.push(path)
    for (const { target } of graph.get(path)?.imports ?? []) {
      const cycle = visit(target)
      if (cycle) return cycle
    }
    trail.pop()
    done.add(path)
    return undefined
  }
  for (const path of graph.keys()) {
    const cycle = visit(path)
    if (cycle) return cycle
  }
  return undefined
}

/**
 * Everything that is loaded, now or later, when a file is imported: files and packages, each with the trail of files
 * that leads to it. Imports of types are not loaded.
 */
export function reachedFrom(graph: ModuleGraph, entry: string): Map<string, readonly string[]> {
  const reached = new Map<string, readonly string[]>([[entry, [entry]]])
  for (const [path, trail] of reached) {
    for (const { target, typeOnly } of graph.get(path)?.imports ?? []) {
      if (!typeOnly && !reached.has(target)) reached.set(target, [...trail, target])
    }
  }
  return reached
}
