/** Passes over the rows of a matrix in the engine's memory that threads share, in the parts of ./row-parts.ts. */
import type { Pieces } from '../../base/pieces.ts'
import type { Engine, EngineArray } from '../../engine/memory/engine.ts'
import { type FieldValues, sizeOf, writeFields } from '../../engine/memory/fields.ts'
import type { PassKind } from '../../engine/memory/jobs.ts'
import type { Due } from '../driver/pieces.ts'
import { partsOf, type RowRange, WORK_PER_TASK } from './row-parts.ts'

/** Tasks of a pass over rows that do not depend on each other, at most: enough for threads to end at the same time, about. */
const MOST_TASKS = 32

/** What a pass reads and writes; assembly/linear/passes.ts explains the fields. */
type PassFields = Partial<FieldValues<'PASS'>>

/** Rows of a list, by place, that are added to a triangle. */
export interface GramPart extends RowRange {
  readonly samples: number
  readonly factors: number
  readonly triangle: number
}

/** See the header of the file. */
export class SharedPasses {
  private readonly engine: Engine
  private readonly matrix: number
  private readonly constant: number

  constructor(engine: Engine, matrix: number, constant: number) {
    this.engine = engine
    this.matrix = matrix
    this.constant = constant
  }

  /** Has all threads take part in these passes. */
  run(kind: PassKind, passes: readonly PassFields[]): void {
    const { engine, matrix, constant } = this
    const mark = engine.mark()
    const size = sizeOf('PASS')
    const runs = engine.allocate(size * passes.length)
    passes.forEach((pass, p) => {
      writeFields(engine.memory, 'PASS', runs + p * size, { matrix, constant, ...pass })
    })
    engine.run({ kind, runs, count: passes.length })
    engine.release(mark)
  }

  /** A pass of `count` rows that cost `work` in all, and do not depend on each other. */
  each(kind: PassKind, count: number, work: number, fields: PassFields): void {
    const perTask = Math.ceil(Math.max((WORK_PER_TASK * count) / (work + 1), count / MOST_TASKS))
    const passes = []
    for (let from = 0; from < count; from += perTask) {
      passes.push({ ...fields, from, to: Math.min(count, from + perTask) })
    }
    this.run(kind, passes)
  }

  /**
   * out = a sum over `count` rows that cost `work` in all. Where there is one thread, or one part, `add` does without descriptions of the parts.
   */
  sum(
    kind: PassKind,
    count: number,
    work: number,
    out: EngineArray<Float64Array>,
    fields: () => PassFields,
    add?: (range: RowRange, out: number) => void,
  ): void {
    const { engine } = this
    const mark = engine.mark()
    const ranges = partsOf(count, work, out.length)
    const sums = ranges.map((_, p) => (p === 0 ? out.pointer : this.zeros(out.length)))
    out.fill(0)
    if (add && this.isAlone(ranges)) for (const [p, range] of ranges.entries()) add(range, sums[p])
    else {
      const passes = ranges.map((range, p) => ({ ...fields(), ...range, out: sums[p] }))
      this.run(kind, passes)
    }
    for (const own of sums.slice(1)) engine.exports.addScaled(out.length, 1, own, out.pointer)
    engine.release(mark)
  }

  /**
   * The two sums of a pass over the losses in these parts; `sums` has room for those of each. Where there is one thread, or one part, `own` does
   * without descriptions of the parts: it returns the first sum, and stores the second.
   */
  losses(
    kind: PassKind,
    ranges: readonly RowRange[],
    sums: EngineArray<Float64Array>,
    fields: PassFields,
    own: (range: RowRange, second: number) => number,
  ): { readonly sum: number; readonly bend: number } {
    if (this.isAlone(ranges)) {
      for (const [p, range] of ranges.entries()) sums[2 * p] = own(range, sums.pointer + 16 * p + 8)
    } else {
      const passes = ranges.map((range, p) => ({ ...fields, ...range, sums: sums.pointer + 16 * p }))
      this.run(kind, passes)
    }
    let [sum, bend] = sums
    for (let p = 1; p < ranges.length; p++) {
      sum += sums[2 * p]
      bend += sums[2 * p + 1]
    }
    return { sum, bend }
  }

  /** Blocks of so many rows of all parts together, or of one part after the other where there is one thread. */
  *grams(parts: readonly GramPart[], block: number, due: Due): Pieces {
    if (this.engine.threads === 1 && parts.length > 1) {
      for (const part of parts) yield* this.grams([part], block, due)
      return
    }
    const longest = Math.max(...parts.map(({ from, to }) => to - from))
    for (let done = 0; done < longest; done += block) {
      const passes = parts.map(({ from, to, ...rest }) => {
        const [begin, end] = [done, done + block].map((rows) => Math.min(to, from + rows))
        return { ...rest, from: begin, to: end }
      })
      this.run('grams', passes)
      if (due()) yield
    }
  }

  private isAlone(ranges: readonly RowRange[]): boolean {
    return this.engine.threads === 1 || ranges.length === 1
  }

  private zeros(length: number): number {
    const own = this.engine.array(Float64Array, length)
    own.fill(0)
    return own.pointer
  }
}
