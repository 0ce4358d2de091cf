/** Too little address space for engines: fits give one result, whoever had memory, and commands say that there was none. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const dist = (name: string) => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url))

/** Runs Node with so many kilobytes of address space. */
function within(kilobytes: number, ...words: readonly string[]) {
  const command = `ulimit -v ${kilobytes} && exec "$0" "$@"`
  return spawnSync('sh', ['-c', command, process.execPath, ...words], { encoding: 'utf8' })
}

const fits = `
const { generate, SVC } = await import(${JSON.stringify(dist('index.node.js'))})
const data = generate('moons', { n: 600, noise: 0.3, seed: 1 })
const models = await Promise.all(Array.from({ length: 4 }, () => new SVC({ C: 10 }).fit(data)))
console.log(models.map(({ bias }) => bias).join(' '))
`

describe.skipIf(process.platform !== 'linux')('address space', () => {
  // Node reserves some ten gigabytes for each engine: there is room for all of them, for one, for none.
  test.each([40e6, 30e6, 20e6, 16e6, 2.5e6])('%d kB: fits side by side give the same', (kilobytes) => {
    const { status, stdout, stderr } = within(kilobytes, '--input-type=module', '-e', fits)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(new Set(stdout.trim().split(' ')).size).toBe(1)
  })

  test.each([['train'], ['cv'], ['path', '--C', '1'], ['tune', '--log2c', '0,1,1', '--log2g', '0,0,1']])(
    '%s says that plain code took the place of the engine',
    (command, ...flags) => {
      const words = [dist('cli/main.js'), command, '-', ...flags]
      const data = Array.from(
        { length: 40 },
        (_, i) => `${i % 2} 1:${Math.sin(i)} 2:${Math.cos(2 * i)}`,
      ).join('\n')
      const run = (limit: string) =>
        spawnSync('sh', ['-c', `ulimit -v ${limit} && exec "$0" "$@"`, process.execPath, ...words], {
          input: data,
          encoding: 'utf8',
        })
      expect(run('2500000').stderr).toContain('trained in plain code')
      expect(run('unlimited').stderr).not.toContain('trained in plain code')
    },
  )
})
