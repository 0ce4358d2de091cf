/**
 * The board on BullMQ and Redis. All keys begin with `hyperplane:`.
 *
 *   hyperplane:jobs:…            BullMQ's own; a job is removed when it is done, the last failures stay
 *   hyperplane:document:HASH     what jobs have in common, named by content
 *   hyperplane:result:ID         what came of a job, until a coordinator has read it
 *   hyperplane:scores:KEY        scores of a search that is not complete (./queue-scores.node.ts)
 *   hyperplane:state:RUN:…       what a block keeps from one pass to the next
 *   hyperplane:workers, :worker:ID   who is there
 *
 * Everything that is not BullMQ's expires a week after it was written, so that nothing stays for ever.
 */
import { isIP } from 'node:net'
import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { HyperplaneError } from '../base/errors.ts'
import { textHash } from '../selection/search/content-hash.ts'
import type { JobBoard, JobState, PostedJob, WorkerNote } from './job-board.ts'
import { LARGEST_DOCUMENT, LARGEST_JOB } from './job-message.ts'
import { loadPeers, type Peers } from './optional-peers.node.ts'
import { explainQueueError, type QueueAddress, queueAddress } from './queue-address.node.ts'

/** The prefix of all keys, and the name of the one queue. */
export const PREFIX = 'hyperplane'
/** The name of the queue in BullMQ. */
export const QUEUE = 'jobs'
/** A week: long enough to come back to, and an end. */
export const KEEP_SECONDS = 7 * 24 * 3600
/** How long a worker counts as being there after it last said so; it does so every third of that. */
export const PRESENCE_SECONDS = 15
/** Attempts of a job that fails for a reason that may go away, and how long it waits in between. */
const ATTEMPTS = 3
const RETRY_MS = 500
/** Failures that are kept to be looked at; events that are kept for who was away for a moment. */
const KEPT_FAILURES = 1000
const KEPT_EVENTS = 10_000
/** Keys looked through in one go by {@link RedisBoard.clear}. */
const SCAN_COUNT = 1000
/** Redis before 6.2 lacks commands that BullMQ uses. */
const LEAST_VERSION = [6, 2]

/** How a queue stands: {@link RedisBoard.status}. */
export interface QueueStatus {
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly failed: number
  readonly workers: readonly WorkerNote[]
  /** The last failures, the newest first. */
  readonly failures: readonly { readonly id: string; readonly reason: string; readonly attempts: number }[]
  readonly memoryBytes: number
  /** Whether Redis keeps everything in a file as it comes (AOF). */
  readonly persistent: boolean
}

/** The board on BullMQ and Redis. */
export class RedisBoard implements JobBoard {
  readonly address: QueueAddress
  /** For commands of our own. */
  readonly redis: Redis
  private readonly queue: Queue
  private readonly peers: Peers
  private events: { close(): Promise<void> } | undefined
  private readonly duplicates: Redis[] = []
  private readonly listeners = new Set<(id: string) => void>()

  private constructor(address: QueueAddress, redis: Redis, peers: Peers) {
    this.address = address
    this.redis = redis
    this.peers = peers
    this.queue = new peers.Queue(QUEUE, {
      connection: redis as never,
      prefix: PREFIX,
      streams: { events: { maxLen: KEPT_EVENTS } },
    })
    this.queue.on('error', () => {})
  }

  /** Connects, and checks that the server keeps what it is given. */
  static async open(who: string, url: string): Promise<RedisBoard> {
    const peers = await loadPeers()
    const address = queueAddress(who, url)
    const redis = connect(address, peers.Redis)
    let failure: unknown
    redis.on('error', (error) => {
      failure ??= error
    })
    try {
      await redis.connect()
      await checkServer(address, redis)
    } catch (error) {
      redis.disconnect()
      if (error instanceof HyperplaneError) throw error
      throw explainQueueError(address, failure ?? error)
    }
    return new RedisBoard(address, redis, peers)
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.events?.close().catch(() => {})
    await this.queue.close().catch(() => {})
    for (const redis of [...this.duplicates, this.redis]) redis.disconnect()
  }

  /** Another connection to the same server, ended with this one: who waits on one cannot use it for anything else. */
  duplicate(): Redis {
    const redis = this.redis.duplicate()
    redis.on('error', () => {})
    this.duplicates.push(redis)
    return redis
  }

  /** Puts a text or bytes there under the hash of the content; returns the hash. */
  async putDocument(text: string): Promise<string> {
    if (text.length > LARGEST_DOCUMENT)
      throw new HyperplaneError(
        `a document of ${text.length} bytes exceeds the limit of a queue, ${LARGEST_DOCUMENT}`,
      )
    const hash = await textHash(text)
    await this.call(() => this.redis.set(keyOf('document', hash), text, 'EX', KEEP_SECONDS))
    return hash
  }

  /** A document by its hash, checked; undefined where it is gone. */
  async document(hash: string): Promise<string | undefined> {
    const key = keyOf('document', hash)
    if ((await this.redis.strlen(key)) > LARGEST_DOCUMENT) return undefined
    const text = await this.redis.get(key)
    return text !== null && (await textHash(text)) === hash ? text : undefined
  }

  /** Puts bytes under a name of one of our kinds. */
  async putBytes(kind: 'result' | 'state' | 'pass', name: string, bytes: Uint8Array): Promise<void> {
    const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    await this.call(() => this.redis.set(keyOf(kind, name), value, 'EX', KEEP_SECONDS))
  }

  /** Bytes by their name; undefined where they are gone. */
  async bytes(kind: 'result' | 'state' | 'pass', name: string): Promise<Uint8Array | undefined> {
    return (await this.call(() => this.redis.getBuffer(keyOf(kind, name)))) ?? undefined
  }

  /** Removes values. */
  async remove(kind: string, names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.call(() => this.redis.unlink(names.map((name) => keyOf(kind, name))))
  }

  async post(jobs: readonly PostedJob[]): Promise<void> {
    if (jobs.length === 0) return
    const opts = {
      removeOnComplete: true,
      removeOnFail: { count: KEPT_FAILURES, age: KEEP_SECONDS },
      attempts: ATTEMPTS,
      backoff: { type: 'fixed', delay: RETRY_MS },
      sizeLimit: LARGEST_JOB,
      stackTraceLimit: 0,
    } as const
    await this.call(() =>
      this.queue.addBulk(jobs.map(({ id, data }) => ({ name: 'unit', data, opts: { ...opts, jobId: id } }))),
    )
  }

  async look(ids: readonly string[]): Promise<JobState[]> {
    if (ids.length === 0) return []
    // The job first: one that is done in between is gone, but its result was there before.
    const jobs = this.redis.pipeline()
    for (const id of ids) jobs.exists(this.queue.toKey(id)).zscore(this.queue.toKey('failed'), id)
    const found = await this.call(() => jobs.exec())
    const answer = (k: number): unknown => found?.[k]?.[1]
    return this.call(() =>
      Promise.all(
        ids.map(async (id, k): Promise<JobState> => {
          if (answer(2 * k + 1) !== null && answer(2 * k + 1) !== undefined) {
            const reason = await this.redis.hget(this.queue.toKey(id), 'failedReason')
            return { kind: 'failed', reason: reason ?? 'failed' }
          }
          if (answer(2 * k) === 1) return { kind: 'open' }
          const result = await this.redis.getBuffer(keyOf('result', id))
          return result ? { kind: 'done', result } : { kind: 'missing' }
        }),
      ),
    )
  }

  async drop(ids: readonly string[]): Promise<void> {
    // The jobs themselves went when they were done.
    await this.remove('result', ids)
  }

  async withdraw(ids: readonly string[]): Promise<void> {
    // A job that somebody is working on is locked: it stays, and its result waits to be read.
    await Promise.all(ids.map((id) => this.queue.remove(id).catch(() => 0)))
  }

  listen(settled: (id: string) => void): () => void {
    if (!this.events) {
      const events = new this.peers.QueueEvents(QUEUE, {
        connection: this.duplicate() as never,
        prefix: PREFIX,
      })
      const tell = ({ jobId }: { jobId: string }): void => {
        for (const listener of this.listeners) listener(jobId)
      }
      events
        .on('completed', tell)
        .on('failed', tell)
        .on('error', () => {})
      this.events = events
    }
    this.listeners.add(settled)
    return () => this.listeners.delete(settled)
  }

  /** Says that a worker is there. */
  async present(note: WorkerNote): Promise<void> {
    const { id } = note
    await this.redis
      .pipeline()
      .sadd(keyOf('workers'), id)
      .set(keyOf('worker', id), JSON.stringify(note), 'EX', PRESENCE_SECONDS)
      .exec()
  }

  /** Says that a worker has left. */
  async leave(id: string): Promise<void> {
    await this.redis.pipeline().srem(keyOf('workers'), id).del(keyOf('worker', id)).exec()
  }

  async workers(): Promise<WorkerNote[]> {
    return this.call(async () => {
      const ids = (await this.redis.smembers(keyOf('workers'))).sort()
      if (ids.length === 0) return []
      const notes = await this.redis.mget(ids.map((id) => keyOf('worker', id)))
      const gone = ids.filter((_, k) => notes[k] === null)
      if (gone.length > 0) await this.redis.srem(keyOf('workers'), gone)
      return notes.flatMap((note) => (note === null ? [] : [JSON.parse(note) as WorkerNote]))
    })
  }

  now(): number {
    return performance.now()
  }

  async wait(ms: number, wake: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    await Promise.race([late, wake])
    clearTimeout(timer)
  }

  /** What waits, what runs where, what failed and why. */
  async status(failures = 10): Promise<QueueStatus> {
    return this.call(async () => {
      const counts = await this.queue.getJobCounts('wait', 'active', 'delayed', 'failed')
      const failed = (await this.queue.getFailed(0, failures - 1)) as Job[]
      const info = await this.redis.info()
      return {
        waiting: counts.wait ?? 0,
        active: counts.active ?? 0,
        delayed: counts.delayed ?? 0,
        failed: counts.failed ?? 0,
        workers: await this.workers(),
        failures: failed.map(({ id = '', failedReason, attemptsMade }) => ({
          id,
          reason: failedReason,
          attempts: attemptsMade,
        })),
        memoryBytes: Number(infoOf(info, 'used_memory')),
        persistent: infoOf(info, 'aof_enabled') === '1',
      }
    })
  }

  /** Removes all jobs, documents, results and scores; workers that are there stay. Returns how many keys that were. */
  clear(): Promise<number> {
    const ofWorkers = [keyOf('workers'), keyOf('worker', '')]
    return this.removeAll('', (key) => !ofWorkers.some((start) => key.startsWith(start)))
  }

  /** Removes everything whose key begins so, after the prefix of all keys. */
  removeAll(start: string, isMeant: (key: string) => boolean = () => true): Promise<number> {
    return this.call(async () => {
      let cursor = '0'
      let removed = 0
      do {
        const [next, keys] = await this.redis.scan(
          cursor,
          'MATCH',
          `${PREFIX}:${start}*`,
          'COUNT',
          SCAN_COUNT,
        )
        const meant = keys.filter(isMeant)
        if (meant.length > 0) removed += await this.redis.unlink(meant)
        cursor = next
      } while (cursor !== '0')
      return removed
    })
  }

  private async call<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command()
    } catch (error) {
      throw explainQueueError(this.address, error)
    }
  }
}

/** The key of a value of ours. */
export function keyOf(kind: string, name?: string): string {
  return name === undefined ? `${PREFIX}:${kind}` : `${PREFIX}:${kind}:${name}`
}

/** The first connection fails if it cannot be made; one that was there before is made again and again. */
function connect(address: QueueAddress, RedisClient: Peers['Redis']): Redis {
  const { host, port, database, username, password, tls } = address
  let wasReady = false
  const redis = new RedisClient({
    ...{ host, port, db: database, lazyConnect: true },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    // Names of servers are names of hosts: TLS has none for addresses.
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    // BullMQ requires it: commands wait until the server is there again.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => (wasReady ? Math.min(50 * times, 1000) : null),
  })
  redis.on('ready', () => {
    wasReady = true
  })
  return redis
}

/** A server that throws keys away when it is full would lose jobs silently. */
async function checkServer(address: QueueAddress, redis: Redis): Promise<void> {
  const info = await redis.info()
  const say = (problem: string) => new HyperplaneError(`${address.shown}: ${problem}`)
  const policy = infoOf(info, 'maxmemory_policy')
  if (policy !== '' && policy !== 'noeviction')
    throw say(
      `this Redis evicts keys when it is full (maxmemory-policy ${policy}), and jobs would be lost; ` +
        'set it to noeviction: redis-cli CONFIG SET maxmemory-policy noeviction, and the same in redis.conf',
    )
  const version = infoOf(info, 'redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (
    version !== '' &&
    (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]))
  )
    throw say(`this is Redis ${version}; a queue needs ${LEAST_VERSION.join('.')} or newer`)
}

function infoOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
}
