/** The flags that commands of model selection share: how to judge, how to train, and how to show it. */
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { makeScorer, type ScoringName, scoringNames } from '../../selection/score/scoring.ts'
import { number, percent } from '../report/output.ts'
import { addNumberOption } from './option-types.ts'

/** Scores that read best as percentages. */
const SHARES: readonly string[] = scoringNames.filter((name) => /accuracy|precision|recall|f1/.test(name))

/** Adds `--scoring`. */
export function addScoringOption(command: Command, several: boolean): void {
  const names = `of classes ${scoresOf('classes').join(', ')}; of numbers ${scoresOf('numbers').join(', ')}`
  const words = `what to judge by${several ? ', with commas between' : ''} (default accuracy, or r2): ${names}`
  command.option(several ? '--scoring <names>' : '--scoring <name>', words)
}

/** Adds `--folds`. */
export function addFoldsOption(command: Command): void {
  addNumberOption(command, '--folds <number>', 'parts of the cross-validation (default 5)')
}

/** What says how to judge, as commander hands it over. */
export interface ScoringFlags {
  readonly scoring?: string
  readonly type?: string
  /** How the models that are judged get probabilities. */
  readonly probability?: string
}

/** The scores that were asked for. */
export function scoringFrom(
  command: string,
  { scoring, type = 'c-svc', probability }: ScoringFlags,
  learns: Learns,
): ScoringName[] | undefined {
  const names = scoresOf(learns)
  return scoring?.split(',').map((part) => {
    const name = names.find((one) => one === part.trim())
    if (name === undefined) {
      throw new ParameterError(command, '--scoring', `among ${names.join(', ')} with --type ${type}`, part)
    }
    if (makeScorer(name).needs === 'probabilities' && probability === undefined) {
      const allowed =
        'a score that needs no probabilities; cv and learning-curve have them with --probability'
      throw new ParameterError(command, '--scoring', allowed, name)
    }
    return name
  })
}

/** The one score that was asked for. */
export function oneScoringFrom(
  command: string,
  flags: ScoringFlags,
  learns: Learns,
): ScoringName | undefined {
  const { scoring: text } = flags
  const names = scoringFrom(command, flags, learns)
  if (names && names.length > 1) throw new ParameterError(command, '--scoring', 'one score', text)
  return names?.[0]
}

/** A score for people: 97.32%, or 0.123. */
export function scoreWords(name: string, score: number): string {
  return SHARES.includes(name) ? percent(score) : number(score, 5)
}

/** A score with its standard error, which a single one has not. */
export function meanWords(
  name: string,
  { scores, mean, standardError }: { scores: readonly number[]; mean: number; standardError: number },
): string {
  const words = scoreWords(name, mean)
  return scores.length > 1 ? `${words} ± ${scoreWords(name, standardError)}` : words
}

function scoresOf(learns: Learns): ScoringName[] {
  return scoringNames.filter((name) => (makeScorer(name).judges === 'numbers') === (learns === 'numbers'))
}
