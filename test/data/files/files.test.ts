import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DataError } from '../../../src/base/errors.ts'
import { resetSlots } from '../../../src/base/slot.ts'
import { useBlockingFiles } from '../../../src/data/files/file-system.node.ts'
import { readVectors } from '../../../src/data/files/read-dataset.node.ts'
import { writeDataset } from '../../../src/data/files/write-dataset.node.ts'
import { writeFileAtomically } from '../../../src/data/files/write-file.node.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { toSparse } from '../../../src/data/matrix/matrix.ts'
import { makeDataset } from '../../../src/data/table/dataset.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/data/', import.meta.url))
const dense = makeDataset(
  [
    [0.1, 0, -2],
    [0, 1e-300, 0],
  ],
  [1, -1],
)
const sparse = { ...dense, samples: toSparse(dense.samples) }

describe.each([
  ['that leave the thread free', false],
  ['that block the thread', true],
])('file operations %s', (_, blocks) => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hyperplane-'))
    if (blocks) useBlockingFiles()
  })
  afterAll(async () => {
    resetSlots()
    await rm(folder, { recursive: true })
  })

  describe('reading', () => {
    test.each(['tiny.libsvm', 'tiny.libsvm.gz', 'tiny.libsvm.bz2', 'tiny.libsvm.xz'])('%s', async (name) => {
      const data = await readVectors(fixtures + name)
      expect(data.labels).toEqual(Float64Array.of(1, -1))
      expect(data.samples).toEqual(
        toSparse(
          makeDataset(
            [
              [0.5, 0, -2e-3],
              [0, 7, 0],
            ],
            [1, -1],
          ).samples,
        ),
      )
    })

    test('a URL and a stream give the same as the path', async () => {
      const path = `${fixtures}tiny.libsvm.xz`
      const data = await readVectors(path)
      expect(await readVectors(pathToFileURL(path))).toEqual(data)
      expect(await readVectors(createReadStream(path, { highWaterMark: 3 }))).toEqual(data)
    })

    test('progress knows the size of the file', async () => {
      const path = `${fixtures}tiny.libsvm.bz2`
      const { size } = await stat(path)
      let last = {}
      await readVectors(path, {
        onProgress: (progress) => {
          last = progress
        },
      })
      expect(last).toEqual({ bytesRead: size, bytesTotal: size })
    })

    test('what cannot be read', async () => {
      const missing = join(folder, 'missing.csv')
      await expect(readVectors(missing)).rejects.toThrow(
        new DataError(`${missing}: no such file or directory`),
      )
      await expect(readVectors(folder)).rejects.toThrow(
        new DataError(`${folder}: is a directory, not a file`),
      )
    })
  })

  describe('writing', () => {
    test.each([
      ['data', sparse],
      ['data.libsvm', sparse],
      ['data.libsvm.gz', sparse],
      ['data.csv', dense],
      ['data.csv.gz', dense],
      ['data.tsv', dense],
    ])('%s reads back', async (name, data) => {
      const path = join(folder, name)
      await writeDataset(path, data)
      expect(await readVectors(path)).toEqual(data)
    })

    test('a name in .gz is compressed, whatever the case', async () => {
      const path = join(folder, 'DATA.GZ')
      await writeDataset(path, dense)
      expect(gunzipSync(await readFile(path)).toString()).toBe(formatLibsvm(dense))
    })

    test('the options reach the format', async () => {
      const path = join(folder, 'options.dat')
      await writeDataset(path, dense, { format: 'csv', header: true, labelColumn: 'kind', delimiter: ';' })
      expect(await readFile(path, 'utf8')).toBe('x1;x2;x3;kind\n0.1;0;-2;1\n0;1e-300;0;-1\n')
      await writeDataset(path, dense, { indexBase: 0 })
      expect(await readFile(path, 'utf8')).toBe('1 0:0.1 2:-2\n-1 1:1e-300\n')
    })

    test.each(['data.parquet', 'data.libsvm.bz2', 'data.csv.xz'])('%s is refused', async (name) => {
      const path = join(folder, name)
      await expect(writeDataset(path, dense)).rejects.toThrow(
        new DataError(`${path}: only LIBSVM text, CSV and TSV can be written, plain or as .gz`),
      )
    })

    test('an unknown option is refused', async () => {
      await expect(writeDataset(join(folder, 'x'), dense, { headers: true } as object)).rejects.toThrow(
        'writeDataset: option must be one of format, indexBase, delimiter, header, labelColumn, weightColumn, got "headers"',
      )
    })

    test('a failure leaves the old file, and nothing beside it', async () => {
      const place = await mkdtemp(join(folder, 'failure-'))
      const path = join(place, 'data.libsvm')
      for (const name of [path, `${path}.gz`]) {
        await writeFile(name, 'what was there')
        const weighted = { ...dense, weights: Float64Array.of(1, 2) }
        await expect(writeDataset(name, weighted)).rejects.toThrow('cannot hold sample weights')
        expect(await readFile(name, 'utf8')).toBe('what was there')
      }
      expect((await readdir(place)).sort()).toEqual(['data.libsvm', 'data.libsvm.gz'])
    })
  })

  describe('writeFileAtomically', () => {
    test('text, bytes, and pieces of both', async () => {
      const path = join(folder, 'pieces')
      await writeFileAtomically(path, 'text')
      expect(await readFile(path, 'utf8')).toBe('text')
      await writeFileAtomically(path, Uint8Array.of(104, 105))
      expect(await readFile(path, 'utf8')).toBe('hi')
      await writeFileAtomically(path, ['one ', Uint8Array.of(50), ' three'])
      expect(await readFile(path, 'utf8')).toBe('one 2 three')
    })

    test('the old content stays until the new one is complete', async () => {
      const place = await mkdtemp(join(folder, 'steps-'))
      const path = join(place, 'file')
      await writeFile(path, 'old')
      const seen: string[] = []
      await writeFileAtomically(
        path,
        (async function* () {
          yield 'new '
          seen.push(await readFile(path, 'utf8'))
          yield 'content'
          seen.push(await readFile(path, 'utf8'))
        })(),
      )
      expect(seen).toEqual(['old', 'old'])
      expect(await readFile(path, 'utf8')).toBe('new content')
      expect(await readdir(place)).toEqual(['file'])
    })

    test('keeps the mode of the file and follows links', async () => {
      const path = join(folder, 'private')
      const link = join(folder, 'link')
      await writeFile(path, 'old')
      await chmod(path, 0o640)
      await symlink(path, link)
      await writeFileAtomically(link, 'new')
      expect(await readFile(path, 'utf8')).toBe('new')
      expect((await stat(path)).mode & 0o777).toBe(0o640)
    })

    test('gives the mode of the file that is replaced whatever the mask says', async () => {
      const path = join(folder, 'shared')
      await writeFile(path, 'old')
      await chmod(path, 0o666)
      const mask = process.umask(0o077)
      try {
        await writeFileAtomically(path, 'new')
        await writeFileAtomically(join(folder, 'own'), 'new')
      } finally {
        process.umask(mask)
      }
      expect((await stat(path)).mode & 0o777).toBe(0o666)
      expect((await stat(join(folder, 'own'))).mode & 0o777).toBe(0o600)
    })

    test.skipIf(process.getuid?.() === 0)('refuses a file that is protected from writing', async () => {
      const path = join(folder, 'protected')
      await writeFile(path, 'old')
      await chmod(path, 0o444)
      await expect(writeFileAtomically(path, 'new')).rejects.toThrow(`${path}: permission denied`)
      expect(await readFile(path, 'utf8')).toBe('old')
    })

    test('makes the file that a link leads to, and says when it cannot', async () => {
      await mkdir(join(folder, 'links'))
      await symlink('../made', join(folder, 'links', 'second'))
      await symlink('links/second', join(folder, 'first'))
      await writeFileAtomically(join(folder, 'first'), 'new')
      expect(await readFile(join(folder, 'made'), 'utf8')).toBe('new')
      expect((await lstat(join(folder, 'first'))).isSymbolicLink()).toBe(true)
      const [nowhere, round] = ['nowhere', 'round'].map((name) => join(folder, 'links', name))
      await symlink('no/such/place', nowhere)
      await symlink('round', round)
      await expect(writeFileAtomically(nowhere, 'x')).rejects.toThrow(`${nowhere}: no such file or directory`)
      await expect(writeFileAtomically(round, 'x')).rejects.toThrow(`${round}: too many symbolic links`)
    })

    test('removes what killed processes left, and nothing else', async () => {
      const place = await mkdtemp(join(folder, 'killed-'))
      const module = new URL('../../../dist/data/files/write-file.node.js', import.meta.url).pathname
      const script = `import { writeFileAtomically } from ${JSON.stringify(module)}
      await writeFileAtomically(process.argv[1], (async function* () {
        yield 'half'; yield 'half'; process.stdout.write('ready'); await new Promise((r) => setTimeout(r, 1e6))
      })())`
      const flags = ['--input-type=module', '-e', script]
      const start = async (name: string) => {
        const child = spawn(process.execPath, [...flags, join(place, name)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        await once(child.stdout, 'data')
        return child
      }
      const [killed, alive] = await Promise.all([start('file'), start('file')])
      killed.kill('SIGKILL')
      await once(killed, 'exit')
      await writeFile(join(place, '.notes.tmp'), 'not ours')
      expect((await readdir(place)).filter((name) => name.startsWith('.file.'))).toHaveLength(2)
      await writeFileAtomically(join(place, 'file'), 'whole')
      const [left, ...more] = (await readdir(place)).filter((name) => name.startsWith('.file.'))
      expect(left).toContain(`.${alive.pid}@`)
      expect(more).toEqual([])
      alive.kill('SIGKILL')
      await once(alive, 'exit')
      await writeFileAtomically(join(place, 'other'), 'whole')
      expect((await readdir(place)).sort()).toEqual(['.notes.tmp', 'file', 'other'])
    })

    test('takes long names', async () => {
      const name = 'é'.repeat(127)
      await writeFileAtomically(join(folder, name), 'x')
      expect(await readFile(join(folder, name), 'utf8')).toBe('x')
    })

    test('writes straight to what is not a file', async () => {
      await writeFileAtomically('/dev/null', 'gone')
      expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
    })

    test('names the place that cannot be written to', async () => {
      const nowhere = join(folder, 'no', 'such', 'place')
      await expect(writeFileAtomically(nowhere, 'x')).rejects.toThrow(
        new DataError(`${nowhere}: no such file or directory`),
      )
      const place = join(folder, 'directory')
      await mkdir(place)
      await expect(writeFileAtomically(place, 'x')).rejects.toThrow(
        new DataError(`${place}: is a directory, not a file`),
      )
      expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    })
  })
})
