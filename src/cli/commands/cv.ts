/** `hyperplane cv DATA`: judges what is learned by a protocol. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { Learns } from '../../estimators/parts/estimator.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { type CrossValidation, crossValidate } from '../../selection/score/cross-validate.ts'
import { type ProtocolName, type ProtocolSettings, protocolNames } from '../../selection/score/protocols.ts'
import type { ScoringName } from '../../selection/score/scoring.ts'
import {
  addCheckpointOptions,
  type CheckpointFlags,
  checkpointFrom,
  leaveCheckpoint,
} from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readLearned } from '../options/data-options.ts'
import { addExponentOptions } from '../options/grid-options.ts'
import { addChoiceOption, addCommonOptions, addNumberOption } from '../options/option-types.ts'
import { addTypeOptions, judgedFrom, type ProblemFlags, tunedFrom } from '../options/problem-types.ts'
import {
  addFoldsOption,
  addScoringOption,
  meanWords,
  scoreWords,
  scoringFrom,
} from '../options/selection-options.ts'
import { addTrainingOptions } from '../options/training-options.ts'
import { CTRL_C_AND_TERM, keepingReached } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { counted, type OutputOptions, printResult, table } from '../report/output.ts'
import { unseenSection } from '../report/selection-report.ts'
import { CHOOSING, choiceFrom, choiceLines, chooseAndTest, nested } from './cv-with-choice.ts'

interface CvFlags extends OutputOptions, CheckpointFlags, DataFlags, ProblemFlags {
  readonly protocol?: ProtocolName | (typeof CHOOSING)[number]
  readonly log2c?: string
  readonly log2g?: string
  readonly log2p?: string
  readonly folds?: number
  readonly repeats?: number
  readonly testFraction?: number
  readonly scoring?: string
  readonly html?: string
}

/** Groups have no column in a data file: they are for the library. */
const PROTOCOLS = [...protocolNames.filter((name) => name !== 'group-k-fold'), ...CHOOSING]
const SCORES: Readonly<Record<Learns, readonly ScoringName[]>> = {
  classes: ['accuracy', 'precision', 'recall', 'f1'],
  normal: ['accuracy', 'precision', 'recall', 'f1'],
  numbers: ['r2', 'mse', 'mae', 'squared-correlation'],
}
const MOST_FOLDS_SHOWN = 20

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command.argument('<data>', DATA_HELP)
  addChoiceOption(command, '--protocol <name>', 'how samples are divided (default k-fold)', PROTOCOLS)
  addFoldsOption(command)
  addNumberOption(command, '--repeats <number>', 'repetitions of repeated-k-fold (default 5)')
  addNumberOption(
    command,
    '--test-fraction <number>',
    'share of the samples that hold-out judges on (default 0.2)',
  )
  addExponentOptions(command, ', to choose from by nested and train-validation-test')
  addScoringOption(command, true)
  command.option(
    '--html <file>',
    'write a page with ROC, precision and recall, calibration and confusion; of numbers, predicted against true',
  )
  addTypeOptions(command)
  addTrainingOptions(command)
  addCheckpointOptions(command)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane cv heart.libsvm --C 10 --gamma 0.1 --scale range
  $ hyperplane cv heart.libsvm --protocol leave-one-out --gamma 0.1
  $ hyperplane cv heart.libsvm --protocol nested --log2c -3,7,2 --log2g 1,-9,-2
  $ hyperplane cv digits.libsvm --probability sigmoid --scoring accuracy,log-loss
  $ hyperplane cv prices.csv --type svr --C 10 --epsilon 0.5 --scale standard

Scaling and everything else is learned from the training side of each fold alone.`,
    )
    .action(run)
}

async function run(path: string, flags: CvFlags): Promise<void> {
  const { html, seed, threads } = flags
  const protocol = protocolFrom(flags)
  const choosing = CHOOSING.find((name) => name === flags.protocol)
  if (choosing) return runChoosing(path, choosing, flags)
  for (const flag of ['log2c', 'log2g', 'log2p'] as const) {
    if (flags[flag] !== undefined) {
      throw new ParameterError('cv', `--${flag}`, `absent with --protocol ${protocol.kind}`, flags[flag])
    }
  }
  const estimator = judgedFrom('cv', flags)
  const { learns } = estimator
  const scoring = scoringFrom('cv', flags, learns) ?? SCORES[learns]
  const kept = checkpointFrom('cv', flags)
  const writes = { '--html': html, '--checkpoint': flags.checkpoint }
  await checkFiles('cv', { reads: { '<data>': path }, writes })
  const data = await readLearned(path, flags, learns)
  const bar = new LateBar()
  try {
    const result = await keepingReached(
      'fold',
      (signal) =>
        crossValidate(estimator, data, {
          protocol,
          scoring,
          signal,
          ...kept,
          onProgress: (done, total) => bar.update('fitting', done / total, `${done} of ${total} folds`),
          ...(seed !== undefined && { seed }),
          ...(threads !== undefined && { threads }),
        }),
      ({ folds }) => folds.length,
      kept.checkpoint && CTRL_C_AND_TERM,
    )
    bar.stop()
    if (!result) return leaveCheckpoint(flags, false)
    const { scores, folds, fits, complete } = result
    if (html !== undefined) await writeFileAtomically(html, await page(path, protocol.kind, result, learns))
    const facts = {
      protocol: protocol.kind,
      samples: data.samples.rows,
      fits,
      scores,
      folds,
      complete,
      html: html ?? null,
    }
    printResult(flags, facts, () => lines(data, protocol.kind, result, html))
    await leaveCheckpoint(flags, complete)
  } finally {
    bar.stop()
  }
}

/** Protocols that choose parameters before they judge. */
async function runChoosing(path: string, protocol: (typeof CHOOSING)[number], flags: CvFlags): Promise<void> {
  for (const flag of ['html', 'probability', 'checkpoint', 'checkpointEvery'] as const) {
    if (flags[flag] !== undefined) {
      throw new ParameterError('cv', `--${flag}`, `absent with --protocol ${protocol}`, flags[flag])
    }
  }
  const choice = choiceFrom(protocol, flags, tunedFrom('cv', flags))
  const { learns } = choice.estimator
  const scoring = scoringFrom('cv', flags, learns) ?? SCORES[learns]
  await checkFiles('cv', { reads: { '<data>': path } })
  const data = await readLearned(path, flags, learns)
  const bar = new LateBar()
  try {
    if (protocol === 'train-validation-test') {
      const test = async (signal: AbortSignal) => {
        await chooseAndTest(choice, data, flags, scoring, signal)
        return { complete: true }
      }
      await keepingReached('choice', test, () => 0)
      return
    }
    const result = await keepingReached(
      'outer fold',
      (signal) =>
        nested(choice, data, flags, scoring, signal, (done, total) =>
          bar.update('tuning', done / total, `${done} of ${total} outer folds`),
        ),
      ({ folds }) => folds.length,
    )
    bar.stop()
    if (!result) return
    const { scores, folds, fits, choices, complete } = result
    const facts = { protocol, samples: data.samples.rows, fits, scores, folds, choices, complete }
    printResult(flags, facts, () => [
      ...lines(data, protocol, result, undefined),
      '',
      ...choiceLines(choices, scoring[0]),
    ])
  } finally {
    bar.stop()
  }
}

function protocolFrom(flags: CvFlags): ProtocolSettings {
  const kind = (flags.protocol ?? 'k-fold') as ProtocolName
  const settings = { folds: flags.folds, repeats: flags.repeats, testFraction: flags.testFraction }
  const takes: Partial<Record<string, readonly (keyof typeof settings)[]>> = {
    'hold-out': ['testFraction'],
    'k-fold': ['folds'],
    'stratified-k-fold': ['folds'],
    'repeated-k-fold': ['folds', 'repeats'],
    libsvm: ['folds'],
    nested: ['folds'],
    'train-validation-test': ['testFraction'],
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!(takes[kind] as readonly string[] | undefined)?.includes(name)) {
      const flag = name === 'testFraction' ? '--test-fraction' : `--${name}`
      throw new ParameterError('cv', flag, `absent with --protocol ${kind}`, value)
    }
  }
  return { kind, ...Object.fromEntries(given) }
}

function lines(
  { samples }: VectorDataset,
  protocol: string,
  { scores, folds, fits }: CrossValidation,
  html: string | undefined,
): string[] {
  const unconverged = folds.filter(({ stopReason = 'converged' }) => stopReason !== 'converged').length
  const each = scores.filter((score) => score.scores.length === folds.length)
  return [
    `${counted(samples.rows, 'sample')}, ${protocol}: ${counted(folds.length, 'fold')}, ${counted(fits, 'fit')}`,
    '',
    ...table(...scoreTable(scores), ['score']),
    ...(folds.length > 1 && folds.length <= MOST_FOLDS_SHOWN
      ? [
          '',
          ...table(
            ['fold', 'learned from', 'judged on', ...each.map(({ name }) => name)],
            folds.map(({ train, test }, f) => [
              String(f + 1),
              String(train),
              String(test),
              ...each.map(({ name, scores: own }) => scoreWords(name, own[f])),
            ]),
            [],
          ),
        ]
      : []),
    ...(unconverged > 0 ? ['', `NOT converged: ${counted(unconverged, 'fit')}`] : []),
    ...(html === undefined ? [] : ['', `page written to ${html}`]),
  ]
}

async function page(
  path: string,
  protocol: string,
  { scores, outOfFold }: CrossValidation,
  learns: Learns,
): Promise<string> {
  const [columns, rows] = scoreTable(scores)
  return htmlReport(`Cross-validation: ${path}`, [
    { heading: `Scores by ${protocol}`, table: { columns, rows } },
    await unseenSection('On samples that each model had not seen', outOfFold, learns === 'numbers'),
  ])
}

/** Each score on a line; of a single split there is no standard error. */
function scoreTable(scores: CrossValidation['scores']): [columns: string[], rows: string[][]] {
  const several = scores.some((score) => score.scores.length > 1)
  return [
    ['score', several ? 'mean ± standard error' : 'value'],
    scores.map((score) => [score.name, meanWords(score.name, score)]),
  ]
}
