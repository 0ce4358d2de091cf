import { expect, it } from 'vitest'
import { withEngine } from '../../../src/engine/memory/engine.ts'
import { offsetOf, readFields, sizeOf, writeFields } from '../../../src/engine/memory/fields.ts'
import { f64, u32 } from '../../../src/engine/memory/lay-out.ts'
import { layOut, structures } from '../../../src/engine/memory/structures.ts'

it('fields lie one after the other, numbers and arrays where they may', () => {
  expect(layOut({ a: u32, b: f64, c: u32, d: u32 })).toEqual({
    offsets: { a: 0, b: 8, c: 16, d: 20 },
    bytes: 24,
  })
  expect(layOut({ a: u32, b: u32, c: u32 }).bytes).toBe(12)
  expect(layOut({ a: u32, tile: 100, end: 0 })).toEqual({
    offsets: { a: 0, tile: 64, end: 192 },
    bytes: 192,
  })
})

it('no two fields of a structure overlap', () => {
  for (const fields of Object.values(structures)) {
    const { offsets, bytes } = layOut(fields)
    let end = 0
    for (const [name, size] of Object.entries<number>(fields)) {
      expect(offsets[name]).toBeGreaterThanOrEqual(end)
      end = offsets[name] + size
    }
    expect(bytes).toBeGreaterThanOrEqual(end)
  }
})

it('what is written is read, the rest stays', () => {
  withEngine(1, (engine) => {
    const { memory } = engine
    const pointer = engine.structure('KERNEL', { kind: 2, gamma: -0.1 })
    const written = { kind: 2, degree: 0, gamma: -0.1, coef0: 0, balanced: 0 }
    expect(readFields(memory, 'KERNEL', pointer)).toEqual(written)
    writeFields(memory, 'KERNEL', pointer, { degree: 2 ** 32 - 1, coef0: 1e300 })
    expect(readFields(memory, 'KERNEL', pointer)).toEqual({
      ...written,
      degree: 2 ** 32 - 1,
      coef0: 1e300,
    })
    const gamma = new Float64Array(memory.buffer, pointer + offsetOf('KERNEL', 'gamma'), 1)[0]
    expect(gamma).toBe(-0.1)
    expect(sizeOf('KERNEL')).toBe(32)
  })
})
