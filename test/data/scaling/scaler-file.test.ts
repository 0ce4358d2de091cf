import { describe, expect, it } from 'vitest'
import { fitRangeScaler } from '../../../src/data/scaling/range-scaler.ts'
import { formatScaler, parseScaler } from '../../../src/data/scaling/scaler-file.ts'
import { fitStandardScaler } from '../../../src/data/scaling/standard-scaler.ts'

const rows = [
  [1, 0.1],
  [2, 0.7],
  [4, -1e-300],
]

describe('scaler files', () => {
  it('bring every scaler back as it was', () => {
    for (const scaler of [fitRangeScaler(rows, { lower: 0 }), fitStandardScaler(rows)]) {
      expect(parseScaler(formatScaler(scaler))).toEqual(scaler)
    }
  })

  it('are svm-scale’s for a range', () => {
    expect(formatScaler(fitRangeScaler(rows))).toBe('x\n-1 1\n1 1 4\n2 -1e-300 0.7\n')
  })

  it('that are damaged name the defect', () => {
    const read = (text: string) => () => parseScaler(text, 'a.json')
    expect(read('{"kind":')).toThrow(/^a\.json: not a scaler: .*JSON/)
    expect(read('{"kind":"log"}')).toThrow(/^a\.json: not a scaler: kind: /)
    expect(read('{"kind":"standard","mean":[0],"scale":[0]}')).toThrow(/^a\.json: not a scaler: scale\.0: /)
    expect(read('{"kind":"standard","mean":[0],"scale":[]}')).toThrow('mean and scale must be equally long')
    expect(read('y\n')).toThrow(/^a\.json:/)
  })
})
