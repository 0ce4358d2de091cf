/** `hyperplane cv DATA`: evaluates an estimator by a protocol. */

import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { Label } from '../../data/table/dataset.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import {
  type DecisionThreshold,
  decisionThreshold,
  type ThresholdGoal,
} from '../../metrics/decision-threshold.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { unseenSection } from '../../reports/unseen-section.ts'
import { type CrossValidation, crossValidate } from '../../selection/score/cross-validate.ts'
import { type ProtocolName, protocolNames } from '../../selection/score/protocols.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import {
  checkpointFrom,
  checkpointOptions,
  settleCheckpoint,
  settleInterrupted,
} from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, readTrainingData } from '../options/data-options.ts'
import {
  checkDecisionData,
  checkDecisionFlags,
  foldScores,
  reportedThresholdOption,
  thresholdWords,
} from '../options/decision-options.ts'
import { exponentOptions } from '../options/grid-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  given,
  notApplicable,
  numberOption,
  subcommand,
} from '../options/options.ts'
import {
  checkSplitFlags,
  foldsOption,
  goesByTime,
  htmlOption,
  meanWords,
  scoreWords,
  scoringFrom,
  scoringsOption,
  splitOptions,
} from '../options/selection-options.ts'
import { trainerFrom, trainingOptions, tunedEstimatorFrom } from '../options/training-options.ts'
import { COMMAND } from '../report/failure.ts'
import { CTRL_C_AND_TERM, keepingReached } from '../report/interrupt.ts'
import {
  type CellTable,
  type Column,
  cellLines,
  counted,
  type Lines,
  paragraph,
  printResult,
  table,
  tableOf,
} from '../report/output.ts'
import { CHOOSING, choiceFrom, choiceLines, chooseAndTest, nested } from '../selection/cv-with-choice.ts'
import { tableFacts, tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'

/** Which options each protocol takes. */
const PROTOCOL_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'hold-out': ['testFraction', 'groups', 'time', 'timeSeries'],
  'k-fold': ['folds', 'groups'],
  'stratified-k-fold': ['folds', 'groups'],
  'group-k-fold': ['folds', 'groups'],
  'repeated-k-fold': ['folds', 'repeats', 'groups'],
  'leave-one-out': ['groups'],
  '5x2': ['groups'],
  'time-series': ['folds', 'time', 'timeSeries', 'gap'],
  libsvm: ['folds'],
  nested: ['folds', 'log2c', 'log2g', 'log2p', 'groups', 'time', 'timeSeries', 'gap'],
  'train-validation-test': [...['testFraction', 'log2c', 'log2g', 'log2p', 'groups', 'time', 'timeSeries']],
}

const DEFAULT_SCORES: Readonly<Record<Learns, readonly ScoringName[]>> = {
  classes: ['accuracy', 'precision', 'recall', 'f1'],
  normal: ['accuracy', 'precision', 'recall', 'f1'],
  numbers: ['r2', 'mse', 'mae', 'squared-correlation'],
}

/** More folds than this are not listed one by one: a screen has about so many lines. */
const MOST_FOLDS_SHOWN = 20

const options = {
  protocol: choiceOption(
    [...protocolNames, ...CHOOSING],
    'how to split the samples (default k-fold, or time-series with --time and --time-series)',
  ),
  ...foldsOption,
  ...splitOptions,
  repeats: numberOption('repetitions of repeated-k-fold (default 5)'),
  testFraction: numberOption('fraction of the samples that hold-out keeps for testing (default 0.2)'),
  ...exponentOptions,
  ...scoringsOption,
  threshold: reportedThresholdOption,
  ...htmlOption(
    'with ROC, precision and recall, calibration and confusion; for numbers, predicted against true values',
  ),
  ...trainingOptions,
  ...checkpointOptions,
  ...columnOptions,
  ...dataOptions,
}

type CvFlags = Flags<typeof options>

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Examples:
  $ hyperplane cv heart.libsvm --C 10 --gamma 0.1 --scale range
  $ hyperplane cv heart.libsvm --protocol leave-one-out --gamma 0.1
  $ hyperplane cv heart.libsvm --protocol nested --log2c -3,7,2 --log2g 1,-9,-2
  $ hyperplane cv digits.libsvm --probability sigmoid --scoring accuracy,log-loss
  $ hyperplane cv prices.csv --type svr --C 10 --epsilon 0.5 --scale standard

The protocols nested and train-validation-test choose from the exponents. Scalers and everything else are fitted to the
training part of each fold only.`,
  run,
})

async function run(flags: CvFlags, path: string): Promise<void> {
  const { html, seed, threads, folds, repeats, testFraction, gap } = flags
  const { protocol: kind = goesByTime(flags) ? 'time-series' : 'k-fold' } = flags
  checkSplitFlags(flags)
  checkProtocolFlags(kind, flags)
  if (kind === 'nested' || kind === 'train-validation-test') return runChoosing(flags, kind, path)
  const estimator = trainerFrom(flags)
  const { learns } = estimator
  checkDecisionFlags(flags, learns)
  const scoring = scoringFrom(flags, learns) ?? DEFAULT_SCORES[learns]
  const kept = checkpointFrom(flags)
  await checkFiles({ '<data>': path }, { '--html': html, '--checkpoint': flags.checkpoint })
  const data = await readTrainingData(path, flags, learns)
  checkDecisionData(flags, data)
  const { groups, times } = data
  const own = defined({ folds, repeats, testFraction, gap, groups, times })
  const protocol = { kind: kind as ProtocolName, ...own }
  const result = await keepingReached(
    { title: 'fitting', part: 'fold', signals: kept.checkpoint && CTRL_C_AND_TERM },
    (work) =>
      crossValidate(estimator, data, { protocol, scoring, ...work, ...kept, ...defined({ seed, threads }) }),
    (reached) => reached.folds.length,
  ).catch((error) => settleInterrupted(flags, error))
  const { scores, fits, folds: reached, complete } = result
  const chosen = thresholdOf(flags.threshold, result, data)
  if (html !== undefined) await writeFileAtomically(html, await page(path, kind, result, learns))
  const facts = {
    ...{ protocol: kind, samples: data.samples.rows, fits, scores, folds: reached, complete, html },
    ...(chosen && { threshold: chosen.threshold, onFolds: foldScores(chosen) }),
    ...tableFacts(data),
  }
  printResult(flags, facts, () => [
    lines(data, kind, result, html),
    chosen && ['', ...thresholdWords(chosen)],
  ])
  await settleCheckpoint(flags, complete)
}

/** Protocols that choose parameters before they evaluate. */
async function runChoosing(flags: CvFlags, protocol: (typeof CHOOSING)[number], path: string): Promise<void> {
  const [ignored] = Object.keys(
    given(flags, ['html', 'probability', 'checkpoint', 'checkpointEvery', 'threshold']),
  )
  if (ignored) throw notApplicable(ignored, `--protocol ${protocol}`)
  const choice = choiceFrom(protocol, flags, tunedEstimatorFrom(flags))
  const { learns } = choice.estimator
  const scoring = scoringFrom(flags, learns) ?? DEFAULT_SCORES[learns]
  await checkFiles({ '<data>': path })
  const data = await readTrainingData(path, flags, learns)
  if (protocol === 'train-validation-test') {
    await keepingReached(
      { title: 'choosing', part: 'choice' },
      async ({ signal }) => {
        await chooseAndTest(choice, data, flags, scoring, signal)
        return { complete: true }
      },
      () => 0,
    )
    return
  }
  const result = await keepingReached(
    { title: 'tuning', part: 'outer fold' },
    (work) => nested(choice, data, flags, scoring, work),
    ({ folds }) => folds.length,
  )
  const { scores, folds, fits, choices, complete } = result
  const facts = { protocol, samples: data.samples.rows, fits, scores, folds, choices, complete }
  printResult(flags, { ...facts, ...tableFacts(data) }, () => [
    lines(data, protocol, result, undefined),
    '',
    choiceLines(choices, scoring[0]),
  ])
}

function checkProtocolFlags(protocol: string, flags: CvFlags): void {
  const special = [
    ...(['folds', 'repeats', 'testFraction', 'log2c', 'log2g', 'log2p'] as const),
    ...(['groups', 'time', 'timeSeries', 'gap'] as const),
  ]
  const takes = PROTOCOL_OPTIONS[protocol] ?? []
  const ignored = special.find((name) => flags[name] !== undefined && !takes.includes(name))
  if (ignored) throw notApplicable(ignored, `--protocol ${protocol}`)
  if (protocol === 'group-k-fold' && flags.groups === undefined) {
    throw new ParameterError(COMMAND, '--protocol', 'group-k-fold needs --groups COLUMN')
  }
}

/** The threshold that serves the goal on samples that no model had seen. */
function thresholdOf(
  goal: ThresholdGoal | undefined,
  { outOfFold: { truth, decisions, indices } }: CrossValidation,
  { labels, weights }: TableDataset,
): DecisionThreshold | undefined {
  if (!goal || !decisions) return undefined
  const [, positive] = [...new Set<Label>(labels)].sort((a, b) => (a < b ? -1 : 1))
  const own = weights && Float64Array.from(indices, (i) => weights[i])
  return decisionThreshold(truth, decisions, goal, { positive, ...(own && { weights: own }) })
}

function lines(
  data: TableDataset,
  protocol: string,
  { scores, folds, fits }: CrossValidation,
  html: string | undefined,
): Lines {
  const columns = tableLines(data)
  const unconverged = folds.filter(({ stopReason = 'converged' }) => stopReason !== 'converged').length
  const each = scores.filter((score) => score.scores.length === folds.length)
  return [
    columns,
    columns.length > 0 && '',
    `${counted(data.samples.rows, 'sample')}, ${protocol}: ${counted(folds.length, 'fold')}, ${counted(fits, 'fit')}`,
    '',
    cellLines(scoreTable(scores)),
    folds.length > 1 &&
      folds.length <= MOST_FOLDS_SHOWN &&
      paragraph(
        table(folds, [
          ['fold', (_, f) => String(f + 1)],
          ['trained on', ({ train }) => String(train)],
          ['evaluated on', ({ test }) => String(test)],
          ...each.map(({ name, scores: own }): Column<unknown> => [name, (_, f) => scoreWords(name, own[f])]),
        ]),
      ),
    unconverged > 0 && ['', `NOT converged: ${counted(unconverged, 'fit')}`],
    html !== undefined && ['', `page written to ${html}`],
  ]
}

async function page(
  path: string,
  protocol: string,
  { scores, outOfFold }: CrossValidation,
  learns: Learns,
): Promise<string> {
  return htmlReport(`Cross-validation: ${path}`, [
    { heading: `Scores by ${protocol}`, table: scoreTable(scores) },
    await unseenSection('On held-out samples', outOfFold, learns === 'numbers'),
  ])
}

/** One score per line; a single split has no standard error. */
function scoreTable(scores: CrossValidation['scores']): CellTable {
  const several = scores.some((score) => score.scores.length > 1)
  return tableOf(scores, [
    ['score', ({ name }) => name, 'left'],
    [several ? 'mean ± standard error' : 'value', (score) => meanWords(score.name, score)],
  ])
}
