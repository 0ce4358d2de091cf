/** What figures are given, checked where they are called: a figure of nonsense would look like one of something. */
import { checkKnown, checkNumber } from '../base/check.ts'
import { DataError, ParameterError, show } from '../base/errors.ts'
import { isMatrix, type Matrix } from '../data/matrix/matrix.ts'
import type { FigureOptions } from './figure-options.ts'

/** A figure of more pixels than this to a side is a mistake. */
const MOST_PIXELS = 20_000

/** Throws where an option is not known, or the size is none; `own` are the options that the figure has besides those of all. */
export function checkFigureOptions(who: string, options: FigureOptions, own: readonly string[] = []): void {
  checkKnown(who, options, ['width', 'height', 'title', 'subtitle', ...own])
  for (const name of ['width', 'height'] as const) {
    if (options[name] !== undefined) checkNumber(who, name, options[name], { min: 1, max: MOST_PIXELS })
  }
  for (const name of ['title', 'subtitle'] as const) {
    const text: unknown = options[name]
    if (text !== undefined && typeof text !== 'string') throw new ParameterError(who, name, 'a text', text)
  }
}

/** Throws where something is not a list; `of` says of what it should be one. */
export function checkList(who: string, name: string, value: unknown, of: string): void {
  if (!Array.isArray(value)) throw new ParameterError(who, name, `a list of ${of}`, value)
}

/** Throws where something is not an object. */
export function checkObject(who: string, name: string, value: unknown, what: string): void {
  if (typeof value !== 'object' || value === null) throw new ParameterError(who, name, what, value)
}

/** Throws unless there is a list of finite numbers, of the length that others have. */
export function checkNumbers(who: string, name: string, values: unknown, length?: number): void {
  if (!(Array.isArray(values) || (ArrayBuffer.isView(values) && 'length' in values))) {
    throw new ParameterError(who, name, 'a list of numbers', values)
  }
  const list = values as ArrayLike<unknown>
  if (length !== undefined && list.length !== length) {
    throw new DataError(`${who}: ${name} has ${list.length} values where there are ${length}`)
  }
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== 'number' || !Number.isFinite(list[i])) {
      throw new DataError(`${who}: ${name}[${i}] must be a finite number, got ${show(list[i])}`)
    }
  }
}

/** Throws unless samples are vectors of so many features, at least one, with as many of something else beside them. */
export function checkSamples(
  who: string,
  samples: Matrix,
  features: 1 | 2,
  beside: Readonly<Record<string, ArrayLike<unknown> | undefined>>,
): void {
  if (!isMatrix(samples)) {
    throw new ParameterError(
      who,
      'data.samples',
      `a matrix with ${['one column', 'two columns'][features - 1]}`,
      samples,
    )
  }
  const { rows, cols } = samples
  const wanted = features === 1 ? '1 feature' : `${features} features`
  if (cols !== features) throw new DataError(`${who}: samples must have ${wanted}, got ${cols}`)
  if (rows === 0) throw new DataError(`${who}: there are no samples`)
  for (const [name, list] of Object.entries(beside)) {
    if (list && list.length !== rows)
      throw new DataError(`${who}: ${rows} samples but ${list.length} ${name}`)
  }
}

/** Throws where something is not a function. */
export function checkFunction(who: string, name: string, value: unknown, what: string): void {
  if (typeof value !== 'function') throw new ParameterError(who, name, what, value)
}

/** Throws unless curves are a list, each with a name for the legend. */
export function checkCurves(who: string, name: string, curves: unknown): void {
  checkList(who, name, curves, 'curves, each with a name: [{ name, … }]')
  ;(curves as readonly unknown[]).forEach((curve, k) => {
    checkObject(who, `${name}[${k}]`, curve, 'a curve with a name')
    const { name: title } = curve as { name?: unknown }
    if (typeof title !== 'string') throw new ParameterError(who, `${name}[${k}].name`, 'a text', title)
  })
}
