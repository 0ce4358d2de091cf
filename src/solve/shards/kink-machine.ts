/**
 * Losses with a kink on shards: block minimisation as long as it is fast, then Newton's method with multipliers from where it is.
 * Coordinate descent nears the solution sooner than anything in the first rounds, and may crawl for ever after them.
 */
import { DescentMachine } from './descent-machine.ts'
import { NewtonMachine } from './newton-machine.ts'
import {
  type BestPoint,
  betterOf,
  type PassAnswer,
  type PassRequest,
  type ShardMachine,
} from './shard-machine.ts'

/** A round of descent costs about as much as two products of Newton's method, of which ten and more lower the gap tenfold. */
const LEAST_FALL = 0.5
/** The first rounds of descent, in which the gap may rise. */
const FIRST_ROUNDS = 4

/** See the head of the file. */
export class KinkMachine implements ShardMachine {
  private readonly length: number
  private readonly unit: number
  private readonly descent: DescentMachine
  private newton: NewtonMachine | undefined
  private latestGap = Number.POSITIVE_INFINITY
  best: BestPoint | undefined

  /** `unit` is what β is measured in, C. */
  constructor(length: number, unit: number) {
    this.length = length
    this.unit = unit
    this.descent = new DescentMachine(length)
  }

  get name(): string {
    return this.newton ? 'block-descent, newton' : 'block-descent'
  }

  get rounds(): number {
    return this.descent.rounds + (this.newton?.rounds ?? 0)
  }

  get isStalled(): boolean {
    return this.newton?.isStalled ?? false
  }

  save() {
    const { descent, newton, latestGap, best } = this
    return { descent: descent.save(), newton: newton?.save(), latestGap, best }
  }

  restore(saved: object): void {
    const { descent, newton, latestGap, best } = saved as ReturnType<KinkMachine['save']>
    this.descent.restore(descent)
    this.latestGap = latestGap
    this.best = best
    if (newton) this.newton = new NewtonMachine(this.length)
    if (newton) this.newton?.restore(newton)
  }

  request(): PassRequest {
    return (this.newton ?? this.descent).request()
  }

  receive(answer: PassAnswer): void {
    const { newton, descent } = this
    if (newton) {
      newton.receive(answer)
      if (newton.best) this.best = betterOf(this.best, newton.best.weights, newton.best.measures)
      return
    }
    descent.receive(answer)
    this.best = descent.best
    if (!answer.measures || !this.best) return
    const { primal, gap, evidence } = this.best.measures
    const isSlow = descent.rounds > FIRST_ROUNDS && gap > LEAST_FALL * this.latestGap
    this.latestGap = gap
    if (!isSlow && !descent.isStalled) return
    // A width at which β moves by C where f moves by the mean loss, and so by less the nearer the solution is.
    const width = primal / evidence.rows / (this.unit * this.unit)
    const smoothing = { round: descent.rounds - 1, width }
    this.newton = new NewtonMachine(this.length, { weights: descent.weights, smoothing })
  }
}
