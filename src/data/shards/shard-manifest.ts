/**
 * A sharded data set is a folder: `manifest.json`, which this file describes, blocks of rows, and the statistics of the
 * columns, both as Arrow files (./arrow-block.ts). docs/formats.md says what others need to write one.
 */
import { FormatError } from '../../base/errors.ts'
import * as z from '../../base/schema.ts'
import { type ColumnPreparation, preparedNames } from '../preparation/column-preparation.ts'
import { preparationSchema } from '../preparation/preparation-schema.ts'
import type { Label } from '../table/dataset.ts'

/** The name of the manifest in its folder. */
export const MANIFEST_NAME = 'manifest.json'
/** Labels with more values than this are targets of a regression, not classes. */
export const MOST_CLASSES = 10_000

const count = z.int({ min: 0 })
/** A file of the folder itself: nothing that could lead elsewhere. */
const fileName = z.string(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be the name of a file in the same folder')
const sha256 = z.string(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')

const blockSchema = z.object({
  name: fileName,
  sha256,
  bytes: count,
  rows: z.int({ min: 1 }),
  values: count,
  classes: z.array(count).optional(),
})

const manifestSchema = z
  .object({
    format: z.literal('hyperplane-shards'),
    version: z.literal(1),
    rows: z.int({ min: 1 }),
    columns: count,
    values: count,
    layout: z.oneOf(['sparse', 'dense']),
    labels: z.oneOf(['number', 'string']),
    classes: z.array(z.union([z.number(), z.string()]), { max: MOST_CLASSES }).optional(),
    weighted: z.boolean(),
    featureNames: z.array(z.string()).optional(),
    preparation: preparationSchema.optional(),
    seed: z.int(),
    statistics: z.object({ name: fileName, sha256 }),
    blocks: z.array(blockSchema, { min: 1 }),
  })
  .refine(({ labels, classes }) => labels === 'number' || classes, 'labels that are strings need classes')
  .refine(
    ({ labels, classes = [] }) => classes.every((label) => typeof label === labels),
    'classes must be of the kind of the labels',
  )
  .refine(
    ({ classes, blocks }) => blocks.every((block) => block.classes?.length === classes?.length),
    'every block must count every class',
  )
  .refine(
    ({ blocks }) => blocks.every(({ classes, rows }) => !classes || sumOf(classes) === rows),
    'the classes of a block must add up to its rows',
  )
  .refine(
    ({ rows, blocks }) => sumOf(blocks.map((block) => block.rows)) === rows,
    'rows must be those of all blocks',
  )
  .refine(
    ({ values, blocks }) => sumOf(blocks.map((block) => block.values)) === values,
    'values must be those of all blocks',
  )
  .refine(
    ({ featureNames, columns }) => !featureNames || featureNames.length === columns,
    'every column must have a name, or none',
  )
  .refine(
    ({ preparation, columns }) => !preparation || preparedNames(preparation).length === columns,
    'preparation must make as many features as there are columns',
  )

/** One block of a sharded data set. */
export interface ShardEntry {
  readonly name: string
  readonly sha256: string
  readonly bytes: number
  readonly rows: number
  /** Stored values. */
  readonly values: number
  /** How many rows each class has, in the order of {@link ShardManifest.classes}. */
  readonly classes?: readonly number[] | undefined
}

/** What a sharded data set consists of. */
export interface ShardManifest {
  readonly format: 'hyperplane-shards'
  readonly version: 1
  readonly rows: number
  readonly columns: number
  readonly values: number
  readonly layout: 'sparse' | 'dense'
  readonly labels: 'number' | 'string'
  /** The classes, ascending; absent where the labels are targets of a regression. */
  readonly classes?: readonly Label[] | undefined
  readonly weighted: boolean
  readonly featureNames?: readonly string[] | undefined
  /** For rows of a table: how its columns became features. */
  readonly preparation?: ColumnPreparation | undefined
  /** Seed that determined which row went to which block. */
  readonly seed: number
  readonly statistics: { readonly name: string; readonly sha256: string }
  readonly blocks: readonly ShardEntry[]
}

/** Reads a manifest; a FormatError says what is wrong with one. */
export function parseManifest(text: string, file?: string): ShardManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FormatError('not JSON', { file })
  }
  const { format, version } = (value ?? {}) as Partial<ShardManifest>
  if (format === 'hyperplane-shards' && typeof version === 'number' && version > 1) {
    throw new FormatError(`version ${version} is newer than this program, which reads version 1`, { file })
  }
  const read = manifestSchema.safeParse(value)
  if (read.success) return read.data
  const { path, message } = read.error
  throw new FormatError(path.length > 0 ? `${path.join('.')}: ${message}` : message, { file })
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
