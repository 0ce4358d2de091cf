/** Kernel rows in f64 in the engine's memory, for the active set: made as they are requested, the oldest give way to new ones. */

import { countUp } from '../../base/lists.ts'
import { kernelWork } from '../../engine/matrix/engine-worth.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { MOST_NEEDED } from '../../engine/memory/structures.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'

/** Rows that are kept however small the memory is: those that are requested, and those that were before. */
const LEAST_ROWS = 2 * MOST_NEEDED
/** Multiply-adds below which waking other threads costs more than they save: a millisecond of one. */
const WORTH_THREADS = 2e6

/** Writes rows of variables to where `pointers` say. */
export type RowWriter = (
  variables: EngineArray<Uint32Array>,
  pointers: EngineArray<Uint32Array>,
  count: number,
) => void

/** See the header of the file. */
export class ExactRows {
  /** Where the row of each variable is; 0 for those without. */
  readonly pointers: EngineArray<Uint32Array>
  private readonly write: RowWriter
  private readonly base: number
  private readonly rowBytes: number
  private readonly room: number
  /** Rows made so far: the next one goes to this place, modulo the room. */
  private made = 0
  private readonly owners: Int32Array
  private readonly wanted: EngineArray<Uint32Array>
  private readonly targets: EngineArray<Uint32Array>

  /** Room for `most` rows of n values, or as many as fit `bytes`. */
  constructor(engine: Engine, n: number, most: number, bytes: number, write: RowWriter) {
    this.write = write
    this.rowBytes = Math.ceil(n / 2) * 16
    this.room = Math.max(LEAST_ROWS, Math.min(most, Math.floor(bytes / this.rowBytes)))
    this.pointers = engine.array(Uint32Array, n)
    this.pointers.fill(0)
    this.owners = new Int32Array(this.room).fill(-1)
    this.wanted = engine.array(Uint32Array, MOST_NEEDED)
    this.targets = engine.array(Uint32Array, MOST_NEEDED)
    this.base = engine.allocate(this.room * this.rowBytes)
  }

  /** Makes the rows of these variables. */
  make(variables: Uint32Array): void {
    const { wanted, targets, owners, pointers, room } = this
    variables.forEach((variable, a) => {
      const place = this.made++ % room
      if (owners[place] >= 0) pointers[owners[place]] = 0
      owners[place] = variable
      wanted[a] = variable
      targets[a] = this.base + place * this.rowBytes
      pointers[variable] = targets[a]
    })
    this.write(wanted, targets, variables.length)
  }
}

/** Rows of samples that are on the engine, made there by all threads. */
export function rowsOnEngine({ engine, kernelPointer, samples }: SamplesOnEngine, n: number): RowWriter {
  const columns = engine.array(Uint32Array, n)
  columns.set(countUp(n))
  const rowWork = kernelWork(1, n, samples.values.length)
  return (variables, pointers, count) => {
    engine.run({
      kind: 'exact-rows',
      matrix: samples.pointer,
      kernel: kernelPointer,
      samples: columns.pointer,
      from: 0,
      to: n,
      queries: variables.pointer,
      count,
      rows: pointers.pointer,
      alone: count * rowWork < WORTH_THREADS,
    })
  }
}

/** Rows of a kernel that the engine does not know, made by its own code. */
export function rowsInPlainCode(engine: Engine, { kernel, samples, target }: GeneralDual): RowWriter {
  const evaluator = kernel.between(samples, samples)
  return (variables, pointers, count) => {
    for (let a = 0; a < count; a++) {
      evaluator.row(variables[a], engine.view(Float64Array, pointers[a], target.length))
    }
  }
}
