import * as z from '../../base/schema.ts'
import type { Scaler } from './scaler.ts'

const finite = z.number()
const bounds = { lower: finite, upper: finite }
const ordered = [
  (range: { lower: number; upper: number }) => range.lower < range.upper,
  'lower must be < upper',
] as const

const targetSchema = z
  .object({ ...bounds, min: finite, max: finite })
  .refine(...ordered)
  .refine(({ min, max }) => min <= max, 'min must be <= max')

const rangeSchema = z
  .object({
    kind: z.literal('range'),
    ...bounds,
    min: z.array(finite),
    max: z.array(finite),
    target: targetSchema.optional(),
  })
  .refine(...ordered)
  .refine(({ min, max }) => min.length === max.length, 'min and max must be equally long')
  .refine(({ min, max }) => min.every((low, j) => low <= max[j]), 'each min must be <= its max')

const standardSchema = z
  .object({
    kind: z.literal('standard'),
    mean: z.array(finite),
    scale: z.array(z.number({ above: 0 })),
  })
  .refine(({ mean, scale }) => mean.length === scale.length, 'mean and scale must be equally long')

/** What a scaler inside a model file must look like. */
export const scalerSchema: z.Schema<Scaler> = z.variants('kind', {
  range: rangeSchema,
  standard: standardSchema,
})
