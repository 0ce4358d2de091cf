import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForBrowser } from './browser-bundle.ts'
import { repository } from './module-graph.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperplane-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function complaints(pkgDir: string): Promise<(string | undefined)[]> {
  const { messages, pkg } = await publint({ pkgDir, pack: 'npm', strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }))
}

describe('the package', () => {
  it('has nothing that publint complains about', async () => {
    expect(existsSync(join(repository, 'dist/index.js')), 'npm run build comes first').toBe(true)
    expect(await complaints(repository)).toEqual([])
  })

  it('would be complained about if an entry were missing', async () => {
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', exports: './gone.js' }),
    )
    expect((await complaints(folder)).join()).toContain('gone.js')
  })
})

describe('declarations', () => {
  const consumer = `
    import { generate, rbf, SVC } from 'hyperplane'
    import { readModel } from 'hyperplane/node'
    import { parseModel } from 'hyperplane/predict'
    const model = await new SVC({ kernel: rbf({ sigma: 1 }) }).fit(generate('moons'), { trace: { every: 5 } })
    const gap: number = model.certificate.gap
    const first = model.trace[0]?.violation
    const same: Promise<{ predict(rows: number[][]): Float64Array | readonly string[] }> = readModel('m.json')
    export { first, gap, parseModel, same }
  `

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'are understood by strict projects that check their libraries: module %s',
    async (module, resolution) => {
      const project = join(folder, resolution)
      await mkdir(join(project, 'node_modules'), { recursive: true })
      await symlink(repository, join(project, 'node_modules/hyperplane'), 'dir')
      await writeFile(join(project, 'package.json'), '{ "type": "module" }')
      await writeFile(join(project, 'consumer.ts'), consumer)
      const options = {
        ...{ module, moduleResolution: resolution, target: 'es2022', lib: ['es2023', 'dom'] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ noEmit: true, types: ['node'], typeRoots: [join(repository, 'node_modules/@types')] },
      }
      const settings = { compilerOptions: options, files: ['consumer.ts'] }
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings))
      const compiler = join(repository, 'node_modules/typescript/bin/tsc')
      const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
      expect(stdout).toBe('')
      expect(status).toBe(0)
    },
  )
})

describe('a bundle for browsers', () => {
  it.each(['dist/index.browser.js', 'dist/predict.js'])(
    'of %s asks for no Node module, in its packages neither',
    async (entry) => {
      const { modules, missing } = await bundleForBrowser(join(repository, entry))
      expect(modules).toContain(join(repository, entry))
      expect(missing).toEqual([])
    },
  )

  it('of predict.js holds no solver and no estimator', async () => {
    const { modules } = await bundleForBrowser(join(repository, 'dist/predict.js'))
    expect(modules.filter((path) => /\/dist\/(solvers|estimators|parallel)\//.test(path))).toEqual([])
    expect(modules.some((path) => path.includes('/dist/models/'))).toBe(true)
  })

  it('would be found to ask for one', async () => {
    const entry = join(folder, 'entry.js')
    await writeFile(join(folder, 'reader.js'), "export { readFile } from 'node:fs/promises'\nimport 'zlib'\n")
    await writeFile(entry, "export const read = () => import('./reader.js')\n")
    const { missing } = await bundleForBrowser(entry)
    expect(missing).toEqual([
      `${join(folder, 'reader.js')} → node:fs/promises`,
      `${join(folder, 'reader.js')} → zlib`,
    ])
  })
})
