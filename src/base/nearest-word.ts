/** What somebody meant who wrote a word that is not known. */
import { suggestion } from './check.ts'

/** A beginning of so many letters stands for the whole word. */
const LEAST_PREFIX = 3

/**
 * The known word that `word` was probably meant to be: the same but for case, hyphens and underscores; one that it begins; or one
 * that a few slips of the finger lead to (a letter too many, too few, another one, or two swapped). Undefined where none is near.
 */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const plain = plainWord(word)
  const same = known.find((one) => plainWord(one) === plain)
  if (same !== undefined) return same
  // A third of the letters may be wrong: of words of one or two letters, none.
  let least = Math.floor(plain.length / 3) + 1
  let nearest: string | undefined
  for (const one of known) {
    const slips = slipsBetween(plain, plainWord(one))
    if (slips < least) {
      least = slips
      nearest = one
    }
  }
  if (nearest !== undefined) return nearest
  const begun = plain.length < LEAST_PREFIX ? [] : known.filter((one) => plainWord(one).startsWith(plain))
  return begun.length === 1 ? begun[0] : undefined
}

/** What to add to a message about a word that is not known: ` (did you mean rbf?)`, or nothing. */
export function didYouMean(
  word: unknown,
  known: readonly string[],
  write = (one: string): string => one,
): string {
  const nearest = typeof word === 'string' ? nearestWord(word, known) : undefined
  return nearest === undefined ? '' : ` (did you mean ${write(nearest)}?)`
}

suggestion.install((word, known) => didYouMean(word, known))

function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, substituted)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) row[j] = Math.min(row[j], beforeLast[j - 2] + 1)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]
}
