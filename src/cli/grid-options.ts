/** The flags that say which parameters to try. */
import type { Command } from 'commander'
import { type Gamma, ParameterError } from '../index.node.ts'
import { addChoiceOption, addNumberOption } from './option-types.ts'

/** The flags of {@link addGridOptions}, as commander hands them over. */
export interface GridFlags {
  readonly kernel?: 'linear' | 'poly' | 'rbf' | 'sigmoid'
  readonly log2c?: string
  readonly log2g?: string
  readonly C?: string
  readonly gamma?: string
  readonly degree?: number
  readonly coef0?: number
}

/** Values to try for each parameter; what is not tuned is absent. */
export interface TunedValues {
  readonly C: readonly number[]
  readonly gamma?: readonly Gamma[]
}

/** grid.py's own. */
const LOG2_C = '-5,15,2'
const LOG2_GAMMA = '3,-15,-2'
const MOST_VALUES = 10_000

/** Adds the kernel, and lists or ranges for C and gamma. */
export function addGridOptions(command: Command): void {
  addChoiceOption(command, '--kernel <name>', 'kernel (default rbf)', ['linear', 'poly', 'rbf', 'sigmoid'])
  command
    .option('--log2c <begin,end,step>', `exponents of C, as grid.py takes them (default ${LOG2_C})`)
    .option('--log2g <begin,end,step>', `exponents of gamma (default ${LOG2_GAMMA})`)
    .option('--C <list>', 'values of C with commas between, instead of --log2c')
    .option('--gamma <list>', 'values of gamma, scale and auto included, instead of --log2g')
  addNumberOption(command, '--degree <number>', 'degree of poly (default 3)')
  addNumberOption(command, '--coef0 <number>', 'constant inside poly and sigmoid (default 0)')
}

/** The values to try. */
export function gridFrom(command: string, flags: GridFlags): TunedValues {
  const { kernel = 'rbf' } = flags
  const C = valuesFrom(command, 'log2c', flags.log2c, 'C', flags.C, LOG2_C) as number[]
  if (kernel !== 'linear') {
    return { C, gamma: valuesFrom(command, 'log2g', flags.log2g, 'gamma', flags.gamma, LOG2_GAMMA) }
  }
  for (const flag of ['gamma', 'log2g'] as const) {
    if (flags[flag] !== undefined) {
      throw new ParameterError(
        command,
        `--${flag}`,
        'absent, because the linear kernel has none',
        flags[flag],
      )
    }
  }
  return { C }
}

function valuesFrom(
  command: string,
  rangeFlag: string,
  range: string | undefined,
  listFlag: string,
  list: string | undefined,
  byDefault: string,
): Gamma[] {
  if (range !== undefined && list !== undefined) {
    throw new ParameterError(command, `--${rangeFlag}`, `absent where --${listFlag} is given`, range)
  }
  if (list === undefined) return powers(command, rangeFlag, range ?? byDefault)
  return list.split(',').map((text) => {
    if (listFlag === 'gamma' && (text === 'scale' || text === 'auto')) return text
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!(value > 0 && Number.isFinite(value))) {
      throw new ParameterError(command, `--${listFlag}`, 'positive numbers with commas between', list)
    }
    return value
  })
}

/** 2^begin, 2^(begin + step) … as far as end, either way. */
function powers(command: string, flag: string, text: string): number[] {
  const [begin, end, step] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const count = Math.floor((end - begin) / step + 1e-9) + 1
  if (text.split(',').length !== 3 || !(count >= 1 && count <= MOST_VALUES)) {
    throw new ParameterError(
      command,
      `--${flag}`,
      'begin,end,step with a step that leads from begin to end',
      text,
    )
  }
  return Array.from({ length: count }, (_, k) => 2 ** (begin + k * step))
}
