/** `hyperplane learning-curve DATA`: would more data help? */

import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { learningCurveFigure } from '../../plots/selection-curves.ts'
import { learningCurve } from '../../selection/score/learning-curve.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, readTrainingData } from '../options/data-options.ts'
import { defined, type Flags, numbersOf, subcommand, textOption } from '../options/options.ts'
import {
  checkSplitFlags,
  foldsFrom,
  foldsOption,
  htmlOption,
  meanWords,
  oneScoringFrom,
  scoringOption,
  splitOptions,
} from '../options/selection-options.ts'
import { trainerFrom, trainingOptions } from '../options/training-options.ts'
import { COMMAND } from '../report/failure.ts'
import { keepingReached } from '../report/interrupt.ts'
import { cellLines, count, counted, printResult, tableOf } from '../report/output.ts'
import { tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'

const options = {
  sizes: textOption(
    'list',
    'comma-separated sizes of the training set: fractions up to 1, or numbers of samples (default 0.1,0.325,0.55,0.775,1)',
  ),
  ...scoringOption,
  ...foldsOption,
  ...splitOptions,
  ...htmlOption('with the curve'),
  ...trainingOptions,
  ...columnOptions,
  ...dataOptions,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Examples:
  $ hyperplane learning-curve heart.libsvm --C 10 --gamma 0.1 --scale range --html curve.html
  $ hyperplane learning-curve prices.csv --type svr --C 10 --scale standard`,
  run,
})

async function run(flags: Flags<typeof options>, path: string): Promise<void> {
  const { html, seed } = flags
  const estimator = trainerFrom(flags)
  const { learns } = estimator
  const settings = defined({ seed, scoring: oneScoringFrom(flags, learns), sizes: sizesFrom(flags.sizes) })
  checkSplitFlags(flags)
  await checkFiles({ '<data>': path }, { '--html': html })
  const data = await readTrainingData(path, flags, learns)
  const protocol = foldsFrom(flags, data)
  const curve = await keepingReached(
    { title: 'fitting', part: 'size', step: 'fit' },
    (work) => learningCurve(estimator, data, { protocol, ...work, ...settings }),
    ({ points }) => points.length,
  )
  const { scoring, points } = curve
  const table = tableOf(points, [
    ['samples', ({ samples }) => count(samples)],
    [`${scoring}, not seen`, ({ test }) => meanWords(scoring, test)],
    [`${scoring}, trained on`, ({ train }) => meanWords(scoring, train)],
  ])
  if (html !== undefined) {
    const figure = await learningCurveFigure(points, { scoring, subtitle: path })
    const section = { heading: path, table, figures: [figure] }
    await writeFileAtomically(html, htmlReport('Learning curve', [section]))
  }
  printResult(flags, { ...curve, folds: protocol.folds, html }, () => [
    tableLines(data),
    `${counted(data.samples.rows, 'sample')}, ${counted(protocol.folds, 'fold')}`,
    '',
    cellLines(table),
    html !== undefined && ['', `curve written to ${html}`],
  ])
}

function sizesFrom(text: string | undefined): number[] | undefined {
  const sizes = text === undefined ? undefined : numbersOf(text)
  if (sizes?.every((size) => size > 0) === false) {
    throw new ParameterError(COMMAND, '--sizes', 'comma-separated positive numbers', text)
  }
  return sizes
}
