import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { cliInFolder, resultOf, startCli } from '../run-cli.ts'

const { folder, path, run, json } = cliInFolder()
const random = new Random(1)
const rows = Array.from({ length: 900 }, () => Array.from({ length: 12 }, () => random.normal()))
const signs = rows.map(([a, b]) => (a - b + random.normal() > 0 ? 'up' : 'down'))
const targets = rows.map(([a, b]) => 3 * a - b + 0.3 * random.normal())
writeFileSync(path('c.libsvm'), formatLibsvm(makeDataset(rows, signs)))
writeFileSync(path('r.libsvm'), formatLibsvm(makeDataset(rows, targets)))

describe('hyperplane shard', () => {
  test('makes a folder that train takes, to the result of the file', async () => {
    const made = await json('shard', 'c.libsvm', '-o', 'c.shards', '--rows', '200')
    expect(made).toMatchObject({ rows: 900, columns: 12, classes: ['down', 'up'], layout: 'sparse' })
    expect(made.blocks).toBeGreaterThanOrEqual(4)
    const flags = ['--type', 'linear-svc', '--C', '0.3', '--scale', 'standard', '--class-weight', 'up=2']
    const onShards = await json('train', 'c.shards', ...flags, '-o', 'c.json')
    const whole = await json('train', 'c.libsvm', ...flags, '--tol', '1e-8', '-o', 'w.json')
    expect(onShards.stopReason).toBe('converged')
    expect(onShards.primal / whole.primal).toBeCloseTo(1, 6)
    expect(onShards.supportVectors).toBeGreaterThan(0)
    const labels = async (model: string) => (await run('predict', 'c.libsvm', model)).stdout
    const [ours, theirs] = [await labels('c.json'), await labels('w.json')].map((text) => text.split('\n'))
    expect(ours.filter((label, i) => label !== theirs[i]).length).toBeLessThanOrEqual(1)
  })

  test('kernel machines: the certificate of all samples, which verify finds in the file and in the folder', async () => {
    const flags = ['--C', '2', '--gamma', '0.05', '--tol', '1e-4']
    const onShards = await json('train', 'c.shards', ...flags, '-o', 'k.json')
    const whole = await json('train', 'c.libsvm', ...flags)
    expect(onShards.stopReason).toBe('converged')
    expect(onShards.dual / whole.dual).toBeCloseTo(1, 7)
    for (const data of ['c.libsvm', 'c.shards']) {
      const { holds, parts } = await json('verify', 'k.json', data)
      expect(holds).toBe(true)
      expect(parts[0].maxViolation).toBeLessThanOrEqual(1e-4)
    }
    const short = await json('train', 'c.shards', ...flags, '--rounds', '1', '-o', 'short.json')
    expect(short.stopReason).toBe('iteration-limit')
    expect((await json('verify', 'short.json', 'c.libsvm')).holds).toBe(true)
  })

  test('a table: the model knows its columns, and is that of the file in memory', async () => {
    const cities = ['Rome', 'Oslo', 'Lima']
    const lines = rows.slice(0, 300).map(([a, b], i) => {
      const city = cities[i % 3]
      const up = a + (city === 'Rome' ? 1 : 0) + 0.5 * b > 0.3
      return [i % 11 === 0 ? '' : a, city, b, up ? 'up' : 'down'].join()
    })
    writeFileSync(path('t.csv'), ['a,city,b,way', ...lines, ''].join('\n'))
    const flags = ['--label', 'way', '--scale', 'standard', '--indicator', '--tol', '1e-5']
    const made = await json(
      'shard',
      't.csv',
      '-o',
      't.shards',
      '--rows',
      '100',
      ...flags.slice(0, 2),
      '--indicator',
    )
    expect(made).toMatchObject({ rows: 300, classes: ['down', 'up'] })
    const kernel = ['--C', '2', '--gamma', '0.1', ...flags]
    const whole = await json('train', 't.csv', ...kernel, '-o', 'tw.json')
    const onShards = await json(
      'train',
      't.csv',
      ...kernel,
      '--memory',
      '64',
      '--shards',
      'tables',
      '-o',
      'ts.json',
    )
    const folder = await json(
      'train',
      't.shards',
      '--C',
      '2',
      '--gamma',
      '0.1',
      '--scale',
      'standard',
      '--tol',
      '1e-5',
      '-o',
      'tf.json',
    )
    for (const { dual, features } of [onShards, folder]) {
      expect(dual / whole.dual).toBeCloseTo(1, 6)
      expect(features).toBe(whole.features)
    }
    const labels = async (model: string) => (await run('predict', 't.csv', model)).stdout
    expect(await labels('ts.json')).toBe(await labels('tw.json'))
    for (const data of ['t.csv', 't.shards']) expect((await json('verify', 'tf.json', data)).holds).toBe(true)
  })

  test('goes on from a model: fewer rounds, the same optimum', async () => {
    const flags = ['--gamma', '0.05', '--tol', '1e-4']
    await json('train', 'c.shards', '--C', '2', ...flags, '-o', 'old.json')
    const cold = await json('train', 'c.shards', '--C', '2.2', ...flags)
    const warm = await json(
      'train',
      'c.shards',
      '--C',
      '2.2',
      ...flags,
      '--start',
      'old.json',
      '-o',
      'new.json',
    )
    expect(warm.stopReason).toBe('converged')
    expect(warm.dual / cold.dual).toBeCloseTo(1, 6)
    expect(warm.iterations).toBeLessThanOrEqual(cold.iterations)
    expect((await json('verify', 'new.json', 'c.libsvm')).holds).toBe(true)
    const linear = ['--type', 'linear-svc', '--loss', 'hinge']
    await json('train', 'c.shards', ...linear, '--C', '1', '-o', 'lin.json')
    const [first, second] = [
      await json('train', 'c.shards', ...linear, '--C', '1.1'),
      await json('train', 'c.shards', ...linear, '--C', '1.1', '--start', 'lin.json'),
    ]
    expect(second.iterations).toBeLessThan(first.iterations)
    expect(second.primal / first.primal).toBeCloseTo(1, 5)
  })

  test('refuses what it cannot do, before it begins', async () => {
    const failure = async (...words: string[]) => {
      const { code, stderr } = await run(...words)
      expect(code).not.toBe(0)
      return stderr
    }
    expect(await failure('shard', 'c.libsvm')).toContain('--output is required')
    expect(await failure('shard', 'c.libsvm', '-o', 'c.shards')).toContain(
      'already contains a sharded data set',
    )
    expect(await failure('train', 'c.shards', '--type', 'nu-svr')).toContain(
      '--type must be one of svc, nu-svc, svr, one-class, linear-svc, linear-svr, logistic-regression',
    )
    expect(await failure('train', 'c.libsvm', '--memory', '64', '--type', 'linear-one-class')).toContain(
      '--type must be',
    )
    expect(await failure('train', 'c.shards', '--rounds', '0')).toContain(
      '--rounds must be a whole number >= 1',
    )
    expect(await failure('train', 'c.libsvm', '--rounds', '3')).toContain('--rounds does not apply')
    expect(await failure('train', 'c.shards', '--type', 'linear-svr')).toContain(
      'regression needs numeric labels',
    )
    expect(await failure('train', 'c.shards', '--type', 'linear-svc', '--trace', 't.csv')).toContain(
      '--trace',
    )
    const broken = join(path('c.shards'), 'manifest.json')
    const text = readFileSync(broken, 'utf8')
    writeFileSync(broken, text.replace('"rows": 900', '"rows": 901'))
    expect(await failure('train', 'c.shards', '--type', 'linear-svc')).toContain(
      'rows must be those of all blocks',
    )
    writeFileSync(broken, text)
  })
})

describe('train --memory', () => {
  const flagsOf = (...words: string[]) => [
    'train',
    'r.libsvm',
    ...words,
    '--memory',
    '32',
    '--shards',
    'cache',
  ]
  const flags = flagsOf('--type', 'linear-svr', '--epsilon', '0.1')

  test.each([
    ['a linear machine', flags],
    ['a kernel machine', flagsOf('--type', 'svr', '--C', '20', '--gamma', '0.05', '--tol', '1e-5')],
  ])('%s goes on after kill -9, to the same model', async (name, words) => {
    const whole = await run(...words, '--shards', `other ${name}`, '-o', 'whole.json')
    expect(whole.stderr).toBe('')
    const child = startCli([...words, '-o', 'killed.json'], folder)
    // As soon as something of the run is kept.
    for (;;) {
      const kept = readdirSync(folder, { recursive: true }).some((entry) =>
        /^cache.*state$/.test(String(entry)),
      )
      if (kept || child.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    child.kill('SIGKILL')
    await resultOf(child)
    const { code } = await run(...words, '-o', 'killed.json')
    expect(code).toBe(0)
    const model = (file: string) =>
      JSON.parse(readFileSync(path(file), 'utf8'), (key, value) => (key === 'seconds' ? 0 : value))
    expect(model('killed.json')).toEqual(model('whole.json'))
    expect(model('whole.json').type).toMatch(/svr/)
  })

  test('Ctrl-C keeps the best so far and the shards', async () => {
    const words = [...flags, '--tol', '1e-15', '--max-iter', '1000000', '-o', 'stopped.json']
    // A run that has already stalled at rounding when it hears of it is complete: then once more.
    for (let attempt = 0; attempt < 20; attempt++) {
      const child = startCli(words, folder)
      for (;;) {
        const kept = readdirSync(folder, { recursive: true }).some((name) =>
          /^cache.*runs.*state$/.test(String(name)),
        )
        if (kept || child.exitCode !== null) break
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      child.kill('SIGINT')
      const { code, stderr } = await resultOf(child)
      if (code === 0) continue
      expect(stderr).toContain('the same command resumes from there')
      expect(JSON.parse(readFileSync(path('stopped.json'), 'utf8')).machines).toHaveLength(1)
      return
    }
    expect.fail('no run was stopped')
  })
})
