import { spawn, spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { cliInFolder } from '../run-cli.ts'

const { folder, path, run } = cliInFolder()
const commands = fileURLToPath(new URL('../../../dist/cli/', import.meta.url))

/** Runs one of LIBSVM's commands. */
function svm(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${commands}${name}.js`, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

/** Runs with stdout at a place of the shell's choosing. */
function shell(line: string) {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', line.replaceAll('hyperplane', `node ${commands}main.js`)],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  return { code: status, stderr }
}

const data = formatLibsvm(generate('moons', { n: 40, noise: 0.2, seed: 1 }))

beforeAll(async () => {
  for (const name of ['d', 'other', 'd.model']) writeFileSync(path(name), data)
  symlinkSync('d', path('link'))
  linkSync(path('d'), path('hard'))
  mkdirSync(path('inside'))
  await run('train', 'd', '-o', 'm.json')
  svm('svm-train', '-q', 'd', 'm')
  svm('svm-scale', '-s', 'r', 'd')
})

describe('an output that is an input, or another output, is refused before any work', () => {
  const search = ['--C', '1', '--gamma', '1']
  it.each([
    ['train', ['d', '-o', 'd'], '--output must be a different file from <data>, got "d"'],
    ['train', ['d', '-o', './inside/../d'], '--output must be a different file from <data>'],
    ['train', ['d', '-o', 'link'], '--output must be a different file from <data>, got "link"'],
    ['train', ['link', '-o', 'd'], '--output must be a different file from <data>'],
    ['train', ['d', '-o', 'hard'], '--output must be a different file from <data>, got "hard"'],
    ['train', ['d', '--trace', 'd'], '--trace must be a different file from <data>'],
    [
      'train',
      ['d', '-o', 'x', '--trace', './x'],
      '--trace must be a different file from --output, got "./x"',
    ],
    ['predict', ['d', 'm.json', '-o', 'm.json'], '--output must be a different file from <model>'],
    ['predict', ['d', 'm.json', '-o', 'd'], '--output must be a different file from <data>'],
    ['scale', ['d', '-o', 'd'], '--output must be a different file from <data>'],
    ['scale', ['d', '--save-range', 'd'], '--save-range must be a different file from <data>'],
    ['scale', ['d', '--restore', 'r', '-o', 'r'], '--output must be a different file from --restore'],
    ['scale', ['d', '--save-range', 'x', '-o', 'x'], '--output must be a different file from --save-range'],
    ['tune', ['d', ...search, '-o', 'd'], '--output must be a different file from <data>'],
    [
      'tune',
      ['d', ...search, '--test', 'other', '-o', 'other'],
      '--output must be a different file from --test',
    ],
    ['tune', ['d', ...search, '-o', 'x', '--html', 'x'], '--html must be a different file from --output'],
    [
      'tune',
      ['d', ...search, '--journal', 'x', '-o', 'x'],
      '--journal must be a different file from --output',
    ],
    ['tune', ['d', ...search, '--journal', 'd'], '--journal must be a different file from <data>'],
    ['cv', ['d', '--html', 'd'], '--html must be a different file from <data>'],
    ['path', ['d', '--html', 'd'], '--html must be a different file from <data>'],
    ['learning-curve', ['d', '--html', 'd'], '--html must be a different file from <data>'],
  ])('%s %j', async (command, args, message) => {
    const before = readdirSync(folder)
    const { code, stdout, stderr } = await run(command, ...args)
    expect(stderr).toContain(`error: ${command}: ${message}`)
    expect([code, stdout]).toEqual([2, ''])
    expect(readFileSync(path('d'), 'utf8')).toBe(data)
    expect(readdirSync(folder)).toEqual(before)
  })

  it.each([
    ['svm-train', ['d', 'd'], 'model_file must be a different file from training_set_file, got "d"'],
    ['svm-train', ['./d.model', 'd.model'], 'model_file must be a different file from training_set_file'],
    ['svm-predict', ['d', 'm', 'm'], 'output_file must be a different file from model_file, got "m"'],
    ['svm-predict', ['d', 'm', 'link'], 'output_file must be a different file from test_file, got "link"'],
    [
      'svm-scale',
      ['-s', 'd', 'd'],
      'save_filename of -s must be a different file from data_filename, got "d"',
    ],
  ])('%s %j', (command, args, message) => {
    const model = readFileSync(path('m'), 'utf8')
    const { code, stderr } = svm(command, ...args)
    expect(stderr).toContain(`${command}: ${message}`)
    expect(code).toBe(1)
    expect(readFileSync(path('d'), 'utf8')).toBe(data)
    expect(readFileSync(path('m'), 'utf8')).toBe(model)
  })

  it('also by way of stdin and stdout', () => {
    for (const [line, message] of [
      ['hyperplane scale - -o d < d', 'scale: --output must be a different file from <data>, got "d"'],
      [
        'hyperplane train /dev/stdin -o link < d',
        'train: --output must be a different file from <data>, got "link"',
      ],
      ['hyperplane predict d m.json >> d', 'predict: stdout must be a different file from <data>, got "d"'],
      ['hyperplane info d >> d', 'info: stdout must be a different file from <file>'],
      ['hyperplane evaluate d m.json >> m.json', 'evaluate: stdout must be a different file from <model>'],
      [
        'hyperplane train d -o said > said',
        'train: --output must be a different file from stdout, got "said"',
      ],
    ]) {
      const { code, stderr } = shell(line)
      expect(stderr).toContain(`error: ${message}`)
      expect(code).toBe(2)
    }
    expect(readFileSync(path('d'), 'utf8')).toBe(data)
  })

  it('also where the name of the model is a default', () => {
    writeFileSync(path('e'), data)
    linkSync(path('e'), path('e.model'))
    expect(svm('svm-train', 'e').stderr).toContain(
      'model_file must be a different file from training_set_file',
    )
    expect(readFileSync(path('e'), 'utf8')).toBe(data)
  })
})

describe('places where nothing can be written are named before any work', () => {
  it.each([
    ['a directory', 'inside', 'inside: is a directory, not a file'],
    ['what can only be a directory', 'new/', 'new/: is a directory, not a file'],
    ['a folder that is not there', 'no/x', 'no/x: the folder no does not exist or cannot be written to'],
    ['a name of a model that cannot be compressed so', 'x.json.xz', 'x.json.xz: models can be written plain'],
  ])('%s', async (_, output, message) => {
    for (const [command, ...args] of [
      ['train', 'd'],
      ['tune', 'd', '--C', '1', '--gamma', '1'],
    ]) {
      const { code, stdout, stderr } = await run(command, ...args, '-o', output)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`error: ${message}`)
    }
  })

  it.each([
    ['train', '--scale', 'range', '-o', 'x.model'],
    ['tune', '--C', '1', '--gamma', '1', '--scale', 'range', '-o', 'x.model'],
  ])('a format that cannot hold the model: %s', async (command, ...flags) => {
    const { code, stdout, stderr } = await run(command, 'd', ...flags)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain("error: LIBSVM's model format cannot hold a scaler (range)")
    expect(readdirSync(folder)).not.toContain('x.model')
  })

  it('labels beyond 32 bits, in LIBSVM’s format', async () => {
    writeFileSync(path('large'), '3000000000 1:1\n-1 1:2\n')
    const { code, stderr } = await run('train', 'large', '-o', 'large.txt', '--format', 'libsvm')
    expect(code).toBe(1)
    expect(stderr).toContain("LIBSVM's model format cannot hold the label 3000000000")
    expect(svm('svm-train', 'large')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'large: classes must be whole numbers of 32 bits, got 3000000000 for sample 1\n',
    })
    expect((await run('train', 'large', '-o', 'large.json')).code).toBe(0)
  })
})

describe('links and places that are no files', () => {
  it('follows a link to a file, also to one that is not there yet', async () => {
    symlinkSync('target.json', path('dangling'))
    for (let time = 0; time < 2; time++) {
      expect((await run('train', 'd', '-o', 'dangling')).code).toBe(0)
      expect(statSync(path('target.json')).isFile()).toBe(true)
      expect(readdirSync(folder, { withFileTypes: true }).find(({ name }) => name === 'dangling')).toSatisfy(
        (entry) => entry.isSymbolicLink(),
      )
    }
    symlinkSync('no/where', path('lost'))
    const { code, stderr } = await run('train', 'd', '-o', 'lost')
    expect([code, stderr]).toEqual([1, 'error: lost: no such file or directory\n'])
  })

  it('writes the output alone to /dev/stdout, and what it says to stderr', async () => {
    const said = expect.stringMatching(/^40 samples.*\nmodel written to \/dev\/stdout\n$/s)
    const model = /^\{"format":"hyperplane-model".*\}\n$/s
    expect(shell('hyperplane train d -o /dev/stdout > both')).toEqual({ code: 0, stderr: said })
    expect(readFileSync(path('both'), 'utf8')).toMatch(model)
    const { stdout, stderr } = await run('train', 'd', '-o', '/dev/stdout')
    expect(stdout).toMatch(model)
    expect(stderr).toEqual(said)
    expect(shell('hyperplane generate example37 -o /dev/fd/3 3> third')).toMatchObject({ code: 0 })
    expect(readFileSync(path('third'), 'utf8')).toBe('1 1:-1\n-1\n1 1:1\n')
  })

  it('writes into a pipe, and leaves it a pipe', async () => {
    expect(spawnSync('mkfifo', [path('pipe')]).status).toBe(0)
    const reader = spawn('cat', [path('pipe')])
    let text = ''
    reader.stdout.on('data', (chunk) => {
      text += chunk
    })
    const ended = new Promise((resolve) => reader.on('close', resolve))
    expect((await run('predict', 'd', 'm.json', '-o', 'pipe')).code).toBe(0)
    await ended
    expect(text.split('\n')).toHaveLength(41)
    expect(statSync(path('pipe')).isFIFO()).toBe(true)
    expect(await run('tune', 'd', '--C', '1', '--gamma', '1', '--journal', 'pipe')).toMatchObject({
      code: 1,
      stderr: 'error: pipe: a journal must be a file\n',
    })
  })
})

describe('a full disk', () => {
  it('is named by the file that was asked for', async () => {
    for (const args of [
      ['train', 'd', '-o', '/dev/full'],
      ['predict', 'd', 'm.json', '-o', '/dev/full'],
      ['scale', 'd', '-o', '/dev/full'],
    ]) {
      expect(await run(...args)).toMatchObject({
        code: 1,
        stderr: 'error: /dev/full: no space left on the disk\n',
      })
    }
  })

  it('is an error on stdout, and none on stderr', () => {
    for (const line of ['info d', 'predict d m.json', 'scale d', 'generate moons', '--help']) {
      const { code, stderr } = shell(`hyperplane ${line} > /dev/full`)
      expect([line, code]).toEqual([line, 1])
      expect(stderr).toContain('error: stdout: ')
    }
    expect(shell('hyperplane train d -o said.json --verbose 2> /dev/full').code).toBe(0)
    expect(statSync(path('said.json')).size).toBeGreaterThan(0)
  })
})
