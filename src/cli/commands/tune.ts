/** `hyperplane tune DATA`: finds parameters by cross-validation, trains with them, and reports. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { Label, VectorDataset } from '../../data/table/dataset.ts'
import { checkModelFormat, writeModel } from '../../models/files/write-model.node.ts'
import type { Model } from '../../models/model.ts'
import type { Calibration } from '../../selection/calibrate/calibrate-from-folds.ts'
import type { CellResult } from '../../selection/score/evaluate-cells.ts'
import { makeScorer } from '../../selection/score/scoring.ts'
import { Journal } from '../../selection/search/journal.node.ts'
import { searchNames, type TuneResult } from '../../selection/search/tune.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readLearned } from '../options/data-options.ts'
import { addGridOptions, type GridFlags, gridFrom } from '../options/grid-options.ts'
import { kernelWords } from '../options/kernel-options.ts'
import { readMatchingData } from '../options/matching-data.ts'
import { addChoiceOption, addCommonOptions, addNumberOption } from '../options/option-types.ts'
import { addTypeOption, modelOutline, type ProblemFlags, tunedFrom } from '../options/problem-types.ts'
import {
  addFoldsOption,
  addScoringOption,
  meanWords,
  oneScoringFrom,
  scoreWords,
} from '../options/selection-options.ts'
import { addFitOptions, type FitFlags } from '../options/training-options.ts'
import { certificateLines, problemsOf } from '../report/certificate-words.ts'
import {
  checkLabels,
  type Evaluation,
  evaluateAny,
  evaluationLines,
  type RegressionEvaluation,
} from '../report/evaluation.ts'
import { EXIT_FAILED } from '../report/failure.ts'
import { untilInterrupted } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { count, counted, type OutputOptions, printResult, seconds, table } from '../report/output.ts'
import { bestCellsTable } from '../report/selection-report.ts'
import { paramLine, tunePage } from '../report/tune-page.ts'
import { runSearch, type SearchRequest, searchJob } from './search.ts'

interface TuneFlags extends OutputOptions, DataFlags, GridFlags, FitFlags, TypeFlags {
  readonly output?: string
  readonly test?: string
  readonly scoring?: string
  readonly folds?: number
  readonly search?: (typeof searchNames)[number]
  readonly draw?: number
  readonly oneSe?: boolean
  readonly calibrate?: Calibration
  readonly journal?: string
  readonly html?: string
}

type TypeFlags = Pick<ProblemFlags, 'type' | 'loss' | 'multiClass'>

/** What a run of the command has found out, and how many scores the journal knew. */
type Tuned = TuneResult<Model> & { readonly known: number }

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .option(
      '-o, --output <file>',
      'where to write the model, trained on all samples with the best parameters',
    )
    .option('--test <file>', 'data that had no part in the choice, to report on')
  addTypeOption(command)
  addGridOptions(command)
  addScoringOption(command, false)
  addFoldsOption(command)
  addChoiceOption(command, '--search <name>', 'how to search (default grid)', searchNames)
  addNumberOption(
    command,
    '--draw <number>',
    'cells that random search and halving draw between the values given',
  )
  const calibrate =
    'from the folds, give the model probabilities (of c-svc and nu-svc) or the width of its noise (laplace, of svr and nu-svr)'
  addChoiceOption(command, '--calibrate <method>', calibrate, ['sigmoid', 'isotonic', 'laplace'])
  command
    .option('--one-se', 'choose the simplest cell within one standard error of the best')
    .option(
      '--journal <file>',
      'keep scores in this file as they come; the same command goes on where it stopped',
    )
    .option(
      '--html <file>',
      'write a page: heat map, folds, ROC, precision and recall, calibration, confusion; of numbers, predicted against true',
    )
  addFitOptions(command)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane tune heart.libsvm --scale range -o heart.json --html heart.html
  $ hyperplane tune train.libsvm --kernel linear --C 0.1,1,10,100 --test test.libsvm -o model.json
  $ hyperplane tune prices.csv --type svr --log2c -1,9,2 --epsilon 0.05,0.2,0.8 --scale standard -o prices.json

Without flags the cells are those of LIBSVM's grid.py, judged by 5 folds. Ctrl-C stops and shows what was found so far
(exit code 1); with --journal the same command goes on from there.`,
    )
    .action(run)
}

async function run(path: string, flags: TuneFlags): Promise<void> {
  const { output, html, journal } = flags
  const estimator = tunedFrom('tune', flags)
  const { learns } = estimator
  const grid = gridFrom('tune', flags, estimator)
  const scoring = oneScoringFrom('tune', flags, learns) ?? (learns === 'numbers' ? 'r2' : 'accuracy')
  checkDraw(flags)
  await checkFiles('tune', {
    reads: { '<data>': path, '--test': flags.test },
    writes: { '--output': output, '--html': html, '--journal': journal },
  })
  if (output !== undefined) checkModelFormat(output, {})
  const data = await readLearned(path, flags, learns)
  const { samples, featureNames } = data
  const test =
    flags.test === undefined
      ? undefined
      : await readMatchingData(flags.test, flags, { features: samples.cols, featureNames })
  if (test) checkLabels(flags.test ?? '', test.labels, learns, [...new Set<Label>(data.labels)])
  if (output !== undefined) checkModelFormat(output, {}, modelOutline(estimator, data, flags.calibrate))
  const { folds = 5, seed = 0, search = 'grid' } = flags
  const request: SearchRequest = {
    ...{ estimator, data, grid, search, scoring, seed },
    ...{ draw: flags.draw, threads: flags.threads, calibrate: flags.calibrate },
    protocol: { kind: 'k-fold', folds, ...(learns === 'numbers' && { stratify: false }) },
    oneStandardError: flags.oneSe ?? false,
  }
  const tuned = await searchWithBar(request, journal)
  if (!tuned) {
    process.stderr.write(`stopped before a cell was done; ${howToGoOn(journal)}\n`)
    process.exitCode = EXIT_FAILED
    return
  }
  const { model, complete } = tuned
  if (model && output !== undefined) await writeModel(output, model)
  const evaluation = model && test ? evaluateAny(test, model) : undefined
  if (model && html !== undefined) {
    const { protocol } = request
    const tested = test && evaluation && { path: flags.test ?? '', data: test, evaluation }
    const page = await tunePage({ path, data, estimator, protocol, seed, tuned, model, test: tested })
    await writeFileAtomically(html, page)
  }
  const { cells, bestParams, bestScore } = tuned
  const facts = {
    ...{ bestScore, bestParams, scoring, folds, cells, seconds: tuned.seconds, complete, known: tuned.known },
    certificate: model?.certificate,
    test: evaluation,
    model: model ? (output ?? null) : null,
    journal: journal ?? null,
    html: model ? (html ?? null) : null,
  }
  printResult(flags, facts, () => lines(data, flags, tuned, evaluation))
  if (!complete) {
    process.stderr.write(`stopped after ${count(cells.length)} cells; ${howToGoOn(journal)}\n`)
    process.exitCode = EXIT_FAILED
  }
}

function howToGoOn(journal: string | undefined): string {
  return journal === undefined
    ? 'with --journal FILE the same command would go on from here'
    : `what was done is kept in ${journal}: the same command goes on from here`
}

function checkDraw({ search = 'grid', draw }: TuneFlags): void {
  if (draw === undefined || search === 'random' || search === 'halving') return
  const allowed = `absent with --search ${search}, which draws nothing (random and halving do)`
  throw new ParameterError('tune', '--draw', allowed, draw)
}

async function searchWithBar(
  request: SearchRequest,
  journal: string | undefined,
): Promise<Tuned | undefined> {
  const { scoring } = request
  const store =
    journal === undefined ? undefined : await Journal.open(journal, await searchJob(request), scoring)
  const bar = new LateBar()
  const onCell = progressOf(bar, cellsOf(request), makeScorer(scoring))
  try {
    return await untilInterrupted(async (signal) => {
      try {
        return { ...(await runSearch(request, store, signal, onCell)), known: store?.known ?? 0 }
      } catch (error) {
        // Stopped before there was anything to choose from.
        if (signal.aborted) return undefined
        throw error
      }
    })
  } finally {
    bar.stop()
    store?.close()
  }
}

/** Cells that will be judged, as far as that is known beforehand. */
function cellsOf({ grid, search, draw = 60 }: SearchRequest): number {
  return search === 'random' ? draw : Object.values(grid).reduce((cells, { length }) => cells * length, 1)
}

/** Cells done, the best so far, and the time that is left if the others take as long. */
function progressOf(
  bar: LateBar,
  expected: number,
  { name, greaterIsBetter }: { readonly name: string; readonly greaterIsBetter: boolean },
): (cell: CellResult) => void {
  const started = performance.now()
  let done = 0
  let best = Number.NaN
  return ({ mean }) => {
    done++
    const total = Math.max(done, expected)
    if (!(greaterIsBetter ? mean <= best : mean >= best)) best = mean
    const left = ((performance.now() - started) / 1000 / done) * (total - done)
    const words = `${done} of ${total} cells, best ${scoreWords(name, best)}, ${seconds(Math.ceil(left))} left`
    bar.update('tuning', done / total, words)
  }
}

function lines(
  { samples }: VectorDataset,
  flags: TuneFlags,
  tuned: Tuned,
  evaluation: Evaluation | RegressionEvaluation | undefined,
): string[] {
  const { cells, bestParams, scoring, model } = tuned
  const { columns, rows, left } = bestCellsTable(tuned)
  const best = cells.find(({ params }) => params === bestParams) ?? cells[0]
  const failures = cells.flatMap(({ failures: own = [] }) => own)
  return [
    `${counted(samples.rows, 'sample')}, ${counted(samples.cols, 'feature')}: ${counted(cells.length, 'cell')} on ` +
      `${flags.folds ?? 5} folds in ${seconds(tuned.seconds)}` +
      (tuned.known > 0 ? ` (${count(tuned.known)} scores from the journal)` : ''),
    '',
    ...table(columns, rows, left),
    ...(failures.length > 0 ? ['', `${counted(failures.length, 'fit')} failed: ${failures[0].message}`] : []),
    '',
    `best: ${paramLine(bestParams)}, ${scoring} ${meanWords(scoring, best)}`,
    ...(model
      ? [
          `trained on all samples: kernel ${kernelWords(model.kernel.spec)}`,
          ...certificateLines(
            model.certificate as NonNullable<typeof model.certificate>,
            samples.rows,
            problemsOf(model),
          ).map((line) => `  ${line}`),
        ]
      : []),
    ...(evaluation
      ? ['', `on ${flags.test}, which had no part in this:`, ...evaluationLines(evaluation)]
      : []),
    ...(model && flags.output !== undefined ? ['', `model written to ${flags.output}`] : []),
    ...(model && flags.html !== undefined ? [`page written to ${flags.html}`] : []),
  ]
}
