/** A progress bar that shows itself only on a terminal, and only when the work lasts over a second. */
import type { SingleBar } from 'cli-progress'

/** Work of less than a second needs no bar; a bar shows tenths of a per cent. */
const QUIET_MS = 1000
const STEPS = 1000

/** Call `update` as often as you like and `stop` when the work is over. */
export class LateBar {
  private readonly stream: NodeJS.WriteStream
  private readonly started = performance.now()
  private bar: SingleBar | undefined
  private loading = false
  private over = false

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.stream = stream
  }

  /** Shows that a `fraction` (0 to 1) of the work named `title` is done, and a few words on its state. */
  update(title: string, fraction: number, words: string): void {
    if (this.bar) this.bar.update(Math.floor(STEPS * fraction), { title, words })
    else if (!this.loading && this.stream.isTTY && performance.now() - this.started >= QUIET_MS) {
      this.loading = true
      this.show(title, words)
    }
  }

  /** Takes the bar away. */
  stop(): void {
    this.over = true
    this.bar?.stop()
  }

  private async show(title: string, words: string): Promise<void> {
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
    this.bar.start(STEPS, 0, { title, words })
  }
}
