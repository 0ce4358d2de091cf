/**
 * What groups of cells leave for those that come later: their samples (./group-samples.ts), and on the engine the matrix of distances
 * or products. For who gets the cells of a search in pieces, as workers of a queue do; otherwise each piece would make its
 * own matrix.
 * All of it is about the data and the folds of the latest run; what was used longest ago goes first.
 */
import { type MeasuredSamples, measureSamples } from '../../engine/jobs/measured-samples.ts'
import { pathBytes } from '../../engine/jobs/path-bytes.ts'
import { type Engine, giveEngine, takeEngine } from '../../engine/memory/engine.ts'
import type { SelectionWork } from '../search/executor.ts'
import type { GroupSamples } from './group-samples.ts'
import type { SamplesMaker, SharedGroup } from './shared-plan.ts'

/** A matrix on its own engine. */
interface KeptMatrix {
  readonly engine: Engine
  /** Of the empty engine. */
  readonly bottom: number
  readonly measured: MeasuredSamples
  /** With what paths need beside it. */
  readonly bytes: number
}

/** Samples that are kept without a matrix: those of ten folds. */
const MOST_SAMPLES = 10

/** See the header of the file. */
export class KeptGroups {
  private readonly limit: number
  private work: Pick<SelectionWork, 'data' | 'folds' | 'withTraining'> | undefined
  /** By name, the latest last. */
  private readonly samples = new Map<string, GroupSamples>()
  /** The latest last. */
  private readonly matrices = new Map<GroupSamples, KeptMatrix>()

  /** Matrices and the paths over one of them take at most this many bytes. */
  constructor(limit: number) {
    this.limit = limit
  }

  /** The samples of groups of this work, those from before where it is about the same data and folds. */
  samplesFor({ data, folds, withTraining }: SelectionWork): SamplesMaker {
    const { work } = this
    if (work?.data !== data || work.folds !== folds || work.withTraining !== withTraining) {
      for (const group of [...this.matrices.keys()]) this.drop(group)
      this.samples.clear()
      this.work = { data, folds, withTraining }
    }
    return (name, make) => {
      const found = this.samples.get(name) ?? make()
      this.samples.delete(name)
      this.samples.set(name, found)
      for (const [oldest, group] of this.samples) {
        if (this.samples.size <= MOST_SAMPLES) break
        this.samples.delete(oldest)
        this.drop(group)
      }
      return found
    }
  }

  /**
   * Calls `use` with an engine on which the matrix of the group is, and which is to be left as it was found; undefined, and nothing is
   * done, where there is no room for that.
   */
  async withMatrix<T>(
    { samples, paths }: SharedGroup,
    use: (engine: Engine, measured: MeasuredSamples) => Promise<T>,
  ): Promise<T | undefined> {
    const bytes = pathBytes(samples.ordered.rows, paths, 1, true)
    if (bytes > this.limit) return undefined
    let kept = this.matrices.get(samples)
    if (kept) this.matrices.delete(samples)
    else kept = this.make(samples, paths[0].kernel, bytes)
    if (!kept) return undefined
    this.matrices.set(samples, { ...kept, bytes: Math.max(bytes, kept.bytes) })
    this.makeRoom(0)
    const { engine, measured } = kept
    const mark = engine.mark()
    try {
      return await use(engine, measured)
    } finally {
      engine.release(mark)
      if (!engine.isSound) this.drop(samples)
    }
  }

  private make(
    { ordered }: GroupSamples,
    kernel: SharedGroup['paths'][number]['kernel'],
    bytes: number,
  ): KeptMatrix | undefined {
    this.makeRoom(bytes)
    const engine = takeEngine(1)
    const bottom = engine.mark()
    try {
      if (bytes > engine.spareBytes) {
        giveEngine(engine, bottom)
        return undefined
      }
      return { engine, bottom, measured: measureSamples(engine, ordered, kernel), bytes }
    } catch (error) {
      giveEngine(engine, bottom)
      throw error
    }
  }

  /** Drops matrices until this many bytes are free, but never the latest for nothing. */
  private makeRoom(bytes: number): void {
    let total = Array.from(this.matrices.values()).reduce((sum, kept) => sum + kept.bytes, bytes)
    for (const [group, kept] of [...this.matrices]) {
      if (total <= this.limit || (bytes === 0 && this.matrices.size === 1)) return
      this.drop(group)
      total -= kept.bytes
    }
  }

  private drop(group: GroupSamples): void {
    const kept = this.matrices.get(group)
    if (!kept) return
    this.matrices.delete(group)
    giveEngine(kept.engine, kept.bottom)
  }
}
