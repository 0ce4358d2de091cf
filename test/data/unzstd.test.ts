import { expect, test } from 'vitest'
import { unzstd } from '../../src/data/unzstd.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const text = 'aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbb0123456789'
const sized = bytes('28b52ffd2432cd00007861616261623031323334353637383904100045ca1546b401fa696a69')
const unsized = bytes('28b52ffd0458cd00007861616261623031323334353637383904100045ca1546b401fa696a69')
const zeros = bytes('28b52ffd04588100007a65726f7320617420656e6400000000ee9c7c65')

test.each([
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
