/**
 * Work shared between threads. A job is a structure in memory that every thread reads (src/engine/memory/jobs.ts writes it);
 * tasks are taken one at a time through an atomic counter. What a task computes does not depend on who computes it, so
 * results are the same to the bit for any number of threads.
 */
import { accumulate } from './sums/accumulate'
import { distanceRows } from './kernel/distances'
import { exactRows } from './sums/exact-rows'
import { formatRun } from './text/format'
import { passTask } from './linear/passes'
import { subtractRows } from './sums/gradient'
import { kernelRows, kernelTriangle } from './kernel/kernel-rows'
import { parseRun } from './text/parse'
import { advance, beginPath, endPath } from './paths/path'
import { clearBlock } from './kernel/queries'
import * as at from './structures'
import { EXACT_QUERIES, QUERIES } from './structures'
import { chunkEnd, chunkStart, expandTask, field, packQueries, queriesFrom, uploadTask } from './tasks'

/** Takes tasks of a job until there are none left. */
export function work(job: usize, scratch: usize): void {
  const kind = load<u32>(job, at.JOB_KIND)
  const tasks = load<u32>(job, at.JOB_TASKS)
  if (kind == at.KIND_PATHS) {
    const space = <usize>atomic.add<u32>(job, 1, at.JOB_NEXT_SPACE)
    followPaths(job, load<u32>(field(job, at.JOB_SPACES) + (space << 2)), scratch, Infinity)
    return
  }
  for (;;) {
    const task = atomic.add<u32>(job, 1, at.JOB_NEXT)
    if (task >= tasks) return
    if (kind == at.KIND_KERNEL_ROWS) kernelRowsTask(job, scratch, task)
    else if (kind == at.KIND_SUBTRACT_ROWS) subtractRowsTask(job, task)
    else if (kind == at.KIND_EXPAND) expandTask<f32>(job, scratch, task)
    else if (kind == at.KIND_EXACT) expandTask<f64>(job, scratch, task)
    else if (kind == at.KIND_EXACT_ROWS) exactRowsTask(job, scratch, task)
    else if (kind == at.KIND_ACCUMULATE) accumulateTask(job, scratch, task)
    else if (kind == at.KIND_DISTANCES) distancesTask(job, scratch, task)
    else if (kind == at.KIND_KERNEL_MATRIX) kernelMatrixTask(job, scratch, task)
    else if (kind == at.KIND_FORMAT) formatRun(field(job, at.JOB_RUNS) + <usize>task * at.LINES_BYTES)
    else if (kind == at.KIND_PARSE) parseTask(job, task)
    else if (kind >= at.KIND_CLASS_VALUES) passTask(kind, field(job, at.JOB_RUNS) + <usize>task * at.PASS_BYTES)
    else uploadTask(job, kind, task)
  }
}

function kernelRowsTask(job: usize, scratch: usize, task: u32): void {
  const from = load<u32>(job, at.JOB_FROM)
  const to = load<u32>(job, at.JOB_TO)
  const chunk = load<u32>(job, at.JOB_CHUNK)
  const chunks = (to - from + chunk - 1) / chunk
  const first = (task / chunks) * QUERIES
  const start = from + (task % chunks) * chunk
  const end = min(to, start + chunk)
  const rows = field(job, at.JOB_ROWS) + (<usize>first << 2)
  const count = queriesFrom(job, first, QUERIES)
  const form = packQueries<f32>(job, first, count, scratch)
  kernelRows(field(job, at.JOB_MATRIX), field(job, at.JOB_KERNEL), form, start, end, rows, count, scratch)
  clearBlock<f32>(count, form, scratch)
}

/** The samples are the queries, those from `from` on; the first tasks are the longest. */
function kernelMatrixTask(job: usize, scratch: usize, task: u32): void {
  const known = load<u32>(job, at.JOB_FROM)
  const first = known + task * QUERIES
  const total = load<u32>(job, at.JOB_COUNT)
  const rows = field(job, at.JOB_ROWS)
  const count = queriesFrom(job, first, QUERIES)
  const form = packQueries<f32>(job, first, count, scratch)
  kernelTriangle(field(job, at.JOB_MATRIX), field(job, at.JOB_KERNEL), form, known, first, total, rows, scratch)
  clearBlock<f32>(count, form, scratch)
}

/** All queries, block by block, over one chunk of samples: the order of the sum is that of the queries. */
function accumulateTask(job: usize, scratch: usize, task: u32): void {
  const start = chunkStart(job, task)
  const end = chunkEnd(job, start)
  const matrix = field(job, at.JOB_MATRIX)
  const kernel = field(job, at.JOB_KERNEL)
  const vector = field(job, at.JOB_VECTOR)
  const coefficients = field(job, at.JOB_COEFFICIENTS)
  const total = load<u32>(job, at.JOB_COUNT)
  for (let first: u32 = 0; first < total; first += QUERIES) {
    const count = queriesFrom(job, first, QUERIES)
    const form = packQueries<f32>(job, first, count, scratch)
    memory.fill(scratch + at.SCRATCH_SUMS, 0, 128)
    memory.copy(scratch + at.SCRATCH_SUMS, coefficients + (<usize>first << 3), <usize>count << 3)
    accumulate(matrix, kernel, form, start, end, vector, scratch)
    clearBlock<f32>(count, form, scratch)
  }
}

function subtractRowsTask(job: usize, task: u32): void {
  const start = chunkStart(job, task)
  const end = chunkEnd(job, start)
  const coefficients = field(job, at.JOB_COEFFICIENTS)
  subtractRows<f32>(field(job, at.JOB_VECTOR), start, end, field(job, at.JOB_ROWS), coefficients, load<u32>(job, at.JOB_COUNT))
}

/** A chunk of the samples per task, all queries of it. */
function exactRowsTask(job: usize, scratch: usize, task: u32): void {
  const start = chunkStart(job, task)
  const end = chunkEnd(job, start)
  const matrix = field(job, at.JOB_MATRIX)
  const kernel = field(job, at.JOB_KERNEL)
  const samples = field(job, at.JOB_SAMPLES)
  for (let first: u32 = 0; first < load<u32>(job, at.JOB_COUNT); first += EXACT_QUERIES) {
    const queries = field(job, at.JOB_QUERIES) + (<usize>first << 2)
    const rows = field(job, at.JOB_ROWS) + (<usize>first << 2)
    exactRows(matrix, kernel, queries, queriesFrom(job, first, EXACT_QUERIES), samples, start, end, rows, scratch)
  }
}

function distancesTask(job: usize, scratch: usize, task: u32): void {
  distanceRows(
    field(job, at.JOB_MATRIX),
    field(job, at.JOB_KERNEL),
    task * EXACT_QUERIES,
    load<u32>(job, at.JOB_COUNT),
    field(job, at.JOB_SAMPLES),
    field(job, at.JOB_DISTANCES),
    field(job, at.JOB_STRIDE),
    load<u32>(job, at.JOB_TRANSFORMED) != 0,
    scratch,
  )
}

/**
 * Solves paths (./paths/path.ts) for about `budget` nanoseconds, the one that the workspace has started first; true when there
 * are none left to begin.
 */
export function followPaths(job: usize, space: usize, scratch: usize, budget: f64): bool {
  const tasks = load<u32>(job, at.JOB_TASKS)
  const distances = field(job, at.JOB_DISTANCES)
  const stride = field(job, at.JOB_STRIDE)
  const matrix = field(job, at.JOB_MATRIX)
  while (budget > 0) {
    if (atomic.load<u32>(job, at.JOB_STOP)) return true
    if (load<u32>(space, at.SPACE_PATH) == 0) {
      const task = atomic.add<u32>(job, 1, at.JOB_NEXT)
      if (task >= tasks) return true
      beginPath(space, field(job, at.JOB_PATHS) + <usize>task * at.PATH_BYTES, distances)
    }
    const spent = advance(space, distances, stride, matrix, scratch)
    budget -= spent
    if (spent == 0) endPath(space)
  }
  return false
}

/** One run of lines per task. */
function parseTask(job: usize, task: u32): void {
  const run = field(job, at.JOB_RUNS) + <usize>task * at.RUN_BYTES
  parseRun(run, load<u32>(job, at.JOB_FROM), load<u32>(job, at.JOB_TO))
}
