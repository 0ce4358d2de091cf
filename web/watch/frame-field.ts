/** The decision field of a run's frames: a step that moves two coefficients costs two rows of the kernel grid. */
import type { Field } from '../plane/scene.ts'
import type { Point } from '../state/lab-state.ts'
import type { Grid } from '../worker/messages.ts'

/** Models over the same samples, by their coefficients and biases. */
export interface Models {
  readonly samples: number
  readonly frames: number
  readonly coefficients: Float64Array
  readonly bias: Float64Array
  /** What the model of a frame is multiplied by; 1 where it is absent. */
  readonly scale?: Float64Array
  readonly kernelGrid: Float32Array
  readonly grid: Grid
}

/** How the values of {@link FrameField} are to be painted: as a field, or as a curve with its tube. */
export interface FieldLook {
  readonly kind: Field['kind']
  readonly classes: readonly number[]
  /** Half the width of the tube around a curve. */
  readonly tube?: number
}

/** See the header of the file. */
export class FrameField {
  private readonly models: Models
  private readonly look: FieldLook
  private readonly nodes: number
  private readonly sums: Float64Array
  private readonly current: Float64Array

  constructor(models: Models, look: FieldLook) {
    this.models = models
    this.look = look
    this.nodes = models.kernelGrid.length / models.samples
    this.sums = new Float64Array(this.nodes)
    this.current = new Float64Array(models.samples)
  }

  /** The coefficients of a frame. */
  coefficients(frame: number): Float64Array {
    const { samples, coefficients } = this.models
    return coefficients.subarray(frame * samples, (frame + 1) * samples)
  }

  /** The field of a frame. */
  at(frame: number): Field {
    const { kernelGrid, bias, scale, grid } = this.models
    const { nodes, sums, current, look } = this
    const next = this.coefficients(frame)
    let moved = 0
    for (let i = 0; i < next.length; i++) if (next[i] !== current[i]) moved++
    // Many small changes accumulate rounding errors, and computing the field from scratch is then as cheap.
    if (2 * moved > next.length) {
      sums.fill(0)
      current.fill(0)
    }
    for (let i = 0; i < next.length; i++) {
      const change = next[i] - current[i]
      if (change === 0) continue
      const row = kernelGrid.subarray(i * nodes, (i + 1) * nodes)
      for (let k = 0; k < nodes; k++) sums[k] += change * row[k]
      current[i] = next[i]
    }
    const values = new Float32Array(nodes)
    const factor = scale?.[frame] ?? 1
    for (let k = 0; k < nodes; k++) values[k] = factor * (sums[k] + bias[frame])
    const { kind, classes, tube } = look
    return { kind, classes, fields: [values, ...(tube === undefined ? [] : [Float32Array.of(tube)])], grid }
  }
}

/** The value of a field at a point, between its nodes. */
export function valueAt({ fields, grid }: Field, { x, y }: Pick<Point, 'x' | 'y'>): number {
  const { columns, rows } = grid
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most - 1.001)
  const c = clamp(((x - grid.x[0]) / (grid.x[1] - grid.x[0])) * (columns - 1), columns)
  const r = clamp(((y - grid.y[0]) / (grid.y[1] - grid.y[0])) * (rows - 1), rows)
  const k = Math.floor(r) * columns + Math.floor(c)
  const [u, v] = [c % 1, r % 1]
  const [field] = fields
  const below = field[k] * (1 - u) + field[k + 1] * u
  const above = field[k + columns] * (1 - u) + field[k + columns + 1] * u
  return below * (1 - v) + above * v
}
