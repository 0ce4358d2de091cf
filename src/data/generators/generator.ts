/** What a data generator is: a description, checked numeric options, and a function of them and a seed. */
import { checkKnown, checkNumber, type NumberRange } from '../../base/check.ts'
import { countUp } from '../../base/lists.ts'
import { Random } from '../../base/random.ts'
import type { NumericDataset } from '../table/dataset.ts'

/** One option of a generator; all of them are numbers. */
export interface GeneratorOption {
  readonly default: number
  readonly range: NumberRange
  readonly describe: string
}

/** A named way to make a data set. The same options and seed give the same data on every machine. */
export interface Generator<Name extends string = string> {
  readonly name: string
  /** Labels are -1 and +1 (or 1, 2, …) for classification, real targets for regression. */
  readonly task: 'classification' | 'regression'
  readonly describe: string
  /** The options of {@link Generator.generate}, including `seed`. */
  readonly options: Readonly<Record<Name | 'seed', GeneratorOption>>
  generate(options?: Partial<Readonly<Record<Name | 'seed', number>>>): NumericDataset
}

/** An option: its default, what it may be, and what it is. */
export function option(fallback: number, range: NumberRange, describe: string): GeneratorOption {
  return { default: fallback, range, describe }
}

/** Number of samples, the option all random generators share. */
export function sampleOption(fallback: number, min = 2): GeneratorOption {
  return option(fallback, { integer: true, min, max: 0xffffffff }, 'number of samples')
}

const seed = option(0, { integer: true, min: 0 }, 'seed of the random numbers')

/** Makes a generator whose `build` sees every option, checked and with its default filled in. */
export function defineGenerator<Name extends string>(
  head: Pick<Generator, 'name' | 'task' | 'describe'>,
  ownOptions: Readonly<Record<Name, GeneratorOption>>,
  build: (values: Readonly<Record<Name, number>>, random: Random) => NumericDataset,
): Generator<Name> {
  const options = { ...ownOptions, seed } as Readonly<Record<Name | 'seed', GeneratorOption>>
  const names = Object.keys(options) as (Name | 'seed')[]
  const who = `generate ${head.name}`
  return {
    ...head,
    options,
    generate(given = {}) {
      checkKnown(who, given, names)
      const values = {} as Record<Name | 'seed', number>
      for (const name of names) {
        const { default: fallback, range } = options[name]
        values[name] = checkNumber(who, name, given[name] ?? fallback, range)
      }
      return build(values, new Random(values.seed))
    },
  }
}

/** The numbers 0 … n - 1 in random order. */
export function shuffledIndices(n: number, random: Random): Uint32Array {
  return random.shuffle(countUp(n))
}
