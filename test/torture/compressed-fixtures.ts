/** Compressed texts to be damaged: the files of test/fixtures, of one stream and of two. */
import { readFileSync } from 'node:fs'

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../fixtures/data/${name}`, import.meta.url))
const plain = new TextDecoder().decode(fixture('tiny.libsvm'))

/** Name of the format, the text, and the text compressed. */
export const compressedFixtures = ['gz', 'bz2', 'xz'].map((ending) => ({
  name: { gz: 'gzip', bz2: 'bzip2', xz: 'xz' }[ending]!,
  plain,
  packed: Uint8Array.from(fixture(`tiny.libsvm.${ending}`)),
}))
