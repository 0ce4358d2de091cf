import { describe, expect, test } from 'vitest'
import { latticeOf, surfaceOf } from '../../src/plots/lattice.ts'

const grid = [-1, 1, 3].flatMap((x) => [0, 4].map((y) => ({ x, y, mean: x + 10 * y })))

describe('cells on a lattice', () => {
  test('are known by the halves of their steps', () => {
    expect(latticeOf(grid)).toEqual({ xStep: 1, yStep: 2 })
  })

  test('are not found where steps differ, or where there is one line of them', () => {
    expect(latticeOf([...grid, { x: 8, y: 0 }, { x: 8, y: 4 }])).toBeUndefined()
    expect(latticeOf(grid.filter(({ y }) => y === 0))).toBeUndefined()
  })
})

test('the surface goes through the cells, is linear between them and constant beyond', () => {
  const { values, frame } = surfaceOf(grid, { xStep: 1, yStep: 2 })
  const { width, height, x1, x2, y1, y2 } = frame
  expect(values.length).toBe(width * height)
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const x = x1 + ((c + 0.5) / width) * (x2 - x1)
      const y = y1 + ((r + 0.5) / height) * (y2 - y1)
      const inside = Math.min(3, Math.max(-1, x)) + 10 * Math.min(4, Math.max(0, y))
      expect(values[r * width + c]).toBeCloseTo(inside, 10)
    }
  }
})
