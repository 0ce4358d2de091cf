import { FormatError } from '../../base/errors.ts'
import { BitReader, DecodeError } from './bit-reader.ts'
import { Bzip2Block } from './bzip2-block.ts'

/** A header's digit says how many times this many bytes a block may hold. */
const blockUnit = 100_000
/** More than a block can take beyond its own size: bzip2 grows what it cannot compress by 1% and a table. */
const blockMargin = 25_000
const headerBytes = 4
/** "BZh". */
const streamMark = 0x425a68
/** Digits of π and of its square root. */
const blockMark = 0x314159265359
const endMark = 0x177245385090

/** Decompresses bzip2 data, also several streams one after the other; checksums are verified. */
export async function* bunzip2(
  chunks: AsyncGenerator<Uint8Array>,
  file?: string,
): AsyncGenerator<Uint8Array> {
  const input = new BitReader(chunks)
  let block = new Bzip2Block(0)
  try {
    while (await input.fill(headerBytes)) {
      const size = blockUnit * readHeader(input)
      if (block.size !== size) block = new Bzip2Block(size)
      let checksum = 0
      for (;;) {
        await input.fill(size + blockMargin)
        const mark = input.read(24) * 2 ** 24 + input.read(24)
        const given = input.word()
        if (mark === endMark && given === checksum) break
        if (mark !== blockMark) throw new DecodeError('is damaged')
        checksum = (((checksum << 1) | (checksum >>> 31)) ^ given) >>> 0
        block.read(input)
        yield* block.bytes(given)
      }
      input.toByte()
    }
  } catch (error) {
    if (error instanceof DecodeError) throw new FormatError(`bzip2 data ${error.message}`, { file })
    throw error
  } finally {
    await chunks.return(undefined)
  }
}

/** The digit of a header, 1 to 9. */
function readHeader(input: BitReader): number {
  const digit = input.read(24) === streamMark ? input.read(8) - 0x30 : 0
  if (digit < 1 || digit > 9) throw new DecodeError('is damaged')
  return digit
}
