import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/base/canonical-json.ts'

/** The same value with the names of every object in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, reversed(part)]),
  )
}

test('says what JSON says, in an order of its own', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(reversed(value))).toBe(text)
    }),
    { seed: 3 },
  )
})

test('has words for numbers that JSON lacks, and lets parts be replaced', () => {
  expect(canonicalJson([Number.NaN, Number.POSITIVE_INFINITY, 1])).toBe('["NaN","Infinity",1]')
  const masked = canonicalJson({ b: 2, a: [1, 2] }, (part) => (part === 2 ? 'two' : part))
  expect(masked).toBe('{"a":[1,"two"],"b":"two"}')
})
