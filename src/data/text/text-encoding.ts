/** Encodings of text files: detected from a mark or from the bytes, and decoded as they come. */
import { FormatError, type TextPosition } from '../../base/errors.ts'

/** Encodings that text can be in; `latin1` is windows-1252, as in all browsers. */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const

/** See {@link textEncodings}. */
export type TextEncoding = (typeof textEncodings)[number]

/** Share of zero bytes, at every other place, from which text is UTF-16 without a mark: Latin letters have one each. */
const ZERO_SHARE = 0.4

/** The encoding of text that starts so: by its mark, by its zeros, UTF-8 where it is that, and Latin-1 otherwise. */
export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const pairs = head.length >> 1
  const zeros = [0, 0]
  for (let k = 0; k < 2 * pairs; k++) if (head[k] === 0) zeros[k & 1]++
  if (zeros[1] > ZERO_SHARE * pairs && zeros[0] === 0) return 'utf-16le'
  if (zeros[0] > ZERO_SHARE * pairs && zeros[1] === 0) return 'utf-16be'
  return isUtf8(head) ? 'utf-8' : 'latin1'
}

/** Whether bytes are UTF-8, except for a character that is cut off at their end. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The first characters of bytes, for looking at them. */
export function decodedHead(head: Uint8Array, encoding: TextEncoding = encodingOf(head)): string {
  return new TextDecoder(encoding).decode(head)
}

/** Text as it comes. Bytes that are not in the encoding that was chosen are an error; `place` says how far reading has come. */
export async function* decodedText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: TextEncoding | undefined,
  place: () => TextPosition,
): AsyncGenerator<string> {
  // Without a choice bytes that are not UTF-8 are replaced, as TextDecoder does.
  const decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: encoding !== undefined })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      const message = `the text is not ${encoding}, from here on or a little later; latin1 may be meant`
      throw new FormatError(message, place())
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
