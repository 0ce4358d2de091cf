/** C's %g: as the exact digits of a double say, ties to even. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { percent17G, percentG } from '../../../src/cli/libsvm/c-format.ts'

/** From a hundred digits of the number, which are all that it has here. */
function byAllDigits(value: number): string {
  const [digits, power] = value.toExponential(100).split('e')
  const [whole, places] = [digits.replace('-', '').replace('.', ''), 6]
  const kept = BigInt(whole.slice(0, places))
  const rest = whole.slice(places)
  const half = `5${'0'.repeat(rest.length - 1)}`
  const isUp = rest > half || (rest === half && kept % 2n === 1n)
  const rounded = String(kept + (isUp ? 1n : 0n))
  const exponent = Number(power) + rounded.length - places
  const text = rounded.slice(0, places)
  const sign = value < 0 ? '-' : ''
  const withPoint = (before: string, after: string) =>
    sign + (/[^0]/.test(after) ? `${before}.${after.replace(/0+$/, '')}` : before)
  if (exponent < -4 || exponent >= 6) {
    const mark = `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
    return withPoint(text[0], text.slice(1)) + mark
  }
  if (exponent < 0) return withPoint('0', '0'.repeat(-exponent - 1) + text)
  return withPoint(text.slice(0, exponent + 1), text.slice(exponent + 1))
}

describe('percentG', () => {
  it('has the digits that C prints', () => {
    const random = new Random(3)
    const some = Array.from({ length: 2000 }, () => (random.uniform() - 0.5) * 10 ** (random.int(24) - 12))
    // Numbers of few digits, among them all kinds of ties; the last before another power of ten.
    const few = Array.from({ length: 2000 }, () => random.int(1e7) * 2 ** -random.int(12))
    const edges = [
      0.5, 1, 10, 99999.95, 999999.5, 9999995, 0.0001, 0.000099999951, 1e100, 5e-20, -2.5, 1234565,
    ]
    for (const value of [...some, ...few, ...edges]) {
      if (value !== 0) expect(percentG(value)).toBe(byAllDigits(value))
    }
  })

  it('knows what is no number of digits', () => {
    const all = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(percentG)
    expect(all).toEqual(['0', '-0', '-nan', 'inf', '-inf'])
  })
})

describe('percent17G', () => {
  it('has the digits that C prints, which give the number back', () => {
    const shown: [number, string][] = [
      [0, '0'],
      [-0, '-0'],
      [1, '1'],
      [100, '100'],
      [0.1, '0.10000000000000001'],
      [6.696594341577453, '6.6965943415774527'],
      [-2.5e-5, '-2.5000000000000001e-05'],
      [0.0001, '0.0001'],
      [1e17, '1e+17'],
      [2 ** 53, '9007199254740992'],
      [1e300, '1.0000000000000001e+300'],
      [Number.POSITIVE_INFINITY, 'inf'],
    ]
    for (const [value, text] of shown) expect(percent17G(value)).toBe(text)
    const random = new Random(5)
    for (let k = 0; k < 1000; k++) {
      const value = random.normal() * 10 ** (random.int(60) - 30)
      expect(Number(percent17G(value))).toBe(value)
    }
  })
})
