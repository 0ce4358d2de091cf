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
  type ShardMachine,
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
export class KinkMachine implements ShardMachine {
  private readonly settings: KinkSettings
  private machine: DescentMachine | WorkingSetMachine | NewtonMachine
  private state = {
    /** Of machines before this one. */
    names: [] as string[],
    rounds: 0,
    latestGap: Number.POSITIVE_INFINITY,
    /** Free samples at most for a working set; after sets that were too small, a part of those that there were. */
    mostFree: Number.POSITIVE_INFINITY,
  }
  best: BestPoint | undefined

  constructor(settings: KinkSettings) {
    this.settings = settings
    this.machine = new DescentMachine(settings.length, settings.start)
  }

  get name(): string {
    return [...new Set([...this.state.names, this.machine.name])].join(', ')
  }

  get rounds(): number {
    return this.state.rounds + this.machine.rounds
  }

  get isStalled(): boolean {
    return this.machine.name === 'newton' && this.machine.isStalled
  }

  save() {
    const { machine, state, best } = this
    return { name: machine.name, machine: machine.save(), state: { ...state }, best }
  }

  restore(saved: object): void {
    const { name, machine, state, best } = saved as ReturnType<KinkMachine['save']>
    const start = { weights: new Float64Array(this.settings.length), round: 0 }
    if (name === 'working-set') this.machine = new WorkingSetMachine(start, this.settings)
    else if (name === 'newton') this.machine = new NewtonMachine(this.settings.length)
    this.machine.restore(machine)
    this.state = state
    this.best = best
  }

  request(): PassRequest {
    return this.machine.request()
  }

  receive(answer: PassAnswer): void {
    const { machine, state } = this
    machine.receive(answer)
    if (machine.best) this.best = betterOf(this.best, machine.best.weights, machine.best.measures)
    const { measures } = answer
    if (!measures || !this.best) return
    const free = measures.supportVectors - measures.boundedSupportVectors
    if (machine instanceof DescentMachine) {
      const { length, start } = this.settings
      if (start || hasWholeHessian(length)) {
        this.smooth({ weights: start ?? machine.weights, round: 0 }, this.best)
        return
      }
      const { gap } = this.best.measures
      const isSlow = machine.rounds > FIRST_ROUNDS && gap > LEAST_FALL * state.latestGap
      state.latestGap = gap
      if (isSlow || machine.isStalled) this.gather({ weights: machine.weights, round: machine.rounds - 1 })
    } else if (machine instanceof WorkingSetMachine) {
      if (!machine.isSlow) return
      const { length } = this.settings
      state.mostFree = Math.min(FREE_PER_FEATURE * length, free * Math.min(machine.part, FEWER_FREE))
      this.smooth(machine.point, this.best)
    } else if (machine.point && state.names.includes('working-set') && free <= state.mostFree) {
      this.gather(machine.point)
    }
  }

  private gather(point: DualPoint): void {
    this.change(new WorkingSetMachine(point, this.settings))
  }

  private smooth({ weights, round }: DualPoint, { measures }: BestPoint): void {
    const { length, unit } = this.settings
    const width = (FIRST_ZONE * measures.primal) / measures.evidence.rows / (unit * unit)
    this.change(new NewtonMachine(length, { weights, smoothing: { round, width } }))
  }

  private change(next: WorkingSetMachine | NewtonMachine): void {
    const { machine, state } = this
    // One that has only measured where to start has no part in the solution.
    const names = this.rounds > 1 ? [...state.names, machine.name] : state.names
    this.state = { ...state, names, rounds: this.rounds }
    this.machine = next
  }
}
