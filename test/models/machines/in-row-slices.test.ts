import { expect, test } from 'vitest'
import { makeDataset } from '../../../src/data/table/dataset.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { inRowSlices } from '../../../src/models/machines/in-row-slices.ts'
import { someMatrix } from '../../suites/matrices.ts'

const train = someMatrix(3, 60, 3)
const labels = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 'a' : i % 3 === 1 ? 'b' : 'c'))
const model = new SVC().fitSync({ ...makeDataset(train, labels) })
const many = someMatrix(4, 20_000, 3)

test('many rows: what one call gives, and others have their turn in between', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const predicted = await inRowSlices(many, (rows) => model.predict(rows))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
  expect(predicted).toEqual(model.predict(many))
  const scores = await inRowSlices(many, (rows) => model.decisionFunction(rows, { precision: 'f64' }))
  const whole = model.decisionFunction(many, { precision: 'f64' })
  expect(scores.length).toBe(whole.length)
  expect(scores.every((score, k) => Math.abs(score - whole[k]) < 1e-9)).toBe(true)
})

test('arrays of rows, one row, none', async () => {
  const rows = [
    [1, 2, 3],
    [0, 1, 0],
  ]
  expect(await inRowSlices(rows, (some) => model.predict(some))).toEqual(model.predict(rows))
  expect(await inRowSlices([], (some) => model.predict(some))).toEqual([])
})

test('a signal ends it', async () => {
  const abort = new AbortController()
  const work = inRowSlices(many, (rows) => model.predict(rows) as string[], { signal: abort.signal })
  abort.abort()
  await expect(work).rejects.toThrow('abort')
  await expect(inRowSlices(many, () => [], { signl: 1 } as never)).rejects.toThrow('signal')
})
