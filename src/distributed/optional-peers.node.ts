/** BullMQ and its client: loaded when a queue is used, and requested in words where they are missing. */
import type { Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { HyperplaneError } from '../base/errors.ts'

/** What is used of the two. */
export interface Peers {
  readonly Queue: typeof Queue
  readonly QueueEvents: typeof QueueEvents
  readonly Worker: typeof Worker
  /** To be thrown by who has moved a job, or does not want it tried again. */
  readonly DelayedError: typeof UnrecoverableError
  readonly WaitingError: typeof UnrecoverableError
  readonly UnrecoverableError: typeof UnrecoverableError
  readonly Redis: typeof Redis
}

/** BullMQ and its client, or an error that says how to install them. */
export async function loadPeers(): Promise<Peers> {
  try {
    const [bullmq, { Redis: RedisClient }] = await Promise.all([import('bullmq'), import('ioredis')])
    const { Queue, QueueEvents, Worker, DelayedError, WaitingError, UnrecoverableError } = bullmq
    return { Queue, QueueEvents, Worker, DelayedError, WaitingError, UnrecoverableError, Redis: RedisClient }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HyperplaneError(
      'a queue needs two packages that are not installed with Hyperplane: npm install bullmq ioredis',
      { cause: error },
    )
  }
}
