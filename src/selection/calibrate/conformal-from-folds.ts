/**
 * Conformal prediction that a model of all samples keeps, without a sample to spare: a quantile of how strange each sample is to the
 * model of the folds without it.
 *
 * Coverage   about level for models that change little when a fold is left out (Barber and others 2021, theorem 5): a model of fewer
 *            samples is rather worse, and so the quantile rather large. Nothing is proven for any model whatsoever, as it is for
 *            samples that were spared (./conformal.ts) and for models of all folds together (./cross-conformal.ts).
 * Groups     that folds do not divide, and times: the quantile is that of new groups, and of what comes later.
 */
import { checkKnown } from '../../base/check.ts'
import { DataError } from '../../base/errors.ts'
import { strangenessOfProbabilities, strangenessOfScores } from '../../calibration/class-strangeness.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { Conformal } from '../../models/model-parts.ts'
import { type CrossValidateOptions, crossValidate } from '../score/cross-validate.ts'
import { learnsNumbers } from '../score/evaluation-setup.ts'
import type { ScoreInput } from '../score/scoring.ts'
import type { Estimator } from '../search/estimator.ts'
import { type ConformalOptions, checkLevel, conformalOf, strangenessOfLabels } from './conformal.ts'

/** Options of {@link conformalFromFolds}: the folds of `crossValidate`. */
export interface ConformalFoldsOptions extends ConformalOptions, Omit<CrossValidateOptions, 'scoring'> {}

const WHO = 'conformalFromFolds'

/**
 * Computes, by cross-validation, what is needed for sets of classes or intervals of a model trained on all data.
 * `withConformal` stores it in the model.
 *
 * @example
 * const estimator = new SVC({ C: 10 })
 * const conformal = await conformalFromFolds(estimator, train, { level: 0.9 })
 * const model = withConformal(await estimator.fit(train), conformal)
 * const [classes] = model.predictSets(rows)
 */
export async function conformalFromFolds(
  estimator: Estimator,
  data: Dataset<unknown>,
  options: ConformalFoldsOptions = {},
): Promise<Conformal> {
  const { level: asked, ...others } = options
  checkKnown(WHO, others, ['protocol', 'folds', 'seed', 'signal', 'onProgress', 'threads', 'checkpoint'])
  const level = checkLevel(WHO, data, asked === undefined ? {} : { level: asked })
  if (estimator?.learns === 'normal') throw new DataError(`${WHO}: needs a classifier or a regression`)
  const isRegression = learnsNumbers(estimator, data)
  const scores: number[] = []
  let by: Conformal['by'] = 'residuals'
  const collect = {
    ...({ name: 'conformal', greaterIsBetter: true, needs: 'predictions' } as const),
    score(input: ScoreInput): number {
      if (!isRegression) by = input.probabilities ? 'probabilities' : 'scores'
      for (const score of isRegression ? residuals(input) : ownStrangeness(input)) scores.push(score)
      return 0
    },
  }
  const { complete } = await crossValidate(estimator, data, { ...others, scoring: collect })
  // A part of the folds would give another quantile than all of them.
  if (!complete) throw options.signal?.reason ?? new DataError(`${WHO}: not all folds are finished`)
  return conformalOf(level, by, scores, 'folds')
}

function residuals({ truth, predicted }: ScoreInput): Float64Array {
  const said = predicted as Float64Array
  return (truth as Float64Array).map((target, i) => Math.abs(target - said[i]))
}

/** How strange each sample's own class is to a model that had not seen it. */
function ownStrangeness({ truth, classes = [], ...said }: ScoreInput): Float64Array {
  const k = classes.length
  const strangeness = strangenessOf(said, k)
  if (strangeness?.length !== k * truth.length) {
    throw new DataError(
      `${WHO}: the training part of a fold lacks a class, or the models have no class scores`,
    )
  }
  return strangenessOfLabels(WHO, truth, strangeness, classes)
}

function strangenessOf(
  { probabilities, decisions, classScores }: Omit<ScoreInput, 'truth' | 'classes'>,
  k: number,
): Float64Array | undefined {
  if (probabilities) {
    const rows = Array.from(probabilities as ArrayLike<ArrayLike<number>>)
    return strangenessOfProbabilities(Float64Array.from(rows.flatMap((row) => Array.from(row))))
  }
  const values = k > 2 ? classScores : decisions
  return values && strangenessOfScores(Float64Array.from(values), k)
}
