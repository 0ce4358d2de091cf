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

  it('of the Node entry include all of the browser entry', () => {
    const inNode = new Set(exportedNames(graph, 'src/index.node.ts').map(({ name }) => name))
    const missing = exportedNames(graph, 'src/index.ts').filter(({ name }) => !inNode.has(name))
    expect(missing).toEqual([])
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
