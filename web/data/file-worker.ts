/**
 * The worker of one file. Another file, or another way to read it, gets its own worker, so that it never waits
 * behind this one, and this one stays as it is until the other has been read. Where a training had to be ended with its
 * worker, the file is read again before it is needed again.
 */

import type {
  FileJobs,
  FilePredictions,
  FileReport,
  FileRequest,
  FileResult,
  FileSummary,
  FileTuned,
  FileTuneRequest,
} from '../files/file-messages.ts'
import { type CallOptions, LabWorker } from '../worker/client.ts'
import type { ModelFiles } from '../worker/messages.ts'

/** A file and its worker. */
export class FileWorker {
  private readonly ask: FileJobs['open']['ask']
  private readonly worker = new LabWorker({ mayEnd: true })
  /** How many workers had been ended when the file was read: it is open as long as no other has been. */
  private openSince: number | undefined
  private last: FileRequest | undefined

  constructor(ask: FileJobs['open']['ask']) {
    this.ask = ask
  }

  /** Reads the file. */
  async open(options: CallOptions<'open'> = {}): Promise<FileSummary> {
    const summary = await this.worker.call('open', this.ask, options)
    this.openSince = this.worker.ended
    return summary
  }

  /** Trains on it. */
  async fit(request: FileRequest, options: CallOptions<'fit'> = {}): Promise<FileResult> {
    await this.reopen(options.signal)
    const result = await this.worker.call('fit', request, options)
    this.last = request
    return result
  }

  /** Searches for parameters. */
  async tune(request: FileTuneRequest, options: CallOptions<'tuneFile'> = {}): Promise<FileTuned> {
    await this.reopen(options.signal)
    return this.worker.call('tuneFile', request, options)
  }

  /** The last model as text. */
  modelFiles(as: 'json' | 'libsvm'): Promise<ModelFiles> {
    return this.ofModel(async (file) => {
      const files = await this.worker.call('export', { file, as })
      return files[as] === undefined ? undefined : files
    })
  }

  /** What the last model says of the samples that it was evaluated on. */
  report(): Promise<FileReport> {
    return this.ofModel((file) => this.worker.call('report', { file }))
  }

  /** What the last model says of another file. */
  predict(name: string, bytes: Uint8Array, options: CallOptions<'predict'> = {}): Promise<FilePredictions> {
    return this.ofModel((file) => this.worker.call('predict', { file, name, bytes }, options))
  }

  /** Gives the file up. */
  end(): void {
    this.worker.end()
  }

  private async reopen(signal: AbortSignal | undefined): Promise<void> {
    // A worker that does not stop takes the file with it: whether it will is known once it has.
    await this.worker.settled()
    if (this.openSince !== this.worker.ended) await this.open({ ...(signal && { signal }) })
  }

  /** Asks about the last model; it is trained again, with the same result, if its worker does not have it any more. */
  private async ofModel<T>(ask: (number: number) => Promise<T | undefined>): Promise<T> {
    if (!this.last) throw new Error('nothing has been trained on this file yet')
    const { number } = this.last
    const found = await ask(number)
    if (found !== undefined) return found
    await this.fit(this.last)
    return (await ask(number)) as T
  }
}
