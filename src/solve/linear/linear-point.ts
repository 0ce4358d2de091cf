/**
 * Where a solver of a linear machine stands: the model with the lowest primal value that it has met, and the dual point with the
 * lowest dual value. The two need not come from the same step: each bounds the optimum from its side, and together they never
 * get worse. Its snapshots hold what the parts of the run keep beside them. Notation: ../../problems/linear-problem.ts.
 */
import type { LossTerms } from '../../problems/linear-loss.ts'
import type { LinearMachineProblem } from '../../problems/linear-problem.ts'
import { copyFields } from '../driver/saved-fields.ts'
import type { LinearStart, SolverContext, SolverState } from '../driver/solver.ts'
import type { LinearRows } from '../rows/linear-rows.ts'
import { balanceBias } from './balance-bias.ts'

/** A dual point sums to e to within this part of the sizes of its β_i, or is none. */
const BALANCED = 1e-12

/** A part of a run: a snapshot holds all of it that does not follow from the problem. */
export interface KeptPart {
  /** Plain values of its own; undefined in the middle of something. */
  save(): object | undefined
  restore(saved: object): void
}

type PointState = Pick<SolverState, 'iteration' | 'alpha' | 'bias' | 'violation'> & {
  readonly weights: Float64Array
}

interface Snapshot {
  readonly point: { readonly primal: number; readonly dual: number; readonly state: PointState }
  readonly parts: Readonly<Record<string, object>>
}

/**
 * See the header of the file. It starts at w = 0, and β = 0 where that is a dual point, or at `start` where that is better. `terms` are the
 * losses, where they are not those that the problem has.
 */
export class LinearPoint {
  readonly terms: LossTerms
  readonly state: SolverState & { readonly weights: Float64Array }
  /** The lowest values so far. */
  primal: number
  dual: number
  private readonly problem: LinearMachineProblem
  private readonly rows: LinearRows
  private readonly parts = new Map<string, KeptPart>()
  private readonly resumed: Snapshot | undefined

  constructor(
    problem: LinearMachineProblem,
    data: LinearRows,
    { start, resume }: Pick<SolverContext, 'start' | 'resume'>,
    terms?: LossTerms,
  ) {
    const { rows, cols } = data
    this.problem = problem
    this.rows = data
    this.terms = terms ? data.terms(terms) : data.termsOf(problem)
    const alpha = startingDual(problem, this.terms)
    this.state = {
      iteration: 0,
      alpha,
      weights: new Float64Array(cols + 1),
      bias: 0,
      violation: Number.NaN,
      snapshot: () => this.snapshot(),
    }
    const mark = data.mark()
    this.primal = data.lossSum(this.terms, data.vector(rows))
    data.release(mark)
    // What the first β is worth would take a pass; the first offer is better. All conjugates are 0 at 0.
    this.dual = problem.balance === 0 ? 0 : Number.POSITIVE_INFINITY
    this.resumed = resume as Snapshot | undefined
    if (this.resumed) this.restore(this.resumed.point)
    else if (start) this.offerStart(data, start)
  }

  /** Whether the run continues from a snapshot that has such a part. */
  resumes(name: string): boolean {
    return this.resumed !== undefined && name in this.resumed.parts
  }

  /** Takes a part into snapshots; where the run continues from one that has it, it is put back, and the answer is true. */
  keep(name: string, part: KeptPart): boolean {
    this.parts.set(name, part)
    const saved = this.resumed?.parts[name]
    if (saved) part.restore(saved)
    return saved !== undefined
  }

  /** A part has come to its end. */
  drop(name: string): void {
    this.parts.delete(name)
  }

  /** The run has come to its end: there are no snapshots of it any more. */
  dropAll(): void {
    this.parts.clear()
  }

  /** Fills u with the best model: w and the weight of the constant feature. */
  toModel(u: Float64Array): void {
    u.set(this.state.weights)
    if (this.problem.constant > 0) u[u.length - 1] /= this.problem.constant
  }

  get gap(): number {
    return this.primal + this.dual
  }

  /** The gap as a part of the primal value. */
  get relativeGap(): number {
    const { gap, primal } = this
    return gap > 0 ? gap / Math.abs(primal) : 0
  }

  private snapshot(): Snapshot | undefined {
    const parts: Record<string, object> = {}
    for (const [name, part] of this.parts) {
      const saved = part.save()
      if (!saved) return undefined
      parts[name] = saved
    }
    return this.parts.size > 0 ? { point: this.save(), parts } : undefined
  }

  private save(): Snapshot['point'] {
    const { primal, dual } = this
    const { iteration, alpha, weights, bias, violation } = this.state
    return { primal, dual, state: copyFields({ iteration, alpha, weights, bias, violation }) }
  }

  private restore({ primal, dual, state }: Snapshot['point']): void {
    this.primal = primal
    this.dual = dual
    const { iteration, alpha, weights, bias, violation } = state
    this.state.alpha.set(alpha)
    this.state.weights.set(weights)
    Object.assign(this.state, { iteration, bias, violation })
  }

  /**
   * A model by u = (w, the weight of the constant feature) with its values f at the samples, vectors of the rows; returns its primal value.
   */
  offerModel(u: Float64Array, f: Float64Array): number {
    return this.offerLosses(u, this.rows.lossSum(this.terms, f))
  }

  /** A model the sum of whose losses is known; returns its primal value. */
  offerLosses(u: Float64Array, losses: number): number {
    const { problem, state, rows } = this
    const { norm, constant, bias, balance } = problem
    const last = u.length - 1
    const b = bias === 'free' ? u[last] : constant * u[last]
    const penalised = last + Number(constant > 0)
    let regulariser = 0
    if (norm === 2) regulariser = 0.5 * rows.dot(u, u, penalised)
    else for (let j = 0; j < penalised; j++) regulariser += Math.abs(u[j])
    const primal = regulariser + balance * b + losses
    if (primal < this.primal) {
      this.primal = primal
      state.weights.set(u)
      state.weights[last] = b
      state.bias = b
    }
    return primal
  }

  /** A dual point of norm 2 with v = Σ β_i x̃_i; returns its dual value. */
  offerDual(beta: Float64Array, v: Float64Array): number {
    const { rows, terms, problem } = this
    const penalised = v.length - Number(!(problem.constant > 0))
    return this.offerDualValue(beta, 0.5 * rows.dot(v, v, penalised) + rows.conjugateSum(terms, beta))
  }

  /** A dual point whose value is known. */
  offerDualValue(beta: Float64Array, dual: number): number {
    if (dual < this.dual) {
      this.dual = dual
      this.state.alpha.set(beta)
    }
    return dual
  }

  /** A model from elsewhere, and its dual point: the one given, as far as bounds allow, or what the losses' slopes make of it. */
  private offerStart(data: LinearRows, { weights, alpha }: LinearStart): void {
    const { problem, terms } = this
    const { bias, balance, norm } = problem
    const mark = data.mark()
    const u = data.vector(data.cols + 1)
    const f = data.vector(data.rows)
    const beta = data.vector(data.rows)
    const curvature = data.vector(data.rows)
    u.set(weights)
    if (problem.constant > 0) u[data.cols] /= problem.constant
    else if (bias === 'none') u[data.cols] = 0
    data.values(u, f)
    this.offerModel(u, f)
    if (alpha) beta.set(alpha.map((own, i) => Math.min(terms.upper[i], Math.max(terms.lower[i], own))))
    else if (bias === 'free') balanceBias(data, terms, f, beta, curvature, balance)
    else data.slopes(terms, f, beta, curvature)
    if (norm === 2 && (bias !== 'free' || isBalanced(beta, balance))) {
      data.combine(beta, u)
      this.offerDual(beta, u)
    }
    data.release(mark)
  }

  /** Counts an iteration. */
  advance(): void {
    this.state.iteration++
    this.state.violation = this.relativeGap
  }
}

/** Whether Σ β_i is e, to within rounding. */
export function isBalanced(beta: Float64Array, balance: number): boolean {
  let total = 0
  let size = Math.abs(balance)
  for (const own of beta) {
    total += own
    size += Math.abs(own)
  }
  return Math.abs(total - balance) <= BALANCED * size
}

/** β = 0; for one class, whose β must sum to e, the same part of every bound. */
function startingDual({ C, balance }: LinearMachineProblem, { upper }: LossTerms): Float64Array {
  if (balance === 0) return new Float64Array(C.length)
  const total = upper.reduce((sum, own) => sum + own, 0)
  return upper.map((own) => (own * balance) / total)
}
