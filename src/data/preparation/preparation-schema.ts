/** What a preparation inside a model file must look like. */
import * as z from '../../base/schema.ts'
import { dateFormats, dateParts, unseenPolicies } from '../table/table.ts'
import type { ColumnEncoder } from './column-encoder.ts'
import type { ColumnPreparation } from './column-preparation.ts'

const count = z.count
const common = { name: z.string(), missing: count, indicator: z.literal(true).optional() }
const by = z.oneOf(['median', 'most-frequent', 'constant'])
const filledWithNumber = z.object({ value: z.number(), by }).optional()
const filledWithText = z.object({ value: z.string(), by }).optional()
const texts = z
  .array(z.string(), { min: 1 })
  .refine((list) => new Set(list).size === list.length, 'must be different texts')
const unseen = z.oneOf(unseenPolicies)

const ngrams = z
  .array(z.int({ min: 1, max: 20 }), { min: 2, max: 2 })
  .refine(([min, max]) => min <= max, 'must be two numbers in ascending order')
  .transform((list) => list as unknown as readonly [number, number])

const textSchema = z
  .object({
    ...common,
    kind: z.literal('text'),
    vectorizer: z.oneOf(['tf-idf', 'hashing']),
    analyzer: z.oneOf(['word', 'char']),
    ngrams,
    buckets: z.int({ min: 1, max: 2 ** 26 }).optional(),
    terms: z.array(z.string()).optional(),
    idf: z.array(z.number()).optional(),
  })
  .check(({ vectorizer, buckets, terms, idf }, refuse) => {
    if (vectorizer === 'hashing') {
      if (buckets === undefined) refuse('is missing', ['buckets'])
    } else if (!terms) refuse('is missing', ['terms'])
    else if (idf?.length !== terms.length) refuse('must have one number per term', ['idf'])
  })

const encoderSchema = z.variants('kind', {
  number: z.object({
    ...common,
    kind: z.literal('number'),
    unit: z.string().optional(),
    fill: filledWithNumber,
  }),
  boolean: z.object({ ...common, kind: z.literal('boolean'), fill: filledWithNumber }),
  date: z.object({
    ...common,
    kind: z.literal('date'),
    parts: z.array(z.oneOf(dateParts), { min: 1 }),
    format: z.oneOf(dateFormats),
    fill: filledWithNumber,
  }),
  category: z.object({
    ...common,
    kind: z.literal('category'),
    categories: texts,
    unseen,
    mostFrequent: z.string(),
    rare: count.optional(),
    fill: filledWithText,
  }),
  ordinal: z.object({
    ...common,
    kind: z.literal('ordinal'),
    order: texts,
    unseen,
    fill: filledWithText,
  }),
  text: textSchema,
  vector: z.object({ ...common, kind: z.literal('vector'), width: count }),
})

/** See the header of the file. */
export const preparationSchema: z.Schema<ColumnPreparation> = z
  .object({
    columns: z.array(encoderSchema as z.Schema<ColumnEncoder>, { min: 1 }),
    storage: z.oneOf(['dense', 'sparse']),
    label: z.string().optional(),
  })
  .refine(
    ({ columns }) => new Set(columns.map(({ name }) => name)).size === columns.length,
    'columns must have different names',
  )
