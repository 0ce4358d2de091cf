/** `hyperplane train DATA`: trains a model of any type, says how good the solution is, and saves it. */

import { ParameterError } from '../../base/errors.ts'
import { present } from '../../base/lists.ts'
import type { Certificate } from '../../certify/certificate.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { isTable } from '../../data/table/table.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { readingInPlace } from '../../engine/matrix/samples-in-place.ts'
import { isLinearType } from '../../estimators/estimators.ts'
import type { FitOptions, Fitted } from '../../estimators/parts/estimator.ts'
import type { DecisionThreshold } from '../../metrics/decision-threshold.ts'
import { readModel } from '../../models/files/read-model.node.ts'
import { checkModelFormat, writeModel } from '../../models/files/write-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { traceToCsv } from '../../solve/driver/trace.ts'
import { type SolverName, solvers } from '../../solve/methods/registry.ts'
import { checkpointFrom, checkpointOptions, settleCheckpoint } from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, isFolder, readTrainingData, unlabelledDataOptions } from '../options/data-options.ts'
import {
  checkDecisionData,
  checkDecisionFlags,
  chosenThresholdOption,
  conformalOption,
  conformalWords,
  foldScores,
  thresholdWords,
  withDecisions,
} from '../options/decision-options.ts'
import { fitHereIfShort } from '../options/fit-here.ts'
import { kernelWords } from '../options/kernel-options.ts'
import {
  choiceOption,
  defined,
  type Flags,
  notApplicable,
  numberOption,
  outputOption,
  subcommand,
  textOption,
  writtenFileOption,
} from '../options/options.ts'
import { queueOption } from '../options/queue-options.ts'
import { checkSplitFlags, foldsFrom, goesByTime, splitOptions } from '../options/selection-options.ts'
import {
  estimatorFrom,
  modelOutline,
  solverOptions,
  trainerFrom,
  trainingOptions,
} from '../options/training-options.ts'
import { certificateLines, problemsOf } from '../report/certificate-words.ts'
import { biasFormOf } from '../report/comparison.ts'
import { COMMAND, EXIT_FAILED } from '../report/failure.ts'
import { CTRL_C_AND_TERM, untilInterrupted } from '../report/interrupt.ts'
import { count, counted, type Lines, number, paramWords, printResult, remark } from '../report/output.ts'
import { tableFacts, tableLines } from '../tables/table-lines.ts'
import { columnOptions } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'
import { trainingProgress } from '../terminal/training-progress.ts'

const options = {
  output: outputOption('where to write the model'),
  format: choiceOption(
    ['json', 'libsvm', 'liblinear'],
    'format of the model (default: libsvm for .model, .libsvm and .svm, liblinear for .liblinear, else json)',
  ),
  ...trainingOptions,
  threshold: chosenThresholdOption,
  conformal: conformalOption,
  ...splitOptions,
  ...solverOptions,
  certify: choiceOption(
    ['bounds', 'all'],
    'what to compute in f64: only what error bounds leave open (the default), or everything',
    'how',
  ),
  trace: writtenFileOption('write the history of the run as CSV; - is stdout'),
  traceEvery: numberOption(
    'iterations between points of the trace (default: chosen to give a few dozen points)',
  ),
  ...checkpointOptions,
  memory: numberOption('train block by block within this much memory, on data of any size', 'megabytes'),
  shards: textOption(
    'folder',
    "with --memory: where to keep the blocks (default: in the user's cache folder)",
  ),
  together: numberOption(
    'on shards: number of blocks that a linear machine updates from the same weights (default 1; with --queue all); the bits of the result depend on it',
  ),
  rounds: numberOption('on shards: maximum number of rounds over all blocks (default 1000)'),
  ...columnOptions,
  ...queueOption(
    'on shards: let the workers of this queue run the passes over blocks, such as redis://localhost:6379',
  ),
  ...unlabelledDataOptions,
}

type TrainFlags = Flags<typeof options>

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Examples:
  $ hyperplane train heart.libsvm --C 10 --gamma 0.1 --scale range -o heart.json
  $ hyperplane train digits.libsvm --C 10 --probability sigmoid -o digits.json
  $ hyperplane train fraud.csv --class-weight balanced --threshold precision=0.95 -o fraud.json
  $ hyperplane train prices.csv --type svr --epsilon 0.5 --conformal 0.9 -o prices.json
  $ hyperplane train mails.libsvm --type logistic-regression --penalty l1 -o mails.json

Data larger than memory, trained block by block, also from a folder written by hyperplane shard:
  $ hyperplane train clicks.libsvm --type linear-svc --memory 512 -o clicks.json
  $ hyperplane train digits.shards --C 10 --gamma 0.02 -o digits.json

Ctrl-C stops training and keeps the best model so far (exit code 1); a second Ctrl-C quits immediately.
With --checkpoint FILE or --memory the same command resumes where it was stopped or killed, and gives the same model.`,
  run: (flags: TrainFlags, path: string) =>
    isLinearType(flags.type ?? 'svc') ? readingInPlace(() => run(flags, path)) : run(flags, path),
})

async function run(flags: TrainFlags, path: string): Promise<void> {
  const { output, trace, format, type = 'svc', probability } = flags
  const trainer = trainerFrom(flags)
  if (flags.label === false && trainer.learns !== 'normal') {
    throw new ParameterError(
      COMMAND,
      '--no-label',
      `does not apply to --type ${type}: only one-class and linear-one-class need no labels`,
    )
  }
  checkDecisionFlags({ ...flags, type }, trainer.learns)
  checkSplitFlags(flags)
  const hasFolds =
    probability !== undefined || flags.conformal !== undefined || typeof (flags.threshold ?? 0) !== 'number'
  if (goesByTime(flags) && !hasFolds) {
    const name = flags.time === undefined ? 'timeSeries' : 'time'
    const folds = '--threshold GOAL, --probability or --conformal LEVEL'
    throw notApplicable(name, `training without folds; combine it with ${folds}`)
  }
  for (const name of ['trace', 'start'] as const) {
    if (flags[name] === undefined || probability === undefined) continue
    throw notApplicable(name, '--probability, which solves several problems')
  }
  if (
    flags.memory !== undefined ||
    flags.shards !== undefined ||
    flags.queue !== undefined ||
    isFolder(path)
  ) {
    const { trainOnShards } = await import('../shards/train-on-shards.ts')
    await trainOnShards(flags, path, trainer, report)
    return
  }
  if (flags.start !== undefined && !isLinearType(type)) {
    throw notApplicable('start', `--type ${type} in memory; use --memory to train on shards`)
  }
  if (flags.rounds !== undefined) throw notApplicable('rounds', 'training without shards: use --max-iter')
  if (flags.together !== undefined) throw notApplicable('together', 'training without shards')
  const kept = checkpointFrom(flags)
  const writes = { '--output': output, '--trace': trace, '--checkpoint': flags.checkpoint }
  await checkFiles({ '<data>': path, '--start': flags.start }, writes)
  const asFormat = defined({ format })
  if (output !== undefined) checkModelFormat(output, asFormat)
  const start = flags.start === undefined ? undefined : await readModel(flags.start)
  const dataset = await readTrainingData(path, flags, trainer.learns)
  checkDecisionData(flags, dataset)
  const estimator = estimatorFrom(flags)
  if (output !== undefined) {
    checkModelFormat(output, asFormat, modelOutline(estimator, dataset, probability, flags))
  }
  const { rows } = dataset.samples
  fitHereIfShort(dataset.samples)
  const train = async (settings: FitOptions, bar: LateBar) => {
    const model = (await trainer.fit(dataset, {
      ...settings,
      ...defined({ start }),
    })) as never as Fitted<Model>
    const protocol = foldsFrom({ ...flags, folds: undefined }, dataset)
    const { signal } = settings
    return withDecisions(model, { flags, data: dataset, protocol, estimator, trainer, signal, bar })
  }
  const { model, chosen, isInterrupted } = await withProgress(train, rows, flags, kept)
  if (output !== undefined) await writeModel(output, model, asFormat)
  if (trace !== undefined) await writeFileAtomically(trace, traceToCsv(model.trace))
  const cols = isTable(dataset.samples) ? (model.features ?? 0) : dataset.samples.cols
  report(flags, model, rows, cols, dataset, chosen)
  const isOutOfTime = (model.certificates ?? [model.certificate]).some(
    ({ stopReason }) => stopReason === 'time-limit',
  )
  await settleCheckpoint(flags, !isInterrupted && !isOutOfTime)
}

/** Reports what was trained, and sets the exit code. */
function report(
  flags: TrainFlags,
  model: Model,
  rows: number,
  cols: number,
  dataset?: TableDataset,
  chosen?: DecisionThreshold,
): void {
  const { output, trace, type = 'svc', probability } = flags
  const certificate = model.certificate as Certificate
  const { bias, biases, training: { C, nu, epsilon, loss, penalty, bias: biasForm } = {} } = model
  const result = {
    ...certificate,
    ...{ type, bias, biases },
    biasForm: biasForm ?? biasFormOf((flags.solver ?? 'smo') as SolverName),
    ...(isLinearType(type) && { loss, penalty: penalty ?? 'l2' }),
    classes: isClassifier(model) ? model.classes : undefined,
    kernel: model.kernel.spec,
    ...{ C, nu, epsilon, probability, samples: rows, features: cols, model: output, trace },
    ...(isClassifier(model) && defined({ threshold: model.threshold })),
    ...(chosen && { onFolds: foldScores(chosen) }),
    ...defined({ conformal: model.conformal }),
    ...(dataset && tableFacts(dataset)),
  }
  const solved = problemsOf(model)
  const what = present([
    ...[counted(rows, 'sample'), counted(cols, 'feature')],
    ...(isLinearType(type) ? linearWords(model) : [`kernel ${kernelWords(result.kernel)}`]),
    paramWords(defined({ C, nu, epsilon })) || false,
  ]).join(', ')
  const columns = dataset ? tableLines(dataset, model.preparation) : []
  printResult(flags, result, () => [
    columns,
    columns.length > 0 && '',
    type === 'svc' ? what : `${type}: ${what}`,
    certificateLines(certificate, rows, solved),
    penalty === 'l1' && sparsityWords(model),
    probability && `calibrated: ${probability}`,
    thresholdLines(flags, model, chosen),
    flags.conformal !== undefined &&
      (model.conformal
        ? conformalWords(model.conformal)
        : 'no sets or intervals: interrupted before they were computed'),
    biases.length === 1 && `bias ${number(bias, 8)}`,
    solved > 1 &&
      model.certificates?.length === solved &&
      `a certificate for each of ${solved} functions: hyperplane info lists them`,
    output === undefined ? 'no model written (-o FILE saves it)' : `model written to ${output}`,
    trace !== undefined && `trace written to ${trace}`,
  ])
  const lacksThreshold = flags.threshold !== undefined && isClassifier(model) && model.threshold === undefined
  const lacksSets = flags.conformal !== undefined && model.conformal === undefined
  if (certificate.stopReason === 'aborted' || lacksThreshold || lacksSets) process.exitCode = EXIT_FAILED
}

function thresholdLines(flags: TrainFlags, model: Model, chosen: DecisionThreshold | undefined): Lines {
  if (flags.threshold === undefined || !isClassifier(model)) return []
  if (model.threshold === undefined) return 'no threshold: interrupted before it was chosen'
  const from = `threshold ${number(model.threshold)}: class ${model.classes[1]} from this value`
  return [from, chosen && thresholdWords(chosen).slice(1)]
}

/** What a linear machine minimised, as far as its type does not say so. */
function linearWords({ training: { loss, penalty, bias } = {} }: Model): string[] {
  return present([loss && `${loss} loss`, penalty === 'l1' && 'penalty l1', bias && `bias ${bias}`])
}

/** How many weights are left by a penalty that makes most of them 0. */
function sparsityWords({ coef = new Float64Array() }: Model): string {
  const used = coef.reduce((sum, weight) => sum + (weight === 0 ? 0 : 1), 0)
  return `${count(used)} of ${counted(coef.length, 'weight')} not 0`
}

async function withProgress<T extends object>(
  train: (options: FitOptions, bar: LateBar) => Promise<T>,
  samples: number,
  flags: TrainFlags,
  kept: ReturnType<typeof checkpointFrom>,
): Promise<T & { readonly isInterrupted: boolean }> {
  const { type = 'svc', solver = 'smo', certify } = flags
  const every = flags.traceEvery ?? (isLinearType(type) ? 1 : traceInterval(solver as SolverName, samples))
  const trace = flags.trace === undefined ? undefined : { every }
  const bar = new LateBar('training', counted(samples, 'sample'))
  try {
    return await untilInterrupted(async (signal) => {
      remark(flags, `training on ${counted(samples, 'sample')}`)
      const onProgress = trainingProgress(bar, flags)
      const trained = await train({ signal, onProgress, ...kept, ...defined({ trace, certify }) }, bar)
      return { ...trained, isInterrupted: signal.aborted }
    }, kept.checkpoint && CTRL_C_AND_TERM)
  } finally {
    bar.stop()
  }
}

/** A few dozen points: about as many pairs as samples lead to the optimum, or a thousand times that at random. */
function traceInterval(solver: SolverName, samples: number): number {
  if (solvers[solver].unit !== 'pair') return 1
  return solver === 'smo-random' ? 20 * samples : Math.ceil(samples / 20)
}
