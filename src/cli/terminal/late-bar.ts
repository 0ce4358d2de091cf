/** A progress bar that shows itself only on a terminal, and only when the work lasts. */
import type { SingleBar } from 'cli-progress'
import { currentVoice, isTerminal } from './voice.ts'

/** Work that is done so soon needs no bar; all other work shows one within a second. */
const PATIENCE_MS = 700
/** A bar shows tenths of a per cent. */
const STEPS = 1000

/** Call `update` as often as you like and `stop` when the work is over. The bar appears by itself, whether there was an update or not. */
export class LateBar {
  private readonly stream: NodeJS.WriteStream
  private state: { title: string; fraction: number; words: string }
  private readonly timer: NodeJS.Timeout | undefined
  private bar: SingleBar | undefined
  private over = false

  /** `title` and `words` are shown until the first update. */
  constructor(title = 'working', words = '', stream: NodeJS.WriteStream = process.stderr) {
    this.stream = stream
    this.state = { title, fraction: 0, words }
    if (currentVoice().isQuiet || !isTerminal(stream)) return
    this.timer = setTimeout(() => void this.show(), PATIENCE_MS)
    this.timer.unref()
  }

  /** Shows that a `fraction` (0 to 1) of the work named `title` is done, and a few words on its state. */
  update(title: string, fraction: number, words: string): void {
    this.state = { title, fraction: Number.isFinite(fraction) ? fraction : 0, words }
    this.bar?.update(this.steps, { title, words })
  }

  /** Takes the bar away. */
  stop(): void {
    this.over = true
    clearTimeout(this.timer)
    this.bar?.stop()
  }

  private get steps(): number {
    return Math.floor(STEPS * Math.min(1, Math.max(0, this.state.fraction)))
  }

  private async show(): Promise<void> {
    const { SingleBar } = await import('cli-progress')
    if (this.over) return
    this.bar = new SingleBar({
      stream: this.stream,
      format: '{title} {bar} {words}',
      barsize: 24,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      clearOnComplete: true,
      fps: 10,
    })
    const { title, words } = this.state
    this.bar.start(STEPS, this.steps, { title, words })
  }
}
