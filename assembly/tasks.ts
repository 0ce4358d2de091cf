/** What tasks of jobs (./jobs.ts) have in common, and the tasks of a prediction: all that the build of ./prediction.ts has. */
import { expandAll } from './sums/decisions'
import { sharedForm } from './kernel/integer-products'
import { clearBlock, packBlock } from './kernel/queries'
import { centreColumns, fillEntries, prepareRows } from './kernel/upload'
import * as at from './structures'
import { EXACT_QUERIES, QUERIES } from './structures'

/** Beyond the tasks of any job. */
const NO_TASK: u32 = 1 << 30

// @ts-ignore: decorator
@inline
export function field(job: usize, offset: usize): usize {
  return <usize>load<u32>(job + offset)
}

/** Lets no thread begin a further task of a job that has failed. */
export function abandon(job: usize): void {
  atomic.store<u32>(job, NO_TASK, at.JOB_NEXT)
}

/** A block of queries per task: 16 with kernel values in f32, 8 in f64. */
export function expandTask<T extends number>(job: usize, scratch: usize, task: u32): void {
  const width: u32 = sizeof<T>() == 4 ? QUERIES : EXACT_QUERIES
  const first = task * width
  const layout = field(job, at.JOB_LAYOUT)
  const sums = clearSums(job, task, layout, width)
  const count = queriesFrom(job, first, width)
  const form = packQueries<T>(job, first, count, scratch)
  expandAll<T>(
    field(job, at.JOB_MATRIX),
    field(job, at.JOB_KERNEL),
    form,
    field(job, at.JOB_SAMPLES),
    load<u32>(job, at.JOB_TO),
    field(job, at.JOB_COEFFICIENTS),
    sums,
    layout,
    scratch,
  )
  clearBlock<T>(count, form, scratch)
}

/** Where the sums of a task go, [sum][query] f64: all 0 now. */
function clearSums(job: usize, task: u32, layout: usize, queries: usize): usize {
  const bytes = (field(layout, at.SUMS_OUTPUTS) * queries) << 3
  const sums = field(job, at.JOB_RESULTS) + <usize>task * bytes
  memory.fill(sums, 0, bytes)
  return sums
}

/** A range of rows per task, or of columns. */
export function uploadTask(job: usize, kind: u32, task: u32): void {
  const matrix = field(job, at.JOB_MATRIX)
  const from = chunkStart(job, task)
  const to = chunkEnd(job, from)
  const count = load<u32>(job, at.JOB_COUNT)
  if (kind == at.KIND_PREPARE) {
    const rounded = load<u32>(job, at.JOB_ROUNDED) != 0
    prepareRows(matrix, from, to, rounded, field(job, at.JOB_MEANS), count, field(job, at.JOB_PAIRS))
  } else if (kind == at.KIND_CENTRE) {
    centreColumns(matrix, from, to, count, field(job, at.JOB_MEANS), field(job, at.JOB_RESULTS) + (<usize>from << 3))
  } else if (!fillEntries(matrix, from, to, <f64>count)) atomic.store<u32>(field(job, at.JOB_REFUSED), 1)
}

export function chunkStart(job: usize, task: u32): u32 {
  return load<u32>(job, at.JOB_FROM) + task * load<u32>(job, at.JOB_CHUNK)
}

export function chunkEnd(job: usize, start: u32): u32 {
  return min(load<u32>(job, at.JOB_TO), start + load<u32>(job, at.JOB_CHUNK))
}

/** Queries of the job from number `first` on, as many as `most`. */
export function queriesFrom(job: usize, first: u32, most: u32): i32 {
  return min<u32>(most, load<u32>(job, at.JOB_COUNT) - first)
}

/** Packs queries of the job from number `first` on, and returns in which form. */
export function packQueries<T>(job: usize, first: u32, count: i32, scratch: usize): u32 {
  const source = field(job, at.JOB_QUERY_MATRIX)
  const matrix = field(job, at.JOB_MATRIX)
  const form = sharedForm(matrix, source)
  const rows = field(job, at.JOB_QUERIES) + (<usize>first << 2)
  packBlock<T>(source, rows, count, matrix, field(job, at.JOB_KERNEL), form, scratch)
  return form
}
