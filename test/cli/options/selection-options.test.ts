import { expect, it } from 'vitest'
import { foldsFrom } from '../../../src/cli/options/selection-options.ts'
import { generate } from '../../../src/data/generators/generators.ts'

it('there are as many folds as samples, where nothing is said and these are few', () => {
  const few = generate('moons', { n: 4, seed: 1 })
  expect(foldsFrom({}, few).folds).toBe(4)
  expect(foldsFrom({}, { ...few, times: 'rows' }).folds).toBe(3)
  expect(foldsFrom({}, generate('moons', { n: 50, seed: 1 })).folds).toBe(5)
  expect(foldsFrom({ folds: 9 }, few).folds).toBe(9)
})
