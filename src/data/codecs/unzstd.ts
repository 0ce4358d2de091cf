/**
 * Zstandard data (RFC 8878), decoded by the reference implementation in WebAssembly. It writes no byte beyond the length that
 * is wanted, so time and memory are bounded by that length.
 */
import { ZSTDDecoder } from 'zstddec'

/** Data and result must both fit the decoder's memory, which ends at 2 GiB. */
const maxBytes = 2 ** 30

const decoder = new ZSTDDecoder()

/** Loads the decoder; {@link unzstd} needs it. */
export function loadZstd(): Promise<void> {
  return decoder.init()
}

/** Decompresses data that become exactly `length` bytes. */
export function unzstd(data: Uint8Array, length: number): Uint8Array {
  if (Math.max(data.length, length) > maxBytes) throw new Error(`Zstandard: more than ${maxBytes} bytes`)
  // Given no length, the decoder would believe the one in the data.
  const bytes = length > 0 ? decoder.decode(data, length) : undefined
  if (bytes?.length !== length) throw new Error(`Zstandard: data are damaged or not ${length} bytes long`)
  return bytes
}
