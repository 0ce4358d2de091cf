/** Fields on large grids, a part at a time, so that whoever waits for them can change their mind. */
import type { Grid } from './messages.ts'

/** Nodes of a slab. */
const SLAB = 8192

/** The fields that `evaluate` gives, whole rows at a time; between slabs messages are heard, and `signal` obeyed. */
export async function inSlabs(
  grid: Grid,
  signal: AbortSignal,
  evaluate: (slab: Grid) => readonly Float32Array[],
): Promise<readonly Float32Array[]> {
  const { columns, rows, y } = grid
  const count = Math.ceil((columns * rows) / SLAB)
  if (count === 1) return evaluate(grid)
  const height = (r: number) => y[0] + (r / (rows - 1)) * (y[1] - y[0])
  const fields: Float32Array[] = []
  for (let k = 0; k < count; k++) {
    const [from, to] = [Math.floor((k * rows) / count), Math.floor(((k + 1) * rows) / count)]
    const slab = { ...grid, rows: to - from, y: [height(from), height(to - 1)] as const }
    evaluate(slab).forEach((values, f) => {
      fields[f] ??= new Float32Array(columns * rows)
      fields[f].set(values, from * columns)
    })
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
  }
  return fields
}
