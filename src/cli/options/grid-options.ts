/** The flags that say which parameters to try. */
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { Gamma } from '../../kernels/kernel.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { defaultGrid, type Grid } from '../../selection/search/search-cells.ts'
import { addChoiceOption, addNumberOption } from './option-types.ts'

/** Values to try, as lists and as exponents of two: what {@link gridFrom} reads. */
export interface GridLists {
  readonly log2c?: string | undefined
  readonly log2g?: string | undefined
  readonly log2p?: string | undefined
  readonly C?: string | undefined
  readonly gamma?: string | undefined
  readonly nu?: string | undefined
  readonly epsilon?: string | undefined
}

/** The flags of {@link addGridOptions}, as commander hands them over. */
export interface GridFlags extends GridLists {
  readonly kernel?: 'linear' | 'poly' | 'rbf' | 'sigmoid'
  readonly degree?: number
  readonly coef0?: number
}

/** Each parameter with its flag of exponents. */
const PARAMETERS = [
  { name: 'C', exponents: 'log2c' },
  { name: 'nu', exponents: undefined },
  { name: 'gamma', exponents: 'log2g' },
  { name: 'epsilon', exponents: 'log2p' },
] as const
const MOST_VALUES = 10_000

/** Adds the kernel, and lists or ranges for C, gamma, nu and epsilon. */
export function addGridOptions(command: Command): void {
  addChoiceOption(command, '--kernel <name>', 'kernel (default rbf)', ['linear', 'poly', 'rbf', 'sigmoid'])
  addExponentOptions(command)
  command
    .option('--C <list>', 'values of C with commas between, instead of --log2c')
    .option('--gamma <list>', 'values of gamma, scale and auto included, instead of --log2g')
    .option(
      '--nu <list>',
      'values of nu (default 0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7 of nu-svc and one-class, 0.5 of nu-svr)',
    )
    .option('--epsilon <list>', 'values of epsilon (default 0.1 of svr, 0 of linear-svr)')
  addNumberOption(command, '--degree <number>', 'degree of poly (default 3)')
  addNumberOption(command, '--coef0 <number>', 'constant inside poly and sigmoid (default 0)')
}

/** Adds the ranges of exponents of two. */
export function addExponentOptions(command: Command, purpose = ''): void {
  command
    .option('--log2c <begin,end,step>', `exponents of C, as grid.py takes them (default -5,15,2)${purpose}`)
    .option('--log2g <begin,end,step>', `exponents of gamma (default 3,-15,-2)${purpose}`)
    .option('--log2p <begin,end,step>', `exponents of epsilon (default: one epsilon)${purpose}`)
}

/** The values to try: those that flags give, and where they give none, those that the library tries by default. */
export function gridFrom(command: string, flags: GridLists, estimator: AnyEstimator): Grid {
  const byDefault = defaultGrid(estimator)
  const values = PARAMETERS.flatMap(({ name, exponents }) => {
    const own = valuesFrom(command, name, flags[name], exponents, exponents && flags[exponents])
    if (own && name === 'gamma' && !('gamma' in byDefault)) {
      const flag = flags.gamma === undefined ? '--log2g' : '--gamma'
      const got = flags.gamma ?? flags.log2g
      throw new ParameterError(command, flag, 'absent, because the linear kernel has none', got)
    }
    const chosen = own ?? byDefault[name]
    return chosen ? [[name, chosen] as const] : []
  })
  return Object.fromEntries(values)
}

function valuesFrom(
  command: string,
  name: string,
  list: string | undefined,
  exponents: string | undefined,
  range: string | undefined,
): Gamma[] | undefined {
  if (range !== undefined && list !== undefined) {
    throw new ParameterError(command, `--${exponents}`, `absent where --${name} is given`, range)
  }
  if (range !== undefined) return powers(command, `--${exponents}`, range)
  return list?.split(',').map((text) => {
    if (name === 'gamma' && (text === 'scale' || text === 'auto')) return text
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const allowed = name === 'epsilon' ? 'numbers from 0' : 'positive numbers'
    if (!(value > 0 || (value === 0 && name === 'epsilon')) || !Number.isFinite(value)) {
      throw new ParameterError(command, `--${name}`, `${allowed} with commas between`, list)
    }
    return value
  })
}

/** 2^begin, 2^(begin + step) … as far as end, either way. */
function powers(command: string, flag: string, text: string): number[] {
  const [begin, end, step] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const count = Math.floor((end - begin) / step + 1e-9) + 1
  if (text.split(',').length !== 3 || !(count >= 1 && count <= MOST_VALUES)) {
    const allowed = 'begin,end,step with a step that leads from begin to end'
    throw new ParameterError(command, flag, allowed, text)
  }
  return Array.from({ length: count }, (_, k) => 2 ** (begin + k * step))
}
