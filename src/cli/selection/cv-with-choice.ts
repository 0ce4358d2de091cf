/** `hyperplane cv DATA --protocol nested` and `train-validation-test`: the choice of parameters is part of what is evaluated. */

import { ParameterError } from '../../base/errors.ts'
import type { Dataset } from '../../data/table/dataset.ts'
import type { CrossValidation } from '../../selection/score/cross-validate.ts'
import { nestedCrossValidate } from '../../selection/score/nested-cross-validate.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import { validateAndTest } from '../../selection/score/validate-and-test.ts'
import type { Params } from '../../selection/search/estimator-params.ts'
import { type Grid, gridCells } from '../../selection/search/search-cells.ts'
import { tune } from '../../selection/search/tune.ts'
import { type exponentOptions, gridFrom } from '../options/grid-options.ts'
import { defined, type Flags, flagOf } from '../options/options.ts'
import {
  foldsFrom,
  type foldsOption,
  innerProtocol,
  type SplitFlags,
  scoreWords,
} from '../options/selection-options.ts'
import type { CommandEstimator, trainingOptions } from '../options/training-options.ts'
import { COMMAND } from '../report/failure.ts'
import type { WorkOptions } from '../report/interrupt.ts'
import { type Column, paramWords, printResult, table, valueWords } from '../report/output.ts'

/** Protocols that choose. */
export const CHOOSING = ['train-validation-test', 'nested'] as const

/** The flags of `cv` that matter here. */
type ChoosingFlags = Flags<typeof trainingOptions & typeof exponentOptions & typeof foldsOption> &
  SplitFlags & { readonly testFraction?: number }

/** An estimator, and the values of its parameters to choose from. */
export interface Choice {
  readonly estimator: CommandEstimator
  readonly grid: Grid
}

/** What to choose from; a single C or gamma leaves nothing to choose. */
export function choiceFrom(protocol: string, flags: ChoosingFlags, estimator: CommandEstimator): Choice {
  const { log2c, log2g, log2p } = flags
  const grid = { ...gridFrom({ log2c, log2g, log2p }, estimator) }
  for (const name of ['C', 'gamma', 'nu', 'epsilon'] as const) {
    const value = flags[name]
    if (value === undefined) continue
    if (name in grid) {
      const problem = `does not apply to --protocol ${protocol}, which chooses it (from --log2c and --log2g)`
      throw new ParameterError(COMMAND, flagOf(name), problem)
    }
    grid[name] = [value]
  }
  return { estimator, grid }
}

/** Tunes inside each outer fold, on folds of the same kind. */
export async function nested(
  { estimator, grid }: Choice,
  data: Dataset,
  flags: ChoosingFlags,
  scoring: readonly ScoringName[],
  work: WorkOptions,
): Promise<CrossValidation & { readonly choices: readonly { bestParams: Params; bestScore: number }[] }> {
  const { seed = 0 } = flags
  return nestedCrossValidate(
    (train, options) => {
      const settings = { grid, scoring: scoring[0], seed, ...defined({ folds: innerProtocol(flags) }) }
      return tune(estimator, train, { ...settings, ...options })
    },
    data,
    { protocol: foldsFrom(flags, data), scoring, seed, ...work },
  )
}

/** What was chosen in each outer fold. */
export function choiceLines(
  choices: readonly { readonly bestParams: Params; readonly bestScore: number }[],
  scoring: string,
): string[] {
  const names = Object.keys(choices[0].bestParams)
  return table(choices, [
    ['outer fold', (_, f) => String(f + 1)],
    ...names.map(
      (name): Column<(typeof choices)[number]> => [name, ({ bestParams }) => valueWords(bestParams[name])],
    ),
    [`${scoring} inside`, ({ bestScore }) => scoreWords(scoring, bestScore)],
  ])
}

/** Chooses by one part, reports on another. */
export async function chooseAndTest(
  { estimator, grid }: Choice,
  data: Dataset,
  flags: ChoosingFlags,
  scoring: readonly ScoringName[],
  signal: AbortSignal,
): Promise<void> {
  const { seed = 0, testFraction = 0.2 } = flags
  const { bestParams, validationScore, testScores, split, cells } = await validateAndTest(estimator, data, {
    ...{ cells: gridCells(grid), scoring, seed, signal, testFraction, validationFraction: testFraction },
  })
  const sizes = { train: split.train.length, validation: split.validation.length, test: split.test.length }
  const found = { bestParams, validationScore, testScores, cells }
  printResult(flags, { protocol: 'train-validation-test', ...sizes, ...found }, () => [
    `${sizes.train} samples for training, ${sizes.validation} for choosing, ${sizes.test} for testing`,
    '',
    `chosen: ${paramWords(bestParams)} (${scoring[0]} ${scoreWords(scoring[0], validationScore)} on the validation part)`,
    'retrained on both parts; on the test part:',
    table(Object.entries(testScores), [
      ['score', ([name]) => name, 'left'],
      ['value', ([name, score]) => scoreWords(name, score)],
    ]),
  ])
}
