import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()

const table = `colour,long,wide,weight
red,1,2,1
blue,3,4,2
red,1.5,1,1
blue,4,7,0.5
red,3,3.5,1
blue,2,2,1
`

beforeAll(async () => {
  await run('generate', 'moons', '-n', '120', '--seed', '4', '-o', 'moons.libsvm')
  await run('generate', 'moons', '-n', '90', '--seed', '4', '-o', 'other.libsvm')
  writeFileSync(path('pets.csv'), table)
})

function rewritten(from: string, to: string, change: (text: string) => string): void {
  writeFileSync(path(to), change(readFileSync(path(from), 'utf8')))
}

describe('hyperplane verify', () => {
  it('prints every claim, and that all hold', async () => {
    await run('train', 'moons.libsvm', '--C', '10', '--scale', 'range', '-o', 'm.json')
    const { code, stdout, stderr } = await run('verify', 'm.json', 'moons.libsvm')
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(1, -1).map((line) => line.match(/(holds|DOES NOT HOLD)$/)?.[0])).toEqual(
      Array(8).fill('holds'),
    )
    expect(lines.at(-1)).toMatch(
      /^holds: the certificate holds: the model is at most \S+ above the optimum \(\S+% of its value\)$/,
    )
  })

  it('says what does not hold, and ends with 1', async () => {
    rewritten('m.json', 'edited.json', (text) => text.replace(/"gap":[^,]+/, '"gap":1e-9'))
    const { code, stdout } = await run('verify', 'edited.json', 'moons.libsvm')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^gap .* DOES NOT HOLD$/m)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^DOES NOT HOLD: the certificate does not hold: the gap is claimed to be 1e-9, but primal \+ dual of the certificate is /,
    )
    const found = await run('verify', 'edited.json', 'moons.libsvm', '--json')
    expect(found.code).toBe(1)
    expect(JSON.parse(found.stdout)).toMatchObject({
      holds: false,
      model: 'edited.json',
      data: 'moons.libsvm',
    })
  })

  it('other data are not those of training', async () => {
    const { code, stdout } = await run('verify', 'm.json', 'other.libsvm')
    expect(code).toBe(1)
    expect(stdout).toBe(
      'DOES NOT HOLD: the model was not trained on these data: it was trained on 120 samples, but these are 90\n',
    )
    await run('scale', 'moons.libsvm', '-o', 'scaled.libsvm')
    expect((await run('verify', 'm.json', 'scaled.libsvm')).stdout).toMatch(/; they are already scaled: /)
  })

  it("LIBSVM's and LIBLINEAR's files, with the settings as flags", async () => {
    await run('train', 'moons.libsvm', '--C', '10', '--class-weight', '1=2', '-o', 'm.model')
    const missing = await run('verify', 'm.model', 'moons.libsvm')
    expect([missing.code, missing.stderr]).toEqual([
      2,
      'error: verify: --C is required: the model does not contain it\n',
    ])
    const flags = ['--C', '10', '--class-weight', '1=2']
    const { parts } = await json('verify', 'm.model', 'moons.libsvm', ...flags)
    expect(parts[0].gap).toBeLessThan(0.01 * parts[0].primal)
    expect((await run('verify', 'm.model', 'moons.libsvm', '--C', '10')).code).toBe(1)
    await run('train', 'moons.libsvm', '--type', 'linear-svc', '-o', 'm.liblinear')
    const { code, stdout } = await run('verify', 'm.liblinear', 'moons.libsvm', '--C', '1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^note: the model contains w but no dual variables/m)
  })

  it('tables with columns by name, sample weights and texts as labels', async () => {
    const columns = ['--label', 'colour', '--weight', 'weight']
    await run('train', 'pets.csv', ...columns, '--kernel', 'linear', '-o', 'pets.json')
    expect((await run('verify', 'pets.json', 'pets.csv', ...columns)).code).toBe(0)
    rewritten('pets.csv', 'turned.csv', (text) =>
      text.replace(/^(.*),(.*),(.*),(.*)$/gm, (_, colour, long, wide, weight) =>
        [wide, weight, long, colour].join(),
      ),
    )
    expect((await run('verify', 'pets.json', 'turned.csv', ...columns)).code).toBe(0)
    expect((await run('verify', 'pets.json', 'pets.csv', '--label', 'colour')).stdout).toMatch(
      /the model was trained with sample weights, but these data have none$/m,
    )
  })

  it('linear machines keep their dual variables unless told otherwise', async () => {
    await run('train', 'moons.libsvm', '--type', 'linear-svc', '-o', 'l.json')
    expect((await run('verify', 'l.json', 'moons.libsvm')).stdout).toMatch(/^largest violation .* holds$/m)
    await run('train', 'moons.libsvm', '--type', 'linear-svc', '--no-keep-dual', '-o', 'l.json')
    const { stdout, code } = await run('verify', 'l.json', 'moons.libsvm')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^largest violation .* not checked$/m)
    expect((await run('train', 'moons.libsvm', '--keep-dual')).stderr).toMatch(
      /--keep-dual does not apply to --type svc/,
    )
  })
})
