import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/data/text/json-text.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('JSON of files', () => {
  it('is what JSON.parse makes of it', () => {
    expect(parseJson('{"a": [1, {"b": null}]}', 'a model', 'm.json')).toEqual({ a: [1, { b: null }] })
  })

  it('names file and purpose where it is none', () => {
    expect(() => parseJson('{"a": ', 'not a model', 'm.json')).toThrow(/^m\.json: not a model: /)
    expect(() => parseJson('', 'not a model', undefined)).toThrow(/^<input>: not a model: /)
  })

  it('may be a hundred levels deep, and any number wide', () => {
    expect(parseJson(nested(101), 'not a model', 'm')).toBeInstanceOf(Array)
    expect(() => parseJson(nested(102), 'not a model', 'm')).toThrow(
      'm: not a model: it is nested more than 100 levels deep',
    )
    // So deep that whatever calls itself for each level would fail.
    expect(() => parseJson(nested(5000), 'not a model', 'm')).toThrow('more than 100 levels')
    expect(parseJson(`[${'[],'.repeat(1000)}[]]`, 'not a model', 'm')).toHaveLength(1001)
  })
})
