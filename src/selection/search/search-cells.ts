/** Cells to try: all combinations of a grid, random ones of ranges, and finer ones around the best. */
import { checkKnown, checkNumber, checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { Random } from '../../base/random.ts'
import { isLinearType } from '../../estimators/estimators.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import { estimatorType, type Params, type Tunable } from './estimator-params.ts'

/** Values to try for each parameter. */
export type Grid = Readonly<Record<string, readonly (number | string | boolean)[]>>

/** Numbers to draw from, evenly by value or ('log') by ratio. */
export interface Range {
  readonly from: number
  readonly to: number
  /** 'log' unless given, which needs numbers > 0. */
  readonly scale?: 'log' | 'linear'
  /** Only whole numbers. */
  readonly integer?: boolean
}

/** Ranges, or lists to choose from, for each parameter. */
export type Ranges = Readonly<Record<string, Range | readonly (number | string | boolean)[]>>

const powersOfTwo = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => 2 ** (from + k * step))

/** The grid of LIBSVM's grid.py: log2 C from −5 to 15, log2 gamma from 3 to −15, in steps of 2. */
export const libsvmGrid = {
  C: powersOfTwo(-5, 2, 11),
  gamma: powersOfTwo(3, -2, 10),
} as const satisfies Grid

/** Shares of samples that may err. */
const NUS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]

/** Estimators that have ν and no C. */
const WITHOUT_C = ['nu-svc', 'one-class', 'linear-one-class']

/** The default grid: LIBSVM's, for the parameters of the estimator; ν if it has no C. */
export function defaultGrid(tunable: Tunable): Grid {
  const type = estimatorType(tunable)
  if (type === undefined) return libsvmGrid
  const { kernel } = (tunable as { readonly options?: { readonly kernel?: AnyKernel } }).options ?? {}
  const wide = !isLinearType(type) && (kernel === undefined || 'gamma' in kernel.spec)
  return {
    ...(WITHOUT_C.includes(type) ? { nu: NUS } : { C: libsvmGrid.C }),
    ...(wide && { gamma: libsvmGrid.gamma }),
  }
}

/** All combinations, the last parameter changing fastest. */
export function gridCells(grid: Grid): Params[] {
  let cells: Params[] = [{}]
  for (const [name, values] of Object.entries(grid)) {
    if (!Array.isArray(values) || values.length === 0) {
      throw new ParameterError('tune', `grid.${name}`, 'a list of at least one value', values)
    }
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value })))
  }
  return cells
}

/** So many cells drawn at random. */
export function randomCells(ranges: Ranges, count: number, random: Random): Params[] {
  const checked = Object.entries(ranges).map(([name, range]) => [name, checkRange(name, range)] as const)
  return Array.from({ length: count }, () =>
    Object.fromEntries(checked.map(([name, range]) => [name, draw(range, random)])),
  )
}

function checkRange(name: string, range: Ranges[string]): Ranges[string] {
  if (Array.isArray(range)) {
    if (range.length === 0)
      throw new ParameterError('tune', `ranges.${name}`, 'a list of at least one value', range)
    return range
  }
  const who = `tune: ranges.${name}`
  checkKnown(who, range, ['from', 'to', 'scale', 'integer'])
  const { from, to, scale = 'log' } = range as Range
  checkOneOf(who, 'scale', scale, ['log', 'linear'])
  checkNumber(who, 'from', from, scale === 'log' ? { above: 0 } : {})
  checkNumber(who, 'to', to, { min: from })
  return range
}

function draw(range: Ranges[string], random: Random): number | string | boolean {
  if (Array.isArray(range)) return range[random.int(range.length)]
  const { from, to, scale = 'log', integer = false } = range as Range
  const u = random.uniform()
  const value = scale === 'log' ? from * (to / from) ** u : from + (to - from) * u
  return integer ? Math.min(to, Math.max(from, Math.round(value))) : value
}

/**
 * The neighbours of a cell, `share` of a step of the grid away in each number that has more than one value there, and all
 * combinations of these. Steps of positive numbers are ratios.
 */
export function neighbours(grid: Grid, { ...cell }: Params, share: number): Params[] {
  const finer = Object.entries(cell).map(([name, value]) => {
    const values = grid[name] ?? []
    const numbers = values.filter((other): other is number => typeof other === 'number').sort((a, b) => a - b)
    if (typeof value !== 'number' || numbers.length < 2) return [name, [value]] as const
    const steps = numbers.length - 1
    if (numbers[0] > 0) {
      const ratio = (numbers[steps] / numbers[0]) ** (share / steps)
      return [name, [value / ratio, value, value * ratio]] as const
    }
    const step = ((numbers[steps] - numbers[0]) * share) / steps
    return [name, [value - step, value, value + step]] as const
  })
  return gridCells(Object.fromEntries(finer)).filter((near) =>
    Object.entries(near).some(([name, value]) => value !== cell[name]),
  )
}
