/** `hyperplane path DATA`: scores and support vectors along C, each solution the start of the next. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { pathFigure } from '../../plots/selection-curves.ts'
import { cPath } from '../../selection/share/c-path.ts'
import {
  addCheckpointOptions,
  type CheckpointFlags,
  checkpointFrom,
  leaveCheckpoint,
} from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readLearned } from '../options/data-options.ts'
import { gridFrom } from '../options/grid-options.ts'
import { addKernelOptions } from '../options/kernel-options.ts'
import { addCommonOptions } from '../options/option-types.ts'
import {
  addTubeOptions,
  addTypeOption,
  estimatorFrom,
  type ProblemFlags,
  problemTypes,
} from '../options/problem-types.ts'
import {
  addFoldsOption,
  addScoringOption,
  meanWords,
  oneScoringFrom,
  scoreWords,
} from '../options/selection-options.ts'
import { addFitOptions } from '../options/training-options.ts'
import { CTRL_C_AND_TERM, keepingReached } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { count, counted, number, type OutputOptions, printResult, table } from '../report/output.ts'

interface PathFlags extends OutputOptions, CheckpointFlags, DataFlags, Omit<ProblemFlags, 'C'> {
  readonly log2c?: string
  readonly C?: string
  readonly folds?: number
  readonly scoring?: string
  readonly html?: string
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .option('--log2c <begin,end,step>', 'exponents of C, as grid.py takes them (default -5,15,2)')
    .option('--C <list>', 'values of C with commas between, instead of --log2c')
  addScoringOption(command, false)
  addFoldsOption(command)
  command.option('--html <file>', 'write a page with the path')
  addTypeOption(command, problemTypes('C'))
  addTubeOptions(command)
  addKernelOptions(command)
  addFitOptions(command)
  addCheckpointOptions(command)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Example:
  $ hyperplane path heart.libsvm --C 0.1,1,10,100 --gamma 0.1 --scale range --html path.html

Each solution of c-svc is the start of the next; of other types each C is fitted on its own.`,
    )
    .action(run)
}

async function run(path: string, flags: PathFlags): Promise<void> {
  const { html, seed, folds = 5 } = flags
  const { C: list, log2c, ...others } = flags
  const estimator = estimatorFrom('path', others)
  const { learns } = estimator
  const C = gridFrom('path', { log2c, C: list }, estimator).C as readonly number[]
  const scoring = oneScoringFrom('path', flags, learns)
  const kept = checkpointFrom('path', flags)
  const writes = { '--html': html, '--checkpoint': flags.checkpoint }
  await checkFiles('path', { reads: { '<data>': path }, writes })
  const data = await readLearned(path, flags, learns)
  const bar = new LateBar()
  try {
    const found = await keepingReached(
      'fold',
      (signal) =>
        cPath(estimator, data, {
          C,
          folds,
          signal,
          ...kept,
          onProgress: (done, total) => bar.update('path', done / total, `${done} of ${total} solutions`),
          ...(seed !== undefined && { seed }),
          ...(scoring && { scoring }),
        }),
      ({ points }) => points[0].test.scores.length,
      kept.checkpoint && CTRL_C_AND_TERM,
    )
    bar.stop()
    if (!found) return leaveCheckpoint(flags, false)
    const { points, bestC, scoring: name } = found
    const vectors = points.some(({ supportVectors }) => supportVectors !== undefined)
    const columns = [
      ...['C', `${name}, not seen`, `${name}, learned from`],
      ...(vectors ? ['support vectors'] : []),
      'steps',
    ]
    const rows = points.map(({ C: price, train, test, supportVectors = 0, iterations = 0 }) => [
      number(price),
      meanWords(name, test),
      scoreWords(name, train.mean),
      ...(vectors ? [number(supportVectors, 4)] : []),
      count(iterations),
    ])
    if (html !== undefined) {
      const figure = await pathFigure(points, { scoring: name, best: bestC, subtitle: path })
      await writeFileAtomically(
        html,
        htmlReport('Path over C', [{ heading: path, table: { columns, left: [], rows }, figures: [figure] }]),
      )
    }
    printResult(flags, { ...found, folds, html: html ?? null }, () => [
      `${counted(data.samples.rows, 'sample')}, ${folds} folds`,
      '',
      ...table(columns, rows, []),
      '',
      `best C: ${number(bestC)}`,
      ...(html === undefined ? [] : [`path written to ${html}`]),
    ])
    await leaveCheckpoint(flags, found.complete)
  } finally {
    bar.stop()
  }
}
