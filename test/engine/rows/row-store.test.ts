import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowStore } from '../../../src/engine/rows/row-store.ts'

it('keeps the rows that were used last, whatever is asked (against a list in order of use)', () => {
  const request = fc.record({ key: fc.nat({ max: 9 }), drops: fc.boolean() })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(request, { maxLength: 80 }),
      (capacity, requests) => {
        const store = new RowStore(10, capacity)
        const slots = new Map<number, number>()
        let order: number[] = []
        for (const { key, drops } of requests) {
          const isKept = order.includes(key)
          expect(store.find(key)).toBe(isKept ? slots.get(key) : -1)
          order = order.filter((other) => other !== key)
          if (drops) {
            store.drop(key)
            continue
          }
          const slot = store.use(key)
          expect(slot).toBe(isKept ? slots.get(key) : -1)
          if (!isKept) {
            if (order.length === capacity) order.shift()
            slots.set(key, store.take(key))
          }
          order.push(key)
          expect(store.keysByUse()).toEqual(order)
          const taken = order.map((kept) => slots.get(kept) as number)
          expect(new Set(taken).size).toBe(order.length)
          expect(taken.every((one) => one >= 0 && one < capacity)).toBe(true)
        }
      },
    ),
    { seed: 1 },
  )
})
