const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0)
  return remainder
})

/** The checksum CRC-32 of gzip and Parquet. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (let k = 0; k < bytes.length; k++) sum = (sum >>> 8) ^ table[(sum ^ bytes[k]) & 0xff]
  return ~sum >>> 0
}
