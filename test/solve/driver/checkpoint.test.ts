/** Checkpoints and what drivers keep in them. */
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../../src/base/packing.ts'
import { Checkpoint } from '../../../src/solve/driver/checkpoint.ts'
import { copyFields, restoreFields } from '../../../src/solve/driver/saved-fields.ts'
import {
  isCutShort,
  keepResult,
  keepRun,
  savedResult,
  savedRun,
} from '../../../src/solve/driver/saved-run.ts'
import { useFakeClock } from '../../suites/fake-clock.ts'

const clock = useFakeClock()

/** A checkpoint, what it holds, and what it has told. */
function open(everyMs = 100) {
  const entries = new Map<string, Uint8Array>()
  const told: [string, unknown][] = []
  const checkpoint = new Checkpoint(entries, everyMs, (name, packed) => told.push([name, unpack(packed)]))
  return { checkpoint, entries, told }
}

describe('a checkpoint', () => {
  test('keeps values by name, and tells of each', () => {
    const { checkpoint, told } = open()
    expect(checkpoint.get('a')).toBeUndefined()
    checkpoint.put('a', { list: Float64Array.of(1, -0) })
    checkpoint.putPacked('b', pack(7))
    expect(checkpoint.get('a')).toStrictEqual({ list: Float64Array.of(1, -0) })
    expect(checkpoint.get('b')).toBe(7)
    expect(told).toStrictEqual([
      ['a', { list: Float64Array.of(1, -0) }],
      ['b', 7],
    ])
  })

  test('is due when its time is over since something was kept', () => {
    const { checkpoint } = open(100)
    clock.now = 99
    expect(checkpoint.isDue).toBe(false)
    clock.now = 100
    expect(checkpoint.isDue).toBe(true)
    checkpoint.put('a', 1)
    expect(checkpoint.isDue).toBe(false)
    clock.now = 200
    expect(checkpoint.isDue).toBe(true)
  })

  test('parts have names within that of the whole, and go when the whole is kept', () => {
    const { checkpoint, entries, told } = open()
    const part = checkpoint.within('fit').within('0')
    part.put('run', 1)
    checkpoint.within('fitting').put('run', 2)
    expect(told.map(([name]) => name)).toEqual(['fit/0/run', 'fitting/run'])
    expect(checkpoint.within('fit').get('0/run')).toBe(1)
    expect(part.everyMs).toBe(100)
    expect([...checkpoint.within('fit').packed().keys()]).toEqual(['0/run'])
    checkpoint.put('fit', 'done')
    expect([...entries.keys()].sort()).toEqual(['fit', 'fitting/run'])
    expect(part.get('run')).toBeUndefined()
  })
})

describe('a run', () => {
  const driver = () => ({ random: [1, 2], spentMs: 30, nextTrace: 7, nextDoubt: 9, trace: [] })
  const state = (iteration: number, snapshot: object | undefined = { beta: 1 }) => ({
    iteration,
    snapshot: () => snapshot,
  })

  test('is kept when it is time to, with what solver and driver say of themselves', () => {
    const { checkpoint } = open(100)
    keepRun(checkpoint, state(5), undefined, driver)
    expect(savedRun(checkpoint)).toBeUndefined()
    clock.now = 100
    keepRun(checkpoint, state(5), undefined, driver)
    expect(savedRun(checkpoint)).toEqual({ solver: { beta: 1 }, ...driver() })
    expect(savedResult(checkpoint)).toBeUndefined()
    expect(savedRun(undefined)).toBeUndefined()
  })

  test('is kept at once when it is cut short, unless it has not begun', () => {
    for (const stop of ['aborted', 'time-limit'] as const) {
      const { checkpoint } = open()
      keepRun(checkpoint, state(0), stop, driver)
      expect(savedRun(checkpoint)).toBeUndefined()
      keepRun(checkpoint, state(1), stop, driver)
      expect(savedRun(checkpoint)).toBeDefined()
    }
    for (const stop of ['iteration-limit', 'unbounded'] as const) {
      const { checkpoint } = open()
      keepRun(checkpoint, state(1), stop, driver)
      expect(savedRun(checkpoint)).toBeUndefined()
    }
  })

  test('is not kept in the middle of something', () => {
    const { checkpoint } = open(0)
    keepRun(checkpoint, { iteration: 3, snapshot: () => undefined }, 'aborted', driver)
    keepRun(checkpoint, { iteration: 3, snapshot: undefined }, 'aborted', driver)
    expect(savedRun(checkpoint)).toBeUndefined()
  })

  test('gives way to its result', () => {
    const { checkpoint } = open(0)
    keepRun(checkpoint, state(1), 'aborted', driver)
    keepResult(checkpoint, { alpha: Float64Array.of(3) })
    expect(savedResult(checkpoint)).toEqual({ alpha: Float64Array.of(3) })
  })

  test('that was cut short would have gone on', () => {
    expect((['aborted', 'time-limit'] as const).every(isCutShort)).toBe(true)
    expect(
      (['converged', 'stalled', 'iteration-limit', 'unbounded', undefined] as const).some(isCutShort),
    ).toBe(false)
  })
})

describe('fields', () => {
  test('are copied with their arrays', () => {
    const fields = { beta: Float64Array.of(1, 2), steps: 3 }
    const copy = copyFields(fields)
    fields.beta[0] = 9
    expect(copy).toEqual({ beta: Float64Array.of(1, 2), steps: 3 })
  })

  test('are put back in place where the length fits, as others may hold the array', () => {
    const beta = new Float64Array(2)
    const target = { beta, list: new Uint32Array(1), steps: 0, other: 5 }
    restoreFields(target, { beta: Float64Array.of(1, 2), list: Uint32Array.of(3, 4), steps: 3 })
    expect(target).toEqual({ beta: Float64Array.of(1, 2), list: Uint32Array.of(3, 4), steps: 3, other: 5 })
    expect(target.beta).toBe(beta)
  })
})
