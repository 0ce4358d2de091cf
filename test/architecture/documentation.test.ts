import { describe, expect, it } from 'vitest'
import { exportedNames, undocumentedNames } from './exported-names.ts'
import { entries } from './layers.ts'
import { graphOf, readGraph } from './module-graph.ts'

const graph = readGraph('src')

describe('exported names', () => {
  it.each(entries)('of %s have a comment each', (entry) => {
    expect(exportedNames(graph, entry).length).toBeGreaterThan(10)
    expect(undocumentedNames(graph, entry)).toEqual([])
  })

  const portableOf = (entry: string) => entry.replace(/\.(node|browser)\.ts$/, '.ts')

  it.each(entries.filter((entry) => portableOf(entry) !== entry && graph.has(portableOf(entry))))(
    'of %s include all of the entry that needs no platform',
    (entry) => {
      const names = exportedNames(graph, entry).map(({ name }) => name)
      const portable = exportedNames(graph, portableOf(entry))
      expect(names).toEqual(expect.arrayContaining(portable.map(({ name }) => name)))
    },
  )

  it('of the main entry are few enough to hold in mind, and none is too general for it', () => {
    const names = exportedNames(graph, 'src/index.node.ts').map(({ name }) => name)
    expect(names.length).toBeLessThanOrEqual(125)
    for (const general of [
      'sum',
      'product',
      'exp',
      'scale',
      'shift',
      'precision',
      'recall',
      'measure',
      'solve',
    ])
      expect(names).not.toContain(general)
  })

  it('are caught without a comment, with an empty one, with a plain one, and with one of something else', () => {
    const careless = graphOf({
      'src/index.ts': "export * from './a.ts'\nexport { two as second, type Three } from './b.ts'",
      'src/a.ts': [
        '/** Head of the file. */',
        "import type { Three } from './b.ts'",
        'export const bare = 1',
        '/** */',
        'export function empty() {}',
        '// A remark.',
        'export class Plain {}',
        '/** Documented. */',
        '// biome-ignore lint: a remark to a tool',
        'export interface Fine { readonly three: Three }',
        '/** One of two. */',
        'export function overloaded(a: string): void',
        'export function overloaded(a: number): void',
        'export function overloaded() {}',
      ].join('\n'),
      'src/b.ts': '/** One. */\nconst one = 1\nconst two = 2\nexport { one, two }\nexport type Three = 3',
    })
    expect(undocumentedNames(careless, 'src/index.ts')).toEqual([
      'bare (src/a.ts)',
      'empty (src/a.ts)',
      'Plain (src/a.ts)',
      'second (src/b.ts)',
      'Three (src/b.ts)',
    ])
    expect(exportedNames(careless, 'src/index.ts')).toHaveLength(7)
  })
})
