/** Fits that are stopped at any of their states and gone on with. */
import { unpack } from '../../src/base/packing.ts'
import type { CheckpointStore, FitOptions } from '../../src/index.ts'

/** A store in memory that keeps every state it was given. */
export class States implements CheckpointStore {
  readonly every: number
  readonly states: Uint8Array[] = []
  private state: Uint8Array | undefined

  constructor(state?: Uint8Array, every = 0) {
    this.state = state
    this.every = every
  }

  load(): Uint8Array | undefined {
    return this.state
  }

  save(state: Uint8Array): void {
    this.states.push(state)
    this.state = state
  }
}

/** What can be fitted without a pause. */
export interface Fittable<D> {
  fitSync(data: D, options?: FitOptions): object
}

/** A model as plain data, without what depends on the clock. */
export function timeless(model: object): string {
  return JSON.stringify(model, (name, value: unknown) => {
    if (name === 'seconds') return undefined
    return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value
  })
}

/** So many of a list, spread evenly, the first and the last among them. */
export function someOf<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return Array.from({ length: count }, (_, k) => list[Math.round((k * (list.length - 1)) / (count - 1))])
}

/** What a state holds, by name. */
export function entriesOf(state: Uint8Array): Map<string, unknown> {
  // Behind the first two lines.
  const start = state.indexOf(10, state.indexOf(10) + 1) + 1
  const { entries } = unpack(state.slice(start)) as { entries: Record<string, Uint8Array> }
  return new Map(Object.entries(entries).map(([name, packed]) => [name, unpack(packed)]))
}
