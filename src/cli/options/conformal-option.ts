/** `--conformal`: the probability with which sets of classes, or intervals of a regression, hold the truth. */
import { DataError } from '../../base/errors.ts'
import type { Model } from '../../models/model.ts'
import type { Conformal } from '../../models/model-parts.ts'
import { type ConformalModel, withConformal } from '../../selection/calibrate/conformal.ts'
import { counted, number, percent } from '../report/output.ts'
import { negatable, numberOption, type OptionSpec, switchOption } from './options.ts'

const ALLOWED = 'a number above 0 and below 1'

/** As `train` and `tune` take it. */
export const conformalOption: OptionSpec<number> = {
  ...numberOption(
    'let predict add sets of classes, or intervals for regression, that contain the true value with this probability, such as 0.9; calibrated on held-out samples of the folds',
    'level',
  ),
  allowed: ALLOWED,
  read(text) {
    const level = Number(text || Number.NaN)
    return level > 0 && level < 1 ? level : undefined
  },
}

/** As commands that use a model take it. */
export const setsOption = {
  conformal: negatable(
    switchOption(
      'add the set of classes, or the interval, if the model was trained with --conformal (the default)',
    ),
    'do not add sets or intervals',
  ),
}

/** The model with its sets or intervals, unless they are not wanted. */
export function modelWithSets(
  path: string,
  model: Model,
  { conformal }: { readonly conformal?: boolean },
): Model {
  if (conformal === true && !model.conformal) {
    throw new DataError(`${path}: the model has no sets or intervals; train it with --conformal LEVEL`)
  }
  return conformal === false && model.conformal
    ? withConformal(model as ConformalModel as never, undefined)
    : model
}

/** What a model's sets or intervals promise. */
export function conformalWords({ by, level, quantile, from, samples }: Conformal): string {
  const what = by === 'residuals' ? 'intervals' : 'sets of classes'
  const how =
    from === 'folds' ? `${counted(samples, 'sample')} of folds` : `${counted(samples, 'sample')} held out`
  if (quantile === Number.POSITIVE_INFINITY) {
    const all = by === 'residuals' ? 'are infinite' : 'contain all classes'
    return `${what} ${all}: ${counted(samples, 'sample')} are not enough for ${percent(level)}`
  }
  const width = by === 'residuals' ? ` of ±${number(quantile)}` : ''
  return `${what}${width} contain the true value with probability ${percent(level)} (from ${how})`
}
