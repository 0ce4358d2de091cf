import { allocate, longArrays } from '../../base/allocate.ts'

/** Small data sets need one block of this length; blocks double up to 1 MiB of doubles, so that little is left unused. */
const firstLength = 1 << 10
const largestLength = 1 << 17

/** Typed arrays that {@link Blocks} can hold. */
type Elements = Float64Array | Uint32Array

/** When this share of one block is full, the block itself is the whole: what is left of it was never touched. */
const fullEnough = 0.9

/**
 * A typed array whose length is not known yet. Elements go into blocks, which are joined once at the end: no
 * element is copied twice, and no more than twice the final size is ever in use. Where the length can be guessed,
 * {@link reserve} makes one block of it, and there is nothing to join if the guess was good.
 */
export class Blocks<A extends Elements> {
  /** The block being filled. */
  private current: A
  /** Elements in `current`. */
  private fill = 0
  private readonly full: A[] = []
  private readonly Type: new (
    length: number,
  ) => A

  constructor(Type: new (length: number) => A) {
    this.Type = Type
    this.current = allocate(Type, firstLength)
  }

  /** Elements so far. */
  get length(): number {
    return this.full.reduce((sum, block) => sum + block.length, this.fill)
  }

  /** Makes one block of all elements, with room for `length` in all; does nothing where that cannot be had. */
  reserve(length: number): void {
    let block: A
    try {
      block = longArrays.current(this.Type, Math.max(length, this.length))
    } catch {
      return
    }
    this.fill = this.copyTo(block)
    this.current = block
  }

  /** Appends one element. */
  push(value: number): void {
    if (this.fill === this.current.length) this.grow()
    this.current[this.fill++] = value
  }

  /** Appends many elements. */
  append(elements: Elements): void {
    for (let from = 0; from < elements.length; ) {
      if (this.fill === this.current.length) this.grow()
      const part = elements.subarray(from, from + this.current.length - this.fill)
      this.current.set(part, this.fill)
      this.fill += part.length
      from += part.length
    }
  }

  /** Sets the full `current` aside and begins an empty one. */
  private grow(): void {
    this.full.push(this.current)
    const length = Math.min(largestLength, 2 * this.current.length)
    this.current = allocate(this.Type, Math.max(firstLength, length))
    this.fill = 0
  }

  /** All elements in one array. The blocks are then empty. */
  join(): A {
    let whole = this.current
    if (this.full.length > 0 || this.fill < fullEnough * whole.length) {
      whole = allocate(this.Type, this.length)
      this.copyTo(whole)
    } else if (this.fill < whole.length) whole = whole.subarray(0, this.fill) as A
    this.current = allocate(this.Type, 0)
    this.fill = 0
    return whole
  }

  /** Copies all elements and returns how many; the full blocks are let go one by one. */
  private copyTo(whole: A): number {
    let offset = 0
    for (let block = this.full.shift(); block; block = this.full.shift()) {
      whole.set(block, offset)
      offset += block.length
    }
    whole.set(this.current.subarray(0, this.fill), offset)
    return offset + this.fill
  }
}
