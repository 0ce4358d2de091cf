import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { FileChunks } from '../../../src/data/files/file-chunks.node.ts'
import { readVectors } from '../../../src/data/files/read-dataset.node.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'

let folder = ''
let path = ''
const content = new Uint8Array(19_000_001)
beforeAll(async () => {
  const random = new Random(1)
  for (let k = 0; k < content.length; k++) content[k] = random.int(256)
  folder = await mkdtemp(join(tmpdir(), 'hyperplane-'))
  path = join(folder, 'some.bytes')
  await writeFile(path, content)
})
afterAll(() => rm(folder, { recursive: true }))

const same = (parts: readonly Uint8Array[]) => Buffer.compare(Buffer.concat(parts), content) === 0

test('chunks are the owner’s to keep', async () => {
  const parts: Uint8Array[] = []
  for await (const chunk of new FileChunks(path)) parts.push(chunk)
  expect(same(parts)).toBe(true)
  expect(new Set(parts.map(({ buffer }) => buffer)).size).toBe(parts.length)
})

test('chunks that are lent come from two buffers', async () => {
  const file = new FileChunks(path)
  const parts: Uint8Array[] = []
  const buffers: ArrayBufferLike[] = []
  for await (const chunk of file) {
    file.lend()
    parts.push(chunk.slice())
    buffers.push(chunk.buffer)
  }
  expect(same(parts)).toBe(true)
  expect(new Set(buffers.slice(2)).size).toBe(2)
  expect(buffers.length).toBeGreaterThan(5)
})

test('a loop may end early; a file that cannot be read is an error', async () => {
  for await (const chunk of new FileChunks(path)) {
    expect(chunk[0]).toBe(content[0])
    break
  }
  const read = async (where: string) => {
    for await (const _ of new FileChunks(where));
  }
  await expect(read(join(folder, 'absent'))).rejects.toThrow('ENOENT')
  await expect(read(folder)).rejects.toThrow('EISDIR')
})

test('a long LIBSVM file reads as its text does', async () => {
  const text = Array.from({ length: 300_000 }, (_, i) => `${i % 2} ${(i % 7) + 1}:${i} 9:0.5\n`).join('')
  const file = join(folder, 'long.libsvm')
  await writeFile(file, text)
  expect(text.length).toBeGreaterThan(1 << 22)
  const { samples, labels } = await readVectors(file)
  const expected = parseLibsvm(text)
  for (const key of ['indptr', 'indices', 'values'] as const) {
    expect(Buffer.compare(bytesOf(samples, key), bytesOf(expected.samples, key))).toBe(0)
  }
  expect(labels).toHaveLength(expected.labels.length)
})

function bytesOf(matrix: object, key: string): Uint8Array {
  const array = (matrix as Record<string, Float64Array>)[key]
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
