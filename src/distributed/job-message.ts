/**
 * What travels over a queue: versioned plain data, checked by a schema wherever it arrives, named by the hash of what it
 * says. The same job has the same name whoever sends it, so that sending it again, or computing it twice, changes nothing.
 *
 *   search   what the cells of a search have in common: data (by hash), estimator, folds; one document, sent once
 *   cells    a job: cells that share their work, on some folds
 *   pass     a job: one pass over one block of a sharded data set
 *   result   what came of a job: numbers and typed arrays, packed
 */
import { canonicalJson } from '../base/canonical-json.ts'
import { DataError, HyperplaneError, show } from '../base/errors.ts'
import { pack, unpack } from '../base/packing.ts'
import * as z from '../base/schema.ts'
import { type TableOptions, tableOptionNames } from '../data/table/table-options.ts'
import type { FoldOutput } from '../selection/score/fold-output.ts'
import { textHash } from '../selection/search/content-hash.ts'
import { parseJob, type TuningJob } from '../selection/search/tuning-job.ts'

/** The version of everything that travels; a worker refuses others. */
export const MESSAGE_VERSION = 1

/** Bytes of a job at most, as JSON: hashes and parameters. A job that is longer is no job of ours. */
export const LARGEST_JOB = 2 ** 20
/** Bytes of a document at most: folds that no protocol made are lists of sample numbers. */
export const LARGEST_DOCUMENT = 2 ** 28

const hash = z.string(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
const count = z.int({ min: 0 })
const text = (most: number) =>
  z.string().refine(({ length }) => length <= most, `must have at most ${most} characters`)
/** A name within a folder: nothing that could lead elsewhere. */
const fileName = z.string(/^(?!\.{1,2}$)[^/\\\0]{1,255}$/, 'must be the name of a file')

const fileSchema = z.object({
  name: fileName,
  /** Where it is for the coordinator; the same file, where a worker has that folder as well. */
  path: text(4096),
  sha256: hash,
  bytes: count,
})

/** A file that workers need, by name and content. */
export type FileReference = z.Infer<typeof fileSchema>

const columnName = z.union([z.string(), z.int(), z.literal(false)])
/** What columns are: the reader checks it as it does for any caller. */
const columnSettings = Object.fromEntries(
  tableOptionNames.map((name) => [name, z.unknown().optional()]),
) as Record<keyof TableOptions, z.OptionalSchema<unknown>>
const readSchema = z.object({
  format: z.oneOf(['auto', 'libsvm', 'csv', 'tsv', 'parquet']).optional(),
  labelColumn: columnName.optional(),
  weightColumn: columnName.optional(),
  groupColumn: columnName.optional(),
  timeColumn: columnName.optional(),
  indexBase: z.union([z.literal(0), z.literal(1)]).optional(),
  maxBytes: z.number().optional(),
  delimiter: text(1).optional(),
  header: z.boolean().optional(),
  encoding: text(20).optional(),
  decimal: text(1).optional(),
  ...columnSettings,
})

/** How a worker reads the file as the coordinator did. */
export type ReadSettings = z.Infer<typeof readSchema>

const searchSchema = z.object({
  format: z.literal('hyperplane-search'),
  version: z.literal(MESSAGE_VERSION),
  job: z.unknown(),
  file: fileSchema,
  read: readSchema,
})

/** What the cells of a search have in common. */
export interface SearchDocument {
  readonly format: 'hyperplane-search'
  readonly version: typeof MESSAGE_VERSION
  /** Without cells. */
  readonly job: TuningJob
  readonly file: FileReference
  readonly read: ReadSettings
}

/** What every job has. Results depend on version and build in their last bits: a worker of another one refuses the job. */
const unitShape = {
  format: z.literal('hyperplane-unit'),
  version: z.literal(MESSAGE_VERSION),
  library: text(100),
  engine: text(20),
}

const cellsSchema = z.object({
  ...unitShape,
  kind: z.literal('cells'),
  /** Hash of the document of the search. */
  search: hash,
  cells: z.array(z.record(z.union([z.number(), z.string(), z.boolean()])), { min: 1 }),
  /** Which cell on which fold, by their numbers. */
  units: z.array(z.object({ cell: count, fold: count }), { min: 1 }),
  /** Whether the cells are solved as paths over one matrix, or each by its own fit. */
  shared: z.boolean(),
  /** Memory for kernel values: what it is decides the way of a solver, and so the last bits. */
  cacheBytes: z.number({ above: 0 }),
  withTraining: z.boolean(),
  countSupport: z.boolean(),
})

const passSchema = z.object({
  ...unitShape,
  kind: z.literal('pass'),
  /** Names the run: states of blocks belong to it. */
  run: text(200),
  /** Hash of the packed pass. */
  pass: hash,
  /** Hash of the manifest, and which block of it. */
  manifest: hash,
  block: count,
  file: fileSchema,
})

/** Cells on folds, as a job. */
export type CellsJob = z.Infer<typeof cellsSchema>
/** A pass over one block, as a job. */
export type PassJob = z.Infer<typeof passSchema>
/** Any job. */
export type UnitJob = CellsJob | PassJob

/** A job that this worker does not do, though another one may: it is handed back. */
export class RefusalError extends HyperplaneError {
  override name = 'RefusalError'
}

/** Checks that a value is a job of this version. */
export function parseUnit(from: unknown): UnitJob {
  const { format, version } = (from ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'hyperplane-unit')
    throw new DataError('this is not a job: its format is not "hyperplane-unit"')
  if (version !== MESSAGE_VERSION) {
    throw new RefusalError(
      `job version ${show(version)} is not supported, only version ${MESSAGE_VERSION}: run the same version of Hyperplane everywhere`,
    )
  }
  if (JSON.stringify(from).length > LARGEST_JOB)
    throw new DataError(`a job has at most ${LARGEST_JOB} bytes: jobs do not contain data`)
  const { kind } = from as { kind?: unknown }
  if (kind !== 'cells' && kind !== 'pass')
    throw new DataError(`job: kind must be one of cells, pass, got ${show(kind)}`)
  return checked<UnitJob>((kind === 'cells' ? cellsSchema : passSchema).safeParse(from), 'job')
}

/** Checks the text of a search document. */
export function parseSearch(text: string): SearchDocument {
  const { job, ...others } = checked(searchSchema.safeParse(JSON.parse(text)), 'search')
  return { ...others, job: parseJob(job) }
}

function checked<T>(read: z.Parsed<T>, what: string): T {
  if (read.success) return read.data
  const { path, message } = read.error
  throw new DataError(`${what}: ${path.join('.')}: ${message}`)
}

/** The name of a job: the hash of what it says. */
export function unitId(unit: UnitJob): Promise<string> {
  return textHash(canonicalJson(unit))
}

/** What came of the units of a job, by their place in it. */
export interface CellsResult {
  readonly outputs: readonly { readonly unit: number; readonly output: FoldOutput }[]
  /** Units that failed twice. */
  readonly failures: readonly { readonly unit: number; readonly message: string }[]
}

/** A result as bytes: what it is, of which job, and the value. */
export function packResult(id: string, value: object): Uint8Array {
  return pack({ format: 'hyperplane-result', version: MESSAGE_VERSION, id, value })
}

/** The value of a result of this job. */
export function unpackResult(id: string, bytes: Uint8Array): object {
  const result = unpack(bytes) as { format?: unknown; version?: unknown; id?: unknown; value?: unknown }
  if (result.format !== 'hyperplane-result' || result.version !== MESSAGE_VERSION || result.id !== id)
    throw new DataError(`this is not the result of job ${id.slice(0, 12)}`)
  return result.value as object
}
