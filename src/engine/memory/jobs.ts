/** Jobs that threads share; assembly/jobs.ts does them. */
import { type FieldName, sizeOf, writeFields } from './fields.ts'
import type { PASS_KINDS } from './linear-structures.ts'
import { EXACT_QUERIES, JOB_KINDS, QUERIES } from './structures.ts'

/** The kind of a job and its fields, which ./structures.ts explains. */
type JobOf<K extends keyof typeof JOB_KINDS, F extends FieldName<'JOB'>> = { readonly kind: K } & {
  readonly [field in F]: number
}

/** What a job takes that computes kernel values of samples with queries. */
type WithQueries = 'matrix' | 'kernel' | 'queryMatrix' | 'queries' | 'count'

/** Jobs whose tasks are PASS structures. */
export type PassKind = keyof typeof PASS_KINDS

/** What is to be done. Pointers are byte offsets in the engine's memory. */
export type Job =
  /**
   * `rows[q][j] = k(x_j, query_q)` for from <= j < to; see assembly/kernel/kernel-rows.ts. The samples are cut into so many
   * `parts` at least; if `alone`, others are not asked to help.
   */
  | (JobOf<'kernel-rows', WithQueries | 'from' | 'to' | 'rows'> & {
      readonly parts: number
      readonly alone?: boolean
    })
  /**
   * `rows[i][j] = k(x_i, x_j)` of all samples with each other, each value computed once; but those of the first `from` samples (a
   * multiple of the queries of a block) with each other are there. The queries are the same samples; rows are padded to whole
   * cache lines.
   */
  | JobOf<'kernel-matrix', WithQueries | 'from' | 'rows'>
  /** `vector −= Σ_k coefficients[k] · rows[k]` for from <= j < to. */
  | JobOf<'subtract-rows', 'vector' | 'from' | 'to' | 'rows' | 'coefficients' | 'count'>
  /**
   * `results[q] = Σ_j coefficients[j] · k(x_j, query_q)` over the first `to` samples: f32 values, f64 sums. The results are
   * padded to whole blocks of queries.
   */
  | (JobOf<'expand', WithQueries | 'to' | 'coefficients' | 'results'> & { readonly layout?: number })
  /** The same in f64 throughout, over the `to` samples that are listed (leave out those whose coefficient is 0). */
  | (JobOf<'exact', WithQueries | 'samples' | 'to' | 'coefficients' | 'results'> & {
      readonly layout?: number
    })
  /**
   * `rows[q][j] = k(x_samples[j], x_queries[q])` in f64 for from <= j < to, both of one matrix; see
   * assembly/sums/exact-rows.ts. If `alone`, others are not asked to help.
   */
  | (JobOf<'exact-rows', 'matrix' | 'kernel' | 'samples' | 'from' | 'to' | 'queries' | 'count' | 'rows'> & {
      readonly alone?: boolean
    })
  /** `vector[j] −= Σ_q coefficients[q] · k(x_j, query_q)` for from <= j < to; no row is kept. */
  | JobOf<'accumulate', WithQueries | 'from' | 'to' | 'coefficients' | 'vector'>
  /** Parses runs of LIBSVM lines whose indices lie between `from` and `to`; see assembly/text/parse.ts. */
  | JobOf<'parse', 'runs' | 'count' | 'from' | 'to'>
  /** Writes runs of LIBSVM lines; see assembly/text/format.ts. */
  | JobOf<'format', 'runs' | 'count'>
  /**
   * Makes what follows from f64 values and columns of the first `to` rows, after subtracting `count` means from the first
   * columns (dense); see assembly/kernel/upload.ts.
   */
  | JobOf<'prepare', 'matrix' | 'to' | 'chunk' | 'rounded' | 'means' | 'count' | 'pairs'>
  /** About the means of the first `to` columns of a dense matrix of `count` rows; `results` has room for f64[chunk] per task. */
  | JobOf<'centre', 'matrix' | 'to' | 'chunk' | 'count' | 'means' | 'results'>
  /** Entries of the first `to` rows, their values in units of 1 / count; sets `refused` to 1 where that cannot be. */
  | JobOf<'entries', 'matrix' | 'to' | 'chunk' | 'count' | 'refused'>
  /** Parts of passes over the rows of a linear machine for several classes, or of its systems; see assembly/linear/passes.ts. */
  | JobOf<PassKind, 'runs' | 'count'>
  /**
   * Squared distances (rbf) or products of all samples, 0 … count − 1, with each other, or the kernel values that they make;
   * see assembly/kernel/distances.ts.
   */
  | JobOf<'distances', 'matrix' | 'kernel' | 'samples' | 'count' | 'distances' | 'stride' | 'transformed'>
  /** Follows `count` paths; see assembly/paths/path.ts. The first workspace is that of the calling thread. */
  | JobOf<'paths', 'matrix' | 'distances' | 'stride' | 'paths' | 'count' | 'spaces'>

/**
 * Elements of the vector that a task of subtract-rows covers: at most 32 KB, the first-level cache of a core; and so few that there is
 * something for all threads, but whole pages of each row.
 */
const MOST_SUBTRACTED = 4096
const LEAST_SUBTRACTED = 512
const SUBTRACT_TASKS = 8
/** A task of kernel rows covers at least this many samples: packing the queries must pay. */
const ROWS_CHUNK = 1024
/** Values that a task of preparing a matrix covers, about: half a megabyte, some tens of microseconds. */
const UPLOAD_VALUES = 65536

/** How many rows of a matrix of `stored` values a task of preparing it covers. */
export function rowsOfTask(rows: number, stored: number): number {
  return Math.max(1, Math.min(rows, Math.ceil((rows * UPLOAD_VALUES) / Math.max(1, stored))))
}

/** Writes a job and returns its number of tasks. `oneSum` is the layout of a single sum. */
export function writeJob(memory: WebAssembly.Memory, pointer: number, job: Job, oneSum: number): number {
  const chunk = chunkOf(job)
  const tasks = tasksOf(job, chunk)
  new Uint8Array(memory.buffer, pointer, sizeOf('JOB')).fill(0)
  const { kind, parts: _, alone: __, ...fields } = { parts: 0, alone: false, layout: oneSum, ...job }
  // The calling thread has the first workspace of paths.
  writeFields(memory, 'JOB', pointer, { ...fields, chunk, tasks, kind: JOB_KINDS[kind], nextSpace: 1 })
  return tasks
}

/** Samples, rows or columns of a task, where these are cut into chunks. */
function chunkOf(job: Job): number {
  switch (job.kind) {
    case 'kernel-rows':
      return Math.max(ROWS_CHUNK, Math.ceil((job.to - job.from) / job.parts / 64) * 64)
    case 'accumulate':
    case 'exact-rows':
      return ROWS_CHUNK
    case 'subtract-rows':
      return Math.min(
        MOST_SUBTRACTED,
        LEAST_SUBTRACTED * Math.ceil((job.to - job.from) / SUBTRACT_TASKS / LEAST_SUBTRACTED),
      )
    default:
      return 'chunk' in job ? job.chunk : 0
  }
}

function tasksOf(job: Job, chunk: number): number {
  switch (job.kind) {
    case 'kernel-rows':
      return Math.ceil(job.count / QUERIES) * Math.ceil((job.to - job.from) / chunk)
    case 'subtract-rows':
    case 'accumulate':
    case 'exact-rows':
      return Math.ceil((job.to - job.from) / chunk)
    case 'prepare':
    case 'centre':
    case 'entries':
      return Math.ceil(job.to / chunk)
    case 'kernel-matrix':
      return Math.ceil((job.count - job.from) / QUERIES)
    case 'expand':
      return Math.ceil(job.count / QUERIES)
    case 'exact':
    case 'distances':
      return Math.ceil(job.count / EXACT_QUERIES)
    default:
      return job.count
  }
}
