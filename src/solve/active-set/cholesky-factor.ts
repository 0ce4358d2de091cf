/**
 * Cholesky's factorisation of a matrix that gains and loses rows, with right-hand sides that follow it: A + ρ = L Lᵀ for the
 * free variables of ./active-set.ts, and y = L⁻¹ b for each right-hand side b.
 *
 *   append   a new last row of A: n² / 2 multiply-adds for n rows
 *   remove   the rows below move up, and rotations of neighbouring columns make them triangular again; y turns with them, as
 *            b = L y stays true of the rows that are left: 2 n² at most, little for a row near the end
 *   solve    x of Lᵀ x = w: n² / 2
 *
 * ρ is diagonal, a tiny share of A's: above what rounding makes of a pivot, so that A may be singular.
 */

/** ρ as a share of the diagonal and of what is usual there. */
const RIDGE = 1e-11
/** A pivot below this share of the same is no longer that of a positive matrix: the variable is not to move. */
const LEAST_PIVOT = 1e-13
const HUGE = 1e150
const SPARE_ROWS = 64

/** See the head of the file. */
export class FreeFactor {
  /** Rows of A. */
  size = 0
  /** Whether a row has shown that A is not positive semidefinite. */
  isIndefinite = false
  /** y of each right-hand side. */
  readonly sides: Float64Array[]
  /** ρ of each row. */
  ridges: Float64Array
  private readonly scale: number
  private room: number
  private L: Float64Array
  /** Cosine and sine of the rotation of columns j and j + 1. */
  private turns: Float64Array

  /** Room for so many rows and a few more; `scale` is a usual value of the diagonal. */
  constructor(rows: number, sides: number, scale: number) {
    this.scale = scale
    this.room = rows + SPARE_ROWS
    this.L = new Float64Array(this.room ** 2)
    this.turns = new Float64Array(2 * this.room)
    this.ridges = new Float64Array(this.room)
    this.sides = Array.from({ length: sides }, () => new Float64Array(this.room))
  }

  /** All of it; of L the rows up to the diagonal, one after the other. */
  save() {
    const { size, isIndefinite, L, room } = this
    const rows = new Float64Array((size * (size + 1)) / 2)
    for (let i = 0; i < size; i++) rows.set(L.subarray(i * room, i * room + i + 1), (i * (i + 1)) / 2)
    const sides = this.sides.map((side) => side.slice(0, size))
    return { size, isIndefinite, rows, ridges: this.ridges.slice(0, size), sides }
  }

  restore({ size, isIndefinite, rows, ridges, sides }: ReturnType<FreeFactor['save']>): void {
    while (this.room < size) this.grow()
    this.size = size
    this.isIndefinite = isIndefinite
    for (let i = 0; i < size; i++) {
      this.L.set(rows.subarray((i * (i + 1)) / 2, ((i + 1) * (i + 2)) / 2), i * this.room)
    }
    this.ridges.set(ridges)
    for (let s = 0; s < sides.length; s++) this.sides[s].set(sides[s])
  }

  /** A new last row: its values with the rows before, its diagonal, and its entries of the right-hand sides. */
  append(values: Float64Array, diagonal: number, entries: ArrayLike<number>): void {
    if (this.size === this.room) this.grow()
    const { L, room, size, sides } = this
    const start = size * room
    for (let j = 0, other = 0; j < size; j++, other += room) {
      L[start + j] = (values[j] - product(L, start, L, other, j)) / L[other + j]
    }
    const weight = Math.abs(diagonal) + this.scale
    const ridge = RIDGE * weight
    const pivot = diagonal + ridge - product(L, start, L, start, size)
    const isPositive = pivot > LEAST_PIVOT * weight
    if (!isPositive) this.isIndefinite = true
    const root = isPositive ? Math.sqrt(pivot) : HUGE
    L[start + size] = root
    this.ridges[size] = ridge
    for (let s = 0; s < sides.length; s++) {
      sides[s][size] = (entries[s] - product(L, start, sides[s], 0, size)) / root
    }
    this.size++
  }

  /** Takes the last row back. */
  dropLast(): void {
    this.size--
  }

  /** Takes row and column r out. Two rows at a time: each is one long chain of dependent operations. */
  remove(r: number): void {
    const { L, room, turns, sides, ridges } = this
    const last = --this.size
    for (let i = r; i < last; i += 2) {
      const to = i * room
      const from = to + room
      const next = from + room
      const both = i + 1 < last
      L.copyWithin(to, from, from + r)
      let x = L[from + r]
      // Without a second row the first is taken twice, and nothing of it kept.
      const second = both ? next : from
      if (both) L.copyWithin(from, next, next + r)
      let z = L[second + r]
      for (let j = r; j < i; j++) {
        const c = turns[2 * j]
        const s = turns[2 * j + 1]
        const a = L[from + j + 1]
        const b = L[second + j + 1]
        L[to + j] = c * x + s * a
        x = c * a - s * x
        if (both) L[from + j] = c * z + s * b
        z = c * b - s * z
      }
      this.turn(i, x, L[from + i + 1], to)
      if (!both) break
      const b = L[next + i + 1]
      L[from + i] = turns[2 * i] * z + turns[2 * i + 1] * b
      z = turns[2 * i] * b - turns[2 * i + 1] * z
      this.turn(i + 1, z, L[next + i + 2], from)
    }
    for (const y of sides) {
      let x = y[r]
      for (let j = r; j < last; j++) {
        const c = turns[2 * j]
        const s = turns[2 * j + 1]
        const next = y[j + 1]
        y[j] = c * x + s * next
        x = c * next - s * x
      }
    }
    ridges.copyWithin(r, r + 1, last + 1)
  }

  /** The rotation that makes (x, diagonal) one number, the new diagonal of row i, which begins at `start`. */
  private turn(i: number, x: number, diagonal: number, start: number): void {
    const length = Math.sqrt(x * x + diagonal * diagonal)
    this.turns[2 * i] = x / length
    this.turns[2 * i + 1] = diagonal / length
    this.L[start + i] = length
  }

  /** Sets y of side s to L⁻¹ b. */
  setSide(s: number, b: Float64Array): void {
    const { L, room, size } = this
    const y = this.sides[s]
    for (let i = 0, start = 0; i < size; i++, start += room) {
      y[i] = (b[i] - product(L, start, y, 0, i)) / L[start + i]
    }
  }

  /** Replaces w by the solution x of Lᵀ x = w: four rows at a time, so that w is read and written less often. */
  solveTransposed(w: Float64Array): void {
    const { L, room } = this
    let i = this.size - 1
    for (; i >= 3; i -= 4) {
      const p = i * room
      const q = p - room
      const r = q - room
      const s = r - room
      const a = w[i] / L[p + i]
      const b = (w[i - 1] - a * L[p + i - 1]) / L[q + i - 1]
      const c = (w[i - 2] - a * L[p + i - 2] - b * L[q + i - 2]) / L[r + i - 2]
      const d = (w[i - 3] - a * L[p + i - 3] - b * L[q + i - 3] - c * L[r + i - 3]) / L[s + i - 3]
      for (let j = 0; j < i - 3; j++) w[j] -= a * L[p + j] + b * L[q + j] + (c * L[r + j] + d * L[s + j])
      w[i] = a
      w[i - 1] = b
      w[i - 2] = c
      w[i - 3] = d
    }
    for (; i >= 0; i--) {
      const start = i * room
      const x = w[i] / L[start + i]
      w[i] = x
      for (let j = 0; j < i; j++) w[j] -= x * L[start + j]
    }
  }

  private grow(): void {
    const { room: old, L, sides, size } = this
    const room = old + (old >> 1)
    this.room = room
    this.L = new Float64Array(room * room)
    for (let i = 0; i < size; i++) this.L.set(L.subarray(i * old, i * old + i + 1), i * room)
    this.turns = new Float64Array(2 * room)
    this.ridges = enlarged(this.ridges, room)
    for (let s = 0; s < sides.length; s++) sides[s] = enlarged(sides[s], room)
  }
}

function enlarged(values: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(length)
  copy.set(values)
  return copy
}

/** Σ a[p + k] b[q + k] over k < length: four sums side by side. */
function product(a: Float64Array, p: number, b: Float64Array, q: number, length: number): number {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  const whole = length & ~3
  for (let k = 0; k < whole; k += 4) {
    s0 += a[p + k] * b[q + k]
    s1 += a[p + k + 1] * b[q + k + 1]
    s2 += a[p + k + 2] * b[q + k + 2]
    s3 += a[p + k + 3] * b[q + k + 3]
  }
  for (let k = whole; k < length; k++) s0 += a[p + k] * b[q + k]
  return s0 + s1 + (s2 + s3)
}
