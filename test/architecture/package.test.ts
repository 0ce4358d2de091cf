import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
