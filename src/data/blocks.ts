const firstLength = 1 << 10
const largestLength = 1 << 17

/** Typed arrays that {@link Blocks} can hold. */
type Elements = Float64Array | Uint32Array

/**
 * A typed array whose length is not known yet. Elements go into blocks, which are joined once at the end: no
 * element is copied twice, and no more than twice the final size is ever in use.
 *
 * A hot loop writes to `current` at `fill` itself and calls {@link grow} when `fill` reaches its length.
 */
export class Blocks<A extends Elements> {
  /** The block being filled. */
  current: A
  /** Elements in `current`. */
  fill = 0
  private readonly full: A[] = []
  private readonly allocate: (length: number) => A

  constructor(allocate: (length: number) => A) {
    this.allocate = allocate
    this.current = allocate(firstLength)
  }

  /** Elements so far. */
  get length(): number {
    return this.full.reduce((sum, block) => sum + block.length, this.fill)
  }

  /** Appends one element. */
  push(value: number): void {
    if (this.fill === this.current.length) this.grow()
    this.current[this.fill++] = value
  }

  /** Sets the full `current` aside and returns an empty one. */
  grow(): A {
    this.full.push(this.current)
    this.current = this.allocate(Math.min(largestLength, 2 * this.current.length))
    this.fill = 0
    return this.current
  }

  /** All elements in one array; the blocks are let go one by one. */
  join(): A {
    const whole = this.allocate(this.length)
    let offset = 0
    for (let block = this.full.shift(); block; block = this.full.shift()) {
      whole.set(block, offset)
      offset += block.length
    }
    whole.set(this.current.subarray(0, this.fill), offset)
    this.current = this.allocate(0)
    this.fill = 0
    return whole
  }
}
