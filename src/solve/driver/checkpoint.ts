/**
 * What work that takes long keeps of itself, so that it can continue where it stopped: values by name, in packed form. The work
 * on a part of the whole has a checkpoint within that of the whole; its names begin with the name of the part.
 */
import { pack, unpack } from '../../base/packing.ts'

/** Called with what is kept, by its full name. */
export type OnKept = (name: string, packed: Uint8Array) => void

/** See the header of the file. */
export class Checkpoint {
  /** Milliseconds from one state that is kept to the next, at least. */
  readonly everyMs: number
  private readonly entries: Map<string, Uint8Array>
  private readonly onKept: OnKept
  private readonly prefix: string
  private keptMs = performance.now()

  constructor(entries: Map<string, Uint8Array>, everyMs: number, onKept: OnKept, prefix = '') {
    this.entries = entries
    this.everyMs = everyMs
    this.onKept = onKept
    this.prefix = prefix
  }

  /** Whether it is time to keep the next state. */
  get isDue(): boolean {
    return performance.now() - this.keptMs >= this.everyMs
  }

  /** What is kept under a name. */
  get(name: string): unknown {
    const packed = this.entries.get(this.prefix + name)
    return packed && unpack(packed)
  }

  /** Keeps a value in place of what is kept under the name, and within it. */
  put(name: string, value: unknown): void {
    this.putPacked(name, pack(value))
  }

  /** The same for a value that is packed already. */
  putPacked(name: string, packed: Uint8Array): void {
    const { entries, prefix } = this
    const within = `${prefix}${name}/`
    for (const other of entries.keys()) if (other.startsWith(within)) entries.delete(other)
    entries.set(prefix + name, packed)
    this.keptMs = performance.now()
    this.onKept(prefix + name, packed)
  }

  /** The checkpoint of a part. */
  within(name: string): Checkpoint {
    return new Checkpoint(this.entries, this.everyMs, this.onKept, `${this.prefix}${name}/`)
  }

  /** All that is kept here, its names without what they have in common. */
  packed(): Map<string, Uint8Array> {
    const { entries, prefix } = this
    const own = [...entries].filter(([name]) => name.startsWith(prefix))
    return new Map(own.map(([name, packed]) => [name.slice(prefix.length), packed]))
  }
}
