/**
 * Where jobs are pinned up and taken from: what a coordinator needs of a queue. BullMQ on Redis is one
 * (./redis-board.node.ts); the simulation has another, with its own clock.
 */

/** A job to be done: its name (./job-message.ts) and what it says. */
export interface PostedJob {
  readonly id: string
  readonly data: object
}

/** How a job stands. */
export type JobState =
  /** Waiting, or being worked on. */
  | { readonly kind: 'open' }
  /** Neither the job nor its result is there: it has to be posted. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'done'; readonly result: Uint8Array }
  | { readonly kind: 'failed'; readonly reason: string }

/** What a worker says of itself every few seconds. */
export interface WorkerNote {
  /** HOST:PID, and a number where there are several. */
  readonly id: string
  readonly library: string
  readonly engine: string
  readonly threads: number
  readonly since: string
  readonly done: number
  readonly failed: number
  /** Seconds that jobs took. */
  readonly seconds: number
  /** What it is working on, in words, and since when. */
  readonly running: readonly { readonly id: string; readonly what: string; readonly since: string }[]
  /** Why it does not work on jobs of a search or a run, by their hash. */
  readonly refuses: Readonly<Record<string, string>>
}

/** Where jobs are posted and taken from: what a coordinator needs of a queue. */
export interface JobBoard {
  /** Posts jobs; those that are there already stay as they are. */
  post(jobs: readonly PostedJob[]): Promise<void>
  /** How jobs stand, in the order of their names. */
  look(ids: readonly string[]): Promise<JobState[]>
  /** Takes results away that have been read. */
  drop(ids: readonly string[]): Promise<void>
  /** Takes jobs away that nobody has started, or that have failed. */
  withdraw(ids: readonly string[]): Promise<void>
  /** Calls with the name of each job that may have settled; returns what ends that. A call may get lost. */
  listen(settled: (id: string) => void): () => void
  workers(): Promise<WorkerNote[]>
  /** Milliseconds of its clock. */
  now(): number
  /** Waits this many milliseconds, or until `wake` is resolved. */
  wait(ms: number, wake: Promise<void>): Promise<void>
}
