import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasColours, isTerminal } from '../../../src/cli/terminal/voice.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { cliInFolder, resultOf, startCli } from '../run-cli.ts'

const { folder, path, run, json, feed } = cliInFolder()

beforeAll(async () => {
  await run('generate', 'moons', '-n', '60', '--seed', '3', '-o', 'moons')
  await run('train', 'moons', '-o', 'm.json')
})

describe('-o -', () => {
  it('is stdout for every command that writes one file, and words go to stderr', async () => {
    const model = await run('train', 'moons', '-o', '-')
    expect(parseModel(model.stdout).type).toBe('svc')
    expect(model.stderr).toContain('model written to /dev/stdout')
    const tuned = await run('tune', 'moons', '--C', '1', '--gamma', '1', '-o', '-')
    expect(parseModel(tuned.stdout).type).toBe('svc')
    expect(tuned.stderr).toContain('best: C 1, gamma 1')
    const said = await run('predict', 'moons', 'm.json', '-o', '-')
    expect(said.stdout).toBe((await run('predict', 'moons', 'm.json')).stdout)
    expect(said.stderr).toBe('60 predictions written to /dev/stdout\n')
    const made = await run('generate', 'moons', '-n', '60', '--seed', '3', '-o', '-')
    expect(made.stdout).toBe(readFileSync(path('moons'), 'utf8'))
    expect(made.stderr).toMatch(/^moons: 60 samples/)
    const scaled = await run('scale', 'moons', '-o', '-', '--format', 'csv')
    expect(scaled.stdout).toMatch(/^-?[\d.]+,-?[\d.]+,-?1\n/)
    expect(scaled.stderr).toMatch(/^scaled \(range\)/)
    const page = await run('cv', 'moons', '--html', '-')
    expect(page.stdout).toMatch(/^<!doctype html>/)
    expect(page.stderr).toContain('accuracy')
    const trace = await run('train', 'moons', '--trace', '-')
    expect(trace.stdout).toMatch(/^iteration,/)
    const demo = await run('demo', '-o', '-')
    expect(demo.stdout).toMatch(/^<!doctype html>/)
    for (const { code } of [model, tuned, said, made, scaled, page, trace, demo]) expect(code).toBe(0)
  })

  it('pipes models from command to command', async () => {
    const { stdout: text } = await run('train', 'moons', '--format', 'libsvm', '-o', '-')
    expect(text).toMatch(/^svm_type c_svc\n/)
    const { stdout: data } = await run('generate', 'moons', '-n', '60', '--seed', '3', '-o', '-')
    const { stdout } = await feed(data, 'predict', '-', 'm.json', '-o', '-')
    expect(stdout).toBe((await run('predict', 'moons', 'm.json')).stdout)
  })

  it('prints the JSON object on stderr, and takes one file only', async () => {
    const { stdout, stderr } = await run('train', 'moons', '-o', '-', '--json')
    expect(parseModel(stdout).type).toBe('svc')
    expect(JSON.parse(stderr)).toMatchObject({ samples: 60, stopReason: 'converged' })
    const both = await run('train', 'moons', '-o', '-', '--trace', '-')
    expect([both.code, both.stdout]).toEqual([2, ''])
    expect(both.stderr).toBe(
      'error: train: --trace must be a different file from --output, got "/dev/stdout"\n',
    )
  })
})

describe('names that promise another format', () => {
  it.each([
    [
      'train',
      ['moons', '-o', 'm.onnx'],
      /^error: m\.onnx: models cannot be written as \.onnx; allowed: \.json/,
    ],
    ['train', ['moons', '-o', 'm.PKL.gz'], /models cannot be written as \.PKL/],
    ['train', ['moons', '-o', 'm.csv'], /models cannot be written as \.csv/],
    ['tune', ['moons', '-o', 'm.joblib'], /models cannot be written as \.joblib/],
    ['train', ['moons', '--trace', 't.parquet'], /traces cannot be written as \.parquet; allowed: \.csv/],
    ['predict', ['moons', 'm.json', '-o', 'p.xlsx'], /predictions cannot be written as \.xlsx/],
    [
      'generate',
      ['moons', '-o', 'd.onnx'],
      /data cannot be written as \.onnx; allowed: \.libsvm, \.csv and \.tsv/,
    ],
    ['scale', ['moons', '-o', 'd.json'], /data cannot be written as \.json/],
    ['scale', ['moons', '--save-range', 'r.pkl'], /ranges cannot be written as \.pkl/],
    ['cv', ['moons', '--html', 'p.pdf'], /pages cannot be written as \.pdf; allowed: \.html/],
    ['demo', ['-o', 'demo.png'], /pages cannot be written as \.png/],
  ] as const)('%s %j are refused', async (command, words, message) => {
    const { code, stdout, stderr } = await run(command, ...words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })

  it('are taken where the format is said', async () => {
    expect((await run('generate', 'moons', '-o', 'd.svm.json', '--format', 'libsvm')).code).toBe(0)
  })
})

describe('errors under --json', () => {
  it.each([
    [
      ['train', 'none.csv'],
      1,
      { code: 'ENOENT', file: 'none.csv', message: 'none.csv: no such file or directory' },
    ],
    [
      ['train', 'moons', '--C', '-1'],
      2,
      { code: 'parameter', flag: '--C', message: 'train: --C must be > 0, got -1' },
    ],
    [['train', 'moons', '--c', '1'], 2, { code: 'usage' }],
    [['trian'], 2, { code: 'usage' }],
    [['train'], 2, { code: 'usage', message: "train: missing required argument 'data'" }],
    [['train', 'bad.csv'], 1, { code: 'format', file: 'bad.csv', line: 3 }],
    [['evaluate', 'moons', 'moons'], 1, { code: 'format', file: 'moons' }],
    [['predict', 'moons', 'm.json', '--probability'], 1, { code: 'data' }],
    [['generate', 'moons', '-n', '-3'], 2, { code: 'parameter', flag: '--n' }],
    [['cv', 'moons', '--scoring', 'nonsense'], 2, { code: 'parameter', flag: '--scoring' }],
    [['completion', 'csh'], 2, { code: 'parameter' }],
  ] as const)('%j are one object, with the same exit code', async (words, code, wanted) => {
    writeFileSync(path('bad.csv'), 'a,b,y\n1,2,0\n3,4\n')
    const plain = await run(...words)
    const asked = await run(...words, '--json')
    expect([plain.code, asked.code]).toEqual([code, code])
    const { error, ...others } = JSON.parse(asked.stdout)
    expect(others).toEqual({})
    expect(error).toMatchObject({ exitCode: code, ...wanted })
    expect(asked.stderr).toBe(plain.stderr)
    expect(plain.stderr).toContain(error.message)
    expect(plain.stdout).toBe('')
  })
})

describe('--quiet', () => {
  it('says nothing where a file is written, and errors and results as ever', async () => {
    const { code, stdout, stderr } = await run('train', 'moons', '-o', 'q.json', '--quiet')
    expect([code, stdout, stderr]).toEqual([0, '', ''])
    expect(parseModel(readFileSync(path('q.json'), 'utf8')).type).toBe('svc')
    expect((await run('predict', 'moons', 'm.json', '--quiet')).stdout.split('\n')).toHaveLength(61)
    expect((await run('evaluate', 'moons', 'm.json', '--quiet')).stdout).toContain('accuracy')
    expect((await run('generate', 'moons', '-n', '9', '--quiet', '-o', '-')).stderr).toBe('')
    expect(await json('train', 'moons', '-o', 'q.json', '--quiet')).toMatchObject({ samples: 60 })
    expect((await run('train', 'none', '--quiet')).stderr).toBe('error: none: no such file or directory\n')
  })
})

describe('colours', () => {
  const environments: [NodeJS.ProcessEnv, isTTY: boolean, colours: boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
  ]
  it.each(environments)('%j, terminal: %s: %s', (env, isTTY, colours) => {
    expect(hasColours({ isTTY }, env)).toBe(colours)
  })

  it('are left out of pipes, and forced where that is asked for', async () => {
    const mark = String.fromCharCode(27)
    const of = (words: string[], env: NodeJS.ProcessEnv) => resultOf(startCli(words, folder, env))
    expect((await of(['train', 'none'], {})).stderr).not.toContain(mark)
    expect((await of(['train', 'none'], { FORCE_COLOR: '1' })).stderr).toContain(`${mark}[31merror:`)
    expect((await of(['train', 'none'], { NO_COLOR: '1' })).stderr).not.toContain(mark)
    expect((await of(['--help'], { FORCE_COLOR: '1' })).stdout).toContain(`${mark}[1mUsage:`)
    expect((await of(['--help'], {})).stdout).not.toContain(mark)
  })

  it('a dumb terminal gets no bar', () => {
    expect(isTerminal({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  })
})
