/**
 * Helmert's basis of the numbers that sum to 0, over the classes of each of the listed samples: b_r is 1 for the first r of them and −r for
 * the next, by √(r (r + 1)). So sample i between |S| classes has |S| − 1 directions x̃_i ⊗ b_r.
 */
import type { ListedClasses } from '../rows/linear-rows.ts'

/** What makes a direction: it is that of the last of the classes. */
export interface DirectionPart {
  readonly sample: number
  readonly classes: Uint32Array
}

/** The same for two directions that are the same. */
export const nameOf = ({ sample, classes }: DirectionPart): string => `${sample} ${classes}`

/** ⟨numbers, b_r⟩, the numbers of the first class being at `start`. */
export function coordinate(numbers: Float64Array, start: number, r: number): number {
  let sum = -r * numbers[start + r]
  for (let s = start; s < start + r; s++) sum += numbers[s]
  return sum / Math.sqrt(r * (r + 1))
}

/** numbers += factor · b_r */
export function addDirection(factor: number, numbers: Float64Array, start: number, r: number): void {
  const part = factor / Math.sqrt(r * (r + 1))
  numbers[start + r] -= r * part
  for (let s = start; s < start + r; s++) numbers[s] += part
}

/** See the header of the file. */
export class ClassDirections {
  readonly count: number
  /** The sample of each direction, as its place in the list, and its r. */
  readonly owner: Uint32Array
  private readonly number: Uint32Array
  private readonly list: ListedClasses

  constructor(list: ListedClasses) {
    const { count, starts } = list
    this.list = list
    this.count = starts[count] - count
    this.owner = new Uint32Array(this.count)
    this.number = new Uint32Array(this.count)
    for (let a = 0, d = 0; a < count; a++) {
      for (let r = 1; r < starts[a + 1] - starts[a]; r++, d++) {
        this.owner[d] = a
        this.number[d] = r
      }
    }
  }

  /** The sample of direction d, and the classes where it is not 0. */
  partOf(d: number): DirectionPart {
    const { owner, number, list } = this
    const start = list.starts[owner[d]]
    return { sample: list.samples[owner[d]], classes: list.classes.slice(start, start + number[d] + 1) }
  }

  /** out = ⟨numbers of its sample, direction⟩; numbers are in the order of the list. */
  coordinates(numbers: Float64Array, out: Float64Array): void {
    const { count, owner, number, list } = this
    for (let d = 0; d < count; d++) out[d] = coordinate(numbers, list.starts[owner[d]], number[d])
  }

  /** out = Σ coordinate · direction, in the order of the list */
  combination(coordinates: Float64Array, out: Float64Array): void {
    out.fill(0, 0, this.list.starts[this.list.count])
    const { count, owner, number, list } = this
    for (let d = 0; d < count; d++) addDirection(coordinates[d], out, list.starts[owner[d]], number[d])
  }

  /** Writes direction d to numbers of all classes, which are 0 otherwise, or zeros in its place. */
  spread(d: number, numbers: Float64Array, clear = false): void {
    const { classes, starts } = this.list
    const start = starts[this.owner[d]]
    const r = this.number[d]
    const part = clear ? 0 : 1 / Math.sqrt(r * (r + 1))
    numbers[classes[start + r]] = -r * part
    for (let s = start; s < start + r; s++) numbers[classes[s]] = part
  }

  /** ⟨numbers of all classes, direction d⟩ */
  product(d: number, numbers: Float64Array): number {
    const { classes, starts } = this.list
    const start = starts[this.owner[d]]
    const r = this.number[d]
    let sum = -r * numbers[classes[start + r]]
    for (let s = start; s < start + r; s++) sum += numbers[classes[s]]
    return sum / Math.sqrt(r * (r + 1))
  }
}
