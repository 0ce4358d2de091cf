/**
 * Decides which block a row goes to, in one pass and without knowing what is to come: the rows of each class are dealt to
 * the open blocks in turn, as cards are, beginning at a random one in every round. So each block gets all classes in their
 * shares, whatever the order of the rows, and the seed alone decides.
 */
import { Random } from '../../base/random.ts'
import { MOST_CLASSES } from './shard-manifest.ts'

/** How many blocks are open at a time, and when others take their place. */
export interface DealPlan {
  readonly seed: number
  readonly open: number
  /** Rows after which the open blocks are complete and as many new ones follow; infinite where all blocks are open. */
  readonly rowsPerWindow: number
}

interface ClassDeal {
  /** Rows so far. */
  count: number
  /** Block of the first row of the round. */
  start: number
  readonly random: Random
}

/** See the header of the file. Labels are numbers: of other labels, their codes. */
export class RowDealer {
  readonly plan: DealPlan
  private readonly classes = new Map<number, ClassDeal>()
  private rows = 0

  constructor(plan: DealPlan) {
    this.plan = plan
  }

  /** All that it knows. */
  save() {
    return {
      rows: this.rows,
      labels: Float64Array.from(this.classes.keys()),
      counts: Float64Array.from(this.classes.values(), ({ count }) => count),
    }
  }

  restore({ rows, labels, counts }: ReturnType<RowDealer['save']>): void {
    this.rows = rows
    labels.forEach((label, c) => {
      const deal = this.newClass()
      // The start of every round so far is drawn again.
      for (let round = 0; round < Math.ceil(counts[c] / this.plan.open); round++) this.startRound(deal)
      deal.count = counts[c]
      this.classes.set(label, deal)
    })
  }

  /** The labels so far, one more than {@link MOST_CLASSES} where there are more. */
  get labels(): number[] {
    return [...this.classes.keys()].slice(0, MOST_CLASSES + 1)
  }

  /** The block of the next row. */
  blockOf(label: number): number {
    const { open, rowsPerWindow } = this.plan
    const deal = this.dealOf(label)
    if (deal.count % open === 0) this.startRound(deal)
    const within = (deal.start + deal.count++) % open
    const window = Math.floor(this.rows++ / rowsPerWindow)
    return window * open + within
  }

  /** Beyond the most classes there may be, labels are targets: all those are one class to be dealt. */
  private dealOf(label: number): ClassDeal {
    const { classes } = this
    const key = classes.size > MOST_CLASSES && !classes.has(label) ? Number.POSITIVE_INFINITY : label
    const known = classes.get(key)
    if (known) return known
    const deal = this.newClass()
    classes.set(key, deal)
    return deal
  }

  private newClass(): ClassDeal {
    // Any two classes draw different starts: the multiplier is odd and spreads over 32 bits (Knuth).
    const seed = this.plan.seed + Math.imul(this.classes.size, 0x9e3779b1)
    return { count: 0, start: 0, random: new Random(seed) }
  }

  private startRound(deal: ClassDeal): void {
    deal.start = deal.random.int(this.plan.open)
  }
}
