/**
 * Ten more runs of Pegasos with other seeds, as the lines f = 0 of all of them after the same number of steps: what is drawn by
 * lot differs between them, and nothing else.
 */
import { kernelMatrix } from '../../src/kernels.ts'
import { type ModelStep, pegasos, solve } from '../../src/solvers.ts'
import { contourLines } from '../plane/contours.ts'
import type { Settings } from '../state/lab-state.ts'
import { nodesOf } from './grid.ts'
import { planeMatrix } from './kernel-grid.ts'
import type { Grid, OtherRuns } from './messages.ts'
import { biasOfSum, type Watched } from './watched-problem.ts'

const RUNS = 10
/** Steps times samples of one run, which bounds its time to about a tenth of a second: the noise is in the first steps. */
const MOST_WORK = 2e6
/** Lines are kept after all of the first steps, then whenever there are so many times as many: the step size falls like 1/t. */
const GROWTH = 1.02
/** The grid is coarser than that of the run by this factor: the lines are thin. */
const COARSER = 2

/** See the header of the file; as many steps as the run itself has, or as many as there is time for. */
export async function otherRuns(
  { problem }: Watched,
  { seed }: Settings,
  fine: Grid,
  steps: number,
  signal: AbortSignal,
): Promise<OtherRuns> {
  const { columns, rows, ...area } = fine
  const grid = { ...area, columns: Math.ceil(columns / COARSER), rows: Math.ceil(rows / COARSER) }
  const nodes = planeMatrix(nodesOf(grid))
  const kernelGrid = kernelMatrix<unknown>(problem.kernel, problem.samples as typeof nodes, nodes).values
  const count = kernelGrid.length / nodes.rows
  const most = Math.min(steps, Math.max(count, Math.floor(MOST_WORK / count)))
  const stepAt = keySteps(most)
  const lines: number[][] = Array.from(stepAt, () => [])
  for (let run = 1; run <= RUNS; run++) {
    const field = new Tracker(kernelGrid, count, nodes.rows)
    let next = 0
    const hear = (step: ModelStep) => {
      if (step.step !== stepAt[next]) return
      const sum = field.follow(step)
      const bias = biasOfSum(problem, step.scale * sum)
      // The line at which scale · field + bias is 0.
      for (const line of contourLines(field.values, grid.columns, grid.rows, -bias / step.scale)) {
        for (let k = 0; k < line.length; k += 2) lines[next].push(...onPlane(grid, line[k], line[k + 1]))
        lines[next].push(Number.NaN, Number.NaN)
      }
      next++
    }
    // No tolerance ends these runs early: all of them go as far.
    const options = { tol: Number.MIN_VALUE, maxIter: Math.ceil(most / count), seed: seed + run, signal }
    await solve(problem as never, pegasos, {}, { ...options, onModelStep: hear })
  }
  return { runs: RUNS, stepAt, lines: lines.map((all) => Float32Array.from(all)) }
}

function keySteps(most: number): Uint32Array {
  const steps: number[] = []
  for (let t = 1; t < most; t = Math.max(t + 1, Math.floor(GROWTH * t))) steps.push(t)
  steps.push(most)
  return Uint32Array.from(steps)
}

function onPlane({ columns, rows, x, y }: Grid, column: number, row: number): [number, number] {
  return [x[0] + (column / (columns - 1)) * (x[1] - x[0]), y[0] + (row / (rows - 1)) * (y[1] - y[0])]
}

/** Σ coefficients_i k(x_i, ·) on the nodes, followed from step to step. */
class Tracker {
  readonly values: Float64Array
  private readonly kernelGrid: Float64Array
  private readonly known: Float64Array

  constructor(kernelGrid: Float64Array, samples: number, nodes: number) {
    this.kernelGrid = kernelGrid
    this.values = new Float64Array(nodes)
    this.known = new Float64Array(samples)
  }

  /** Returns the sum of the coefficients. */
  follow({ coefficients }: ModelStep): number {
    const { values, known, kernelGrid } = this
    const nodes = values.length
    let sum = 0
    for (let i = 0; i < known.length; i++) {
      sum += coefficients[i]
      const change = coefficients[i] - known[i]
      if (change === 0) continue
      known[i] = coefficients[i]
      for (let k = 0; k < nodes; k++) values[k] += change * kernelGrid[i * nodes + k]
    }
    return sum
  }
}
