import { readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  allowedImports,
  entries,
  findCycle,
  partOf,
  reachedFrom,
  strayNodeImports,
  wrongImports,
} from './layers.ts'
import { graphOf, type ModuleGraph, readGraph, repository } from './module-graph.ts'

const graph = readGraph('src', 'examples', 'bench', 'web')

/** Packages that the library may load in a browser, and why each of them works there. */
const browserPackages: Readonly<Record<string, string>> = {
  'ml-matrix': 'plain JavaScript',
  'csv-parse/browser/esm': "csv-parse's own build for browsers",
  'hyparquet/src/index.js': 'the part of hyparquet without files',
  'hyparquet/src/column.js': 'page headers',
  'hyparquet/src/convert.js': 'numbers of 16 bits',
  'hyparquet/src/datapage.js': 'what chooses a decompressor',
  'hyparquet/src/delta.js': 'an encoding of values',
  'hyparquet/src/encoding.js': 'an encoding of values',
  'hyparquet/src/plain.js': 'an encoding of values',
  'hyparquet-compressors': 'plain JavaScript and inlined WebAssembly',
  'hyparquet-compressors/src/brotli.streams.js': 'its bound',
  zstddec: 'inlined WebAssembly',
  'xz-decompress': 'WebAssembly over web streams',
  '@observablehq/plot': 'made for browsers',
  'linkedom/worker': 'its build without Node modules; loaded only where there is no DOMParser',
}

function packagesFrom(entry: string): string[] {
  return [...reachedFrom(graph, entry).keys()].filter((target) => !graph.has(target)).sort()
}

describe('the direction of imports', () => {
  it('is kept', () => {
    expect(graph.size).toBeGreaterThan(50)
    expect(wrongImports(graph)).toEqual([])
  })

  it('is defined for every folder of src/', () => {
    const folders = readdirSync(join(repository, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    expect(Object.keys(allowedImports)).toEqual(expect.arrayContaining(folders.map(({ name }) => name)))
  })

  it('leads every command, and every entry for a platform, to the set-up of that platform', () => {
    const commands = [...graph.keys()].filter((path) => /^src\/cli\/(svm-\w+|commands\/\w.*)\.ts$/.test(path))
    const nodeEntries = entries.filter((path) => path.endsWith('.node.ts'))
    for (const path of [...commands, ...nodeEntries])
      expect([...reachedFrom(graph, path).keys()], path).toContain('src/parallel/platform.node.ts')
    for (const path of entries.filter((entry) => entry.endsWith('.browser.ts')))
      expect([...reachedFrom(graph, path).keys()], path).toContain('src/parallel/platform.browser.ts')
  })

  it('keeps prediction free of training', () => {
    for (const part of ['solve', 'estimators']) expect(allowedImports.models).not.toContain(part)
    const parts = new Set([...reachedFrom(graph, 'src/predict.ts').keys()].map(partOf))
    expect(parts).toContain('models')
    for (const part of ['solve', 'estimators', 'selection', 'parallel']) expect(parts).not.toContain(part)
  })

  it('finds an import that points up, one beside the entries, and one of a file that is not there', () => {
    const wrong = graphOf({
      'src/index.ts': "export { solve } from './solve/solve.ts'",
      'src/base/errors.ts': "import { rbf } from '../kernels/rbf.ts'",
      'src/kernels/rbf.ts': "import '../base/errors.ts'; import './gone.ts'",
      'src/models/model.ts': "import type { Run } from '../solve/solve.ts'",
      'src/solve/solve.ts': 'export const solve = 1',
      'src/metrics/accuracy.ts': "export * from '../kernels/rbf.ts'",
      'src/cli/main.ts': "await import('../solve/solve.ts'); await import('../index.ts')",
      'src/helpers/text.ts': '',
      'examples/first.js': "import { solve } from '../src/solve/solve.ts'; import 'hyperplane'",
    })
    expect(wrongImports(wrong)).toEqual([
      'src/base/errors.ts → src/kernels/rbf.ts',
      'src/kernels/rbf.ts → src/kernels/gone.ts, which does not exist',
      'src/models/model.ts → src/solve/solve.ts',
      'src/metrics/accuracy.ts → src/kernels/rbf.ts',
      'src/cli/main.ts → src/index.ts',
      'src/helpers/text.ts is in no known layer',
      'examples/first.js → src/solve/solve.ts',
    ])
  })
})

describe('import cycles', () => {
  it('do not exist', () => {
    expect(findCycle(graph)).toBeUndefined()
  })

  it('are found, also when they are made of types', () => {
    const cyclic: ModuleGraph = graphOf({
      'src/a.ts': "import { b } from './b.ts'",
      'src/b.ts': "import type { C } from './c.ts'",
      'src/c.ts': "import './d.ts'; export * from './b.ts'",
      'src/d.ts': '',
    })
    expect(findCycle(cyclic)).toEqual(['src/b.ts', 'src/c.ts', 'src/b.ts'])
  })
})

describe('what a browser loads', () => {
  const browserEntries = entries.filter((entry) => !entry.endsWith('.node.ts'))

  it.each(browserEntries)('through %s has no Node module and no *.node.ts file', (entry) => {
    const trails = [...reachedFrom(graph, entry)]
      .filter(([target]) => isBuiltin(target) || /\.node\.ts$/.test(target))
      .map(([, trail]) => trail.join(' → '))
    expect(trails).toEqual([])
  })

  it.each(browserEntries)('through %s has only packages that are known to work there', (entry) => {
    expect(Object.keys(browserPackages)).toEqual(expect.arrayContaining(packagesFrom(entry)))
  })

  it('lists no package that is not loaded', () => {
    const loaded = new Set(browserEntries.flatMap(packagesFrom))
    expect(Object.keys(browserPackages).sort()).toEqual([...loaded].sort())
  })

  it('Node modules are imported in *.node.ts files and in the command line only', () => {
    expect(strayNodeImports(graph)).toEqual([])
  })

  it('is followed through re-exports, dynamic imports and workers, but not through types', () => {
    const loaded = graphOf({
      'src/index.ts': "export * from './data/read.ts'; import type { Stats } from 'node:fs'",
      'src/data/read.ts': "const later = () => import('./gzip.ts'); export type { Path } from 'node:path'",
      'src/data/gzip.ts': "new Worker(new URL('./inflate.node.js', import.meta.url))",
      'src/data/inflate.node.ts': "import 'node:zlib'",
    })
    const reached = reachedFrom(loaded, 'src/index.ts')
    expect(reached.get('node:zlib')).toEqual([
      'src/index.ts',
      'src/data/read.ts',
      'src/data/gzip.ts',
      'src/data/inflate.node.ts',
      'node:zlib',
    ])
    expect(reached.has('node:fs')).toBe(false)
    expect(reached.has('node:path')).toBe(false)
    expect(strayNodeImports(loaded)).toEqual([
      'src/index.ts → node:fs',
      'src/data/read.ts → node:path',
      'src/data/gzip.ts → src/data/inflate.node.ts',
    ])
  })

  it('cannot hide behind a computed import', () => {
    expect(() => graphOf({ 'src/x.ts': 'await import(name)' })).toThrow(
      'src/x.ts: import(name) cannot be checked',
    )
  })
})
