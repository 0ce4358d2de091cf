import { canonicalJson } from './canonical-json.ts'

/**
 * Identifies bytes: 128 bits in hexadecimal, after MurmurHash3 (Austin Appleby). It is fast and needs nothing of the
 * platform; it finds damage and mistakes, not forgery.
 */
export function fingerprint(bytes: Uint8Array): string {
  const { length } = bytes
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, (length >>> 4) * 4)
  // What is left of a block is filled up with zeros; the length makes the difference.
  const rest = new Uint32Array(4)
  new Uint8Array(rest.buffer).set(aligned.subarray(words.byteLength))
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  for (const part of [words, rest]) {
    for (let k = 0; k < part.length; k += 4) {
      h1 ^= Math.imul(rotate(Math.imul(part[k], 0x239b961b), 15), 0xab0e9789)
      h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
      h2 ^= Math.imul(rotate(Math.imul(part[k + 1], 0xab0e9789), 16), 0x38b34ae5)
      h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
      h3 ^= Math.imul(rotate(Math.imul(part[k + 2], 0x38b34ae5), 17), 0xa1e38b93)
      h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
      h4 ^= Math.imul(rotate(Math.imul(part[k + 3], 0xa1e38b93), 18), 0x239b961b)
      h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
    }
  }
  const mixed = spread([h1, h2, h3, h4].map((h) => h ^ length)).map(avalanche)
  return spread(mixed)
    .map((h) => (h >>> 0).toString(16).padStart(8, '0'))
    .join('')
}

/** The same of a plain value: of its JSON, with typed arrays in it by their fingerprints. */
export function contentFingerprint(value: unknown): string {
  const text = canonicalJson(value, (part) =>
    ArrayBuffer.isView(part)
      ? `${part.constructor.name} ${fingerprint(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))}`
      : part,
  )
  return fingerprint(new TextEncoder().encode(text))
}

/** The first becomes the sum of all, which is added to the others. */
function spread([h1, h2, h3, h4]: number[]): number[] {
  const sum = (h1 + h2 + h3 + h4) | 0
  return [sum, (h2 + sum) | 0, (h3 + sum) | 0, (h4 + sum) | 0]
}

function avalanche(h: number): number {
  let x = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by))
}
