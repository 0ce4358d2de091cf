import { decompress } from 'fzstd'

/**
 * Decompresses Zstandard data that become `length` bytes, into no more memory than that: without a buffer, fzstd makes one
 * of the size that the data ask for.
 */
export function unzstd(data: Uint8Array, length: number): Uint8Array {
  const bytes = decompress(data, new Uint8Array(length))
  if (bytes.length !== length) throw new Error(`Zstandard data become ${bytes.length} bytes, not ${length}`)
  // fzstd does not say how far it came. A last byte that was never written is what it was before, whatever that was.
  if (length > 0 && bytes[length - 1] === 0) {
    const again = new Uint8Array(length)
    again[length - 1] = 1
    if (decompress(data, again)[length - 1] === 1)
      throw new Error(`Zstandard data become less than ${length} bytes`)
  }
  return bytes
}
