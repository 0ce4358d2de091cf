/**
 * Work that is kept in a place of the user's while it continues, so that it can be stopped at any moment and gone on with. What
 * is kept belongs to one job: the same data, the same settings. As bytes:
 *
 *   hyperplane-checkpoint 2\n | fingerprint of all that follows, 32 characters\n | the rest, as ../../base/packing.ts has it:
 *   { job, entries: { name: packed value } }
 *
 * docs/formats.md says what is in them.
 */

import { canonicalJson } from '../../base/canonical-json.ts'
import { checkNumber } from '../../base/check.ts'
import { DataError, ParameterError, show } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { pack, unpack } from '../../base/packing.ts'
import { slot } from '../../base/slot.ts'
import { Checkpoint } from '../../solve/driver/checkpoint.ts'

/** A place to store bytes: a file (a path is enough in Node), or a database in the browser. */
export interface CheckpointStore {
  /** Its name in messages, such as a path. */
  readonly name?: string
  /** Minimum number of seconds between two saves. Default 10. */
  readonly every?: number
  /** The bytes that were saved last; undefined if there are none. */
  load(): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Replaces the saved bytes atomically. */
  save(state: Uint8Array): void | Promise<void>
}

/** Where to save the state: a path in Node, a store anywhere, or the checkpoint of the enclosing work. */
export type CheckpointChoice = string | CheckpointStore | Checkpoint

/** What makes a job this one and no other, by name: plain values. */
export type Job = Readonly<Record<string, unknown>>

const FORMAT = 'hyperplane-checkpoint'
/** Of what follows the head; others are refused. */
const VERSION = 2
const HEAD = new TextEncoder().encode(`${FORMAT} ${VERSION}\n`)
/** Digits of the checksum after the head (128 bits), and seconds from one save to the next: what a crash may cost. */
const SUM_LENGTH = 32
const DEFAULT_EVERY = 10

const storeOfPath = slot((path: string): CheckpointStore => {
  throw new ParameterError(
    'fit',
    'checkpoint',
    `${show(path)} needs files, which are not available here: give an object with load() and save()`,
  )
})

/** Reports how a path becomes a store, where there are files. */
export function setCheckpointFiles(open: (path: string) => CheckpointStore): void {
  storeOfPath.install(open)
}

/** Does work that a checkpoint, if there is one, keeps; `job` says what the work is. */
export async function keeping<R>(
  choice: CheckpointChoice | undefined,
  job: () => Job,
  work: (checkpoint: Checkpoint | undefined) => Promise<R>,
): Promise<R> {
  if (choice === undefined || choice instanceof Checkpoint) return work(choice)
  const store = storeOf(choice)
  const kept = new KeptWork(store, job(), await store.load())
  try {
    return await work(kept.checkpoint)
  } finally {
    await kept.saveAll()
  }
}

/** As {@link keeping}, without a pause. */
export function keepingSync<R>(
  choice: CheckpointChoice | undefined,
  job: () => Job,
  work: (checkpoint: Checkpoint | undefined) => R,
): R {
  if (choice === undefined || choice instanceof Checkpoint) return work(choice)
  const store = storeOf(choice)
  const state = store.load()
  if (state instanceof Promise) {
    throw new ParameterError(
      'fitSync',
      'checkpoint',
      'a store whose load() and save() are synchronous',
      choice,
    )
  }
  const kept = new KeptWork(store, job(), state)
  try {
    return work(kept.checkpoint)
  } finally {
    kept.save()
  }
}

function storeOf(choice: string | CheckpointStore): CheckpointStore {
  const store = typeof choice === 'string' ? storeOfPath.current(choice) : choice
  if (typeof store?.load !== 'function' || typeof store.save !== 'function') {
    throw new ParameterError('fit', 'checkpoint', 'a path, or an object with load() and save()', choice)
  }
  return store
}

/** One job in its store. */
class KeptWork {
  readonly checkpoint: Checkpoint
  private readonly store: CheckpointStore
  private readonly job: Job
  private readonly entries: Map<string, Uint8Array>
  private readonly everyMs: number
  private savedMs = Number.NEGATIVE_INFINITY
  private isChanged: boolean
  /** A save that is under way. */
  private saving: Promise<void> | undefined

  constructor(store: CheckpointStore, job: Job, state: Uint8Array | undefined) {
    this.store = store
    this.job = job
    this.everyMs = 1000 * checkNumber('checkpoint', 'every', store.every ?? DEFAULT_EVERY, { min: 0 })
    this.entries = state ? entriesOf(store.name ?? 'checkpoint', job, state) : new Map()
    this.checkpoint = new Checkpoint(this.entries, this.everyMs, () => this.keep())
    this.isChanged = state === undefined
    // A store that cannot be written to should say so now, not after hours.
    if (this.isChanged) this.save()
  }

  /** Saves now, unless that was done a moment ago. */
  private keep(): void {
    this.isChanged = true
    // States come every `everyMs`: one that is a moment early should not wait for the next.
    if (!this.saving && performance.now() - this.savedMs >= this.everyMs / 2) this.save()
  }

  save(): void {
    if (!this.isChanged) return
    const rest = pack({ job: this.job, entries: Object.fromEntries(this.entries) })
    const sum = new TextEncoder().encode(`${fingerprint(rest)}\n`)
    const state = new Uint8Array(HEAD.length + sum.length + rest.length)
    state.set(HEAD)
    state.set(sum, HEAD.length)
    state.set(rest, HEAD.length + sum.length)
    this.isChanged = false
    this.savedMs = performance.now()
    const saving = this.store.save(state)
    if (!(saving instanceof Promise)) return
    this.saving = saving.finally(() => {
      this.saving = undefined
    })
    // The error is thrown to the caller that waits for it at the end.
    this.saving.catch(() => {
      this.isChanged = true
    })
  }

  /** Saves what is not saved yet. */
  async saveAll(): Promise<void> {
    await this.saving?.catch(() => {})
    this.save()
    await this.saving
  }
}

/** What is kept, if it is of this job. */
function entriesOf(name: string, job: Job, state: Uint8Array): Map<string, Uint8Array> {
  const start = new TextDecoder().decode(state.subarray(0, 2 * HEAD.length))
  const [, version] = /^hyperplane-checkpoint (\d+)\n/.exec(start) ?? []
  if (version === undefined)
    throw new DataError(`${name}: this is not a checkpoint of Hyperplane; the file is left unchanged`)
  if (Number(version) !== VERSION) {
    throw new DataError(
      `${name}: checkpoint version ${version} is not supported; this program reads version ${VERSION}`,
    )
  }
  const sum = new TextDecoder().decode(state.subarray(HEAD.length, HEAD.length + SUM_LENGTH))
  const rest = state.subarray(HEAD.length + SUM_LENGTH + 1)
  if (fingerprint(rest) !== sum) {
    throw new DataError(`${name}: this checkpoint is damaged; delete it to start again`)
  }
  const saved = unpack(rest) as { job: Job; entries: Record<string, Uint8Array> }
  const differences = differencesOf(saved.job, job)
  if (differences.length > 0) {
    throw new DataError(
      `${name}: this checkpoint belongs to different work (${differences.join(', ')}); use another file, or delete it to start again`,
    )
  }
  return new Map(Object.entries(saved.entries))
}

/** What differs, in words. Objects are compared by their fields. */
function differencesOf(before: unknown, now: unknown, name = ''): string[] {
  if (canonicalJson(before) === canonicalJson(now)) return []
  if (isObject(before) && isObject(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...names].flatMap((field) => differencesOf(before[field], now[field], field))
  }
  const words = (value: unknown): string => (value === undefined ? 'not given' : canonicalJson(value))
  const isHash = typeof before === 'string' && /^[0-9a-f]{32}$/.test(before)
  return [isHash ? `other ${name}` : `${name} was ${words(before)}, is ${words(now)}`]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
