/**
 * How much data may grow while they are read. Some kilobytes can decompress to more than any memory holds, so there is a
 * limit relative to what the source has: real tables and sparse texts grow by a factor of 3 to 50, and repetitive ones by a
 * few hundreds. What is small anyway may grow by any factor. No limit is above the memory of the machine, where that is
 * known.
 */
import { FormatError } from '../../base/errors.ts'
import { slot } from '../../base/slot.ts'

/** How many times the size of the source the data may have. */
const mostGrowth = 1000
/** This many bytes are always allowed: 64 MiB. */
const alwaysAllowed = 2 ** 26

/** How much memory the machine has, where that is known. */
export const memoryBytes = slot(Number.POSITIVE_INFINITY)

/** What bounds the growth of data. */
export interface GrowthOptions {
  /**
   * Maximum size of decompressed data in bytes. By default 1000 times the size of the source, but at least 64 MiB and at most
   * the memory of the machine (which is known in Node).
   */
  readonly maxBytes?: number
}

/** Counts what comes in and what is made of it. */
export class GrowthLimit {
  private readonly what: string
  private readonly maxBytes: number | undefined
  private readonly file: string | undefined
  private bytesIn = 0
  private bytesOut = 0

  /** Of `what`, as messages call it (gzip data), in `file`. */
  constructor(what: string, { maxBytes }: GrowthOptions, file: string | undefined) {
    this.what = what
    this.maxBytes = maxBytes
    this.file = file
  }

  /** Bytes that may be made of what has come in. */
  get limit(): number {
    return this.maxBytes ?? Math.min(memoryBytes.current, Math.max(alwaysAllowed, mostGrowth * this.bytesIn))
  }

  /** Counts bytes that have come in. */
  consumed(bytes: number): void {
    this.bytesIn += bytes
  }

  /** Counts bytes that were made of them, or are about to be; throws when they are too many. */
  produced(bytes: number): void {
    this.bytesOut += bytes
    if (this.bytesOut <= this.limit) return
    const more = 'decompress them first, or allow more with maxBytes (--max-bytes)'
    const message = `${this.what} grow beyond ${this.limit} bytes: ${more}`
    throw new FormatError(message, { file: this.file })
  }
}
