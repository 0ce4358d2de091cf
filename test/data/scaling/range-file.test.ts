import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRangeFile, parseRangeFile } from '../../../src/data/scaling/range-file.ts'
import { fitRangeScaler, fitTargetRange, scaleTargets } from '../../../src/data/scaling/range-scaler.ts'

fc.configureGlobal({ seed: 1 })

describe('formatRangeFile and parseRangeFile', () => {
  it('write what svm-scale writes', () => {
    const scaler = fitRangeScaler([
      [0, 5, 2],
      [4, 5, -3.5],
    ])
    expect(formatRangeFile(scaler)).toBe('x\n-1 1\n1 0 4\n3 -3.5 2\n')
    const target = fitTargetRange([3, 7], { lower: 0 })
    expect(formatRangeFile({ ...scaler, target })).toBe('y\n0 1\n3 7\nx\n-1 1\n1 0 4\n3 -3.5 2\n')
  })

  it('read what svm-scale writes', () => {
    const text =
      'y\n-1 2\n0 2\nx\n0.5 3\n1 1e-300 0.10000000000000001\n3 0.30000000000000004 1.0000000000000001e+300\n'
    expect(parseRangeFile(text)).toEqual({
      kind: 'range',
      lower: 0.5,
      upper: 3,
      min: [1e-300, 0, 0.1 + 0.2],
      max: [0.1, 0, 1e300],
      target: { lower: -1, upper: 2, min: 0, max: 2 },
    })
    expect(parseRangeFile('x\r\n-1 1\r\n2 0 1')).toMatchObject({ min: [0, 0], max: [0, 1] })
    expect(parseRangeFile('x\n0 1\n\n')).toMatchObject({ min: [], max: [] })
  })

  it('lose no digit', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    const ordered = fc.tuple(number, number).map(([a, b]) => (a < b ? [a, b] : [b, a + 0]))
    fc.assert(
      fc.property(fc.array(ordered), (pairs) => {
        const distinct = pairs.filter(([low, high]) => low < high).map((pair) => pair.map((end) => end + 0))
        const [min, max] = [distinct.map((pair) => pair[0]), distinct.map((pair) => pair[1])]
        const scaler = { kind: 'range', lower: -1 / 3, upper: 0.1, min, max } as const
        expect(parseRangeFile(formatRangeFile(scaler))).toEqual(scaler)
      }),
    )
  })

  it.each([
    ['', "r:1: expected 'x', got the end of the file"],
    ['z\n', "r:1: expected 'x', got 'z'"],
    ['x\n', "r:2: expected 'lower upper', got the end of the file"],
    ['x\n-1\n', "r:2: expected 'lower upper', got '-1'"],
    ['x\n1 -1\n', 'r:2: lower 1 must be less than upper -1'],
    ['x\n-1 1\n1 2\n', "r:3: expected 'index min max', got '1 2'"],
    ['x\n-1 1\n1 0 1 2\n', "r:3: expected 'index min max', got '1 0 1 2'"],
    ['x\n-1 1\n1 zero 1\n', "r:3: min must be a finite number, got 'zero'"],
    ['x\n-1 1\n1 0 1e999\n', "r:3: max must be a finite number, got '1e999'"],
    ['x\n-1 1\n1 0 0x10\n', "r:3: max must be a finite number, got '0x10'"],
    ['x\n-1 1\n1 2 1\n', 'r:3: min 2 is greater than max 1'],
    ['x\n-1 1\n0 0 1\n', 'r:3: feature index must be a whole number from 1 to 4194304, got 0'],
    ['x\n-1 1\n1.5 0 1\n', 'r:3: feature index must be a whole number from 1 to 4194304, got 1.5'],
    [
      'x\n-1 1\n4000000000 0 1\n',
      'r:3: feature index must be a whole number from 1 to 4194304, got 4000000000',
    ],
    ['x\n-1 1\n2 0 1\n2 0 1\n', 'r:4: feature index 2 comes after 2; indices ascend'],
    ['x\n-1 1\n\n2 0 1\n', "r:3: expected 'index min max', got ''"],
    ['y\n-1 1\n', "r:3: expected 'min max', got the end of the file"],
    ['y\n1 1\n0 1\nx\n-1 1\n', 'r:2: lower 1 must be less than upper 1'],
    ['y\n-1 1\n3 1\nx\n-1 1\n', 'r:3: min 3 is greater than max 1'],
    ['y\n-1 1\n0 1\n-1 1\n', "r:4: expected 'x', got '-1 1'"],
  ])('refuse %j', (text, message) => {
    expect(() => parseRangeFile(text, 'r')).toThrow(expect.objectContaining({ name: 'FormatError', message }))
  })
})

describe('target range', () => {
  it('maps the smallest and largest label to its ends, others in proportion', () => {
    const range = fitTargetRange([10, 30, 20], { lower: 0, upper: 1 })
    expect(Array.from(scaleTargets(range, [10, 20, 30, 50]))).toEqual([0, 0.5, 1, 2])
  })

  it('gives lower for labels that are all the same', () => {
    const range = fitTargetRange([4, 4])
    expect(Array.from(scaleTargets(range, [4, 5]))).toEqual([-1, -1])
  })

  it('refuses labels that are no targets', () => {
    expect(() => fitTargetRange([])).toThrow('there are no labels')
    expect(() => fitTargetRange([1, Number.NaN])).toThrow('label of sample 1 is NaN')
    expect(() => fitTargetRange([1e308, -1e308])).toThrow('which exceeds the range of a double')
  })
})
