/**
 * The worker of one file. Another file, or another column as the label, gets a worker of its own, so that it never waits
 * behind this one, and this one stays as it is until the other has been read. Where a training had to be ended with its
 * worker, the file is read again before it is needed again.
 */
import { type CallOptions, LabWorker } from '../worker/client.ts'
import type { FileRequest, FileResult, FileSummary, Jobs, ModelFiles } from '../worker/messages.ts'

/** A file and its worker. */
export class FileWorker {
  private readonly ask: Jobs['open']['ask']
  private readonly worker = new LabWorker({ mayEnd: true })
  /** The worker, counted, in which the file is open. */
  private openIn = 0
  private last: FileRequest | undefined

  constructor(ask: Jobs['open']['ask']) {
    this.ask = ask
  }

  /** Reads the file. */
  async open(options: CallOptions<'open'> = {}): Promise<FileSummary> {
    const summary = await this.worker.call('open', this.ask, options)
    this.openIn = this.worker.started
    return summary
  }

  /** Trains on it. */
  async fit(request: FileRequest, options: CallOptions<'fit'> = {}): Promise<FileResult> {
    if (this.openIn !== this.worker.started)
      await this.open({ ...(options.signal && { signal: options.signal }) })
    const result = await this.worker.call('fit', request, options)
    this.last = request
    return result
  }

  /** The last model as text; it is trained again, with the same result, if its worker does not have it any more. */
  async modelFiles(as: 'json' | 'libsvm'): Promise<ModelFiles> {
    if (!this.last) throw new Error('nothing has been trained on this file yet')
    const ask = { file: this.last.number, as }
    const files = await this.worker.call('export', ask)
    if (files[as] !== undefined) return files
    await this.fit(this.last)
    return this.worker.call('export', ask)
  }

  /** Gives the file up. */
  end(): void {
    this.worker.end()
  }
}
