/** What commands say of what is proven, and what is not. */
import { existsSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()

beforeAll(async () => {
  await run('generate', 'moons', '-n', '120', '--seed', '4', '-o', 'moons.libsvm')
  // −|i − j|, and 2 more on the diagonal: the sum of all values is negative.
  const rows = Array.from({ length: 24 }, (_, i) => {
    const values = Array.from({ length: 24 }, (_, j) => `${j + 1}:${-Math.abs(i - j) + (i === j ? 2 : 0)}`)
    return `${i % 2 ? 1 : -1} 0:${i + 1} ${values.join(' ')}`
  })
  writeFileSync(path('indefinite.libsvm'), `${rows.join('\n')}\n`)
  // ⟨x, z⟩ overflows on either side: ∞ − ∞.
  const huge = Array.from(
    { length: 30 },
    (_, i) => `${i % 2 ? 1 : -1} 1:${Math.sin(i)}e200 2:${Math.cos(3 * i)}e200`,
  )
  writeFileSync(path('huge.libsvm'), `${huge.join('\n')}\n`)
})

const stationary = 'stationary point, not proven optimal: the kernel is not positive semi-definite; primal '

describe('kernels that are not positive semi-definite', () => {
  const cases = [
    ['sigmoid', ['moons.libsvm', '--kernel', 'sigmoid', '--gamma', '0.5']],
    ['precomputed', ['indefinite.libsvm', '--kernel', 'precomputed']],
  ] as const

  it.each(cases)('%s: a stationary point, in words and in JSON, kept in the model', async (_, args) => {
    const { code, stdout } = await run('train', ...args, '-o', 'm.json')
    expect(code).toBe(0)
    expect(stdout.split('\n')[1]).toContain(stationary)
    expect(stdout.split('\n')[1]).toMatch(/^stationary point/)
    expect(stdout).not.toMatch(/optimal within|above the optimum/)
    expect(await json('train', ...args)).toMatchObject({
      proves: 'stationary-point',
      stopReason: 'converged',
    })
    expect((await run('info', 'm.json')).stdout).toContain(stationary)
    const verified = await run('verify', 'm.json', args[0])
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain('so nothing is known about the optimum')
  })

  it('not converged: not even that', async () => {
    const { stdout } = await run('train', ...cases[0][1], '--max-iter', '3')
    expect(stdout).toContain(`\nnot yet a ${stationary}`)
  })

  it('other kernels prove an optimum', async () => {
    expect(await json('train', 'moons.libsvm')).toMatchObject({ proves: 'optimum' })
    expect((await run('train', 'moons.libsvm')).stdout).toMatch(/^optimal within /m)
  })
})

describe('evidence', () => {
  it('is printed, and is part of --json', async () => {
    const { stdout } = await run('train', 'moons.libsvm', '--certify', 'all')
    expect(stdout).toMatch(
      /^evidence: every row in f64; violation within \S+ and gap within \S+, proven; primal and dual value within \S+, at worst$/m,
    )
    const { evidence } = await json('train', 'moons.libsvm', '--certify', 'all')
    expect(evidence).toMatchObject({ rows: 120, rowsInDouble: 120, rowsSampled: 0, bound: 'worst-case' })
    expect(evidence.violationError).toBeLessThan(1e-9)
  })

  it('--certify is one of two', async () => {
    const { code, stderr } = await run('train', 'moons.libsvm', '--certify', 'some')
    expect(code).toBe(2)
    expect(stderr).toMatch(/--certify/)
  })
})

describe('values that are not numbers', () => {
  it('are an error, and no model is written', async () => {
    const { code, stderr } = await run(
      'train',
      'huge.libsvm',
      '--kernel',
      'sigmoid',
      '--gamma',
      '1',
      '-o',
      'no-numbers.json',
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: smo: the (primal|gap) of the solution is NaN: .*scale the data/)
    expect(existsSync(path('no-numbers.json'))).toBe(false)
  })

  it('are refused where a sample has no finite kernel value with itself', async () => {
    const { code, stderr } = await run('train', 'huge.libsvm', '--kernel', 'poly')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: the kernel of sample 0 with itself is \S+; scale the data or the kernel\n$/,
    )
  })
})
