/** Models that no reader would take: what was written of them would be lost. */
import { DataError, show } from '../../base/errors.ts'
import type { Model } from '../model.ts'

/** Bounds, objectives and quantiles may be infinite; the course of a run is not written. */
const LEFT_OUT: readonly string[] = ['certificates', 'threshold', 'conformal', 'trace']

/** Throws a DataError that names the part of a model that is not a finite number, as all readers ask for. */
export function refuseUnreadable(model: Model): void {
  const { spec } = model.kernel
  for (const [name, part] of Object.entries({ ...model, kernel: spec })) {
    if (!LEFT_OUT.includes(name)) refuseIn(part, name)
  }
}

function refuseIn(part: unknown, name: string): void {
  if (typeof part === 'number' || ArrayBuffer.isView(part)) {
    const bad = firstNotFinite(typeof part === 'number' ? [part] : (part as Float64Array))
    if (bad === undefined) return
    throw new DataError(`the model cannot be saved: its ${name} must be finite, got ${show(bad)}`)
  }
  if (typeof part !== 'object' || part === null) return
  const isPlain = Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype
  if (isPlain) for (const [key, inner] of Object.entries(part)) refuseIn(inner, `${name}.${key}`)
}

/** What no number is; `includes` finds it many times faster than a loop, which is not compiled before the command ends. */
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

function firstNotFinite(values: number[] | Float64Array): number | undefined {
  return NOT_FINITE.find((one) => values.includes(one))
}
