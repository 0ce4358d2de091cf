/**
 * When pair steps crawl, an active-set method (./active-set.ts) continues from where they are. Easy problems take a few steps a
 * sample and never get here. Hard ones (large C, wide kernels, classes that overlap) take hundreds or thousands, while
 * few of their variables are free at the end: for these a linear system is cheap.
 *
 * Which way is faster is not known beforehand. So the active set may work in proportion to what pair steps have cost; where it
 * is not done by then, they continue from its point, and it gets its next turn later. Work is counted, not timed: the result
 * is the same on any machine.
 */

import { KERNEL_VALUE_WORK } from '../../base/kernel-work.ts'
import { isDefinite } from '../../certify/definiteness.ts'
import { isMatrix } from '../../data/matrix/matrix.ts'
import type { SamplesOnEngine } from '../../engine/matrix/samples-on-engine.ts'
import { giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import { engineExists } from '../../engine/memory/engine-build.ts'
import type { GeneralDual } from '../../problems/general-dual.ts'
import { restoreFields } from '../driver/saved-fields.ts'
import type { SolverContext } from '../driver/solver.ts'
import { StallWatch } from '../driver/stall-watch.ts'
import { generalBias } from '../dual/general-bias.ts'
import type { GeneralState } from '../dual/general-run.ts'
import { ActiveSet, countFree, type SavedActiveSet } from './active-set.ts'
import { ExactRows, rowsInPlainCode, rowsOnEngine } from './exact-rows.ts'

/**
 * Pair steps per sample, and in all, from which on a problem counts as hard: ordinary ones need a few. Half and twice as many took the
 * same time within 12 % on 2,000 to 8,000 samples of moons, noise, a9a and cod-rna.
 */
const STEPS_PER_SAMPLE = 10
const LEAST_STEPS = 20_000
/**
 * Where the violation is down to so many times the tolerance, steps may be done soon, and a try begins with v in f64, which can cost more
 * than all steps before it. So it waits until these have cost as much, for so many times the steps at most. `abalone-svr-c100`, with
 * 64,000 steps instead of 42,000 and no try, takes a tenth less time.
 */
const NEARLY_THERE = 10
const LONGEST_WAIT = 2
/** Steps between two times that this is asked, at least: the answer costs a pass over the variables. */
const LEAST_PATIENCE = 1000
/** How much more work than pair steps have done the active set may do: it bounds what a try in vain costs. Of the same problems, 4 took as long, 16 up to a third longer. */
const TRUST = 8
/** Work of a pair step for each variable, in multiply-adds: two for v, and about as much for the scans that choose the pair. */
const STEP_WORK = 4
/** Most variables that are free at the same time, and most values of their kernel rows (200 MB). */
const MOST_FREE = 2000
const MOST_VALUES = 25e6
/** Cycles that a try should be able to afford: each frees up to a tenth more, so that fifty can free a hundred times as many. */
const FEW_CYCLES = 50
/** Tries in a row without a gain after which there are no more: pair steps in between change where the next one begins. */
const TRIES_WITHOUT_GAIN = 3
/** Values of a sample where that is not known: kernels that are functions of users are slow. */
const USUAL_VALUES = 100

/** What is known after a cycle. */
export interface ActiveSetProgress
  extends Pick<GeneralState, 'iteration' | 'bias' | 'groupValues' | 'violation'> {
  /** What the try would need to continue from here, beside the β of now; absent in the middle of a cycle. */
  readonly save?: () => SavedTry
}

/** A try as it is saved: its counts, v and the set. */
export interface SavedTry {
  readonly iteration: number
  readonly allowance: number
  readonly made: number
  readonly isMade: Uint8Array
  readonly v: Float64Array
  readonly set: SavedActiveSet
}

/** The tries of one run; see the header of the file. */
export class ActiveSetRun {
  private readonly dual: GeneralDual
  private readonly context: SolverContext
  private possible: boolean
  private readonly mostFree: number
  /** Pair steps before the first try. */
  private readonly stepsBefore: number
  private steps = 0
  private earned = 0
  private tries = 0
  private readonly watch = new StallWatch(TRIES_WITHOUT_GAIN)

  constructor(dual: GeneralDual, context: SolverContext) {
    const { target, lower, upper } = dual
    this.dual = dual
    this.context = context
    const finite = !upper.includes(Number.POSITIVE_INFINITY) && !lower.includes(Number.NEGATIVE_INFINITY)
    // Who listens to the steps wants pairs; without convexity one ends where pairs do; and the method is one of the engine's.
    this.possible = finite && !context.onStep && isDefinite(dual.kernel.spec) !== false && engineExists()
    this.mostFree = Math.min(MOST_FREE, MOST_VALUES / target.length)
    this.stepsBefore = Math.max(LEAST_STEPS, STEPS_PER_SAMPLE * target.length)
  }

  /** Of a kernel row, in multiply-adds. Asked for late: samples of a pair of classes are copied when their values are. */
  private get rowWork(): number {
    const { samples } = this.dual
    const values = isMatrix(samples) ? samples.values.length / samples.rows : USUAL_VALUES
    return this.dual.target.length * (values + KERNEL_VALUE_WORK)
  }

  /** All that does not follow from the dual. */
  save() {
    const { possible, steps, earned, tries } = this
    return { fields: { possible, steps, earned, tries }, watch: this.watch.save() }
  }

  restore({ fields, watch }: ReturnType<ActiveSetRun['save']>): void {
    restoreFields(this, fields)
    restoreFields(this.watch, watch)
  }

  /** Takes note of pair steps over this many variables. */
  earn(steps: number, variables: number): void {
    this.steps += steps
    this.earned += STEP_WORK * steps * variables
  }

  /** After how many more steps to ask whether a try is due. */
  get patience(): number {
    if (!this.possible) return Number.POSITIVE_INFINITY
    const left = this.stepsBefore - this.steps
    return left > 0 ? Math.max(LEAST_PATIENCE, left) : this.stepsBefore
  }

  /** Whether it is time for a try from a point of this violation; free variables are counted only where that decides. */
  isDue(beta: Float64Array, violation: number, countFree: () => number): boolean {
    if (!this.possible || this.steps < this.stepsBefore) return false
    const n = this.dual.target.length
    const allowance = TRUST * this.earned
    if (allowance < FEW_CYCLES * n) return false
    const mayWait =
      violation <= NEARLY_THERE * this.context.tol && this.steps < LONGEST_WAIT * this.stepsBefore
    if (mayWait && this.earned < this.exactWork(beta)) return false
    const free = countFree()
    return free <= this.mostFree && allowance > free ** 3 / 6 + free * (FEW_CYCLES * n + this.rowWork)
  }

  /** Of v of all variables in f64, which a try begins with. */
  private exactWork(beta: Float64Array): number {
    if (this.dual.kernel.spec.kind === 'linear') return 0
    let support = 0
    for (let i = 0; i < beta.length; i++) if (beta[i] !== 0) support++
    return support * this.rowWork
  }

  /** Whether the free variables of this point are few enough for a try. */
  canTry(beta: Float64Array): boolean {
    return this.possible && countFree(this.dual, beta) <= this.mostFree
  }

  /**
   * Moves β and v = t − Kβ (computed in f64, for all variables), in moves counted from `iteration` on. Returns whether that
   * brought the violation down to tol. Where pairs have given up it may take as long as it likes. The samples may be on an
   * engine; where the engine does not know the kernel, its rows are made by plain code, and only the method is the engine's. A try
   * that was `saved` continues; β is that of then.
   */
  *run(
    beta: Float64Array,
    v: Float64Array,
    iteration: number,
    unlimited: boolean,
    place?: SamplesOnEngine,
    saved?: SavedTry,
  ): Generator<ActiveSetProgress, boolean, void> {
    const { dual, context, rowWork, mostFree } = this
    const n = beta.length
    const engine = place?.engine ?? takeEngine(1)
    const mark = engine.mark()
    try {
      const isMade = saved?.isMade ?? new Uint8Array(n)
      let made = saved?.made ?? 0
      const before = saved?.iteration ?? iteration
      if (saved) v.set(saved.v)
      const write = place ? rowsOnEngine(place, n) : rowsInPlainCode(engine, dual)
      const most = Math.min(n, Math.ceil(MOST_VALUES / n))
      const rows = new ExactRows(engine, n, most, context.cacheBytes / 2, (variables, pointers, count) => {
        for (const i of variables.subarray(0, count)) {
          made += 1 - isMade[i]
          isMade[i] = 1
        }
        write(variables, pointers, count)
      })
      const diagonal = dual.kernel.diagonal(dual.samples)
      const { tol, due } = context
      const set = new ActiveSet(engine, dual, beta, v, diagonal, rows, mostFree, tol, due, saved?.set)
      const allowance = saved?.allowance ?? (unlimited ? Number.POSITIVE_INFINITY : TRUST * this.earned)
      this.earned = 0
      // Where v has not followed β yet, the bias is that of before.
      const followed = beta.slice()
      const progress = () => ({
        ...generalBias(dual, followed, v),
        iteration: before + set.turns,
        violation: set.violation,
      })
      const save = () => {
        const counts = { iteration: before, allowance, made }
        return { ...counts, isMade: isMade.slice(), v: v.slice(), set: set.save() }
      }
      // Ends: the set is stuck when the dual no longer falls.
      for (;;) {
        const cycle = set.cycle(Math.min(context.pauseAt, context.maxIter) - before - set.turns)
        let next = cycle.next()
        for (; !next.done; next = cycle.next()) yield progress()
        const end = next.value
        if (end !== 'paused') followed.set(beta)
        // As if rows were kept: the size of the cache must not change results.
        const work = set.work + made * rowWork
        const isTooMuch = end === 'open' && (set.size > mostFree || work > allowance)
        const isOver = end === 'optimal' || end === 'stuck' || isTooMuch
        if (isOver || end === 'paused') yield progress()
        else if (context.due()) yield { ...progress(), save }
        if (!isOver) continue
        if (end === 'stuck' || this.watch.stalls(++this.tries, set.value, set.violation))
          this.possible = false
        return end === 'optimal'
      }
    } finally {
      if (place) engine.release(mark)
      else giveEngine(engine, mark)
    }
  }
}
