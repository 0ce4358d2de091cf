/**
 * The work of a selection as plain data: which data (by content), which estimator, which folds, which cells. It can be
 * written as JSON, sent to another thread or machine, and named: the same job has the same key anywhere.
 */
import { canonicalJson } from '../../base/canonical-json.ts'
import { DataError, show } from '../../base/errors.ts'
import * as z from '../../base/schema.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import { type ProtocolSettings, protocolFolds, protocolNames } from '../score/protocols.ts'
import type { Fold } from '../split/splits.ts'
import { datasetHash, textHash } from './content-hash.ts'
import type { EstimatorSpec, Params } from './estimator-params.ts'

const count = z.count
const hash = z.string(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
const label = z.union([z.number(), z.string()])
const value = z.union([z.number(), z.string(), z.boolean()])

const foldsSchema = z.union([
  z.object({
    kind: z.oneOf(protocolNames),
    folds: count.optional(),
    repeats: count.optional(),
    testFraction: z.number().optional(),
    seed: count.optional(),
    stratify: z.boolean().optional(),
    groups: z.array(label).optional(),
    times: z.union([z.literal('rows'), z.array(z.number())]).optional(),
    testSize: count.optional(),
    gap: count.optional(),
    maxTrainSize: count.optional(),
  }),
  z.array(z.object({ train: z.array(count), test: z.array(count) })),
])

/** What a job of version 1 must look like. */
const tuningJobSchema = z.object({
  format: z.literal('hyperplane-job'),
  version: z.literal(1),
  /** SHA-256 of the data: see `datasetHash`. */
  data: hash,
  estimator: z.object({ type: z.string(), options: z.record(z.unknown()) }),
  /** A protocol with its settings, from which anybody makes the same folds; or the folds themselves. */
  folds: foldsSchema,
  cells: z.array(z.record(value)),
})

/** Cells of one estimator, to be evaluated on the same folds of the same data. */
export type TuningJob = z.Infer<typeof tuningJobSchema>

/** Makes a job. Folds that a protocol made are named by it; others are written out. */
export async function makeJob(
  data: Dataset<unknown>,
  estimator: EstimatorSpec,
  folds: ProtocolSettings | readonly Fold[],
  cells: readonly Params[],
): Promise<TuningJob> {
  return {
    format: 'hyperplane-job',
    version: 1,
    data: await datasetHash(data),
    estimator: { type: estimator.type, options: { ...estimator.options } },
    folds:
      'kind' in folds
        ? ({
            ...folds,
            ...(folds.groups && { groups: Array.from(folds.groups) }),
            ...(typeof folds.times === 'object' && { times: Array.from(folds.times, Number) }),
          } as TuningJob['folds'])
        : folds.map(({ train, test }) => ({ train: Array.from(train), test: Array.from(test) })),
    cells: cells.map((cell) => ({ ...cell })),
  }
}

/** Checks that a value is a job this version can run. */
export function parseJob(from: unknown): TuningJob {
  const { format, version } = (from ?? {}) as { format?: unknown; version?: unknown }
  if (format !== 'hyperplane-job')
    throw new DataError('this is not a job: its format is not "hyperplane-job"')
  if (version !== 1)
    throw new DataError(`job version ${show(version)} is not supported; this program reads version 1`)
  const { success, data, error } = tuningJobSchema.safeParse(from)
  if (success) return data
  const { path, message } = error
  throw new DataError(`job: ${path.join('.')}: ${message}`)
}

/** The folds of a job, the same wherever they are made: groups and times are those of the job. */
export function foldsOfJob({ folds }: TuningJob, data: Dataset<unknown>): Fold[] {
  const { groups: _, times: __, ...bare } = data
  if ('kind' in folds) return Array.from(protocolFolds(folds as ProtocolSettings, bare))
  return folds.map(({ train, test }) => ({ train: Uint32Array.from(train), test: Uint32Array.from(test) }))
}

/** What a job is except for its cells: results belong to it, and to no other. */
export function jobKey({ data, estimator, folds }: TuningJob, scoring: string): Promise<string> {
  return textHash(canonicalJson({ data, estimator, folds, scoring }))
}
