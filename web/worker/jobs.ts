/** All jobs of the worker, and how they and their answers cross. */
import type { FileJobs } from '../files/file-messages.ts'
import type { Jobs } from './messages.ts'

/** Every job, about the plane or a file. */
export interface AllJobs extends Jobs, FileJobs {}

/** Name of a job. */
export type JobName = keyof AllJobs

/** To the worker. */
export type Command =
  | { readonly id: number; readonly kind: 'start'; readonly job: JobName; readonly ask: unknown }
  | { readonly id: number; readonly kind: 'cancel' }

/** From the worker. */
export type Report =
  | { readonly id: number; readonly kind: 'news'; readonly news: unknown }
  | { readonly id: number; readonly kind: 'done'; readonly reply: unknown }
  | { readonly id: number; readonly kind: 'cancelled' }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string }
