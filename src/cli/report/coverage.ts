/** How often sets of classes, or intervals, contain the truth. */
import type { Dataset, Label } from '../../data/table/dataset.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { number, percent } from './output.ts'

/** What was found of a model with `conformal`. */
export interface CoverageReport {
  /** What the model promises. */
  readonly level: number
  /** The share of samples whose truth is inside. */
  readonly coverage: number
  /** Of sets: how many classes they have in the mean, and the shares of those with one class and with none. */
  readonly meanSetSize?: number
  readonly single?: number
  readonly empty?: number
  /** Of intervals. */
  readonly width?: number
}

/** Counts over batches of samples. */
export class Coverage {
  private readonly model: Model
  private samples = 0
  private inside = 0
  private size = 0
  private readonly sizes = [0, 0]

  constructor(model: Model) {
    this.model = model
  }

  add({ samples, labels }: Pick<Dataset, 'samples' | 'labels'>, threads?: number): void {
    const { model } = this
    if (!model.conformal) return
    const options = threads === undefined ? {} : { threads }
    this.samples += labels.length
    if (isClassifier(model)) {
      model.predictSets(samples as never, options).forEach((set: readonly Label[], i) => {
        if (set.includes(labels[i])) this.inside++
        if (set.length < 2) this.sizes[set.length]++
        this.size += set.length
      })
    } else if ('predictInterval' in model) {
      const { lower, upper } = model.predictInterval(samples as never, options)
      lower.forEach((from, i) => {
        const target = labels[i] as number
        if (from <= target && target <= upper[i]) this.inside++
        this.size += upper[i] - from
      })
    }
  }

  /** Undefined of models that promise nothing. */
  get report(): CoverageReport | undefined {
    const { model, samples, inside, size, sizes } = this
    if (!model.conformal) return undefined
    const { level } = model.conformal
    const share = (count: number) => count / samples
    const found = { level, coverage: share(inside) }
    if (!isClassifier(model)) return { ...found, width: share(size) }
    return { ...found, meanSetSize: share(size), single: share(sizes[1]), empty: share(sizes[0]) }
  }
}

/** Names and values for people. */
export function coverageRows(report: CoverageReport): (readonly [string, string])[] {
  const { level, coverage, meanSetSize, single = 0, empty = 0, width = 0 } = report
  const what = meanSetSize === undefined ? 'intervals' : 'sets'
  return [
    ['coverage', `${percent(coverage)} of the ${what}, for a promised ${percent(level)}`],
    meanSetSize === undefined
      ? ['interval width', number(width)]
      : [
          'classes per set',
          `${number(meanSetSize, 4)} (one: ${percent(single)} of the sets, none: ${percent(empty)})`,
        ],
  ]
}
