import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cliInFolder } from './run-cli.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const { folder, path } = cliInFolder()

/** What a command prints that keeps its code below this folder. */
function generate(cache: string, environment: NodeJS.ProcessEnv = {}): string {
  const words = [main, 'generate', 'moons', '-n', '6', '--seed', '3']
  const env = { ...process.env, XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '', ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, cwd: folder })
  expect(String(stderr)).toBe('')
  expect(status).toBe(0)
  return String(stdout)
}

const storeIn = (cache: string) => join(cache, 'hyperplane', 'code')
const keptIn = (cache: string) => readdirSync(storeIn(cache)).map((name) => join(storeIn(cache), name))

describe('code that an earlier run has compiled', () => {
  const cache = path('cache')
  const printed = generate(cache)

  it('is kept, and run by the next one', () => {
    expect(printed.split('\n')).toHaveLength(7)
    const files = keptIn(cache)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(file).toContain(`-generate-${process.version}-`)
    // A time that a run which writes them anew would change.
    const earlier = new Date(1_000 * Math.floor(Date.now() / 1_000 - 3_600))
    for (const file of files) utimesSync(file, earlier, earlier)
    expect(generate(cache)).toBe(printed)
    for (const file of files) expect(statSync(file).mtimeMs).toBe(earlier.getTime())
  })

  it.each([
    ['cut', (kept: Buffer) => kept.subarray(0, kept.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['edited', (kept: Buffer) => kept.fill(7, kept.length >> 2, kept.length >> 1)],
    [
      'of another version',
      (kept: Buffer) => {
        // It is there twice. V8 writes a hash of its version behind a number of four bytes.
        for (const start of [0, kept.length / 2]) {
          kept.writeUInt32LE(kept.readUInt32LE(start + 4) + 1, start + 4)
        }
        return kept
      },
    ],
  ])('is compiled again where it is %s', (_, damage) => {
    const damaged = keptIn(cache).map((file) => [file, damage(readFileSync(file))] as const)
    for (const [file, code] of damaged) writeFileSync(file, code)
    expect(generate(cache)).toBe(printed)
    for (const [file, code] of damaged) expect(readFileSync(file).equals(code), file).toBe(false)
  })

  it('is not that of a run that failed, which has not used what the next one will', () => {
    const failed = path('failed')
    const env = { ...process.env, XDG_CACHE_HOME: failed, NODE_DISABLE_COMPILE_CACHE: '' }
    expect(spawnSync(process.execPath, [main, 'generate', 'none'], { env, cwd: folder }).status).toBe(2)
    expect(existsSync(storeIn(failed))).toBe(false)
    generate(failed)
    expect(keptIn(failed).length).toBeGreaterThan(0)
  })

  it('goes after a month', () => {
    const old = join(storeIn(cache), 'of-an-earlier-version')
    writeFileSync(old, '')
    utimesSync(old, new Date(), new Date(Date.now() - 31 * 24 * 3_600_000))
    for (const file of keptIn(cache)) if (file !== old) writeFileSync(file, '')
    generate(cache)
    expect(keptIn(cache)).not.toContain(old)
  })

  it('is not needed: a folder that cannot be written changes nothing, and there is a switch', () => {
    writeFileSync(path('no-folder'), '')
    expect(generate(path('no-folder'))).toBe(printed)
    mkdirSync(path('off'))
    expect(generate(path('off'), { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(printed)
    expect(readdirSync(path('off'))).toEqual([])
  })
})
