/** `hyperplane path DATA`: scores and support vectors along C; each solution is the start of the next. */

import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { pathFigure } from '../../plots/selection-curves.ts'
import { cPath } from '../../selection/share/c-path.ts'
import {
  checkpointFrom,
  checkpointOptions,
  settleCheckpoint,
  settleInterrupted,
} from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, readTrainingData } from '../options/data-options.ts'
import { exponentsOfC, gridFrom, listOfC } from '../options/grid-options.ts'
import { kernelOptions } from '../options/kernel-options.ts'
import { defined, type Flags, subcommand } from '../options/options.ts'
import {
  checkSplitFlags,
  foldsFrom,
  foldsOption,
  htmlOption,
  meanWords,
  oneScoringFrom,
  scoreWords,
  scoringOption,
  splitOptions,
} from '../options/selection-options.ts'
import { estimatorFrom, fitOptions, tubeOptions, typeOptionsWithC } from '../options/training-options.ts'
import { CTRL_C_AND_TERM, keepingReached } from '../report/interrupt.ts'
import { cellLines, count, counted, number, printResult, tableOf } from '../report/output.ts'
import { tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'

const options = {
  ...exponentsOfC,
  ...listOfC,
  ...scoringOption,
  ...foldsOption,
  ...splitOptions,
  ...htmlOption('with the path'),
  ...typeOptionsWithC,
  ...tubeOptions,
  ...kernelOptions,
  ...fitOptions,
  ...checkpointOptions,
  ...columnOptions,
  ...dataOptions,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Example:
  $ hyperplane path heart.libsvm --C 0.1,1,10,100 --gamma 0.1 --scale range --html path.html

Each solution is the starting point of the next, for kernel and linear machines; other fits are independent.`,
  run,
})

async function run(flags: Flags<typeof options>, path: string): Promise<void> {
  const { html, seed, C: list, log2c, ...others } = flags
  const estimator = estimatorFrom(others)
  const C = gridFrom({ log2c, C: list }, estimator).C as readonly number[]
  const settings = defined({ seed, scoring: oneScoringFrom(flags, estimator.learns) })
  const kept = checkpointFrom(flags)
  checkSplitFlags(flags)
  await checkFiles({ '<data>': path }, { '--html': html, '--checkpoint': flags.checkpoint })
  const data = await readTrainingData(path, flags, estimator.learns)
  const protocol = foldsFrom(flags, data)
  const found = await keepingReached(
    { title: 'path', part: 'fold', step: 'solution', signals: kept.checkpoint && CTRL_C_AND_TERM },
    (work) => cPath(estimator, data, { C, protocol, ...work, ...kept, ...settings }),
    ({ points }) => points[0].test.scores.length,
  ).catch((error) => settleInterrupted(flags, error))
  const { points, bestC, scoring } = found
  const vectors = points.some(({ supportVectors }) => supportVectors !== undefined)
  const table = tableOf(points, [
    ['C', ({ C }) => number(C)],
    [`${scoring}, not seen`, ({ test }) => meanWords(scoring, test)],
    [`${scoring}, trained on`, ({ train }) => scoreWords(scoring, train.mean)],
    vectors && ['support vectors', ({ supportVectors = 0 }) => number(supportVectors, 4)],
    ['steps', ({ iterations = 0 }) => count(iterations)],
  ])
  if (html !== undefined) {
    const figure = await pathFigure(points, { scoring, best: bestC, subtitle: path })
    const section = { heading: path, table, figures: [figure] }
    await writeFileAtomically(html, htmlReport('Path over C', [section]))
  }
  printResult(flags, { ...found, folds: protocol.folds, html }, () => [
    tableLines(data),
    `${counted(data.samples.rows, 'sample')}, ${counted(protocol.folds, 'fold')}`,
    '',
    cellLines(table),
    '',
    `best C: ${number(bestC)}`,
    html !== undefined && `path written to ${html}`,
  ])
  await settleCheckpoint(flags, found.complete)
}
