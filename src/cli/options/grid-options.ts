/** The options that say which parameters to try. */

import { ParameterError } from '../../base/errors.ts'
import type { Gamma } from '../../kernels/kernel.ts'
import type { Estimator as AnyEstimator } from '../../selection/search/estimator.ts'
import { defaultGrid, type Grid } from '../../selection/search/search-cells.ts'
import { COMMAND } from '../report/failure.ts'
import { kernelOptions, shapeOptions } from './kernel-options.ts'
import { type Flags, flagOf, notApplicable, numbersOf, textOption } from './options.ts'

const RANGE = 'begin,end,step'

/** Exponents of C, as grid.py takes them. */
export const exponentsOfC = { log2c: textOption(RANGE, 'exponents of C, as for grid.py (default -5,15,2)') }

/** Ranges of exponents of two. */
export const exponentOptions = {
  ...exponentsOfC,
  log2g: textOption(RANGE, 'exponents of gamma (default 3,-15,-2)'),
  log2p: textOption(RANGE, 'exponents of epsilon (default: one epsilon)'),
}

/** A list of values of C. */
export const listOfC = { C: textOption('list', 'comma-separated values of C, instead of --log2c') }

/** The kernel, and lists or ranges for C, gamma, nu and epsilon. */
export const gridOptions = {
  kernel: kernelOptions.kernel,
  ...exponentOptions,
  ...listOfC,
  gamma: textOption('list', 'values of gamma, which may include scale and auto, instead of --log2g'),
  nu: textOption(
    'list',
    'values of nu (default 0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7 for nu-svc and one-class, 0.5 for nu-svr)',
  ),
  epsilon: textOption('list', 'values of epsilon (default 0.1 for svr, 0 for linear-svr)'),
  ...shapeOptions,
}

/** Each parameter with its flag of exponents. */
const PARAMETERS = [
  ['C', 'log2c'],
  ['nu', undefined],
  ['gamma', 'log2g'],
  ['epsilon', 'log2p'],
] as const

/** Values of a range: a step that is too small by mistake must not take the memory. */
const MOST_VALUES = 10_000

/** Lists of values and ranges of exponents, by flag. */
export type GridFlags = Pick<
  Flags<typeof gridOptions>,
  'C' | 'gamma' | 'nu' | 'epsilon' | keyof typeof exponentOptions
>

/** The values to try: those of the flags, and where there are none, those that the library tries by default. */
export function gridFrom(flags: GridFlags, estimator: AnyEstimator): Grid {
  const byDefault = defaultGrid(estimator)
  const grid: Record<string, Grid[string]> = {}
  for (const [name, exponents] of PARAMETERS) {
    const [list, range] = [flags[name], exponents && flags[exponents]]
    if (exponents && range !== undefined && list !== undefined) {
      throw new ParameterError(COMMAND, flagOf(exponents), `cannot be used together with ${flagOf(name)}`)
    }
    if (name === 'gamma' && !('gamma' in byDefault) && (list ?? range) !== undefined) {
      throw notApplicable(list === undefined ? 'log2g' : 'gamma', 'the linear kernel')
    }
    const values =
      exponents && range !== undefined ? powers(flagOf(exponents), range) : list && valuesOf(name, list)
    const chosen = values ?? byDefault[name]
    if (chosen) grid[name] = chosen
  }
  return grid
}

function valuesOf(name: string, list: string): Gamma[] {
  const words = list.split(',')
  return numbersOf(list).map((value, k) => {
    const word = words[k]
    if (name === 'gamma' && (word === 'scale' || word === 'auto')) return word
    if (Number.isFinite(value) && (value > 0 || (value === 0 && name === 'epsilon'))) return value
    const allowed = name === 'epsilon' ? 'numbers >= 0' : 'positive numbers'
    throw new ParameterError(COMMAND, flagOf(name), `comma-separated ${allowed}`, list)
  })
}

/** 2^begin, 2^(begin + step) … as far as end, either way. */
function powers(flag: string, text: string): number[] {
  const [begin, end, step, ...more] = numbersOf(text)
  const count = Math.floor((end - begin) / step + 1e-9) + 1
  if (more.length > 0 || !(count >= 1 && count <= MOST_VALUES)) {
    throw new ParameterError(COMMAND, flag, 'begin,end,step with a step that leads from begin to end', text)
  }
  return Array.from({ length: count }, (_, k) => 2 ** (begin + k * step))
}
