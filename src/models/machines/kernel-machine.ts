/**
 * The values of kernel models, f_p(x) = Σ_s c_ps k(x, v_s) + b_p, in three ways, by the size of the work:
 *
 *   plain    f64, a row at a time: small batches, kernels that the engine does not know, programs without it
 *   f64      the engine, everything in f64: what is read as a number. Its sums come with a bound of their error; rows where
 *            that is not small enough (../../engine/jobs/kernel-sums.ts) are left to plain code
 *   f32      the engine, f32 kernel values and f64 sums, about three times as fast: what is read as a label. Rows that
 *            bounds leave open are computed again in f64: what is predicted is the same
 *
 * A kernel value is computed once, whatever the number of functions. Linear kernels go through w.
 */
import { allocate } from '../../base/allocate.ts'
import { countUp } from '../../base/lists.ts'
import { type DenseMatrix, isMatrix, type Matrix, selectRows } from '../../data/matrix/matrix.ts'
import { addRow } from '../../data/matrix/products.ts'
import { type Samples, sampleCount } from '../../data/table/dataset.ts'
import type { Precision } from '../../engine/jobs/kernel-error.ts'
import type { KernelSums, SumLayout } from '../../engine/jobs/kernel-sums.ts'
import type { Kernel } from '../../kernels/kernel.ts'
import { kernelForEngine } from '../../kernels/kernel-for-engine.ts'
import type { DecisionOptions } from './decision-options.ts'
import { LinearMachine } from './linear-machine.ts'
import type { Machine, Settled, Visit } from './machine.ts'
import { machineSums } from './machine-sums.ts'
import { joinBlocks, rowBlocks } from './row-blocks.ts'

/** Beyond this many weights (400 MB), w of all functions is not written out: support vectors take less room. */
const MOST_WEIGHTS = 5e7

/** What the values of a kernel model are made of. */
export interface KernelExpansion<S = never> {
  readonly kernel: Kernel<S>
  readonly supportVectors: Samples<S>
  /** One row of coefficients or several, of which a layout says which function each entry belongs to. */
  readonly dualCoef: Float64Array
  readonly biases: Float64Array
}

/** The layout of one function: Σ_s dualCoef_s k(x, v_s). */
function singleLayout(count: number): SumLayout {
  return { rows: 1, groupEnds: Uint32Array.of(count), targets: Uint32Array.of(0), outputs: 1 }
}

/** See the header of the file. */
export class KernelMachine<S = never> implements Machine<S> {
  readonly outputs: number
  readonly width: number
  /** One row of weights per function, for linear kernels: w_p = Σ_s c_ps v_s. */
  readonly weights: Float64Array | undefined
  private readonly expansion: KernelExpansion<S>
  private readonly layout: SumLayout
  private readonly linear: LinearMachine | undefined

  constructor(expansion: KernelExpansion<S>, layout = singleLayout(expansion.dualCoef.length)) {
    this.expansion = expansion
    this.layout = layout
    this.outputs = layout.outputs
    this.width = widthOf(expansion)
    this.weights = expansionWeights(expansion, layout)
    this.linear = this.weights && new LinearMachine(this.weights, expansion.biases)
  }

  values(samples: Samples<S>, options: Required<DecisionOptions>, settled?: Settled): Float64Array {
    return joinBlocks(sampleCount(samples) * this.outputs, (visit) => {
      this.visit(samples, options, visit, settled)
    })
  }

  visit(
    samples: Samples<S>,
    options: Required<DecisionOptions>,
    visit: Visit,
    settled: Settled = allSigns(this.outputs),
  ): void {
    const { expansion, layout, linear, outputs } = this
    if (linear && isMatrix(samples)) {
      linear.visit(samples, options, visit)
      return
    }
    const { threads, precision } = options
    const { kernel, supportVectors, dualCoef, biases } = expansion
    const input = {
      kernel,
      samples: supportVectors,
      coefficients: dualCoef,
      layout,
      queries: samples,
      threads,
    }
    const visited = machineSums.current?.(input, (sums) => {
      for (const { from, rows } of rowBlocks(samples, outputs)) {
        const { values, open } = certainValues(sums, rows as Matrix, biases, precision, settled)
        if (open.length > 0) {
          const again = plainValues(expansion, selectRows(rows as Matrix, open) as Samples<S>, layout)
          copyRows(again, values, open, outputs)
        }
        visit(values, from)
      }
      return true
    })
    if (visited) return
    for (const { from, rows } of rowBlocks(samples, outputs))
      visit(plainValues(expansion, rows, layout), from)
  }

  single(row: DenseMatrix): ((out: Float64Array) => void) | undefined {
    const { expansion, layout, linear } = this
    const { kernel, supportVectors, biases } = expansion
    if (linear) return linear.single(row)
    // Evaluators of these kernels read the row when they are asked; those of others may have prepared it for good.
    if (!isMatrix(supportVectors) || !kernelForEngine(kernel)) return undefined
    const evaluator = kernel.between(row as Samples<S>, supportVectors)
    const values = new Float64Array(evaluator.cols)
    return (out) => {
      evaluator.row(0, values)
      out.fill(0)
      addSums(expansion, layout, values, out, 0)
      for (let p = 0; p < biases.length; p++) out[p] += biases[p]
    }
  }
}

/** All values by definition, in f64. */
export function plainValues<S>(
  expansion: KernelExpansion<S>,
  samples: Samples<S>,
  layout = singleLayout(expansion.dualCoef.length),
): Float64Array {
  const { kernel, supportVectors, biases } = expansion
  const { outputs } = layout
  const evaluator = kernel.between(samples, supportVectors)
  const row = new Float64Array(evaluator.cols)
  const values = new Float64Array(evaluator.rows * outputs)
  for (let i = 0; i < evaluator.rows; i++) {
    evaluator.row(i, row)
    addSums(expansion, layout, row, values, i * outputs)
    for (let p = 0; p < outputs; p++) values[i * outputs + p] += biases[p]
  }
  return values
}

/** out[at + p] += Σ_s c_ps values_s for every function p. */
function addSums<S>(
  { dualCoef }: KernelExpansion<S>,
  { rows, groupEnds, targets }: SumLayout,
  values: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const count = values.length
  for (let group = 0, from = 0; group < groupEnds.length; group++) {
    const to = groupEnds[group]
    for (let r = 0; r < rows; r++) {
      const shift = r * count
      const target = at + targets[group * rows + r]
      let sum = out[target]
      for (let s = from; s < to; s++) sum += dualCoef[shift + s] * values[s]
      out[target] = sum
    }
    from = to
  }
}

/** Values from the engine, and the rows that even its f64 leaves open. */
function certainValues(
  sums: KernelSums,
  queries: Matrix,
  biases: Float64Array,
  precision: Precision,
  settled: Settled,
): { values: Float64Array; open: Uint32Array } {
  const outputs = biases.length
  const { values, errors } = sums.of(queries, precision)
  for (let at = 0; at < values.length; at += outputs) {
    for (let p = 0; p < outputs; p++) values[at + p] += biases[p]
  }
  const all = countUp(queries.rows)
  if (precision === 'f64') {
    return { values, open: all.filter((i) => errors[i * outputs] === Number.POSITIVE_INFINITY) }
  }
  const unsure = all.filter((i) => !settled(values, errors, i * outputs))
  if (unsure.length === 0) return { values, open: unsure }
  const again = certainValues(sums, selectRows(queries, unsure), biases, 'f64', settled)
  copyRows(again.values, values, unsure, outputs)
  return { values, open: again.open.map((k) => unsure[k]) }
}

/** Row k of `from` becomes row rows[k] of `to`. */
function copyRows(from: Float64Array, to: Float64Array, rows: Uint32Array, outputs: number): void {
  rows.forEach((row, k) => {
    to.set(from.subarray(k * outputs, (k + 1) * outputs), row * outputs)
  })
}

/** A row is settled when the sign of each of its values is. */
function allSigns(outputs: number): Settled {
  return (values, errors, at) => {
    for (let k = at; k < at + outputs; k++) if (!(errors[k] < Math.abs(values[k]))) return false
    return true
  }
}

/** A precomputed row must have each serial's column. */
function widthOf<S>({ kernel, supportVectors }: KernelExpansion<S>): number {
  if (!isMatrix(supportVectors)) return 0
  if (kernel.spec.kind !== 'precomputed') return supportVectors.cols
  return supportVectors.values.reduce((most, serial) => Math.max(most, serial), 0) + 1
}

function expansionWeights<S>(expansion: KernelExpansion<S>, layout: SumLayout): Float64Array | undefined {
  const { kernel, supportVectors, dualCoef } = expansion
  const { rows, groupEnds, targets, outputs } = layout
  if (kernel.spec.kind !== 'linear' || !isMatrix(supportVectors)) return undefined
  const { cols } = supportVectors
  if (outputs * cols > MOST_WEIGHTS) return undefined
  const count = sampleCount(supportVectors)
  const weights = allocate(Float64Array, outputs * cols)
  for (let group = 0, from = 0; group < groupEnds.length; group++) {
    for (let r = 0; r < rows; r++) {
      const target = targets[group * rows + r] * cols
      const w = weights.subarray(target, target + cols)
      for (let s = from; s < groupEnds[group]; s++) {
        const c = dualCoef[r * count + s]
        if (c !== 0) addRow(supportVectors, s, c, w)
      }
    }
    from = groupEnds[group]
  }
  return weights
}
