/**
 * Equal slots in the engine's memory for pieces of kernel rows, kept by table and sample; when there is no room left, the
 * least recently used one is given up.
 */
import type { Engine } from '../memory/engine.ts'

const NONE = -1

/** See the head of the file. */
export class RowSlots {
  /** Bytes from slot to slot. */
  readonly stride: number
  private readonly base: number
  private readonly capacity: number
  private readonly samples: number
  /** Slot of each sample, [table][sample]. */
  private readonly slotOf: Int32Array
  /** Table and sample of each slot, as a place in `slotOf`; NONE for those that were given back. */
  private readonly owner: Int32Array
  /** Slots used at least once; those given back are in `free`. */
  private used = 0
  private readonly free: number[] = []
  /** A list of slots from the most to the least recently used, as links; the last entry is the list's head. */
  private readonly next: Int32Array
  private readonly previous: Int32Array

  /** Room for pieces of `columns` values: as many as fit `bytes`, but `least` of them and no more than can be asked for. */
  constructor(
    engine: Engine,
    bytes: number,
    columns: number,
    least: number,
    tables: number,
    samples: number,
  ) {
    this.stride = Math.ceil(columns / 16) * 64
    const fitting = Math.floor(Math.min(bytes, engine.spareBytes) / this.stride)
    this.capacity = Math.max(least, Math.min(fitting, tables * samples))
    this.base = engine.allocate(this.capacity * this.stride)
    this.samples = samples
    this.slotOf = new Int32Array(tables * samples).fill(NONE)
    this.owner = new Int32Array(this.capacity).fill(NONE)
    this.next = new Int32Array(this.capacity + 1).fill(this.capacity)
    this.previous = new Int32Array(this.capacity + 1).fill(this.capacity)
  }

  /** Where the piece of a sample is; 0 when it is not there. */
  find(table: number, sample: number): number {
    const slot = this.slotOf[table * this.samples + sample]
    return slot === NONE ? 0 : this.base + slot * this.stride
  }

  /** Whether the piece of a sample is there; if so, it counts as used now. */
  use(table: number, sample: number): boolean {
    const slot = this.slotOf[table * this.samples + sample]
    if (slot === NONE) return false
    this.unlink(slot)
    this.link(slot)
    return true
  }

  /** A slot for the piece of a sample that is not there. */
  take(table: number, sample: number): number {
    const slot = this.spareSlot()
    this.owner[slot] = table * this.samples + sample
    this.slotOf[this.owner[slot]] = slot
    this.link(slot)
    return this.base + slot * this.stride
  }

  /** Gives back the pieces of these samples. */
  drop(table: number, samples: Uint32Array): void {
    const { slotOf, owner } = this
    for (const sample of samples) {
      const place = table * this.samples + sample
      const slot = slotOf[place]
      if (slot === NONE) continue
      slotOf[place] = NONE
      owner[slot] = NONE
      this.unlink(slot)
      this.free.push(slot)
    }
  }

  private spareSlot(): number {
    const given = this.free.pop()
    if (given !== undefined) return given
    if (this.used < this.capacity) return this.used++
    const slot = this.previous[this.capacity]
    this.slotOf[this.owner[slot]] = NONE
    this.unlink(slot)
    return slot
  }

  private link(slot: number): void {
    const { next, previous, capacity } = this
    const first = next[capacity]
    next[slot] = first
    previous[slot] = capacity
    previous[first] = slot
    next[capacity] = slot
  }

  private unlink(slot: number): void {
    const { next, previous } = this
    next[previous[slot]] = next[slot]
    previous[next[slot]] = previous[slot]
  }
}
