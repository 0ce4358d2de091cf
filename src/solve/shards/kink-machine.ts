/**
 * Losses with a kink on shards. Where features are few, or a model is given to start from: Newton's method with multipliers, whose rounds
 * do not depend on how many rows or blocks there are. Else block minimisation as long as it is fast, which settles most samples; then
 * working sets of those that are not, or, as long as these are too many to be gathered, Newton's method with multipliers. Coordinate
 * descent nears the solution sooner than anything in the first rounds, and may crawl for ever after them.
 */
import { DescentMachine } from './descent-machine.ts'
import { hasWholeHessian, NewtonMachine } from './newton-machine.ts'
import {
  type BestPoint,
  betterOf,
  type DualPoint,
  type PassAnswer,
  type PassRequest,
  ShardMachine,
} from './shard-machine.ts'
import { WorkingSetMachine, type WorkingSetSettings } from './working-set-machine.ts'

/** A round of descent costs about as much as two products of Newton's method, of which ten and more lower the gap tenfold. */
const LEAST_FALL = 0.5
/** The first rounds of descent, in which the gap may rise. */
const FIRST_ROUNDS = 4

/**
 * After a working set that got no further, the next one has so much fewer free samples, and not many more than features: a solution
 * has at most as many, but for chance, so that with more of them it is still open which ones they are.
 */
const FEWER_FREE = 0.25
const FREE_PER_FEATURE = 2

/** Along which losses are curved at first, in mean losses: at w̃ = 0 most are then within it, and the first step goes somewhere. */
const FIRST_ZONE = 4

/** How a machine for losses with a kink is set up. */
export interface KinkSettings extends WorkingSetSettings {
  /** Entries of w̃. */
  readonly length: number
  /** What β is measured in, C. */
  readonly unit: number
  /** w̃ to start from. */
  readonly start?: Float64Array | undefined
}

/** See the header of the file. */
export class KinkMachine extends ShardMachine {
  readonly #settings: KinkSettings
  private machine: DescentMachine | WorkingSetMachine | NewtonMachine
  /** Of machines before this one. */
  private before = { names: [] as string[], rounds: 0 }
  private latestGap = Number.POSITIVE_INFINITY
  /** Free samples at most for a working set; after sets that were too small, a part of those that there were. */
  private mostFree = Number.POSITIVE_INFINITY

  constructor(settings: KinkSettings) {
    super()
    this.#settings = settings
    this.machine = new DescentMachine(settings.length, settings.start)
  }

  get name(): string {
    return [...new Set([...this.before.names, this.machine.name])].join(', ')
  }

  override save(): object {
    return { ...this, machine: this.machine.save() }
  }

  override restore(saved: object): void {
    const { machine, ...own } = saved as { machine: DescentMachine | WorkingSetMachine | NewtonMachine }
    const { length } = this.#settings
    if (machine.name === 'working-set') {
      this.machine = new WorkingSetMachine({ weights: new Float64Array(length), round: 0 }, this.#settings)
    } else if (machine.name === 'newton') this.machine = new NewtonMachine(length)
    this.machine.restore(machine)
    Object.assign(this, own)
  }

  request(): PassRequest {
    return this.machine.request()
  }

  receive(answer: PassAnswer): void {
    const { machine } = this
    machine.receive(answer)
    this.rounds = this.before.rounds + machine.rounds
    this.isStalled = machine.name === 'newton' && machine.isStalled
    if (machine.best) this.best = betterOf(this.best, machine.best.weights, machine.best.measures)
    const { measures } = answer
    if (!measures || !this.best) return
    const free = measures.supportVectors - measures.boundedSupportVectors
    if (machine instanceof DescentMachine) {
      const { length, start } = this.#settings
      if (start || hasWholeHessian(length)) {
        this.smooth({ weights: start ?? machine.weights, round: 0 }, this.best)
        return
      }
      const { gap } = this.best.measures
      const isSlow = machine.rounds > FIRST_ROUNDS && gap > LEAST_FALL * this.latestGap
      this.latestGap = gap
      if (isSlow || machine.isStalled) this.gather({ weights: machine.weights, round: machine.rounds - 1 })
    } else if (machine instanceof WorkingSetMachine) {
      if (!machine.isSlow) return
      const { length } = this.#settings
      this.mostFree = Math.min(FREE_PER_FEATURE * length, free * Math.min(machine.part, FEWER_FREE))
      this.smooth(machine.point, this.best)
    } else if (machine.point && this.before.names.includes('working-set') && free <= this.mostFree) {
      this.gather(machine.point)
    }
  }

  private gather(point: DualPoint): void {
    this.change(new WorkingSetMachine(point, this.#settings))
  }

  private smooth({ weights, round }: DualPoint, { measures }: BestPoint): void {
    const { length, unit } = this.#settings
    const width = (FIRST_ZONE * measures.primal) / measures.evidence.rows / (unit * unit)
    this.change(new NewtonMachine(length, { weights, smoothing: { round, width } }))
  }

  private change(next: WorkingSetMachine | NewtonMachine): void {
    const { machine, rounds } = this
    const { names } = this.before
    // One that has only measured where to start has no part in the solution.
    this.before = { names: rounds > 1 ? [...names, machine.name] : names, rounds }
    this.machine = next
    this.isStalled = false
  }
}
