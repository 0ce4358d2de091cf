import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entries } from './layers.ts'
import { readTexts, repository } from './module-graph.ts'
import { unusedExports } from './unused-exports.ts'

const texts = readTexts('src', 'web', 'bench', 'examples', 'scripts', 'test')

it('every exported value is used by another file', () => {
  expect(Object.keys(texts).length).toBeGreaterThan(500)
  expect(unusedExports(texts, entries)).toEqual([])
})

it('would be caught unused, or used by tests alone', () => {
  const small = {
    'src/index.ts': "export { one } from './base/a.ts'\nexport const entry = 1",
    'src/base/a.ts': [
      'export const one = 1',
      'export const two = 2',
      '/** Of two and three. */',
      'export function three() {}',
      'export function four() { return two }',
      'export interface Five { readonly one: number }',
      'export const six = 6',
    ].join('\n'),
    'src/base/b.ts': "import { four } from './a.ts'\nexport const later = four\nexport const never = 0",
    'src/base/c.ts': "const { later } = await import('./b.ts')\nexport const last = 1",
    'src/base/d.ts': "console.log((await import('./c.ts')).last, new URL('./e.ts', import.meta.url))",
    'src/base/e.ts': 'export const thread = 1',
    'test/base/a.test.ts': "import { two, three } from '../../src/base/a.ts'",
  }
  expect(unusedExports(small, ['src/index.ts'])).toEqual([
    'three (src/base/a.ts)',
    'six (src/base/a.ts)',
    'never (src/base/b.ts)',
  ])
})

it('every function that the engine exports is called', () => {
  const list = readFileSync(join(repository, 'assembly/index.ts'), 'utf8')
  const names = [...list.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, some]) => some.split(','))
    .map((name) => name.trim())
  expect(names.length).toBeGreaterThan(20)
  const code = Object.values(readTexts('src')).join('\n')
  expect(names.filter((name) => !code.includes(`exports.${name}`))).toEqual([])
})
