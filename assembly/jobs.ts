/**
 * Work shared between threads. A job is a structure in memory that every thread reads; tasks are taken one at a time
 * through an atomic counter. What a task computes does not depend on who computes it, so results are the same to the
 * bit for any number of threads.
 *
 * Scratch of a thread (./layout.ts; src/engine/memory/layout.ts reserves it): norms, rows and more of up to 16 queries; 16
 * sums; a tile; the query block [cols][16] f32, [cols][8] f64 or one of ./kernel/integer-products.ts, all zeros between tasks.
 */
import { accumulate } from './sums/accumulate'
import { expand, expandAll } from './sums/decisions'
import { distanceRows } from './kernel/distances'
import { exactExpand, exactExpandAll } from './sums/exact'
import { formatRun, LINES_BYTES } from './text/format'
import { subtractRows } from './sums/gradient'
import { kernelRows, kernelTriangle } from './kernel/kernel-rows'
import {
  EXACT_QUERIES,
  QUERIES,
  SCRATCH_SUMS,
  SUMS_OUTPUTS,
} from './layout'
import { parseRun, RUN_BYTES } from './text/parse'
import { advance, enter, leave } from './paths/path'
import { PATH_BYTES, SPACE_PATH } from './paths/path-layout'
import { clearBlock, clearExactBlock, packBlock, packExactBlock } from './kernel/queries'
import { fillEntries, prepareRows, sumColumns } from './kernel/upload'
import { sharedForm } from './kernel/integer-products'

const JOB_KIND: usize = 0
const JOB_TASKS: usize = 4
const JOB_NEXT: usize = 8 // atomic
const JOB_MATRIX: usize = 12
const JOB_KERNEL: usize = 16
const JOB_FROM: usize = 20
const JOB_TO: usize = 24
/** Samples a task covers (a multiple of 4). */
const JOB_CHUNK: usize = 28
/** Matrix the query rows come from, their row numbers (u32), and how many there are. */
const JOB_QUERY_MATRIX: usize = 32
const JOB_QUERIES: usize = 36
const JOB_COUNT: usize = 40
/** u32 pointers to rows (kernel rows, subtract), f64 results (expansions), or the runs to parse or to write. */
const JOB_ROWS: usize = 44
/** f64 coefficients. */
const JOB_COEFFICIENTS: usize = 48
/** The f64 vector that rows are subtracted from. */
const JOB_VECTOR: usize = 52
/** u32 rows of the matrix that an exact expansion runs over, TO of them. */
const JOB_SAMPLES: usize = 56
/** Of several sums a query (./layout.ts), whose results are [task][sum][query] f64; 0 for one sum, results [query]. */
const JOB_LAYOUT: usize = 60
/** Of paths, in these places: 1 asks to stop, pointers to workspaces (u32), and which of them is free next (atomic). */
const JOB_STOP: usize = JOB_TO
const JOB_SPACES: usize = JOB_QUERIES
const JOB_NEXT_SPACE: usize = JOB_SAMPLES
/** Of matrices that were copied in: f64 means, whether values are rounded, where pairs are counted. */
const JOB_MEANS: usize = JOB_COEFFICIENTS
const JOB_ROUNDED: usize = JOB_ROWS
const JOB_PAIRS: usize = JOB_VECTOR
/** Pointer to a u32: 1 as soon as a value has no entry. */
const JOB_REFUSED: usize = JOB_ROWS

const KERNEL_ROWS: u32 = 0
const SUBTRACT_ROWS: u32 = 1
const EXPAND: u32 = 2
const EXACT: u32 = 3
const PARSE: u32 = 4
const ACCUMULATE: u32 = 5
const DISTANCES: u32 = 6
const PATHS: u32 = 7
const KERNEL_MATRIX: u32 = 8
const FORMAT: u32 = 9
const PREPARE: u32 = 10
const COLUMN_SUMS: u32 = 11
const ENTRIES: u32 = 12

/** Takes tasks of a job until there are none left. */
export function work(job: usize, scratch: usize): void {
  const kind = load<u32>(job, JOB_KIND)
  const tasks = load<u32>(job, JOB_TASKS)
  if (kind == PATHS) {
    const space = <usize>atomic.add<u32>(job, 1, JOB_NEXT_SPACE)
    followPaths(job, load<u32>(<usize>load<u32>(job, JOB_SPACES) + (space << 2)), scratch, Infinity)
    return
  }
  for (;;) {
    const task = atomic.add<u32>(job, 1, JOB_NEXT)
    if (task >= tasks) return
    if (kind == KERNEL_ROWS) kernelRowsTask(job, scratch, task)
    else if (kind == SUBTRACT_ROWS) subtractRowsTask(job, task)
    else if (kind == EXPAND) expandTask(job, scratch, task)
    else if (kind == EXACT) exactTask(job, scratch, task)
    else if (kind == ACCUMULATE) accumulateTask(job, scratch, task)
    else if (kind == DISTANCES) distancesTask(job, scratch, task)
    else if (kind == KERNEL_MATRIX) kernelMatrixTask(job, scratch, task)
    else if (kind == FORMAT) formatRun(<usize>load<u32>(job, JOB_ROWS) + <usize>task * LINES_BYTES)
    else if (kind == PARSE) parseTask(job, task)
    else uploadTask(job, kind, task)
  }
}

function kernelRowsTask(job: usize, scratch: usize, task: u32): void {
  const from = load<u32>(job, JOB_FROM)
  const to = load<u32>(job, JOB_TO)
  const chunk = load<u32>(job, JOB_CHUNK)
  const chunks = (to - from + chunk - 1) / chunk
  const first = (task / chunks) * QUERIES
  const start = from + (task % chunks) * chunk
  const count = <i32>min<u32>(QUERIES, load<u32>(job, JOB_COUNT) - first)
  const form = packQueries(job, first, count, scratch)
  kernelRows(
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    form,
    start,
    min(to, start + chunk),
    <usize>load<u32>(job, JOB_ROWS) + ((<usize>first) << 2),
    count,
    scratch,
  )
  clearBlock(count, form, scratch)
}

/** The samples are the queries; the first tasks are the longest. */
function kernelMatrixTask(job: usize, scratch: usize, task: u32): void {
  const first = task * QUERIES
  const total = load<u32>(job, JOB_COUNT)
  const count = <i32>min<u32>(QUERIES, total - first)
  const form = packQueries(job, first, count, scratch)
  kernelTriangle(
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    form,
    first,
    total,
    load<u32>(job, JOB_ROWS),
    scratch,
  )
  clearBlock(count, form, scratch)
}

/** All queries, block by block, over one chunk of samples: the order of the sum is that of the queries. */
function accumulateTask(job: usize, scratch: usize, task: u32): void {
  const chunk = load<u32>(job, JOB_CHUNK)
  const start = load<u32>(job, JOB_FROM) + task * chunk
  const end = min(load<u32>(job, JOB_TO), start + chunk)
  const total = load<u32>(job, JOB_COUNT)
  for (let first: u32 = 0; first < total; first += QUERIES) {
    const count = <i32>min<u32>(QUERIES, total - first)
    const form = packQueries(job, first, count, scratch)
    memory.fill(scratch + SCRATCH_SUMS, 0, 128)
    memory.copy(
      scratch + SCRATCH_SUMS,
      <usize>load<u32>(job, JOB_COEFFICIENTS) + (<usize>first << 3),
      <usize>count << 3,
    )
    accumulate(
      load<u32>(job, JOB_MATRIX),
      load<u32>(job, JOB_KERNEL),
      form,
      start,
      end,
      load<u32>(job, JOB_VECTOR),
      scratch,
    )
    clearBlock(count, form, scratch)
  }
}

function subtractRowsTask(job: usize, task: u32): void {
  const chunk = load<u32>(job, JOB_CHUNK)
  const start = load<u32>(job, JOB_FROM) + task * chunk
  const end = min(load<u32>(job, JOB_TO), start + chunk)
  subtractRows(
    load<u32>(job, JOB_VECTOR),
    start,
    end,
    load<u32>(job, JOB_ROWS),
    load<u32>(job, JOB_COEFFICIENTS),
    load<u32>(job, JOB_COUNT),
  )
}

function expandTask(job: usize, scratch: usize, task: u32): void {
  const first = task * QUERIES
  const count = <i32>min<u32>(QUERIES, load<u32>(job, JOB_COUNT) - first)
  const form = packQueries(job, first, count, scratch)
  const layout = <usize>load<u32>(job, JOB_LAYOUT)
  if (layout) {
    const bytes = <usize>load<u32>(layout, SUMS_OUTPUTS) << 7
    const sums = <usize>load<u32>(job, JOB_ROWS) + <usize>task * bytes
    memory.fill(sums, 0, bytes)
    expandAll(
      load<u32>(job, JOB_MATRIX),
      load<u32>(job, JOB_KERNEL),
      form,
      load<u32>(job, JOB_TO),
      load<u32>(job, JOB_COEFFICIENTS),
      sums,
      layout,
      scratch,
    )
    clearBlock(count, form, scratch)
    return
  }
  memory.fill(scratch + SCRATCH_SUMS, 0, 128)
  expand(
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    form,
    load<u32>(job, JOB_TO),
    load<u32>(job, JOB_COEFFICIENTS),
    scratch,
  )
  clearBlock(count, form, scratch)
  memory.copy(
    <usize>load<u32>(job, JOB_ROWS) + ((<usize>first) << 3),
    scratch + SCRATCH_SUMS,
    (<usize>count) << 3,
  )
}

function exactTask(job: usize, scratch: usize, task: u32): void {
  const first = task * EXACT_QUERIES
  const count = <i32>min<u32>(EXACT_QUERIES, load<u32>(job, JOB_COUNT) - first)
  const form = formOf(job)
  packExactBlock(
    load<u32>(job, JOB_QUERY_MATRIX),
    <usize>load<u32>(job, JOB_QUERIES) + (<usize>first << 2),
    count,
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    form,
    scratch,
  )
  const layout = <usize>load<u32>(job, JOB_LAYOUT)
  if (layout) {
    const bytes = <usize>load<u32>(layout, SUMS_OUTPUTS) << 6
    const sums = <usize>load<u32>(job, JOB_ROWS) + <usize>task * bytes
    memory.fill(sums, 0, bytes)
    exactExpandAll(
      load<u32>(job, JOB_MATRIX),
      load<u32>(job, JOB_KERNEL),
      form,
      load<u32>(job, JOB_SAMPLES),
      load<u32>(job, JOB_TO),
      load<u32>(job, JOB_COEFFICIENTS),
      sums,
      layout,
      scratch,
    )
  } else {
    memory.fill(scratch + SCRATCH_SUMS, 0, 64)
    exactExpand(
      load<u32>(job, JOB_MATRIX),
      load<u32>(job, JOB_KERNEL),
      form,
      load<u32>(job, JOB_SAMPLES),
      load<u32>(job, JOB_TO),
      load<u32>(job, JOB_COEFFICIENTS),
      scratch,
    )
    memory.copy(
      <usize>load<u32>(job, JOB_ROWS) + ((<usize>first) << 3),
      scratch + SCRATCH_SUMS,
      <usize>count << 3,
    )
  }
  clearExactBlock(count, form, scratch)
}

function distancesTask(job: usize, scratch: usize, task: u32): void {
  distanceRows(
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    task * EXACT_QUERIES,
    load<u32>(job, JOB_COUNT),
    load<u32>(job, JOB_SAMPLES),
    load<u32>(job, JOB_VECTOR),
    load<u32>(job, JOB_CHUNK),
    scratch,
  )
}

/**
 * Solves paths (./paths/path.ts) for about `budget` nanoseconds, the one that the workspace has begun first; true when there
 * are none left to begin.
 */
export function followPaths(job: usize, space: usize, scratch: usize, budget: f64): bool {
  const tasks = load<u32>(job, JOB_TASKS)
  const distances = <usize>load<u32>(job, JOB_VECTOR)
  const stride = <usize>load<u32>(job, JOB_CHUNK)
  const matrix = <usize>load<u32>(job, JOB_MATRIX)
  while (budget > 0) {
    if (atomic.load<u32>(job, JOB_STOP)) return true
    if (load<u32>(space, SPACE_PATH) == 0) {
      const task = atomic.add<u32>(job, 1, JOB_NEXT)
      if (task >= tasks) return true
      enter(space, <usize>load<u32>(job, JOB_ROWS) + <usize>task * PATH_BYTES)
    }
    const spent = advance(space, distances, stride, matrix, scratch)
    budget -= spent
    if (spent == 0) leave(space)
  }
  return false
}

/** One run of lines a task. */
function parseTask(job: usize, task: u32): void {
  const run = <usize>load<u32>(job, JOB_ROWS) + <usize>task * RUN_BYTES
  parseRun(run, load<u32>(job, JOB_FROM), load<u32>(job, JOB_TO))
}

/** A range of rows a task, or of columns. */
function uploadTask(job: usize, kind: u32, task: u32): void {
  const matrix = <usize>load<u32>(job, JOB_MATRIX)
  const chunk = load<u32>(job, JOB_CHUNK)
  const from = task * chunk
  const to = min(load<u32>(job, JOB_TO), from + chunk)
  const count = load<u32>(job, JOB_COUNT)
  const means = <usize>load<u32>(job, JOB_MEANS)
  if (kind == PREPARE) {
    prepareRows(matrix, from, to, load<u32>(job, JOB_ROUNDED) != 0, means, count, load<u32>(job, JOB_PAIRS))
  } else if (kind == COLUMN_SUMS) sumColumns(matrix, from, to, count, means)
  else if (!fillEntries(matrix, from, to, <f64>count)) atomic.store<u32>(load<u32>(job, JOB_REFUSED), 1)
}

/** How the job's products are computed; see ./kernel/integer-products.ts. */
function formOf(job: usize): u32 {
  return sharedForm(load<u32>(job, JOB_MATRIX), load<u32>(job, JOB_QUERY_MATRIX))
}

/** Packs queries of the job from number `first` on, and returns in which form. */
function packQueries(job: usize, first: u32, count: i32, scratch: usize): u32 {
  const form = formOf(job)
  packBlock(
    load<u32>(job, JOB_QUERY_MATRIX),
    <usize>load<u32>(job, JOB_QUERIES) + (<usize>first << 2),
    count,
    load<u32>(job, JOB_MATRIX),
    load<u32>(job, JOB_KERNEL),
    form,
    scratch,
  )
  return form
}
