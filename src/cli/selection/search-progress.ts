/** Shows how far a search has come. */
import { present } from '../../base/lists.ts'
import type { CoordinatorState } from '../../distributed/coordinator.ts'
import type { CellResult } from '../../selection/score/evaluate-cells.ts'
import { scoreWords } from '../options/selection-options.ts'
import { counted, seconds } from '../report/output.ts'
import type { LateBar } from '../terminal/late-bar.ts'

/** Cells done, the best so far, who works on them, and the time that is left if the others take as long. */
export class SearchProgress {
  private readonly bar: LateBar
  private readonly expected: number
  private readonly scorer: { readonly name: string; readonly greaterIsBetter: boolean }
  private readonly started = performance.now()
  private done = 0
  private failed = 0
  private best = Number.NaN
  private queue: CoordinatorState | undefined

  constructor(bar: LateBar, expected: number, scorer: SearchProgress['scorer']) {
    this.bar = bar
    this.expected = expected
    this.scorer = scorer
  }

  /** A cell is done. */
  cell({ mean, failures = [] }: CellResult): void {
    this.done++
    this.failed += failures.length
    if (!(this.scorer.greaterIsBetter ? mean <= this.best : mean >= this.best)) this.best = mean
    this.show()
  }

  /** The coordinator has looked at the queue. */
  look(state: CoordinatorState): void {
    this.queue = state
    this.show()
  }

  private show(): void {
    const { done, failed, queue, best, scorer } = this
    const total = Math.max(done, this.expected)
    // Jobs end in any order, and a cell with its last fold: while none is done, jobs tell the time better.
    const share = Math.max(done / total, queue && queue.total > 0 ? queue.done / queue.total : 0)
    const left = ((performance.now() - this.started) / 1000) * (1 / share - 1)
    const words = present([
      `${done} of ${total} cells`,
      !Number.isNaN(best) && `best ${scoreWords(scorer.name, best)}`,
      queue && counted(queue.workers.length, 'worker'),
      failed > 0 && `${failed} failed`,
      share > 0 && `${seconds(Math.ceil(left))} left`,
    ])
    this.bar.update('tuning', done / total, words.join(', '))
  }
}
