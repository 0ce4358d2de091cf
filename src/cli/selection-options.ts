/** The flags that commands of model selection share: how to judge, how to train, and how to show it. */
import type { Command } from 'commander'
import { ParameterError, type ScoringName, scoringNames } from '../index.node.ts'
import { addNumberOption } from './option-types.ts'
import { number, percent } from './output.ts'

/** Scores that read best as percentages. */
const SHARES: readonly string[] = scoringNames.filter((name) => /accuracy|precision|recall|f1/.test(name))

/** Adds `--scoring`. */
export function addScoringOption(command: Command, several: boolean): void {
  const words = `what to judge by${several ? ', with commas between' : ''} (default accuracy): ${scoringNames.join(', ')}`
  command.option(several ? '--scoring <names>' : '--scoring <name>', words)
}

/** Adds `--folds`. */
export function addFoldsOption(command: Command): void {
  addNumberOption(command, '--folds <number>', 'parts of the cross-validation (default 5)')
}

/** The scores that were asked for. */
export function scoringFrom(command: string, text: string | undefined): ScoringName[] | undefined {
  return text?.split(',').map((part) => {
    const name = scoringNames.find((one) => one === part.trim())
    if (name === undefined) {
      throw new ParameterError(command, '--scoring', `among ${scoringNames.join(', ')}`, part)
    }
    return name
  })
}

/** The one score that was asked for. */
export function oneScoringFrom(command: string, text: string | undefined): ScoringName | undefined {
  const names = scoringFrom(command, text)
  if (names && names.length > 1) throw new ParameterError(command, '--scoring', 'one score', text)
  return names?.[0]
}

/** A score for people: 97.32%, or 0.123. */
export function scoreWords(name: string, score: number): string {
  return SHARES.includes(name) ? percent(score) : number(score, 5)
}

/** A score with its standard error. */
export function meanWords(
  name: string,
  { mean, standardError }: { mean: number; standardError: number },
): string {
  return `${scoreWords(name, mean)} ± ${scoreWords(name, standardError)}`
}
