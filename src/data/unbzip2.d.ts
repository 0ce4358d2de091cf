/** The block decoder inside unbzip2-stream: plain JavaScript, where the package's entry needs Node streams. */
declare module 'unbzip2-stream/lib/bzip2.js' {
  /** Reads the next bits, at most 32, highest first; null moves on to the next whole byte. */
  type ReadBits = (count: number | null) => number
  const bzip2: {
    /** Reads a stream header; returns the block size in units of 100,000 bytes. */
    header(bits: ReadBits): number
    /** Decodes one block; returns the checksum so far, or null at the end of the stream. */
    decompress(
      bits: ReadBits,
      write: (byte: number) => void,
      buffer: Int32Array,
      bufferLength: number,
      checksum: number,
    ): number | null
  }
  export default bzip2
}
