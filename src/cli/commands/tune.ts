/** `hyperplane tune DATA`: finds parameters by cross-validation, trains with them, and reports. */

import { ParameterError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { fitPreparation } from '../../data/preparation/column-preparation.ts'
import type { Dataset, Label } from '../../data/table/dataset.ts'
import { isTable, type Table } from '../../data/table/table.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { checkModelFormat, writeModel } from '../../models/files/write-model.node.ts'
import type { Model } from '../../models/model.ts'
import { makeScorer } from '../../selection/score/scoring.ts'
import type { Estimator } from '../../selection/search/estimator.ts'
import {
  type EstimatorSpec,
  estimatorMaker,
  estimatorSpec,
  type Params,
} from '../../selection/search/estimator-params.ts'
import { Journal } from '../../selection/search/journal.node.ts'
import { type Grid, gridCells, type Ranges, randomCells } from '../../selection/search/search-cells.ts'
import { DRAWN_CELLS, searchNames, type TuneResult, tune } from '../../selection/search/tune.ts'
import { makeJob } from '../../selection/search/tuning-job.ts'
import { sharedWorkExecutor } from '../../selection/share/shared-work.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, readMatchingData, readTrainingData } from '../options/data-options.ts'
import {
  checkDecisionData,
  checkDecisionFlags,
  conformalOption,
  conformalWords,
  foldScores,
  reportedThresholdOption,
  thresholdWords,
  withDecisions,
} from '../options/decision-options.ts'
import { fitHereIfShort } from '../options/fit-here.ts'
import { gridFrom, gridOptions } from '../options/grid-options.ts'
import { kernelWords } from '../options/kernel-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  given,
  notApplicable,
  numberOption,
  outputOption,
  subcommand,
  switchOption,
  textOption,
} from '../options/options.ts'
import { queueOption } from '../options/queue-options.ts'
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
import { fitOptions, modelOutline, tunedEstimatorFrom, typeOptions } from '../options/training-options.ts'
import { bestCellsTable } from '../report/best-cells-table.ts'
import { certificateLines, problemsOf } from '../report/certificate-words.ts'
import {
  checkLabels,
  type Evaluation,
  evaluateAny,
  evaluationLines,
  type RegressionEvaluation,
} from '../report/evaluation.ts'
import { COMMAND, EXIT_FAILED } from '../report/failure.ts'
import { Interrupted, untilInterrupted } from '../report/interrupt.ts'
import { cellLines, count, counted, type Lines, paramWords, printResult, seconds } from '../report/output.ts'
import { tunePage } from '../report/tune-page.ts'
import { type SearchRequest, searchOnQueue } from '../selection/search-on-queue.ts'
import { SearchProgress } from '../selection/search-progress.ts'
import { evaluateShare, parseShare, type Share } from '../selection/search-share.ts'
import { tableFacts, tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'

const options = {
  output: outputOption('where to write the model, trained on all samples with the best parameters'),
  test: textOption('file', 'separate data on which to report the scores'),
  ...typeOptions,
  ...gridOptions,
  ...scoringOption,
  ...foldsOption,
  ...splitOptions,
  threshold: reportedThresholdOption,
  conformal: conformalOption,
  search: choiceOption(searchNames, 'how to search (default grid)'),
  draw: numberOption('number of cells that random search and halving draw between the given values'),
  calibrate: choiceOption(
    ['sigmoid', 'isotonic', 'laplace'],
    'calibrate the model on the predictions for the folds: probabilities for svc and nu-svc, the noise (laplace) for svr and nu-svr',
    'method',
  ),
  oneSe: switchOption('choose the simplest cell within one standard error of the best'),
  journal: textOption(
    'file',
    'save scores in this file as soon as they are known; the same command resumes where it stopped',
  ),
  ...queueOption(
    'let the workers of this queue evaluate the cells, such as redis://localhost:6379; the same command resumes where it stopped',
  ),
  shard: textOption(
    'k/n',
    'evaluate only the k-th of n shares of the cells and keep the scores in --journal: for clusters without a queue',
  ),
  ...htmlOption(
    'with heat map, folds, ROC, precision and recall, calibration and confusion; for numbers, predicted against true values',
  ),
  ...fitOptions,
  ...columnOptions,
  ...dataOptions,
}

type TuneFlags = Flags<typeof options>

/** What a run of the command has found, and how many scores came from the journal. */
type Tuned = TuneResult<Model> & { readonly known: number }

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Examples:
  $ hyperplane tune heart.libsvm --scale range -o heart.json --html heart.html
  $ hyperplane tune train.libsvm --kernel linear --C 0.1,1,10,100 --test test.libsvm -o model.json
  $ hyperplane tune prices.csv --type svr --log2c -1,9,2 --epsilon 0.05,0.2,0.8 --scale standard -o prices.json

  $ hyperplane tune big.libsvm --queue redis://host:6379 -o big.json
  $ hyperplane tune big.libsvm --shard 3/20 --journal part-3.journal

By default the cells are those of LIBSVM's grid.py, evaluated on 5 folds. Ctrl-C stops and shows the results so far
(exit code 1); with --journal the same command resumes from there.`,
  run,
})

async function run(flags: TuneFlags, path: string): Promise<void> {
  const { output, html, journal, seed = 0, search = 'grid' } = flags
  const estimator = tunedEstimatorFrom(flags)
  const { learns } = estimator
  const grid = gridFrom(flags, estimator)
  const scoring = oneScoringFrom(flags, learns) ?? (learns === 'numbers' ? 'r2' : 'accuracy')
  if (flags.draw !== undefined && search !== 'random' && search !== 'halving') {
    throw notApplicable('draw', `--search ${search}, which draws no cells; use --search random or halving`)
  }
  await checkFiles(
    { '<data>': path, '--test': flags.test },
    { '--output': output, '--html': html, '--journal': journal },
  )
  checkSplitFlags(flags)
  checkDecisionFlags(flags, learns)
  const share = shareFrom(flags)
  if (flags.queue !== undefined && path === '-')
    throw new ParameterError(COMMAND, '--queue', 'needs a file that workers can read, not stdin')
  if (output !== undefined) checkModelFormat(output, {})
  const data = await readTrainingData(path, flags, learns)
  // Only what the columns are called and taken for matters here.
  const wanted = isTable(data.samples)
    ? { preparation: fitPreparation(data.samples) }
    : { features: data.samples.cols, featureNames: data.featureNames }
  const test = flags.test === undefined ? undefined : await readMatchingData(flags.test, flags, wanted)
  if (test) checkLabels(flags.test ?? '', test.labels, learns, [...new Set<Label>(data.labels)])
  checkDecisionData(flags, data)
  if (output !== undefined)
    checkModelFormat(output, {}, modelOutline(estimator, data, flags.calibrate, flags))
  const protocol = foldsFrom(flags, data, learns === 'numbers' ? { stratify: false } : {})
  const request = { path, estimator, data, grid, scoring, protocol }
  if (share) {
    await runShare(request, share, flags)
    return
  }
  const tuned = await runSearch(request, flags)
  if (!tuned) throw new Interrupted(`stopped before any cell was finished; ${howToContinue(flags)}`)
  const { complete, cells, bestParams, bestScore } = tuned
  const best = estimatorMaker(estimator)(bestParams) as unknown as Estimator
  const { model, chosen } = tuned.model
    ? await withDecisions(tuned.model, { flags, data, protocol, estimator: best })
    : {}
  const conformal = model?.conformal
  if (model && output !== undefined) await writeModel(output, model)
  const evaluation = model && test ? evaluateAny(test, model) : undefined
  if (model && html !== undefined) {
    const tested = test && evaluation && { path: flags.test ?? '', data: test, evaluation }
    const page = await tunePage({ path, data, estimator, protocol, seed, tuned, model, test: tested })
    await writeFileAtomically(html, page)
  }
  const facts = {
    ...(chosen && { threshold: chosen.threshold, onFolds: foldScores(chosen) }),
    ...defined({ conformal }),
    ...{ bestScore, bestParams, scoring, folds: protocol.folds, cells },
    ...{ seconds: tuned.seconds, complete, known: tuned.known },
    ...{ certificate: model?.certificate, test: evaluation, journal },
    ...tableFacts(data),
    ...(model ? { model: output, html } : { model: null, html: null }),
  }
  printResult(flags, facts, () => [
    lines(data, protocol.folds, flags, tuned, evaluation),
    chosen && ['', ...thresholdWords(chosen)],
    conformal && ['', conformalWords(conformal)],
  ])
  if (!complete) {
    process.stderr.write(`stopped after ${count(cells.length)} cells; ${howToContinue(flags)}\n`)
    process.exitCode = EXIT_FAILED
  }
}

function howToContinue({ journal, queue }: TuneFlags): string {
  if (queue !== undefined) return 'results are kept in the queue: the same command resumes from here'
  return journal === undefined
    ? 'with --journal FILE the same command would resume from here'
    : `results are kept in ${journal}: the same command resumes from here`
}

/** Searches, chooses, and trains the chosen cell on all samples; undefined when it was stopped before any cell was finished. */
async function runSearch(request: SearchRequest, flags: TuneFlags): Promise<Tuned | undefined> {
  const { estimator, data, grid, scoring, protocol } = request
  const { search = 'grid', draw, seed = 0, threads, calibrate, journal, oneSe = false } = flags
  const job = () => makeJob(data, estimatorSpec(estimator) as EstimatorSpec, { ...protocol, seed }, [])
  const kept = journal === undefined ? undefined : await Journal.open(journal, await job(), scoring)
  const bar = new LateBar('tuning', `0 of ${cellsOf(request, flags)} cells`)
  const progress = new SearchProgress(bar, cellsOf(request, flags), makeScorer(scoring))
  const queue =
    flags.queue === undefined
      ? undefined
      : await searchOnQueue(flags.queue, request, { job: await job(), journal: kept, flags, progress })
  const store = queue?.scores ?? kept
  const started = performance.now()
  try {
    return await untilInterrupted(async (signal) => {
      try {
        const tuned = await tune<Model>(estimator, data, {
          ...(isDrawn(flags) ? { ranges: rangesOf(grid) } : { grid: { ...grid } }),
          ...{ search, scoring, folds: protocol, seed, signal, oneStandardError: oneSe },
          onCell: (cell) => progress.cell(cell),
          ...defined({ store, calibrate, budget: draw === undefined ? undefined : { cells: draw } }),
          ...(threads !== undefined && { executor: sharedWorkExecutor({ threads }) }),
          ...(queue && { executor: queue.executor }),
          // What comes after the search has no other work beside it: a thread of its own would only take time to start.
          refit: calibrate !== undefined,
        })
        if (tuned.complete) await queue?.scores.remove()
        const model = tuned.model ?? (await trainBest(request, tuned.bestParams, signal))
        const took = (performance.now() - started) / 1000
        return { ...tuned, model, seconds: took, known: store?.known ?? 0 }
      } catch (error) {
        if (signal.aborted) return undefined
        throw error
      }
    })
  } finally {
    bar.stop()
    kept?.close()
    await queue?.close()
  }
}

/** The model of the chosen parameters, unless the search was interrupted. */
async function trainBest(
  { estimator, data }: SearchRequest,
  params: Params,
  signal: AbortSignal,
): Promise<Model | undefined> {
  if (signal.aborted) return undefined
  fitHereIfShort(data.samples as Matrix | Table)
  return (await estimatorMaker(estimator)(params).fit(data as Dataset, { signal })) as Model
}

/** Evaluates one of the shares of all cells, and keeps the scores. */
async function runShare(request: SearchRequest, share: Share, flags: TuneFlags): Promise<void> {
  const { estimator, data, grid, scoring, protocol } = request
  const { search = 'grid', draw = DRAWN_CELLS, seed = 0, threads, journal = '' } = flags
  const cells = search === 'random' ? randomCells(rangesOf(grid), draw, new Random(seed)) : gridCells(grid)
  const job = await makeJob(data, estimatorSpec(estimator) as EstimatorSpec, { ...protocol, seed }, cells)
  const store = await Journal.open(journal, job, scoring)
  const bar = new LateBar('tuning', '0 fits')
  try {
    const done = await untilInterrupted((signal) =>
      evaluateShare({ estimator, data, cells, scoring, protocol, seed, job }, share, {
        store,
        signal,
        executor: sharedWorkExecutor(defined({ threads })),
        onProgress: (units, total) => bar.update('tuning', units / total, `${units} of ${total} fits`),
      }),
    )
    printResult(flags, { ...done, share: `${share.number}/${share.of}`, journal, known: store.known }, () => [
      `share ${share.number} of ${share.of}: ${count(done.done)} of ${counted(done.total, 'fit')}, kept in ${journal}`,
      done.failed > 0 && `${counted(done.failed, 'fit')} failed`,
      'when all shares are finished: hyperplane journal merge -o all.journal PARTS, and tune with --journal all.journal',
    ])
    if (!done.complete) process.exitCode = EXIT_FAILED
  } finally {
    bar.stop()
    store.close()
  }
}

/** What needs all cells. */
const NOT_OF_SHARES = [
  ...(['queue', 'output', 'html', 'test', 'calibrate', 'oneSe', 'threshold', 'conformal'] as const),
]

/** Which share is requested; what the others need is checked here. */
function shareFrom(flags: TuneFlags): Share | undefined {
  const { shard, journal, search = 'grid' } = flags
  if (shard === undefined) return undefined
  const share = parseShare(shard)
  if (!share) throw new ParameterError(COMMAND, '--shard', 'K/N with 1 <= K <= N, such as 3/20', shard)
  if (journal === undefined)
    throw new ParameterError(COMMAND, '--shard', 'needs --journal FILE for the scores')
  if (search !== 'grid' && search !== 'random') {
    throw notApplicable('shard', `--search ${search}, whose cells depend on the scores of others`)
  }
  const [ignored] = Object.keys(given(flags, NOT_OF_SHARES))
  if (ignored) throw notApplicable(ignored, '--shard, which evaluates only a part of the cells')
  return share
}

function isDrawn({ search, draw }: TuneFlags): boolean {
  return search === 'random' || (search === 'halving' && draw !== undefined)
}

/** How many cells there will be, as far as that is known before. */
function cellsOf({ grid }: SearchRequest, { search, draw = DRAWN_CELLS }: TuneFlags): number {
  return search === 'random' ? draw : Object.values(grid).reduce((n, { length }) => n * length, 1)
}

/** What to draw from: anything between the smallest and the largest value; words as they are. */
function rangesOf(grid: Grid): Ranges {
  return Object.fromEntries(
    Object.entries(grid).map(([name, values]) => {
      const numbers = values.filter((value) => typeof value === 'number')
      const [from, to] = [Math.min(...numbers), Math.max(...numbers)]
      if (numbers.length < values.length || from === to) return [name, values]
      return [name, { from, to, scale: from > 0 ? 'log' : 'linear' }]
    }),
  )
}

function lines(
  data: TableDataset,
  folds: number,
  flags: TuneFlags,
  tuned: Tuned,
  evaluation: Evaluation | RegressionEvaluation | undefined,
): Lines {
  const { cells, bestParams, scoring, model } = tuned
  const { samples } = data
  const said = tableLines(data, model?.preparation)
  const features = isTable(samples)
    ? counted(samples.columns.length, 'column')
    : counted(samples.cols, 'feature')
  const best = cells.find(({ params }) => params === bestParams) ?? cells[0]
  const failures = cells.flatMap(({ failures: own = [] }) => own)
  const solution = model?.certificate
    ? certificateLines(model.certificate, samples.rows, problemsOf(model))
    : []
  return [
    said,
    said.length > 0 && '',
    `${counted(samples.rows, 'sample')}, ${features}: ${counted(cells.length, 'cell')} on ` +
      `${counted(folds, 'fold')} in ${seconds(tuned.seconds)}` +
      (tuned.known > 0 ? ` (${count(tuned.known)} scores from the journal)` : ''),
    '',
    cellLines(bestCellsTable(tuned)),
    failures.length > 0 && ['', `${counted(failures.length, 'fit')} failed: ${failures[0].message}`],
    '',
    `best: ${paramWords(bestParams)}, ${scoring} ${meanWords(scoring, best)}`,
    model && `trained on all samples: kernel ${kernelWords(model.kernel.spec)}`,
    solution.map((line) => `  ${line}`),
    evaluation && ['', `on ${flags.test}, which was not used for the choice:`, evaluationLines(evaluation)],
    model && flags.output !== undefined && ['', `model written to ${flags.output}`],
    model && flags.html !== undefined && `page written to ${flags.html}`,
  ]
}
