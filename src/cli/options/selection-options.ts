/** The options that commands of model selection share, and scores in words. */

import { notOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import { type Dataset, sampleCount } from '../../data/table/dataset.ts'
import { hasProbabilities } from '../../estimators/estimators.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import type { ProtocolSettings } from '../../selection/score/protocols.ts'
import { makeScorer, type ScoringName, scoringNames } from '../../selection/score/scoring.ts'
import { COMMAND } from '../report/failure.ts'
import { number, percent } from '../report/output.ts'
import { type Flags, numberOption, switchOption, textOption, writtenFileOption } from './options.ts'

/** Scores that read best as percentages. */
const PERCENTAGES: readonly string[] = scoringNames.filter((name) =>
  /accuracy|precision|recall|f1/.test(name),
)

const SCORES = `for classes ${scoresOf('classes').join(', ')}; for numbers ${scoresOf('numbers').join(', ')}`

/** `--scoring` of commands that take one score. */
export const scoringOption = {
  scoring: textOption('name', `score (default accuracy, or r2): ${SCORES}`, { choices: scoringNames }),
}

/** `--scoring` of commands that take several. */
export const scoringsOption = {
  scoring: textOption('names', `comma-separated scores (default: four of them): ${SCORES}`, {
    choices: scoringNames,
  }),
}

/** Folds unless given; of fewer groups as many as there are. */
const FOLDS = 5

/** `--folds`. */
export const foldsOption = { folds: numberOption(`folds of the cross-validation (default ${FOLDS})`) }

/** What says which samples belong together, or come later. */
export const splitOptions = {
  groups: textOption(
    'column',
    'column of a table with the group of each sample, such as the patient: a group is never split; not a feature',
  ),
  time: textOption(
    'column',
    'column of a table with the time of each sample, numbers or dates: test samples are later than all training samples; not a feature',
  ),
  timeSeries: switchOption('the same, by the order of the rows'),
  gap: numberOption(
    'number of samples left out between training and test, with --time or --time-series (default 0)',
  ),
}

/** The flags of {@link splitOptions}. */
export type SplitFlags = Flags<typeof splitOptions>

/** Whether samples are divided by time. */
export function goesByTime({ time, timeSeries }: SplitFlags): boolean {
  return time !== undefined || timeSeries === true
}

/** Throws where flags contradict each other. */
export function checkSplitFlags(flags: SplitFlags): void {
  if (flags.time !== undefined && flags.timeSeries) {
    throw new ParameterError(COMMAND, '--time-series', 'cannot be used together with --time')
  }
  if (flags.gap !== undefined && !goesByTime(flags)) {
    throw new ParameterError(COMMAND, '--gap', 'needs --time or --time-series')
  }
  if (flags.groups !== undefined && goesByTime(flags)) {
    throw new ParameterError(
      COMMAND,
      '--groups',
      `cannot be used together with ${flags.time === undefined ? '--time-series' : '--time'}`,
    )
  }
}

/** The folds that the flags ask for: by time or, with the groups of the data kept together, at random. */
export function foldsFrom(
  flags: SplitFlags & { readonly folds?: number },
  { samples, groups, times }: Pick<Dataset, 'samples' | 'groups' | 'times'>,
  settings: Pick<ProtocolSettings, 'stratify'> = {},
): ProtocolSettings & { readonly folds: number } {
  const { gap } = flags
  // At least as many as there can be: that there are not as many groups or samples is said of these, not of the number of folds.
  const most = Math.max(
    times ? 1 : 2,
    groups ? new Set(Array.from(groups)).size : sampleCount(samples) - (times ? 1 : 0),
  )
  const { folds = Math.min(FOLDS, most) } = flags
  if (times) return { kind: 'time-series', folds, times, ...(gap !== undefined && { gap }) }
  return { kind: 'k-fold', folds, ...settings, ...(groups && { groups }) }
}

/** How the training side of a fold is divided again, to tune or to calibrate: as its groups and times say, with the same gap. */
export function innerProtocol({ gap }: { readonly gap?: number }): ProtocolSettings | undefined {
  return gap === undefined ? undefined : { kind: 'time-series', gap }
}

/** `--html` of a command. */
export function htmlOption(help: string) {
  return { html: writtenFileOption(`write a page ${help}; - is stdout`) }
}

/** The flags that say how to evaluate. */
export interface ScoringFlags {
  readonly scoring?: string
  readonly type?: string
  /** How the models that are evaluated get probabilities. */
  readonly probability?: string
}

/** The scores that were requested. */
export function scoringFrom(flags: ScoringFlags, learns: Learns): ScoringName[] | undefined {
  const { scoring, type = 'svc', probability } = flags
  const names = scoresOf(learns)
  return scoring?.split(',').map((part) => {
    const name = names.find((one) => one === part.trim())
    if (name === undefined) {
      throw notOneOf(COMMAND, '--scoring', part, names, ` with --type ${type}`)
    }
    if (makeScorer(name).needs === 'probabilities' && probability === undefined && !hasProbabilities(type)) {
      const problem = `${name} needs probabilities, which logistic-regression gives, and cv and learning-curve estimate with --probability`
      throw new ParameterError(COMMAND, '--scoring', problem)
    }
    return name
  })
}

/** The one score that was requested. */
export function oneScoringFrom(flags: ScoringFlags, learns: Learns): ScoringName | undefined {
  const [name, ...more] = scoringFrom(flags, learns) ?? []
  if (more.length > 0) throw new ParameterError(COMMAND, '--scoring', 'one score', flags.scoring)
  return name
}

/** A score for people: 97.32%, or 0.123. */
export function scoreWords(name: string, score: number): string {
  return PERCENTAGES.includes(name) ? percent(score) : number(score, 5)
}

/** A mean with its standard error, which a single score does not have. */
export function meanWords(
  name: string,
  { scores, mean, standardError }: { scores: readonly number[]; mean: number; standardError: number },
): string {
  const words = scoreWords(name, mean)
  return scores.length > 1 ? `${words} ± ${scoreWords(name, standardError)}` : words
}

function scoresOf(learns: Learns): ScoringName[] {
  return scoringNames.filter((name) => (makeScorer(name).labels === 'numbers') === (learns === 'numbers'))
}
