/**
 * Seeded random numbers: xoshiro128** (Blackman and Vigna) seeded through splitmix32.
 * The same seed gives the same stream on every machine; normal numbers may differ in the last bit of their logarithm.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private d: number
  private spareNormal = Number.NaN

  constructor(seed: number) {
    let state = Math.imul(seed ^ (seed / 0x100000000), 0x9e3779b9) | 0
    const splitmix = (): number => {
      state = (state + 0x9e3779b9) | 0
      let z = state ^ (state >>> 16)
      z = Math.imul(z, 0x21f0aaad)
      z ^= z >>> 15
      z = Math.imul(z, 0x735a2d97)
      return z ^ (z >>> 15)
    }
    this.a = splitmix()
    this.b = splitmix()
    this.c = splitmix()
    this.d = splitmix()
  }

  /** The state of the stream; a generator that is given this state continues from here. */
  get state(): readonly number[] {
    return [this.a, this.b, this.c, this.d, this.spareNormal]
  }

  set state([a, b, c, d, spareNormal]: readonly number[]) {
    this.a = a
    this.b = b
    this.c = c
    this.d = d
    this.spareNormal = spareNormal
  }

  /** A uniform 32-bit unsigned integer. */
  uint32(): number {
    const x = Math.imul(this.b, 5)
    const result = Math.imul((x << 7) | (x >>> 25), 9)
    const t = this.b << 9
    this.c ^= this.a
    this.d ^= this.b
    this.b ^= this.c
    this.a ^= this.d
    this.c ^= t
    this.d = (this.d << 11) | (this.d >>> 21)
    return result >>> 0
  }

  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.uint32() >>> 5
    const low = this.uint32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** A whole number in [0, n), with negligible modulo bias (n below 2^32). */
  int(n: number): number {
    return Math.floor((this.uint32() / 4294967296) * n)
  }

  /** Standard normal, by Marsaglia's polar method. */
  normal(): number {
    if (!Number.isNaN(this.spareNormal)) {
      const spare = this.spareNormal
      this.spareNormal = Number.NaN
      return spare
    }
    for (;;) {
      const u = 2 * this.uniform() - 1
      const v = 2 * this.uniform() - 1
      const s = u * u + v * v
      if (s > 0 && s < 1) {
        const factor = Math.sqrt((-2 * Math.log(s)) / s)
        this.spareNormal = v * factor
        return u * factor
      }
    }
  }

  /** Shuffles in place (Fisher–Yates) and returns the same array. */
  shuffle<T extends { readonly length: number; [index: number]: number }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.int(i + 1)
      const held = items[i]
      items[i] = items[j]
      items[j] = held
    }
    return items
  }
}
