import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ParameterError } from '../../src/base/errors.ts'
import { gridFrom } from '../../src/cli/options/grid-options.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { fuzzReaders } from './fuzz-readers.ts'
import { readerCases } from './reader-cases.ts'

test('damaged inputs end in an error of the library, or in the data they hold', async () => {
  const findings: string[] = []
  const count = 100 * readerCases.length
  const counts = await fuzzReaders({
    seed: 7,
    count,
    onFinding: ({ what, again }) => findings.push(`${what} (${again})`),
  })
  expect(findings).toEqual([])
  for (const { name } of readerCases) {
    const { inputs, accepted, rejected } = counts[name]
    expect(inputs).toBe(100)
    // Damage is neither harmless nor deadly always: both ways are taken.
    expect([name, accepted > 0, Object.keys(rejected).length > 0]).toEqual([name, true, true])
  }
})

test('lists and ranges of a grid end in values or in a ParameterError', () => {
  const word = fc.oneof(fc.integer({ min: -20, max: 20 }).map(String), fc.double().map(String), fc.string())
  const list = fc.array(word, { maxLength: 5 }).map((words) => words.join(','))
  fc.assert(
    fc.property(fc.constantFrom('log2c', 'log2g', 'C', 'gamma'), list, (flag, text) => {
      try {
        gridFrom({ [flag]: text }, new SVC())
      } catch (error) {
        expect(error).toBeInstanceOf(ParameterError)
      }
    }),
    { seed: 5, numRuns: 2000 },
  )
})
