/** Where the Brotli decoder of hyparquet-compressors writes to. */
declare module 'hyparquet-compressors/src/brotli.streams.js' {
  export class BrotliOutput {
    buffer: Uint8Array
  }
}
