/**
 * The engine's reader of LIBSVM lines against the plain parser, which knows no engine: whatever the text, the options,
 * the cuts, the build and the number of threads, both must give the same bits or the same error.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseVectors } from '../../../src/data/files/parse-vectors.ts'
import { type LibsvmOptions, LibsvmParser } from '../../../src/data/libsvm/libsvm-parser.ts'
import { type PlainLineReader, plainLineReader, readNoLines } from '../../../src/data/libsvm/plain-lines.ts'
import { plainVectors } from '../../../src/data/libsvm/plain-vectors.ts'
import type { VectorDataset } from '../../../src/data/table/dataset.ts'
import { giveEngine, takeEngine } from '../../../src/engine/memory/engine.ts'
import { chooseEngineBuild } from '../../../src/engine/memory/engine-build.ts'
import { type LineCuts, linesOnEngine } from '../../../src/engine/text/parse-lines.ts'
import { testedBuilds } from '../../suites/engine-builds.ts'
import { endThreads, startThreads } from '../../suites/engine-threads.ts'
import { libsvmLines, numberText, plainLines } from '../../suites/libsvm-text.ts'

const encoder = new TextEncoder()
/** Every line is its own run, and a window holds a few. */
const finest: LineCuts = { run: 1, window: 64, text: 0 }

afterEach(() => plainLineReader.install(readNoLines))
afterAll(() => chooseEngineBuild(undefined))

/** What a reader makes of a text that comes in pieces: all bits of the data set, or the error. */
function outcome(read: PlainLineReader, pieces: readonly Uint8Array[], options: LibsvmOptions = {}): object {
  plainLineReader.install(read)
  try {
    const parser = new LibsvmParser({ name: 'some.txt', ...options })
    parser.expect(pieces.reduce((sum, piece) => sum + piece.length, 0))
    for (const piece of pieces) parser.push(piece)
    const { samples, labels } = parser.end()
    const { rows, cols, indptr, indices, values } = samples
    return { rows, cols, indptr, indices, values: bitsOf(values), labels: bitsOf(labels) }
  } catch (error) {
    return { ...(error as object), message: (error as Error).message }
  } finally {
    plainLineReader.install(readNoLines)
  }
}

/** A short stand-in for the outcome of a long text. */
function digest(result: object): string {
  const hash = createHash('sha256')
  for (const [key, value] of Object.entries(result)) {
    hash.update(key)
    hash.update(ArrayBuffer.isView(value) ? (value as Uint8Array) : JSON.stringify(value))
  }
  return hash.digest('hex')
}

function bitsOf(numbers: Float64Array | readonly string[]): unknown {
  return numbers instanceof Float64Array ? new BigUint64Array(numbers.slice().buffer) : numbers
}

/** A reader that also counts the lines that were plain. */
function counted(read: PlainLineReader): { readonly read: PlainLineReader; readonly plain: () => number } {
  let plain = 0
  return {
    read: (bytes, start, end, rules, take) =>
      read(bytes, start, end, rules, (from, to, lines) => {
        plain += lines?.lines ?? 0
        take(from, to, lines)
      }),
    plain: () => plain,
  }
}

describe.each(testedBuilds)('the %s build', (build) => {
  const options = fc.record({
    indexBase: fc.constantFrom('auto', 'auto', 0, 1),
    features: fc.constantFrom(undefined, undefined, 0, 3, 12, 4294967294),
    labels: fc.constantFrom('auto', 'auto', 'number', 'string'),
  }) as fc.Arbitrary<LibsvmOptions>
  const cuts = fc.record({
    run: fc.integer({ min: 1, max: 80 }),
    window: fc.integer({ min: 1, max: 400 }),
    text: fc.constant(0),
  })

  test('reads any text as the parser does, or finds the same mistake', () => {
    chooseEngineBuild(build)
    fc.assert(
      fc.property(libsvmLines, options, cuts, (text, given, sizes) => {
        const bytes = [encoder.encode(text)]
        expect(outcome(linesOnEngine(sizes), bytes, given)).toEqual(outcome(readNoLines, bytes, given))
      }),
      { seed: 1, numRuns: 1500 },
    )
  })

  test('takes plain lines for plain, and reads them as the parser does', () => {
    chooseEngineBuild(build)
    fc.assert(
      fc.property(plainLines, cuts, (text, sizes) => {
        const bytes = [encoder.encode(text)]
        const engine = counted(linesOnEngine(sizes))
        expect(outcome(engine.read, bytes)).toEqual(outcome(readNoLines, bytes))
        expect(engine.plain()).toBe(text.split('\n').length - 1)
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  test('rounds as Number does', () => {
    chooseEngineBuild(build)
    fc.assert(
      fc.property(fc.array(numberText, { minLength: 1, maxLength: 40 }), (numbers) => {
        const finite = numbers.filter((text) => Number.isFinite(Number(text)))
        const text = `7\n${finite.map((number) => `${number} 1:${number}\n`).join('')}`
        const expected = finite.map(Number)
        const read = outcome(linesOnEngine(finest), [encoder.encode(text)])
        expect(read).toMatchObject({
          labels: bitsOf(Float64Array.of(7, ...expected)),
          values: bitsOf(Float64Array.from(expected.filter((value) => value !== 0))),
        })
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  test('a text may be cut anywhere', () => {
    chooseEngineBuild(build)
    const text = [
      '\ufeff1 1:2 # one',
      '',
      '+1 1:0.5 3:-2.5e-3\t7:12345678901234567890',
      '  -1   2:1E2  4:+7 \r',
      '3.5 1:0 2:.5 4:1. 00000005:0.1000000000000000055511151231257827',
      '1e1\r',
      '-0 12345678:1e-310 0123456789:3',
      '\t1',
      '17 4:0.30000000000000004 5:9007199254740993 6:1e23',
    ].join('\n')
    const bytes = encoder.encode(text)
    const whole = outcome(readNoLines, [bytes])
    expect(whole).toMatchObject({ rows: 8, cols: 123456789 })
    for (let cut = 0; cut <= bytes.length; cut++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      expect(outcome(linesOnEngine(finest), pieces)).toEqual(whole)
    }
    expect(
      outcome(
        linesOnEngine(finest),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(whole)
  })

  test('long lines, short rows and numbers without end', () => {
    chooseEngineBuild(build)
    const wide = `1 ${Array.from({ length: 3000 }, (_, j) => `${j + 1}:${j / 7}`).join(' ')}\n`
    const digits = `1 1:0.${'3'.repeat(5000)} 2:${'0'.repeat(3000)}5\n`
    const texts = [`${wide}1 2:3\n${wide}`, '1\n'.repeat(5000), digits, '2 1:1e-30 2:1e-31\n'.repeat(300)]
    for (const text of texts) {
      const bytes = [encoder.encode(text)]
      for (const sizes of [finest, { text: 0 }, { run: 100, window: 1000, text: 0 }]) {
        expect(outcome(linesOnEngine(sizes), bytes)).toEqual(outcome(readNoLines, bytes))
      }
    }
  })
})

describe('threads', () => {
  beforeAll(async () => {
    chooseEngineBuild(undefined)
    await startThreads(3)
  })

  afterAll(endThreads)

  test('any number of them gives the same bits', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) =>
        `${i % 3} ${Array.from({ length: 30 }, (_, j) => `${3 * j + 1}:${Math.sin(i * 31 + j)}`).join(' ')}`,
    )
    const bytes = [encoder.encode(`${lines.join('\n')}\n`)]
    expect(bytes[0].length).toBeGreaterThan(1 << 23)
    const expected = digest(outcome(readNoLines, bytes))
    for (const threads of [1, 2, 3]) {
      for (const sizes of [{}, { run: 1000, window: 10_000 }]) {
        const engine = counted(linesOnEngine(sizes))
        expect(digest(outcome(engine.read, bytes, { threads }))).toBe(expected)
        expect(engine.plain()).toBe(lines.length)
      }
    }
  })

  test('a mistake is found while others are still at work', () => {
    const line = '1 1:0.25 2:0.5\n'
    const good = line.repeat(1 << 20)
    const bytes = [encoder.encode(`${good}1 1:x\n${good}`)]
    for (const threads of [1, 3]) {
      expect(outcome(linesOnEngine(), bytes, { threads })).toMatchObject({
        message: 'some.txt:1048577:5: value of index 1 must be a number, got "x"',
      })
    }
    expect(outcome(linesOnEngine(), [encoder.encode(good)])).toMatchObject({ rows: 1 << 20, cols: 2 })
  })
})

describe('readers', () => {
  const text = '+1 1:0.5 3:2.25\n-1 2:7\n'.repeat(40_000)

  test('parseVectors uses the reader that is installed, however the bytes come', async () => {
    const bits = ({ samples, labels }: VectorDataset) => digest({ ...samples, labels })
    const expected = bits(await parseVectors(text))
    const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
    for (const source of [text, encoder.encode(text), new Blob([text]).stream(), zipped]) {
      const engine = counted(linesOnEngine())
      plainLineReader.install(engine.read)
      expect(bits(await parseVectors(source, { threads: 1 }))).toBe(expected)
      expect(engine.plain()).toBeGreaterThan(79_000)
    }
  })

  test('short texts are not worth an engine', async () => {
    const engine = counted(linesOnEngine())
    plainLineReader.install(engine.read)
    await parseVectors(text.slice(0, 23 * 100))
    expect(engine.plain()).toBe(0)
  })

  test('where shared memory is not to be had, the parser reads everything', () => {
    const bytes = [encoder.encode(text)]
    const expected = digest(outcome(readNoLines, bytes))
    // Engines that are kept from before: taken, so that a new one is needed.
    const kept = takeEngine(1)
    const memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function noMemory() {
      throw new RangeError('no memory')
    })
    const engine = counted(linesOnEngine())
    try {
      expect(digest(outcome(engine.read, bytes))).toBe(expected)
      expect(memory).toHaveBeenCalled()
      expect(engine.plain()).toBe(0)
    } finally {
      memory.mockRestore()
      giveEngine(kept, kept.mark())
    }
  })
})

describe.each(testedBuilds)('%s build, lines that begin with several numbers', (build) => {
  const line = fc.record({
    numbers: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 4, maxLength: 4 }),
    values: fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { maxLength: 6 }),
  })

  test('numbers and rows as they were written', () => {
    chooseEngineBuild(build)
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        (lines, count) => {
          const texts = lines.map(({ numbers, values }) =>
            [...numbers.slice(0, count), ...values.map((value, k) => `${2 * k + 1}:${value}`)].join(' '),
          )
          for (const cuts of [finest, { text: 0 }]) {
            plainLineReader.install(linesOnEngine(cuts))
            const numbers = new Float64Array(count * lines.length)
            const read = plainVectors(texts, count, 2 ** 31 - 1, numbers)
            plainLineReader.install(readNoLines)
            // Numbers that the engine leaves to others may be too many for it.
            if (read === undefined) continue
            lines.forEach((own, i) => {
              for (let c = 0; c < count; c++) expect(numbers[c * lines.length + i]).toBe(own.numbers[c] + 0)
              const [from, to] = [read.indptr[i], read.indptr[i + 1]]
              const kept = own.values.flatMap((value, k) => (value === 0 ? [] : [[2 * k, value]]))
              expect(Array.from(read.indices.subarray(from, to))).toEqual(kept.map(([column]) => column))
              expect(Array.from(read.values.subarray(from, to))).toEqual(kept.map(([, value]) => value))
            })
          }
        },
      ),
      { numRuns: 40, seed: 11 },
    )
  })

  test.each([
    ['a number is missing', ['1 2 1:3', '1 1:3']],
    ['a word', ['1 2 1:3', '1 x 1:3']],
    ['one number too many', ['1 2 3 1:3']],
    ['a blank line', ['1 2 1:3', '', '1 2 1:3']],
    ['no line', ['1 2 1:3', '1']],
    ['a comment', ['1 2 1:3 # no']],
    ['numbers that are not apart', ['1,2 1:3']],
  ])('%s: left to others', (_, lines) => {
    chooseEngineBuild(build)
    plainLineReader.install(linesOnEngine({ text: 0 }))
    expect(plainVectors(lines, 2, 2 ** 31 - 1, new Float64Array(2 * lines.length))).toBeUndefined()
  })
})
