/** `hyperplane cv DATA --protocol nested` and `train-validation-test`: choosing is part of what is judged. */

import { ParameterError } from '../../base/errors.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { CrossValidation } from '../../selection/score/cross-validate.ts'
import { nestedCrossValidate } from '../../selection/score/nested-cross-validate.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import { validateAndTest } from '../../selection/score/validate-and-test.ts'
import type { Params } from '../../selection/search/estimator-params.ts'
import { type Grid, gridCells } from '../../selection/search/search-cells.ts'
import { tune } from '../../selection/search/tune.ts'
import { gridFrom } from '../options/grid-options.ts'
import type { LearningEstimator, ProblemFlags } from '../options/problem-types.ts'
import { scoreWords } from '../options/selection-options.ts'
import { number, type OutputOptions, printResult, table } from '../report/output.ts'

/** Protocols that choose. */
export const CHOOSING = ['train-validation-test', 'nested'] as const

/** The flags of `cv` that matter here. */
export interface ChoosingFlags extends OutputOptions, ProblemFlags {
  readonly log2c?: string
  readonly log2g?: string
  readonly log2p?: string
  readonly folds?: number
  readonly testFraction?: number
}

/** What to choose from; a single C or gamma leaves nothing to choose. */
export function choiceFrom(
  protocol: string,
  flags: ChoosingFlags,
  estimator: LearningEstimator,
): { estimator: LearningEstimator; grid: Grid } {
  const { log2c, log2g, log2p } = flags
  const grid = { ...gridFrom('cv', { log2c, log2g, log2p }, estimator) }
  for (const flag of ['C', 'gamma', 'nu', 'epsilon'] as const) {
    const value = flags[flag]
    if (value === undefined) continue
    if (flag in grid) {
      const allowed = `absent with --protocol ${protocol}, which chooses it: --log2c and --log2g say from what`
      throw new ParameterError('cv', `--${flag}`, allowed, value)
    }
    grid[flag] = [value]
  }
  return { estimator, grid }
}

/** Tunes inside each outer fold. */
export async function nested(
  { estimator, grid }: ReturnType<typeof choiceFrom>,
  data: VectorDataset,
  flags: ChoosingFlags,
  scoring: readonly ScoringName[],
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<CrossValidation & { readonly choices: readonly { bestParams: Params; bestScore: number }[] }> {
  const { folds = 5, seed = 0 } = flags
  return nestedCrossValidate(
    async (train, options) => {
      const tuned = await tune(estimator, train, {
        grid,
        scoring: scoring[0],
        seed,
        ...options,
      })
      options.signal?.throwIfAborted()
      return { ...tuned, model: tuned.model as NonNullable<typeof tuned.model> }
    },
    data,
    { protocol: { kind: 'k-fold', folds }, scoring, seed, signal, onProgress },
  )
}

/** What was chosen in each outer fold. */
export function choiceLines(
  choices: readonly { readonly bestParams: Params; readonly bestScore: number }[],
  scoring: string,
): string[] {
  const names = Object.keys(choices[0].bestParams)
  return table(
    ['outer fold', ...names, `${scoring} inside`],
    choices.map(({ bestParams, bestScore }, f) => [
      String(f + 1),
      ...names.map((name) => wordOf(bestParams[name])),
      scoreWords(scoring, bestScore),
    ]),
    [],
  )
}

/** Chooses by one part, reports on another. */
export async function chooseAndTest(
  { estimator, grid }: ReturnType<typeof choiceFrom>,
  data: VectorDataset,
  flags: ChoosingFlags,
  scoring: readonly ScoringName[],
  signal: AbortSignal,
): Promise<void> {
  const { seed = 0, testFraction = 0.2 } = flags
  const found = await validateAndTest(estimator, data, {
    cells: gridCells(grid),
    ...{ scoring, seed, signal, testFraction },
    validationFraction: testFraction,
  })
  const { bestParams, validationScore, testScores, split, cells } = found
  const sizes = { train: split.train.length, validation: split.validation.length, test: split.test.length }
  const result = {
    protocol: 'train-validation-test',
    ...sizes,
    bestParams,
    validationScore,
    testScores,
    cells,
  }
  printResult(flags, result, () => [
    `${sizes.train} samples to learn from, ${sizes.validation} to choose by, ${sizes.test} to report on`,
    '',
    `chosen: ${Object.entries(bestParams)
      .map(([name, value]) => `${name} ${wordOf(value)}`)
      .join(', ')} (${scoring[0]} ${scoreWords(scoring[0], validationScore)} where it was chosen)`,
    'trained on both parts again; on the test part:',
    ...table(
      ['score', 'value'],
      Object.entries(testScores).map(([name, score]) => [name, scoreWords(name, score)]),
    ),
  ])
}

function wordOf(value: Params[string] | undefined): string {
  return typeof value === 'number' ? number(value) : String(value)
}
