/** The API reference that the build makes: it has every name of every entry, its links lead somewhere, its examples compile. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeBlocks, localLinks } from '../markdown.ts'
import { exportedNames } from './exported-names.ts'
import { readGraph, repository } from './module-graph.ts'

const folder = join(repository, 'docs/api')
const graph = readGraph('src')
const { exports: exported } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
// `hyperplane/node` is `hyperplane` in Node.
const subpaths = Object.keys(exported).filter((name) => !['./node', './package.json'].includes(name))
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const pageOf = (subpath: string) => `${join('hyperplane', subpath)}.md`

/** The names of an entry in Node, where there are most. */
function namesOf(subpath: string): string[] {
  const { types } = exported[subpath].node ?? exported[subpath]
  const source = types.replace('./dist/', 'src/').replace('.d.ts', '.ts')
  return exportedNames(graph, source).map(({ name }) => name)
}

/** Each name that a page describes, with its text; a name that another page describes is a link to it. */
function sections(page: string): Map<string, string> {
  const parts = page.split(/^### /m).slice(1)
  return new Map(parts.map((part) => [part.split('\n')[0].replace(/^`abstract` |\\|\(\)$/g, ''), part]))
}

describe('the API reference', () => {
  it.each(subpaths)('has every name of %s, and says something of each', (subpath) => {
    const found = sections(read(pageOf(subpath)))
    expect([...found.keys()].sort()).toEqual(namesOf(subpath).sort())
    for (const [name, text] of found) {
      const sentence = /^(Re-exports|Renames and re-exports) \[|^[\p{Lu}`|(½‖[0-9Σ].*\p{L}/mu
      expect(text.slice(name.length), name).toMatch(sentence)
      // Readers of the reference do not see the file.
      expect(text, name).not.toMatch(/head of th(e|is) file/i)
    }
  })

  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )

  it('has no link that leads nowhere, and is reached from the guide and in the Lab', () => {
    const broken = pages.flatMap((page) =>
      localLinks(read(page)).filter((target) => !existsSync(join(folder, dirname(page), target))),
    )
    expect(broken).toEqual([])
    expect(read('../guide/getting-started.md')).toContain('](../api/README.md)')
    for (const page of pages)
      expect(existsSync(join(repository, 'dist/lab/docs/api', page.replace('.md', '.html'))), page).toBe(true)
  })

  const project = mkdtempSync(join(tmpdir(), 'hyperplane-reference-'))
  afterAll(() => rmSync(project, { recursive: true }))

  it('has examples that compile', () => {
    // Examples leave out what every reader knows: their imports, and where data and models come from.
    const given = `
      import type * as all from 'hyperplane'
      declare const train: all.VectorDataset, test: all.VectorDataset
      declare const rows: number[][], signal: AbortSignal, model: all.Fitted<all.SvcModel>`
    const homes = new Map(
      [...subpaths].reverse().flatMap((subpath) => namesOf(subpath).map((name) => [name, subpath] as const)),
    )
    const files = pages.flatMap((page) =>
      codeBlocks(read(page)).map(({ code, line }) => {
        const words = new Set(code.match(/\b[A-Za-z]\w*/g))
        const imports = [...homes]
          .filter(([name]) => words.has(name) && !new RegExp(`const (\\{[^}]*)?\\b${name}\\b`).test(code))
          .map(([name, subpath]) => `import { ${name} } from '${join('hyperplane', subpath)}'`)
        const path = `${page.replace(/\W/g, '-')}-${line}.ts`
        writeFileSync(join(project, path), [...imports, given, '{', code, '}'].join('\n'))
        return path
      }),
    )
    expect(files.length).toBeGreaterThan(20)
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(repository, join(project, 'node_modules/hyperplane'), 'dir')
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], strict: true, noEmit: true },
      ...{ types: ['node'], typeRoots: [join(repository, 'node_modules/@types')], skipLibCheck: true },
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const compiler = join(repository, 'node_modules/typescript/bin/tsc')
    expect(spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' }).stdout).toBe('')
  })
})
