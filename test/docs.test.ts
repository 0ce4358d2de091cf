/**
 * The documentation is run: in Markdown, a block ```ts is type-checked, ```ts run and ```sh run are executed as well,
 * in order and in one folder for each document, and ```text output right after one must be in what it printed.
 */
import { execFile } from 'node:child_process'
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
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StopReason } from '../src/certify/certificate.ts'
import { generators } from '../src/data/generators/generators.ts'
import { toSparse } from '../src/data/matrix/matrix.ts'
import { makeSampleSet } from '../src/data/table/dataset.ts'
import { LinearSVC } from '../src/estimators/linear-svc.ts'
import { SVC } from '../src/estimators/svc.ts'
import { exp, scale, shift, sum } from '../src/kernels/combinators.ts'
import { polynomial } from '../src/kernels/polynomial.ts'
import { sigmoid } from '../src/kernels/sigmoid.ts'
import { custom } from '../src/kernels/user-kernels.ts'
import { solverNames, solvers } from '../src/solve/methods/registry.ts'
import { type CodeBlock, codeBlocks, localLinks, missingLine, tableRows } from './markdown.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/README.md'],
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    // The API reference is made of the comments in src/, and has its own test.
    .filter((name) => name.endsWith('.md') && !name.startsWith('api/'))
    .map((name) => `docs/${name}`),
]

let folder: string
beforeAll(() => {
  expect(existsSync(join(repository, 'dist/cli/main.js')), 'npm run build comes first').toBe(true)
  folder = mkdtempSync(join(tmpdir(), 'hyperplane-docs-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(repository, join(folder, 'node_modules/hyperplane'))
  symlinkSync(join(repository, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  for (const [command, script] of Object.entries<string>(JSON.parse(read('package.json')).bin)) {
    symlinkSync(join(repository, script), join(folder, 'node_modules/.bin', command))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Names of all fields in a JSON value, however deep, and the values of `kind`. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === 'kind' ? [`"${part}"`] : [name]),
    ...fieldsOf(part),
  ])
}

/** The folder that the blocks of a document run in. */
function folderOf(document: string): string {
  const path = join(folder, document.replace(/\W/g, '-'))
  mkdirSync(path, { recursive: true })
  return path
}

/** What a command prints; rejected, with its complaint, when it fails. */
async function execute(command: string, args: readonly string[], cwd: string): Promise<string> {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...process.env, PATH } })
  return stdout
}

async function run({ language, code, line }: CodeBlock, cwd: string): Promise<string> {
  if (language === 'sh') return execute('sh', ['-eu', '-c', `npx() { "$@"; }\n${code}`], cwd)
  const script = join(cwd, `line-${line}.mjs`)
  writeFileSync(script, (await transformWithOxc(code, `line-${line}.ts`)).code)
  return execute(process.execPath, [script], cwd)
}

describe('code in the documentation', () => {
  const runnable = documents.filter((path) =>
    codeBlocks(read(path)).some(({ flags }) => flags.includes('run')),
  )

  it('is there', () => {
    expect(runnable).toContain('README.md')
    expect(runnable.filter((path) => path.startsWith('docs/guide/')).length).toBeGreaterThan(4)
  })

  it.each(runnable)('runs as %s says', async (document) => {
    let output = ''
    for (const block of codeBlocks(read(document))) {
      if (block.flags.includes('run')) output = await run(block, folderOf(document))
      if (!block.flags.includes('output')) continue
      const missing = missingLine(output, block.code)
      expect(missing, `${document}:${block.line}: the output has no such line:\n${output}`).toBeUndefined()
    }
  })

  it('has the right types', async () => {
    const files: string[] = []
    for (const document of documents) {
      for (const { language, flags, code, line } of codeBlocks(read(document))) {
        if (language !== 'ts') continue
        // A file that somebody adds to the repository finds its neighbours through `rootDirs`.
        const added = flags.find((flag) => flag.startsWith('file='))?.slice('file='.length)
        const path = join(folder, added ?? join(document.replace(/\W/g, '-'), `line-${line}.ts`))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${code}\nexport {}\n`)
        files.push(path)
      }
    }
    expect(files.length).toBeGreaterThan(10)
    const { compilerOptions } = JSON.parse(read('tsconfig.json'))
    const options = { ...compilerOptions, noUnusedLocals: false, rootDirs: [folder, repository] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
    const compiler = join(repository, 'node_modules/typescript/bin/tsc')
    const settings = ['-p', join(folder, 'tsconfig.json')]
    const complaint = execute(process.execPath, [compiler, ...settings], folder).catch(({ stdout }) => stdout)
    expect(await complaint).toBe('')
  })
})

describe('what the documentation says', () => {
  it('links to files that exist', () => {
    const broken = documents.flatMap((document) =>
      localLinks(read(document))
        .filter((target) => !existsSync(join(repository, dirname(document), target)))
        .map((target) => `${document}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('of solvers is what the registry says', () => {
    const rows = tableRows(read('README.md'), 'solver')
    expect(rows.map(([name]) => name)).toEqual(solverNames.map((name) => `\`${name}\``))
    expect(rows.map(([, method, source, bias]) => [method, source, bias])).toEqual(
      solverNames.map((name) => {
        const { title, source, biasForms } = solvers[name]
        return [title, source, biasForms.join(', ')]
      }),
    )
    for (const [name, , , , purpose] of rows) expect(purpose, name).not.toBe('')
    const guide = read('docs/guide/solvers.md')
    for (const name of solverNames) {
      expect(guide).toContain(`\`${name}\``)
      for (const option of Object.keys(solvers[name].options)) expect(guide, name).toContain(`\`${option}\``)
    }
  })

  it('of stop reasons is complete', () => {
    const reasons: Record<StopReason, true> = {
      converged: true,
      stalled: true,
      unbounded: true,
      'iteration-limit': true,
      'time-limit': true,
      aborted: true,
    }
    const rows = tableRows(read('docs/guide/solvers.md'), 'stop reason')
    expect(rows.map(([reason]) => reason).sort()).toEqual(
      Object.keys(reasons)
        .map((name) => `\`${name}\``)
        .sort(),
    )
  })

  it('of commands has every command and every option', async () => {
    const page = read('docs/guide/command-line.md')
    const help = (...words: string[]) => execute('hyperplane', [...words, '--help'], folder)
    const commands = [...(await help()).matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
    expect(commands).toContain('train')
    for (const command of commands) {
      const section = page.split(/^## /m).find((part) => part.startsWith(`${command}\n`)) ?? ''
      const text = `${section}${page.split(/^## /m).find((part) => part.startsWith('Options of all commands\n'))}`
      expect(section, command).not.toBe('')
      const options = new Set(
        [...(await help(command)).matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option),
      )
      for (const option of options) expect(text, `${command} ${option}`).toContain(option)
    }
  })

  it('of model files has every field', () => {
    const data = generators.moons.generate({ n: 20 })
    const same = custom((a: string, b: string) => Number(a === b), { name: 'same' })
    const models: object[] = [
      new SVC({ scaler: 'range' }).fitSync({ ...data, featureNames: ['x', 'y'] }),
      new SVC({ scaler: 'standard' }).fitSync({ ...data, samples: toSparse(data.samples) }),
      new SVC({ kernel: scale(sum(polynomial(), shift(exp(sigmoid()), 1)), 2) }).fitSync(data),
      new SVC({ kernel: same }).fitSync(makeSampleSet(['a', 'b'], [-1, 1])),
      new LinearSVC().fitSync(data),
    ]
    const page = read('docs/formats.md')
    const fields = models.flatMap((model) => fieldsOf(JSON.parse(JSON.stringify(model))))
    expect(fields).toContain('dualCoef')
    expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([])
  })

  it('of examples has every example', () => {
    const examples = readdirSync(join(repository, 'examples')).filter((name) => name.endsWith('.js'))
    expect(tableRows(read('examples/README.md'), 'example').map(([link]) => link)).toEqual(
      examples.map((name) => `[${name}](${name})`),
    )
  })
})

describe('these checks', () => {
  const page = [
    'Text with a [link](other.md#part), [another](https://example.org) and [one more](#here).',
    '```ts run',
    'const a = 1',
    '```',
    '````md',
    '```sh',
    '````',
    '| name | what |',
    '|---|---|',
    '| `a` | first |',
    '',
  ].join('\n')

  it('find blocks, tables and links', () => {
    expect(codeBlocks(page)).toEqual([
      { language: 'ts', flags: ['run'], code: 'const a = 1\n', line: 2 },
      { language: 'md', flags: [], code: '```sh\n', line: 5 },
    ])
    expect(() => codeBlocks('```ts\nconst a = 1')).toThrow('line 1: the code block is not closed')
    expect(tableRows(page, 'name')).toEqual([['`a`', 'first']])
    expect(() => tableRows(page, 'solver')).toThrow('no table with the first column solver')
    expect(localLinks(page)).toEqual(['other.md'])
  })

  it('compare output line by line', () => {
    const output = 'trained in 0.12 s\nC (10)\naccuracy 0.9\n'
    expect(missingLine(output, 'trained in … s\n…\naccuracy 0.9\n')).toBeUndefined()
    expect(missingLine(output, 'C (10)\n')).toBeUndefined()
    expect(missingLine(output, 'C (1.)\n')).toBe('C (1.)')
    expect(missingLine(output, 'accuracy 0.9\ntrained in … s\n')).toBe('trained in … s')
  })

  it('fail when a block fails', async () => {
    const block = { flags: [], line: 1 }
    const cwd = folderOf('failing')
    expect(await run({ ...block, language: 'sh', code: 'npx echo a' }, cwd)).toBe('a\n')
    expect(await run({ ...block, language: 'ts', code: 'console.log(1 as number)' }, cwd)).toBe('1\n')
    await expect(run({ ...block, language: 'sh', code: 'false\ntrue' }, cwd)).rejects.toThrow()
    await expect(run({ ...block, language: 'ts', code: 'throw new Error("x")' }, cwd)).rejects.toThrow()
  })
})
