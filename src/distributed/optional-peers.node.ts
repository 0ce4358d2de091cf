/** BullMQ and its client: loaded when a queue is used, and asked for in words where they are missing. */
import { HyperplaneError } from '../base/errors.ts'

/** See the head of the file. */
export async function loadPeers() {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
    return { ...bullmq, Redis }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new HyperplaneError(
      'a queue needs two packages that Hyperplane does not bring along: npm install bullmq ioredis',
      { cause: error },
    )
  }
}
