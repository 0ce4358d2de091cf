/**
 * Finding parameters: cells are proposed, evaluated on the same folds, one is chosen, and its model is trained on all the data.
 *
 *   grid      every combination
 *   random    so many drawn from ranges
 *   halving   many candidates on few samples; the best third of them on three times as many; and so on to all samples
 *   adaptive  a grid, then the neighbours of its best cell at half a step, then at a quarter …
 *
 * Cells of kernel machines share their work (../share/shared-work.ts); the scores are those of separate fits.
 */
import { checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import type { Dataset, LabelOf } from '../../data/table/dataset.ts'
import type { Estimator } from '../../estimators/parts/estimator.ts'
import type { Labelled } from '../../models/labelled.ts'
import {
  type Calibration,
  calibrateFromFolds,
  calibrations,
  calibrationsOf,
  canCalibrate,
} from '../calibrate/calibrate-from-folds.ts'
import { type CellResult, evaluateCells, type ResultStore } from '../score/evaluate-cells.ts'
import { foldsFor, protocolDefaults, scorersFor } from '../score/evaluation-setup.ts'
import type { FoldOutput } from '../score/fold-output.ts'
import { chosenProtocol, type Protocol, protocolSettings } from '../score/protocols.ts'
import type { Scorer, Scoring } from '../score/scoring.ts'
import { sharedWorkExecutor } from '../share/shared-work.ts'
import { type Fold, thinned } from '../split/splits.ts'
import { chooseCell } from './choose-cell.ts'
import type { Predictor } from './estimator.ts'
import {
  type EstimatorMaker,
  estimatorMaker,
  estimatorSpec,
  estimatorType,
  type Params,
  type Tunable,
} from './estimator-params.ts'
import type { Executor, SelectionWork } from './executor.ts'
import { isHopeless, joinFolds } from './hopeless-cells.ts'
import { defaultGrid, type Grid, gridCells, neighbours, type Ranges, randomCells } from './search-cells.ts'
import { makeJob } from './tuning-job.ts'

/** Ways to search. */
export const searchNames = ['grid', 'random', 'halving', 'adaptive'] as const

/** Options of {@link tune}. */
export interface TuneOptions {
  /** Values to try. Default: those of LIBSVM's grid.py (ν instead of C if there is no C), unless ranges are given. */
  readonly grid?: Grid
  /** What to draw cells from, for random search and halving. */
  readonly ranges?: Ranges
  /** 'grid', or 'random' with ranges, unless given. */
  readonly search?: (typeof searchNames)[number]
  /** How samples are split: a number of folds, or a protocol. Default: 5 stratified folds; by time for data with times. */
  readonly folds?: number | Protocol
  /** 'accuracy' for classes and 'r2' for targets unless given. */
  readonly scoring?: Scoring
  /** Limits of the search: number of cells to draw from ranges (default 60), and seconds after which to stop. */
  readonly budget?: { readonly cells?: number; readonly seconds?: number }
  /** For adaptive search: how often to refine. 2 unless given. */
  readonly rounds?: number
  /** For halving: the factor by which candidates decrease and samples increase. Default: 3. */
  readonly factor?: number
  /** Choose the simplest cell within one standard error of the best. */
  readonly oneStandardError?: boolean
  /** Drop cells that are clearly worse than the best after two folds; they are then missing from the table. */
  readonly abandon?: boolean
  /** Train the chosen cell on all the data. Default: true. */
  readonly refit?: boolean
  /** Calibrate the model on the predictions for the folds: SVC, NuSVC ('laplace' for the noise of SVR, NuSVR). */
  readonly calibrate?: Calibration
  /** Of folds and of what is drawn. Default: 0. */
  readonly seed?: number
  /** Where the work is done. Default: cells that share it, on all threads. */
  readonly executor?: Executor
  /** Known scores, and where to store new ones. */
  readonly store?: ResultStore
  /**
   * Ends the work and returns the finished cells, with `complete: false`; if there are none, the promise is rejected with the
   * reason of the signal.
   */
  readonly signal?: AbortSignal
  /** Called with each finished cell. */
  readonly onCell?: (cell: CellResult) => void
}

/** What {@link tune} returns. */
export interface TuneResult<M = Predictor> {
  readonly bestParams: Params
  readonly bestScore: number
  /** Name of the score. */
  readonly scoring: string
  readonly greaterIsBetter: boolean
  /** Every cell that was evaluated on all samples. */
  readonly cells: readonly CellResult[]
  /** The model of the chosen cell, trained on all data; undefined without `refit`, or if the work was stopped. */
  readonly model: M | undefined
  /** False if the signal or the budget ended the search. */
  readonly complete: boolean
  readonly seconds: number
}

const OPTIONS = [
  ...['grid', 'ranges', 'search', 'folds', 'scoring', 'budget', 'rounds', 'factor', 'oneStandardError'],
  ...['abandon', 'refit', 'calibrate', 'seed', 'executor', 'store', 'signal', 'onCell'],
]
/** Cells that a random search draws by default: with 95 %, one of them is among the best 5 % (1 − 0.95^60). */
export const DRAWN_CELLS = 60
/** Folds after which a cell may be given up: the fewest that show a spread. */
const TRIAL_FOLDS = 2

/**
 * Finds parameters for an estimator and trains it with them.
 *
 * @example
 * const { model, bestParams, cells } = await tune(new SVC(), train, { grid: { C: [1, 10], gamma: [0.1, 1] } })
 */
export function tune<E extends AnyEstimator, const D extends Dataset<unknown>>(
  estimator: E | ((params: Params) => E),
  data: D,
  options?: TuneOptions,
): Promise<TuneResult<ModelFrom<E, D>>>
export function tune<M extends Predictor = Predictor>(
  estimator: Tunable,
  data: Dataset<unknown>,
  options?: TuneOptions,
): Promise<TuneResult<M>>
export async function tune(
  estimator: Tunable,
  data: Dataset<unknown>,
  options: TuneOptions = {},
): Promise<TuneResult> {
  return new Search(estimator, data, options).run()
}

/** An estimator of the library, whatever it learns. */
// biome-ignore lint/suspicious/noExplicitAny: what it is fitted on and how is its own affair
type AnyEstimator = Estimator<any, any, any>

/** The model that an estimator makes of such data. */
type ModelFrom<E, D> =
  // biome-ignore lint/suspicious/noExplicitAny: only the model is requested
  E extends Estimator<any, infer M, any> ? Labelled<M, LabelOf<D>> : Predictor

class Search {
  private readonly started = performance.now()
  private readonly options: TuneOptions
  private readonly estimator: Tunable
  private readonly data: Dataset<unknown>
  private readonly scorer: Scorer
  private readonly folds: readonly Fold[]
  private readonly executor: Executor
  private readonly signal: AbortSignal | undefined
  private readonly random: Random
  /** What was said of each fold, by cell; kept only when there will be a calibration. */
  private readonly outputs = new Map<string, FoldOutput[]>()
  private readonly cells = new Map<string, CellResult>()
  /** The estimator of each cell: checks, plans and fits all ask for it. */
  private readonly made = new WeakMap<Params, ReturnType<EstimatorMaker>>()
  private readonly make: EstimatorMaker
  /** Keys of the cells in the order in which they were proposed, which no thread can change. */
  private readonly proposed: string[] = []

  constructor(estimator: Tunable, data: Dataset<unknown>, options: TuneOptions) {
    checkOptions(options, estimator)
    const { seed = 0, budget = {}, signal } = options
    this.options = options
    this.estimator = estimator
    this.data = data
    const scorers = scorersFor('tune', estimator, data, options.scoring)
    this.scorer = scorers[0]
    this.folds = foldsFor('tune', estimator, data, protocolOf(data, options), seed, scorers)
    this.executor = options.executor ?? sharedWorkExecutor()
    this.random = new Random(seed)
    const make = estimatorMaker(estimator)
    this.make = (params) => {
      const known = this.made.get(params) ?? make(params)
      this.made.set(params, known)
      return known
    }
    const limit = budget.seconds === undefined ? undefined : AbortSignal.timeout(1000 * budget.seconds)
    this.signal = signal && limit ? AbortSignal.any([signal, limit]) : (signal ?? limit)
  }

  async run(): Promise<TuneResult> {
    const { ranges, search = ranges ? 'random' : 'grid' } = this.options
    const { grid = defaultGrid(this.estimator) } = this.options
    const { oneStandardError, refit = true } = this.options
    if (search === 'halving') await this.evaluate(await this.halve(this.candidates()))
    else await this.evaluate(search === 'random' ? this.candidates() : gridCells(grid))
    if (search === 'adaptive') await this.refine(grid)
    const cells = this.evaluated()
    const best = chooseCell(cells, this.scorer, oneStandardError)
    if (!best) {
      this.options.signal?.throwIfAborted()
      throw this.noCell(cells)
    }
    const stopped = this.signal?.aborted ?? false
    // A budget that is used up ends the search, not the training of what it found.
    const model = refit && !this.options.signal?.aborted ? await this.train(best.params) : undefined
    const { name, greaterIsBetter } = this.scorer
    return {
      ...{ bestParams: best.params, bestScore: best.mean, scoring: name, greaterIsBetter, cells, model },
      complete: !stopped,
      seconds: (performance.now() - this.started) / 1000,
    }
  }

  private evaluated(): CellResult[] {
    return this.proposed.flatMap((key) => this.cells.get(key) ?? [])
  }

  private candidates(): Params[] {
    const { grid, ranges, budget: { cells = DRAWN_CELLS } = {} } = this.options
    return ranges ? randomCells(ranges, cells, this.random) : gridCells(grid ?? defaultGrid(this.estimator))
  }

  private noCell(cells: readonly CellResult[]): Error {
    const failure = cells.flatMap(({ failures = [] }) => failures)[0]
    if (failure) return new DataError(`tune: every cell failed: ${failure.message}`)
    return new DataError('tune: stopped before any cell was finished')
  }

  /** Evaluates cells on all folds; with `abandon`, those that are hopeless after two folds are left out. */
  private async evaluate(params: readonly Params[]): Promise<void> {
    const fresh = params.filter((cell) => !this.cells.has(keyOf(cell)))
    // Parameters that are not allowed are no result: they are refused before anything is fitted.
    fresh.forEach(this.make)
    for (const cell of fresh) this.proposed.push(keyOf(cell))
    const { abandon = false, onCell } = this.options
    if (!abandon || this.folds.length <= TRIAL_FOLDS) {
      await this.evaluateOn(fresh, this.folds, 0, (cell) => {
        this.cells.set(keyOf(cell.params), cell)
        onCell?.(cell)
      })
      return
    }
    const trial: CellResult[] = []
    await this.evaluateOn(fresh, this.folds.slice(0, TRIAL_FOLDS), 0, (cell) => trial.push(cell))
    const hopeful = trial.filter((cell) => !isHopeless(cell, trial, this.scorer))
    const first = new Map(hopeful.map((cell) => [keyOf(cell.params), cell]))
    await this.evaluateOn(
      hopeful.map(({ params: own }) => own),
      this.folds.slice(TRIAL_FOLDS),
      TRIAL_FOLDS,
      (cell) => {
        const joined = joinFolds(first.get(keyOf(cell.params)) as CellResult, cell)
        this.cells.set(keyOf(cell.params), joined)
        onCell?.(joined)
      },
    )
  }

  /** Evaluates cells on some of the folds, whose numbers begin at `offset`. */
  private async evaluateOn(
    cells: readonly Params[],
    folds: readonly Fold[],
    offset: number,
    onCell: (cell: CellResult) => void,
    data = this.data,
  ): Promise<void> {
    const { store, calibrate } = this.options
    const ownStore = data === this.data && store ? shiftedStore(store, offset) : undefined
    const work = await this.workOn(cells, folds, data)
    await evaluateCells(work, this.scorer, {
      ...{ executor: this.executor, signal: this.signal, onCell, store: ownStore },
      onOutput: (cell, fold, output) => {
        if (!calibrate || data !== this.data) return
        const key = keyOf(cells[cell])
        const outputs = this.outputs.get(key) ?? []
        outputs[fold + offset] = output
        this.outputs.set(key, outputs)
      },
    })
  }

  private async workOn(
    cells: readonly Params[],
    folds: readonly Fold[],
    data: Dataset<unknown>,
  ): Promise<SelectionWork> {
    const spec = estimatorSpec(this.estimator)
    const settings =
      data === this.data && folds === this.folds
        ? protocolSettings(
            protocolOf(data, this.options),
            protocolDefaults(this.estimator, data, this.options.seed),
          )
        : undefined
    // Only who sends work elsewhere needs it as plain data.
    const job =
      spec && this.options.executor ? await makeJob(data, spec, settings ?? folds, cells) : undefined
    return { data, folds, cells, make: this.make, job }
  }

  /** Successive halving (Jamieson, Talwalkar 2016) with samples as the resource: the cells that survive. */
  private async halve(cells: readonly Params[]): Promise<readonly Params[]> {
    const { factor = 3, seed = 0 } = this.options
    const rounds = Math.floor(Math.log(cells.length) / Math.log(factor))
    let left = cells
    for (let round = rounds; round > 0 && !this.signal?.aborted; round--) {
      const share = factor ** -round
      const folds = this.folds.map(({ train, test }) => ({
        train: thinned(this.data, train, share * train.length, { seed }),
        test,
      }))
      const results: CellResult[] = []
      await this.evaluateOn(left, folds, 0, (cell) => results.push(cell), { ...this.data })
      const kept = Math.max(1, Math.floor(left.length / factor))
      left = ranked(results, this.scorer)
        .slice(0, kept)
        .map(({ params }) => params)
    }
    return left
  }

  private async refine(grid: Grid): Promise<void> {
    const { rounds = 2 } = this.options
    for (let round = 1; round <= rounds && !this.signal?.aborted; round++) {
      const best = chooseCell(this.evaluated(), this.scorer)
      if (!best) return
      await this.evaluate(neighbours(grid, best.params, 2 ** -round))
    }
  }

  private async train(params: Params): Promise<Predictor> {
    const { calibrate, signal } = this.options
    const model = await estimatorMaker(this.estimator)(params).fit(
      this.data as Dataset,
      signal ? { signal } : {},
    )
    if (!calibrate) return model
    return calibrateFromFolds(model, this.data, this.folds, await this.outputsOf(params), calibrate)
  }

  /** What was said of every fold. */
  private async outputsOf(params: Params): Promise<readonly FoldOutput[]> {
    const { folds, data } = this
    const known = this.outputs.get(keyOf(params)) ?? []
    // Of scores that a store knew there are no values.
    const missing = folds.flatMap((_, fold) => (canCalibrate(known[fold]) ? [] : [{ cell: 0, fold }]))
    const work = await this.workOn([params], folds, data)
    let failure: Error | undefined
    await this.executor.run(work, missing, {
      onResult: ({ fold, output }) => {
        known[fold] = output
      },
      onFailure: ({ error }) => {
        failure = error
      },
    })
    if (failure) throw failure
    return known
  }
}

/** The same parameters have the same key, in whatever order they are named. */
function keyOf(params: Params): string {
  return JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function protocolOf(data: Dataset<unknown>, { folds }: TuneOptions): Protocol {
  const choice = typeof folds === 'number' ? { folds } : folds === undefined ? {} : { protocol: folds }
  return chosenProtocol('tune', data, choice)
}

function checkOptions(options: TuneOptions, estimator: Tunable): void {
  const who = 'tune'
  checkKnown(who, options, OPTIONS)
  const { grid, ranges, search, budget = {}, rounds, factor, folds, calibrate } = options
  if (search !== undefined) checkOneOf(who, 'search', search, searchNames)
  if (calibrate !== undefined) checkCalibration(who, calibrate, estimator)
  if (grid && ranges) throw new ParameterError(who, 'ranges', 'cannot be used together with grid')
  if (ranges && (search === 'grid' || search === 'adaptive')) {
    throw new ParameterError(who, 'search', 'random or halving with ranges', search)
  }
  if (search === 'random' && !ranges)
    throw new ParameterError(who, 'ranges', 'is required for a random search')
  checkKnown(`${who}: budget`, budget, ['cells', 'seconds'])
  if (budget.cells !== undefined) {
    checkNumber(who, 'budget.cells', budget.cells, { min: 1, integer: true })
    if (!ranges) throw new ParameterError(who, 'budget.cells', 'needs ranges to draw from')
  }
  if (budget.seconds !== undefined) checkNumber(who, 'budget.seconds', budget.seconds, { min: 0 })
  if (rounds !== undefined) checkNumber(who, 'rounds', rounds, { min: 0, integer: true })
  if (factor !== undefined) checkNumber(who, 'factor', factor, { above: 1 })
  if (typeof folds === 'number') checkNumber(who, 'folds', folds, { min: 2, integer: true })
}

function checkCalibration(who: string, calibrate: unknown, estimator: Tunable): void {
  const type = estimatorType(estimator)
  const allowed = type === undefined ? calibrations : (calibrationsOf[type] ?? [])
  if (allowed.length > 0) checkOneOf(who, 'calibrate', calibrate, allowed)
  else throw new ParameterError(who, 'calibrate', `does not apply to an estimator of type ${type}`)
}

/** The best first; of equal ones, the simplest. */
function ranked(cells: readonly CellResult[], scorer: Scorer): CellResult[] {
  const left = [...cells]
  const order: CellResult[] = []
  for (let best = chooseCell(left, scorer); best; best = chooseCell(left, scorer)) {
    order.push(best)
    left.splice(left.indexOf(best), 1)
  }
  return order
}

/** A store whose folds are counted from `offset`. */
function shiftedStore(store: ResultStore, offset: number): ResultStore {
  return {
    get: (params, fold) => store.get(params, fold + offset),
    add: (params, fold, score) => store.add(params, fold + offset, score),
  }
}
