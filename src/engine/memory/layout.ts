/** The structures of assembly/layout.ts and assembly/jobs.ts, written from TypeScript. */

/** Query rows in a block; see assembly/layout.ts. */
export const QUERIES = 16
/** Query rows in a block of f64 values; see assembly/sums/exact.ts. */
export const EXACT_QUERIES = 8
/** Bytes of a thread's scratch before its query block; see assembly/layout.ts. */
export const SCRATCH_BYTES = 320 + 4096
export const MATRIX_BYTES = 64
export const KERNEL_BYTES = 24
export const JOB_BYTES = 64
export const RUN_BYTES = 72
/** Of a run of lines to be written; see assembly/text/format.ts. */
export const LINES_BYTES = 36
/** Of a layout of several sums; see assembly/layout.ts. */
export const SUMS_BYTES = 20
/** Where a job of paths is told to stop. */
export const JOB_STOP_BYTE = 24
/** Where the fields of a run of lines are, counted in u32; see assembly/text/parse.ts. */
export const RUN_FIELDS = {
  ...{ from: 0, to: 1, labels: 2, rowEnds: 3, indices: 4, values: 5, open: 6, maxRows: 7, maxOpen: 8 },
  ...{ plain: 9, lines: 10, rows: 11, stored: 12, openCount: 13, zeroSeen: 14 },
  ...{ largest: 15, largestLine: 16, largestColumn: 17 },
} as const

/** The kernels that the engine knows. */
export const KERNEL_KINDS = { linear: 0, polynomial: 1, rbf: 2, sigmoid: 3 } as const

/** Fields of a job; pointers are byte offsets in the engine's memory. */
export type Job =
  /** `rows[q][j] = k(x_j, query_q)` for from <= j < to; see assembly/kernel/kernel-rows.ts. */
  | {
      readonly kind: 'kernel-rows'
      readonly matrix: number
      readonly kernel: number
      readonly from: number
      readonly to: number
      readonly queryMatrix: number
      /** u32 row numbers in queryMatrix. */
      readonly queries: number
      readonly count: number
      /** u32 pointers, one a query. */
      readonly rows: number
      /** How many parts the samples are cut into at least. */
      readonly parts: number
      /** Others are not asked to help. */
      readonly alone?: boolean
    }
  /** `rows[i][j] = k(x_i, x_j)` of all samples with each other, each value computed once; see assembly/kernel/kernel-rows.ts. */
  | {
      readonly kind: 'kernel-matrix'
      readonly matrix: number
      readonly kernel: number
      /** The same samples as queries: their u32 row numbers in queryMatrix. */
      readonly queryMatrix: number
      readonly queries: number
      readonly count: number
      /** u32 pointers, one a sample, to rows that are padded to whole cache lines. */
      readonly rows: number
    }
  /** `vector −= Σ_k coefficients[k] · rows[k]` for from <= j < to. */
  | {
      readonly kind: 'subtract-rows'
      readonly vector: number
      readonly from: number
      readonly to: number
      readonly rows: number
      readonly coefficients: number
      readonly count: number
    }
  /** `results[q] = Σ_j coefficients[j] · k(x_j, query_q)` over the first `to` samples: f32 values, f64 sums. */
  | {
      readonly kind: 'expand'
      readonly matrix: number
      readonly kernel: number
      readonly to: number
      readonly queryMatrix: number
      readonly queries: number
      readonly count: number
      readonly coefficients: number
      readonly results: number
      /** For several sums a query: see {@link SUMS_BYTES}; the results are then [task][sum][query of the task]. */
      readonly layout?: number
    }
  /** The same in f64 throughout, over the `to` samples that are listed (leave out those whose coefficient is 0). */
  | {
      readonly kind: 'exact'
      readonly matrix: number
      readonly kernel: number
      /** u32 row numbers in matrix, and a coefficient for each. */
      readonly samples: number
      readonly coefficients: number
      readonly to: number
      readonly queryMatrix: number
      readonly queries: number
      readonly count: number
      readonly results: number
      readonly layout?: number
    }
  /** `vector[j] −= Σ_q coefficients[q] · k(x_j, query_q)` for from <= j < to; no row is kept. */
  | {
      readonly kind: 'accumulate'
      readonly matrix: number
      readonly kernel: number
      readonly from: number
      readonly to: number
      readonly queryMatrix: number
      readonly queries: number
      readonly count: number
      readonly coefficients: number
      readonly vector: number
    }
  /** Parses runs of LIBSVM lines whose indices lie between `from` and `to`; see assembly/text/parse.ts. */
  | {
      readonly kind: 'parse'
      readonly runs: number
      readonly count: number
      readonly from: number
      readonly to: number
    }
  /** Writes runs of LIBSVM lines; see assembly/text/format.ts. */
  | {
      readonly kind: 'format'
      readonly runs: number
      readonly count: number
    }
  /** Makes what follows from f64 values and columns of the first `to` rows; see assembly/kernel/upload.ts. */
  | {
      readonly kind: 'prepare'
      readonly matrix: number
      readonly to: number
      /** Rows of a task. */
      readonly chunk: number
      /** Whether f32 copies are kept. */
      readonly rounded: boolean
      /** f64[count], what is subtracted from the first columns (dense). */
      readonly means: number
      readonly count: number
      /** u32[to] for how many pairs of columns have values (sparse), or 0. */
      readonly pairs: number
    }
  /** `sums[j] = Σ_i x_ij` over `count` rows of a dense matrix in f64, for the first `to` columns. */
  | {
      readonly kind: 'column-sums'
      readonly matrix: number
      readonly to: number
      readonly chunk: number
      readonly count: number
      readonly sums: number
    }
  /** Entries of the first `to` rows, their values in units of 1 / parts; sets the u32 `refused` to 1 where that cannot be. */
  | {
      readonly kind: 'entries'
      readonly matrix: number
      readonly to: number
      readonly chunk: number
      /** Parts. */
      readonly count: number
      readonly refused: number
    }
  /** Squared distances (rbf) or products of all samples with each other, f32; see assembly/kernel/distances.ts. */
  | {
      readonly kind: 'distances'
      readonly matrix: number
      readonly kernel: number
      /** u32: 0 … count − 1. */
      readonly samples: number
      readonly count: number
      readonly distances: number
      /** Bytes from row to row. */
      readonly stride: number
    }
  /** Follows paths; see assembly/paths/path.ts. */
  | {
      readonly kind: 'paths'
      readonly matrix: number
      readonly distances: number
      readonly stride: number
      readonly paths: number
      readonly count: number
      /** u32 pointers to workspaces, one a thread; the first is that of the calling thread. */
      readonly spaces: number
    }

const KINDS = {
  ...{ 'kernel-rows': 0, 'subtract-rows': 1, expand: 2, exact: 3, parse: 4, accumulate: 5 },
  ...{ distances: 6, paths: 7, 'kernel-matrix': 8, format: 9 },
  ...{ prepare: 10, 'column-sums': 11, entries: 12 },
} as const
/** Elements of the vector that a task of subtract-rows covers. */
const SUBTRACT_CHUNK = 4096
/** A task of kernel rows covers at least this many samples: packing the queries must pay. */
const ROWS_CHUNK = 1024

/** Values that a task of preparing a matrix covers, about. */
const UPLOAD_VALUES = 65536

/** How many rows of a matrix of `stored` values a task of preparing it covers. */
export function rowsOfTask(rows: number, stored: number): number {
  return Math.max(1, Math.min(rows, Math.ceil((rows * UPLOAD_VALUES) / Math.max(1, stored))))
}

/** Writes a job and returns its number of tasks. */
export function writeJob(buffer: ArrayBufferLike, pointer: number, job: Job): number {
  const fields = new Uint32Array(buffer, pointer, JOB_BYTES / 4)
  fields.fill(0)
  fields[0] = KINDS[job.kind]
  let tasks: number
  fields[10] = job.count
  if (job.kind === 'distances' || job.kind === 'paths') {
    fields[3] = job.matrix
    fields[7] = job.stride
    fields[13] = job.distances
    if (job.kind === 'distances') {
      fields[4] = job.kernel
      fields[14] = job.samples
      tasks = Math.ceil(job.count / EXACT_QUERIES)
    } else {
      fields[9] = job.spaces
      fields[11] = job.paths
      fields[14] = 1
      tasks = job.count
    }
    fields[1] = tasks
    return tasks
  }
  if (job.kind === 'kernel-matrix') {
    fields[3] = job.matrix
    fields[4] = job.kernel
    fields[8] = job.queryMatrix
    fields[9] = job.queries
    fields[11] = job.rows
    tasks = Math.ceil(job.count / QUERIES)
    fields[1] = tasks
    return tasks
  }
  if (job.kind === 'format') {
    fields[1] = job.count
    fields[11] = job.runs
    return job.count
  }
  fields[6] = job.to
  if (job.kind === 'prepare' || job.kind === 'column-sums' || job.kind === 'entries') {
    fields[3] = job.matrix
    fields[7] = job.chunk
    if (job.kind === 'entries') fields[11] = job.refused
    else if (job.kind === 'column-sums') fields[12] = job.sums
    else {
      fields[11] = Number(job.rounded)
      fields[12] = job.means
      fields[13] = job.pairs
    }
    tasks = Math.ceil(job.to / job.chunk)
  } else if (job.kind === 'subtract-rows') {
    fields[5] = job.from
    fields[7] = SUBTRACT_CHUNK
    fields[11] = job.rows
    fields[12] = job.coefficients
    fields[13] = job.vector
    tasks = Math.ceil((job.to - job.from) / SUBTRACT_CHUNK)
  } else if (job.kind === 'parse') {
    fields[5] = job.from
    fields[11] = job.runs
    tasks = job.count
  } else {
    fields[3] = job.matrix
    fields[4] = job.kernel
    fields[9] = job.queries
    if (job.kind === 'kernel-rows') {
      const span = job.to - job.from
      const chunk = Math.max(ROWS_CHUNK, Math.ceil(span / job.parts / 64) * 64)
      fields[5] = job.from
      fields[7] = chunk
      fields[8] = job.queryMatrix
      fields[11] = job.rows
      tasks = Math.ceil(job.count / QUERIES) * Math.ceil(span / chunk)
    } else if (job.kind === 'accumulate') {
      fields[5] = job.from
      fields[7] = ROWS_CHUNK
      fields[8] = job.queryMatrix
      fields[12] = job.coefficients
      fields[13] = job.vector
      tasks = Math.ceil((job.to - job.from) / ROWS_CHUNK)
    } else {
      fields[8] = job.queryMatrix
      fields[11] = job.results
      fields[12] = job.coefficients
      if (job.kind === 'exact') fields[14] = job.samples
      fields[15] = job.layout ?? 0
      tasks = Math.ceil(job.count / (job.kind === 'exact' ? EXACT_QUERIES : QUERIES))
    }
  }
  fields[1] = tasks
  return tasks
}
