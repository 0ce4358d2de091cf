/**
 * Which rows are kept, and in which slot: the mechanism under all caches of kernel rows. When all slots are taken, the row that
 * was used least recently makes room. What a row is and where its slot lies is up to the cache: ./row-slots.ts puts rows into
 * the engine's memory, src/kernels/row-cache.ts into arrays.
 *
 * Rows of assembly/paths/exact-store.ts are kept another way: threads fill them at the same time, and none is ever given up, so
 * that the course of a path does not depend on the others.
 */

const NONE = -1

/** See the header of the file. Rows are known by a key, a number below `keys`. */
export class RowStore {
  /** Rows that are kept at the same time. */
  readonly capacity: number
  private readonly slotOf: Int32Array
  private readonly keyOf: Int32Array
  /** Slots used at least once; those given back are in `free`. */
  private used = 0
  private readonly free: number[] = []
  /** A ring of slots from the most to the least recently used; the entry at `capacity` is its head. */
  private readonly next: Int32Array
  private readonly previous: Int32Array

  constructor(keys: number, capacity: number) {
    this.capacity = capacity
    this.slotOf = new Int32Array(keys).fill(NONE)
    this.keyOf = new Int32Array(capacity)
    this.next = new Int32Array(capacity + 1).fill(capacity)
    this.previous = new Int32Array(capacity + 1).fill(capacity)
  }

  /** The slot of a row; −1 when it is not there. */
  find(key: number): number {
    return this.slotOf[key]
  }

  /** The same; if it is there, it counts as used now. */
  use(key: number): number {
    const slot = this.slotOf[key]
    if (slot !== NONE) {
      this.unlink(slot)
      this.link(slot)
    }
    return slot
  }

  /** A slot for a row that is not there; it counts as used now. */
  take(key: number): number {
    const slot = this.free.pop() ?? (this.used < this.capacity ? this.used++ : this.evict())
    this.keyOf[slot] = key
    this.slotOf[key] = slot
    this.link(slot)
    return slot
  }

  /** Gives a row up, if it is there. */
  drop(key: number): void {
    const slot = this.slotOf[key]
    if (slot === NONE) return
    this.slotOf[key] = NONE
    this.unlink(slot)
    this.free.push(slot)
  }

  /** The keys of all rows, from the least to the most recently used one. */
  keysByUse(): number[] {
    const { previous, capacity, keyOf } = this
    const keys: number[] = []
    for (let slot = previous[capacity]; slot !== capacity; slot = previous[slot]) keys.push(keyOf[slot])
    return keys
  }

  private evict(): number {
    const slot = this.previous[this.capacity]
    this.slotOf[this.keyOf[slot]] = NONE
    this.unlink(slot)
    return slot
  }

  private link(slot: number): void {
    const { next, previous, capacity: head } = this
    const first = next[head]
    next[slot] = first
    previous[slot] = head
    previous[first] = slot
    next[head] = slot
  }

  private unlink(slot: number): void {
    const { next, previous } = this
    next[previous[slot]] = next[slot]
    previous[next[slot]] = previous[slot]
  }
}
