import { beforeAll, expect, test } from 'vitest'
import { Random } from '../../../src/base/random.ts'
import { loadZstd, unzstd } from '../../../src/data/codecs/unzstd.ts'
import { damageBytes } from '../../torture/mutate.ts'
import { pick } from '../../torture/random-data.ts'

beforeAll(loadZstd)

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const text = 'aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbb0123456789'
const sized = bytes('28b52ffd2432cd00007861616261623031323334353637383904100045ca1546b401fa696a69')
const unsized = bytes('28b52ffd0458cd00007861616261623031323334353637383904100045ca1546b401fa696a69')
const zeros = bytes('28b52ffd04588100007a65726f7320617420656e6400000000ee9c7c65')

/** `zstd -19` of the text of {@link lines}: Huffman codes and tables of its own. */
const packedLines = Buffer.from(
  [
    'KLUv/WR1D6UgANpKkAgMkKUOJEmi9BfVnQ9OiACBAIIAd9+8ud20a3XzJNx0TzepeiE3HRo3z7/zTRq7ee3NsNdNknDzotqb',
    'FCGEUtwk3/lmzO0mtUY3Qx5u0qeCRsjNutCbIYib4d/Nsgh8M4xFg96segUJN4OCuVnUoL0Z4oHclHvozZpXBHEz2AK7KRb4',
    'ZskrqJuh4wa9KfUyAGMK6GbFywLhZngZAjM3g1uTmyUPoVF2s+K+GV43hXqzTPdwU2ZuVt+a3BS5m/Wo200JX90svTfFdNPs',
    '7sxNaWhdblZ+NyXIbjbuq5s24WZNN8famyafm+1DS25a3M0+yG6ae3Vz5uGm0U3b25sjDeamhdbl5sSdyW6OX3vd9ISbU7p5',
    '1d60/Ob8KG46LrSJm7XZ/brZhqKbFm0YavDdg9Ueag91ujnx9obem+PLzbO76fHNqdV70/K6OeHmEd10tDfp5tUOZD2/VHWg',
    '081ze3KTJvTm9XEz7HeHuEnxatDcJLf3mMbNYHczxDfpVr0ZQTfrHm4G+twMvzWZ92Y0blb9bgbxzaibRe/NEKcLNyvzak2k',
    'WhJ2JVN860itIkYNc+5Wf8zaKYu+Q2bfZ6y2EXO9E2can2f6o+Wdc9CdTfYTl+pMdI6jea9hJPeomxQ3Q2gQ+Q0XQw32EAoV',
    'UYHCFSZaQeIVQq6CxSpU6hUuVO7JVGsiNTdbb29KyN3N0uOm+Ga+2amb0rfoZuXuTRl6bzYuN+d+d4FtqDFMlciom/Y3IaaI',
    'RPDkASE0QziiRtUD/f/9Illvrni1UdrjPK9Bz2aLfcjvfUX4pyToNq02sD+v2M8rtJidPGe14VzJkpd4T6ufbxSdvxEVYM4n',
    '/z79mpesNKravD2MTa57Oa5tH2eS+iuHmpXrSVVIU4th77eqKtkbnqv2Kzq/WxBTbv5ct3fAOMTtcYA1MtEI4KV3Kf+cCLjI',
    'oJFF+hWDFHgVIzaSMaJrAcgc3iCjtGqcPqzPeBsIe3D7xbqeJwHAHhpik0AVIEX2uvg+6IPKzh3p1T7Gzj0JoBYjtept38XW',
    'dcAOuA3NgM2yTyfglzGiq/7iIeFZkpFZ9UZglu14zAb1XH4ATMQmBAjmHmrgqHeN+vw8ATsJbuR9E9gWJP+dooyKvwLuhez0',
    'CubLKe7LwQX1ei3ujP2wLx0wlf8HWMn4Q3lCfNLfACjz9uwHqN6jigJAeOmQjDcAx+KSdiUgvI3AqX9nAshndsuXcVPVLWMI',
    'AKom0QiAcExH0w40H8zfIq4jACwEJN0hIPCmRaPmLwa+yicQIG/2Byng0YFhnAMBcQSSFeaWPEBqZfAWADwmhATM7gnwCEj2',
    '1DioHPBchiTyL72LZC9Azmeb3pF8QuUSIHNL6z+Kh8nd0vzHph93AqROHzSyCkx5mQ0=',
  ].join(''),
  'base64',
)
const lines = Array.from(
  { length: 300 },
  (_, i) => `${i % 2} 1:${(i * 37) % 101} 2:${((i * 53) % 97) / 8}\n`,
).join('')

test.each([
  ['of many lines', packedLines, lines],
  ['with their size', sized, text],
  ['without it', unsized, text],
  ['that end with zeros', zeros, 'zeros at end\0\0\0\0'],
])('data %s', (_, data, wanted) => {
  expect(Buffer.from(unzstd(data, wanted.length)).toString()).toBe(wanted)
})

test('a window of gigabytes takes no memory', () => {
  const large = Uint8Array.from(unsized)
  large[5] = 0xa8 // 2 GiB
  const before = process.memoryUsage().arrayBuffers
  try {
    unzstd(large, text.length)
  } catch {
    // Refused or not: what counts is the memory.
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e8)
})

test.each([-1, 1, 7, 1000])('a length that is off by %i is an error', (more) => {
  for (const data of [sized, unsized]) expect(() => unzstd(data, text.length + more)).toThrow('Zstandard')
  expect(() => unzstd(zeros, 16 + more)).toThrow('Zstandard')
})

test('damaged data end in an error or in as many bytes, soon', () => {
  const before = process.cpuUsage()
  const random = new Random(3)
  for (let k = 0; k < 3000; k++) {
    const data = damageBytes(random, pick(random, [packedLines, sized, unsized]))
    try {
      expect(unzstd(data, lines.length)).toHaveLength(lines.length)
    } catch (error) {
      expect((error as Error).message).toMatch(/Zstandard|bytes are expected/)
    }
  }
  expect(process.cpuUsage(before).user).toBeLessThan(1e7)
})
