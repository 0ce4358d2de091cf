import { checkOneOf } from '../../base/check.ts'
import type { NumericDataset } from '../table/dataset.ts'
import { friedman, sinc, sine, step } from './curve-generators.ts'
import type { Generator } from './generator.ts'
import { blobs, checkerboard, circles, example37, moons, spirals, xor } from './plane-generators.ts'
import { text } from './text-generator.ts'

/** Every data generator by name, with its description, its options and defaults, and `generate(options)`. */
export const generators = {
  blobs,
  moons,
  circles,
  xor,
  checkerboard,
  spirals,
  example37,
  text,
  sinc,
  sine,
  step,
  friedman,
} as const

/** Name of a data generator. */
export type GeneratorName = keyof typeof generators

/** All generator names, in the order of {@link generators}. */
export const generatorNames = Object.keys(generators) as readonly GeneratorName[]

/**
 * Generates a data set by the name of the generator.
 *
 * @example
 * const { samples, labels } = generate('moons', { n: 400, noise: 0.2, seed: 7 })
 */
export function generate(name: string, options: Readonly<Record<string, number>> = {}): NumericDataset {
  const generator: Generator = generators[checkOneOf('generate', 'name', name, generatorNames)]
  return generator.generate(options)
}
