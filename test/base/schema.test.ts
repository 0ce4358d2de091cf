import { describe, expect, it } from 'vitest'
import * as z from '../../src/base/schema.ts'

/** What is wrong with a value, `path: message`; undefined when nothing is. */
function complaint(schema: z.Schema<unknown>, value: unknown): string | undefined {
  const { error } = schema.safeParse(value)
  return error && `${error.path.join('.')}: ${error.message}`
}

const tree: z.Schema<unknown> = z.lazy(() => z.object({ of: z.array(tree) }))
const shape = z.variants('kind', {
  circle: z.object({ kind: z.literal('circle'), r: z.number({ above: 0 }) }),
  box: z.object({ kind: z.literal('box'), sides: z.array(z.int({ min: 1 }), { min: 2, max: 3 }) }),
})

describe('a schema', () => {
  it.each([
    [z.string(), 3, ': must be a string, got 3'],
    [z.string(/^a/, 'must begin with a'), 'b', ': must begin with a'],
    [z.number(), Number.NaN, ': must be a number, got NaN'],
    [z.int({ min: 0, max: 9 }), 9.5, ': must be a whole number >= 0 and <= 9, got 9.5'],
    [z.int({ max: 9 }), 10, ': must be a whole number <= 9, got 10'],
    [z.boolean(), undefined, ': is missing'],
    [z.literal(1), 2, ': must be 1, got 2'],
    [z.oneOf(['a', 'b']), 'c', ': must be one of "a", "b", got "c"'],
    [z.array(z.string()), ['a', 1], '1: must be a string, got 1'],
    [z.single(z.string()), [], ': must have 1 or more entries, got 0'],
    [z.record(z.int()), { a: 1, b: null }, 'b: must be a whole number, got null'],
    [z.object({ a: z.object({ b: z.int() }) }), { a: { b: 'x' } }, 'a.b: must be a whole number, got "x"'],
    [z.object({ a: z.int().optional() }), { b: 1 }, ': has an unknown field "b"'],
    [z.object({ a: z.int() }), [1], ': must be an object, got an array of length 1'],
    [z.object({}), JSON.parse('{ "__proto__": 1 }'), ': has an unknown field "__proto__"'],
    [shape, { kind: 'circle', r: 0 }, 'r: must be a number > 0, got 0'],
    [shape, { kind: 'toString' }, 'kind: must be one of "circle", "box", got "toString"'],
    [shape, { kind: 'box', sides: [1, 2, 3, 4] }, 'sides: must have at most 3 entries, got 4'],
    [z.union([z.int(), z.string()]), true, ': must be a string, got true'],
    [z.union([z.int(), z.string()], 'must be a name'), true, ': must be a name'],
    [tree, { of: [{ of: [{ of: [] }, { of: 1 }] }] }, 'of.0.of.1.of: must be an array, got 1'],
    [z.int().refine((n) => n % 2 === 0, 'must be even'), 3, ': must be even'],
    [z.array(z.int()).check((all, refuse) => refuse('is bad', [all.length])), [1], '1: is bad'],
  ])('says what is wrong: %#', (schema, value, message) => {
    expect(complaint(schema as z.Schema<unknown>, value)).toBe(message)
  })

  it('gives what was read, without fields that are absent', () => {
    const schema = z.object({ a: z.int().transform((n) => n + 1), b: z.string().optional() })
    expect(schema.read({ a: 1 })).toEqual({ a: 2 })
    expect(Object.keys(schema.read({ a: 1, b: undefined }))).toEqual(['a'])
    expect(shape.read({ kind: 'box', sides: [1, 2] })).toEqual({ kind: 'box', sides: [1, 2] })
    // A field of the prototype is no field of the object.
    expect(complaint(z.object({ toString: z.unknown().refine((f) => f, 'is missing') }), {})).toBe(
      'toString: is missing',
    )
  })
})
