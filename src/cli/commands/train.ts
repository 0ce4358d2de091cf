/** `hyperplane train DATA`: trains a model of any type, says how good the solution is, and saves it. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { runInSlices, setFitRunner } from '../../estimators/fitting/fit-runner.ts'
import type { Fitted } from '../../estimators/parts/estimator.ts'
import { checkModelFormat, writeModel } from '../../models/files/write-model.node.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { traceToCsv } from '../../solve/driver/trace.ts'
import { type SolverName, solvers } from '../../solve/methods/registry.ts'
import {
  addCheckpointOptions,
  type CheckpointFlags,
  checkpointFrom,
  leaveCheckpoint,
} from '../options/checkpoint-options.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readLearned } from '../options/data-options.ts'
import { kernelWords } from '../options/kernel-options.ts'
import { addChoiceOption, addCommonOptions, addNumberOption } from '../options/option-types.ts'
import {
  addTypeOptions,
  modelOutline,
  type ProblemFlags,
  type ProblemTrainer,
  trainerFrom,
} from '../options/problem-types.ts'
import { addSolverOption, addTrainingOptions } from '../options/training-options.ts'
import { certificateLines, problemsOf } from '../report/certificate-words.ts'
import { biasFormOf } from '../report/comparison.ts'
import { EXIT_FAILED } from '../report/failure.ts'
import { CTRL_C_AND_TERM, untilInterrupted } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { counted, number, type OutputOptions, printResult, remark } from '../report/output.ts'
import { trainingProgress } from '../report/training-progress.ts'

interface TrainFlags extends OutputOptions, DataFlags, ProblemFlags, CheckpointFlags {
  readonly output?: string
  readonly format?: 'json' | 'libsvm' | 'liblinear'
  readonly trace?: string
  readonly traceEvery?: number
  readonly certify?: 'bounds' | 'all'
}

/**
 * Up to so many values a solver gets round to Ctrl-C at least once a second, and works on this thread: another one takes
 * time to start, a copy of the data, and engine threads of its own.
 */
const MOST_VALUES_HERE = 1e7

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command.argument('<data>', DATA_HELP).option('-o, --output <file>', 'where to write the model')
  addChoiceOption(
    command,
    '--format <name>',
    'format of the model (default: libsvm for .model, .libsvm and .svm, liblinear for .liblinear, else json)',
    ['json', 'libsvm', 'liblinear'],
  )
  addTypeOptions(command)
  addTrainingOptions(command)
  addSolverOption(command)
  addChoiceOption(
    command,
    '--certify <how>',
    'compute in f64 what error bounds do not settle (the default), or everything',
    ['bounds', 'all'],
  )
  command
    .option(
      '--keep-dual',
      'keep the dual variables of a linear machine, which verify needs (default: up to a million)',
    )
    .option('--no-keep-dual', 'leave them out')
  command.option('--trace <file>', 'write the course of the run as CSV')
  addNumberOption(
    command,
    '--trace-every <number>',
    'iterations between points of the trace (default: a few dozen points)',
  )
  addCheckpointOptions(command)
  addDataOptions(command, 'optional')
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane train heart.libsvm --C 10 --gamma 0.1 --scale range -o heart.json
  $ hyperplane train digits.libsvm --C 10 --probability sigmoid -o digits.json
  $ hyperplane train prices.csv --type svr --epsilon 0.5 -o prices.json

Ctrl-C stops training and keeps the best model so far (exit code 1); again, it quits at once.
With --checkpoint FILE the same command goes on where it was stopped or killed, to the same model.`,
    )
    .action(run)
}

async function run(path: string, flags: TrainFlags): Promise<void> {
  const { output, trace, format } = flags
  const asFormat = format === undefined ? {} : { format }
  const trainer = trainerFrom('train', flags)
  const { type } = trainer
  if (flags.label === false && type !== 'one-class') {
    throw new ParameterError('train', '--no-label', 'absent: only one-class learns without labels', type)
  }
  if (trace !== undefined && flags.probability !== undefined) {
    throw new ParameterError(
      'train',
      '--trace',
      'absent with --probability, which solves many problems',
      trace,
    )
  }
  const kept = checkpointFrom('train', flags)
  const writes = { '--output': output, '--trace': trace, '--checkpoint': flags.checkpoint }
  await checkFiles('train', { reads: { '<data>': path }, writes })
  if (output !== undefined) checkModelFormat(output, asFormat)
  const dataset = await readLearned(path, flags, trainer.learns)
  if (output !== undefined) {
    checkModelFormat(output, asFormat, modelOutline(trainer.estimator, dataset, flags.probability))
  }
  if (dataset.samples.values.length <= MOST_VALUES_HERE) setFitRunner(runInSlices)
  const { model, isInterrupted } = await trainModel(trainer, dataset, flags, kept)
  if (output !== undefined) await writeModel(output, model, asFormat)
  if (trace !== undefined) await writeFileAtomically(trace, traceToCsv(model.trace))
  const { rows, cols } = dataset.samples
  const { certificate } = model
  const takesC = type !== 'nu-svc' && type !== 'one-class'
  const result = {
    ...certificate,
    type,
    bias: model.bias,
    biases: model.biases,
    biasForm: trainer.linear ? 'regularised' : biasFormOf(flags.solver ?? 'smo'),
    classes: isClassifier(model) ? model.classes : undefined,
    kernel: model.kernel.spec,
    C: takesC ? (flags.C ?? 1) : undefined,
    nu: type.startsWith('nu-') || type === 'one-class' ? (flags.nu ?? 0.5) : undefined,
    epsilon:
      type === 'svr' ? (flags.epsilon ?? 0.1) : type === 'linear-svr' ? (flags.epsilon ?? 0) : undefined,
    probability: flags.probability,
    samples: rows,
    features: cols,
    model: output,
    trace,
  }
  const settings = (['C', 'nu', 'epsilon'] as const).flatMap((name) =>
    result[name] === undefined ? [] : [`${name} ${result[name]}`],
  )
  const solved = problemsOf(model)
  const kernel = `kernel ${kernelWords(result.kernel)}`
  const what = [counted(rows, 'sample'), counted(cols, 'feature'), kernel, ...settings].join(', ')
  printResult(flags, result, () => [
    type === 'c-svc' ? what : `${type}: ${what}`,
    ...certificateLines(certificate, rows, solved),
    ...(result.probability ? [`calibrated: ${result.probability}`] : []),
    ...(model.biases.length === 1 ? [`bias ${number(model.bias, 8)}`] : []),
    ...(solved > 1 && model.certificates?.length === solved
      ? [`a certificate for each of ${solved} functions: hyperplane info lists them`]
      : []),
    output === undefined ? 'no model written (-o FILE keeps it)' : `model written to ${output}`,
    ...(trace === undefined ? [] : [`trace written to ${trace}`]),
  ])
  const isOutOfTime = (model.certificates ?? [certificate]).some(
    ({ stopReason }) => stopReason === 'time-limit',
  )
  await leaveCheckpoint(flags, !isInterrupted && !isOutOfTime)
  if (certificate.stopReason === 'aborted') process.exitCode = EXIT_FAILED
}

async function trainModel(
  trainer: ProblemTrainer,
  dataset: VectorDataset,
  flags: TrainFlags,
  kept: ReturnType<typeof checkpointFrom>,
): Promise<{ readonly model: Fitted<Model>; readonly isInterrupted: boolean }> {
  const bar = new LateBar()
  const { rows } = dataset.samples
  const every = flags.traceEvery ?? (trainer.linear ? 1 : traceInterval(flags.solver ?? 'smo', rows))
  try {
    const train = async (signal: AbortSignal) => {
      remark(flags, `training on ${counted(rows, 'sample')}`)
      const model = await trainer.fit(dataset, {
        signal,
        onProgress: trainingProgress(bar, flags),
        ...(flags.trace !== undefined && { trace: { every } }),
        ...kept,
        ...(flags.certify !== undefined && { certify: flags.certify }),
      })
      return { model, isInterrupted: signal.aborted }
    }
    return await untilInterrupted(train, kept.checkpoint && CTRL_C_AND_TERM)
  } finally {
    bar.stop()
  }
}

/** A few dozen points: about as many pairs as samples lead to the optimum, or a thousand times that at random. */
function traceInterval(solver: SolverName, samples: number): number {
  if (solvers[solver].unit !== 'pair') return 1
  return solver === 'smo-random' ? 20 * samples : Math.ceil(samples / 20)
}
