/** `hyperplane learning-curve DATA`: would more data help? */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { htmlReport } from '../../plots/html-report.ts'
import { learningCurveFigure } from '../../plots/selection-curves.ts'
import { learningCurve } from '../../selection/score/learning-curve.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readLearned } from '../options/data-options.ts'
import { addCommonOptions } from '../options/option-types.ts'
import { addTypeOptions, judgedFrom, type ProblemFlags } from '../options/problem-types.ts'
import { addFoldsOption, addScoringOption, meanWords, oneScoringFrom } from '../options/selection-options.ts'
import { addTrainingOptions } from '../options/training-options.ts'
import { keepingReached } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { count, counted, type OutputOptions, printResult, table } from '../report/output.ts'

interface LearningCurveFlags extends OutputOptions, DataFlags, ProblemFlags {
  readonly sizes?: string
  readonly folds?: number
  readonly scoring?: string
  readonly html?: string
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .option(
      '--sizes <list>',
      'samples to learn from, with commas between: shares up to 1, or numbers above (default 0.1,0.325,0.55,0.775,1)',
    )
  addScoringOption(command, false)
  addFoldsOption(command)
  command.option('--html <file>', 'write a page with the curve')
  addTypeOptions(command)
  addTrainingOptions(command)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane learning-curve heart.libsvm --C 10 --gamma 0.1 --scale range --html curve.html
  $ hyperplane learning-curve prices.csv --type svr --C 10 --scale standard`,
    )
    .action(run)
}

async function run(path: string, flags: LearningCurveFlags): Promise<void> {
  const { html, seed, folds = 5 } = flags
  const estimator = judgedFrom('learning-curve', flags)
  const { learns } = estimator
  const scoring = oneScoringFrom('learning-curve', flags, learns)
  const sizes = sizesFrom(flags.sizes)
  await checkFiles('learning-curve', { reads: { '<data>': path }, writes: { '--html': html } })
  const data = await readLearned(path, flags, learns)
  const bar = new LateBar()
  try {
    const curve = await keepingReached(
      'size',
      (signal) =>
        learningCurve(estimator, data, {
          folds,
          signal,
          onProgress: (done, total) => bar.update('fitting', done / total, `${done} of ${total} fits`),
          ...(seed !== undefined && { seed }),
          ...(sizes && { sizes }),
          ...(scoring && { scoring }),
        }),
      ({ points }) => points.length,
    )
    bar.stop()
    if (!curve) return
    const cells = curve.points.map(({ samples, train, test }) => [
      count(samples),
      meanWords(curve.scoring, test),
      meanWords(curve.scoring, train),
    ])
    const columns = ['samples', `${curve.scoring}, not seen`, `${curve.scoring}, learned from`]
    if (html !== undefined) {
      const figure = await learningCurveFigure(curve.points, { scoring: curve.scoring, subtitle: path })
      const page = htmlReport('Learning curve', [
        { heading: path, table: { columns, left: [], rows: cells }, figures: [figure] },
      ])
      await writeFileAtomically(html, page)
    }
    printResult(flags, { ...curve, folds, html: html ?? null }, () => [
      `${counted(data.samples.rows, 'sample')}, ${folds} folds`,
      '',
      ...table(columns, cells, []),
      ...(html === undefined ? [] : ['', `curve written to ${html}`]),
    ])
  } finally {
    bar.stop()
  }
}

function sizesFrom(text: string | undefined): number[] | undefined {
  return text?.split(',').map((part) => {
    const size = part.trim() === '' ? Number.NaN : Number(part)
    if (!(size > 0))
      throw new ParameterError('learning-curve', '--sizes', 'positive numbers with commas between', text)
    return size
  })
}
