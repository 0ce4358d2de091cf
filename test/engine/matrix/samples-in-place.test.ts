/** Data sets that are read into the engine's memory: the same bits and errors as elsewhere, and used by solvers where they are. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { readVectors } from '../../../src/data/files/read-dataset.node.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'
import { plainLineReader, readNoLines } from '../../../src/data/libsvm/plain-lines.ts'
import type { SparseMatrix } from '../../../src/data/matrix/matrix.ts'
import type { VectorDataset } from '../../../src/data/table/dataset.ts'
import { uploadExact } from '../../../src/engine/matrix/engine-matrix.ts'
import { placeIn, readingInPlace } from '../../../src/engine/matrix/samples-in-place.ts'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { linesOnEngine } from '../../../src/engine/text/parse-lines.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-'))
const file = join(folder, 'some.libsvm')

beforeAll(() => void plainLineReader.install(linesOnEngine()))
afterAll(() => {
  plainLineReader.install(readNoLines)
  rmSync(folder, { recursive: true })
})

/** LIBSVM text of about this many bytes: room for it is made once half a megabyte has been read. */
function randomText(seed: number, bytes: number, lineEnd = '\n'): string {
  const random = new Random(seed)
  const lines: string[] = []
  for (let length = 0; length < bytes; length += lines[lines.length - 1].length + lineEnd.length) {
    const parts = [random.uniform() < 0.5 ? '1' : '-1']
    for (let column = 0; parts.length < 20; ) {
      column += 1 + random.int(50)
      parts.push(`${column}:${(random.uniform() - 0.5).toPrecision(1 + random.int(16))}`)
    }
    lines.push(parts.join(' '))
  }
  return lines.join(lineEnd)
}

/** What reading the file gives, here or in the engine's memory. */
async function outcome(read: () => Promise<VectorDataset>): Promise<object> {
  try {
    const { samples, labels } = await read()
    const { rows, cols, indptr, indices, values } = samples as SparseMatrix
    const arrays = [indptr, indices, values, labels as Float64Array].map(hashOf)
    return { rows, cols, arrays }
  } catch (error) {
    return { ...(error as object), message: (error as Error).message }
  }
}

const texts: Record<string, (seed: number) => string> = {
  'plain lines': (seed) => randomText(seed, 3e6),
  'lines of Windows, and a last one that has no end': (seed) => randomText(seed, 2e6, '\r\n'),
  'comments and empty lines': (seed) =>
    `# first\n${randomText(seed, 1e6)} # late\n\n${randomText(seed, 2e6)}\n`,
  'an index that does not ascend': (seed) => `${randomText(seed, 2e6)}\n1 5:1 5:2\n${randomText(seed, 1e6)}`,
  'longer lines than those at first': (seed) => `${'1 1:1\n'.repeat(2e5)}${randomText(seed, 3e6)}`,
  'shorter lines than those at first': (seed) => `${randomText(seed, 1e6)}\n${'1\n'.repeat(1e6)}`,
}

test.each(Object.keys(texts))('%s read in place as elsewhere', async (name) => {
  for (const seed of [1, 2]) {
    const text = texts[name](seed)
    writeFileSync(file, text)
    const expected = await outcome(async () => parseLibsvm(text, { name: file }))
    expect(await outcome(() => readVectors(file))).toEqual(expected)
    await readingInPlace(async () => expect(await outcome(() => readVectors(file))).toEqual(expected))
  }
})

test('a linear machine uses values where they were read, and leaves them as they are', async () => {
  const text = randomText(3, 2e6)
  writeFileSync(file, text)
  const { samples: elsewhere } = parseLibsvm(text)
  await readingInPlace(async () => {
    const { samples, labels } = (await readVectors(file)) as VectorDataset & { samples: SparseMatrix }
    withEngine(1, (engine) => {
      const place = placeIn(engine, samples.values)
      expect(place).toBeGreaterThan(0)
      const inPlace = uploadExact(engine, samples)
      expect(inPlace.exact.pointer).toBe(place)
      const copied = uploadExact(engine, elsewhere)
      expect(copied.exact.pointer).not.toBe(place)
      for (const key of ['indptr', 'offsets', 'exact', 'exactNorms', 'norms'] as const) {
        expect(hashOf(inPlace[key]), key).toBe(hashOf(copied[key]))
      }
      // What the engine makes in passing is not kept, though it is in the same memory.
      expect(placeIn(engine, engine.array(Float64Array, 8))).toBeUndefined()
    })
    const machine = new LinearSVC({ tol: 0.01 })
    const here = await machine.fit({ samples, labels })
    const there = await machine.fit({ samples: elsewhere, labels })
    expect(here.coef).toEqual(there.coef)
    expect(hashOf(samples.values)).toBe(hashOf(elsewhere.values))
    expect(hashOf(samples.indices)).toBe(hashOf(elsewhere.indices))
  })
  const { samples } = await readVectors(file)
  expect(samples.values.buffer).toBeInstanceOf(ArrayBuffer)
})

/** Of the bits of an array: comparing the numbers takes a minute. */
function hashOf(numbers: Float64Array | Float32Array | Uint32Array): string {
  return createHash('sha256').update(numbers.slice()).digest('hex')
}
