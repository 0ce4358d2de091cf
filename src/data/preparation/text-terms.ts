/** Text as counts of terms: runs of words, or of characters. Words and hash values are those of scikit-learn. */

/** How a text is cut. */
export interface TermOptions {
  readonly analyzer: 'word' | 'char'
  /** Shortest and longest run. */
  readonly ngrams: readonly [min: number, max: number]
}

/** Words as scikit-learn's vectorizers see them: two letters, digits or underscores at least. */
const word = /[\p{L}\p{N}_]{2,}/gu

/** How often each term occurs in a text, in lower case. */
export function termCounts(text: string, { analyzer, ngrams: [min, max] }: TermOptions): Map<string, number> {
  const lower = text.toLowerCase()
  const isWord = analyzer === 'word'
  const units = isWord ? (lower.match(word) ?? []) : Array.from(lower.replace(/\s\s+/g, ' '))
  const counts = new Map<string, number>()
  for (let length = min; length <= max; length++) {
    for (let from = 0; from + length <= units.length; from++) {
      const term = length === 1 ? units[from] : units.slice(from, from + length).join(isWord ? ' ' : '')
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
  }
  return counts
}

/** Divides values by their Euclidean length, unless that is 0. */
export function normalise(values: number[]): void {
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  if (norm > 0) for (let k = 0; k < values.length; k++) values[k] /= norm
}

const encoder = new TextEncoder()

/** MurmurHash3 (Austin Appleby) of the UTF-8 bytes of a text, 32 bits with a sign, seed 0. */
export function termHash(text: string): number {
  const bytes = encoder.encode(text)
  const { length } = bytes
  let hash = 0
  const whole = length & ~3
  for (let k = 0; k < whole; k += 4) {
    const block = bytes[k] | (bytes[k + 1] << 8) | (bytes[k + 2] << 16) | (bytes[k + 3] << 24)
    hash ^= mixed(block)
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let k = length - 1; k >= whole; k--) rest = (rest << 8) | bytes[k]
  if (length > whole) hash ^= mixed(rest)
  hash ^= length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) | 0
}

function mixed(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51)
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593)
}
