/** `hyperplane train DATA`: trains a classifier, says how good the solution is, and saves the model. */
import type { Command } from 'commander'
import {
  DataError,
  type Fitted,
  runInSlices,
  type SolverName,
  SVC,
  type SvcModel,
  setFitRunner,
  solvers,
  traceToCsv,
  type VectorDataset,
  writeFileAtomically,
  writeModel,
} from '../index.node.ts'
import { certificateLines } from './certificate-words.ts'
import { biasFormOf } from './comparison.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readData } from './data-options.ts'
import { EXIT_FAILED } from './failure.ts'
import { untilInterrupted } from './interrupt.ts'
import { kernelWords } from './kernel-options.ts'
import { LateBar } from './late-bar.ts'
import { addChoiceOption, addCommonOptions, addNumberOption } from './option-types.ts'
import { counted, number, type OutputOptions, printResult, remark } from './output.ts'
import {
  addSolverOption,
  addTrainingOptions,
  svcOptionsFrom,
  type TrainingFlags,
} from './training-options.ts'
import { trainingProgress } from './training-progress.ts'
import { checkFolder } from './writable-folder.ts'

interface TrainFlags extends OutputOptions, DataFlags, TrainingFlags {
  readonly output?: string
  readonly format?: 'json' | 'libsvm' | 'liblinear'
  readonly solver?: SolverName
  readonly trace?: string
  readonly traceEvery?: number
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
  addTrainingOptions(command)
  addSolverOption(command)
  command.option('--trace <file>', 'write the course of the run as CSV')
  addNumberOption(
    command,
    '--trace-every <number>',
    'iterations between points of the trace (default: a few dozen points)',
  )
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Example:
  $ hyperplane train heart.libsvm --C 10 --gamma 0.1 --scale range -o heart.json

Ctrl-C stops training and keeps the best model so far (exit code 1); again, it quits at once.`,
    )
    .action(run)
}

async function run(path: string, flags: TrainFlags): Promise<void> {
  const { output, solver = 'smo' } = flags
  const estimator = new SVC(svcOptionsFrom('train', flags, solver))
  for (const file of [output, flags.trace]) if (file !== undefined) await checkFolder(file)
  const dataset = await readData(path, flags)
  if (dataset.samples.values.length <= MOST_VALUES_HERE) setFitRunner(runInSlices)
  const model = await trainModel(estimator, dataset, flags)
  if (output !== undefined) await saveModel(output, model, flags.format)
  if (flags.trace !== undefined) await writeFileAtomically(flags.trace, traceToCsv(model.trace))
  const { rows, cols } = dataset.samples
  const { certificate } = model
  const result = {
    ...certificate,
    bias: model.bias,
    biasForm: biasFormOf(solver),
    classes: model.classes,
    kernel: model.kernel.spec,
    C: flags.C ?? 1,
    samples: rows,
    features: cols,
    model: output ?? null,
    trace: flags.trace ?? null,
  }
  printResult(flags, result, () => [
    `${counted(rows, 'sample')}, ${counted(cols, 'feature')}, kernel ${kernelWords(model.kernel.spec)}, C ${result.C}`,
    ...certificateLines(certificate, rows),
    `bias ${number(model.bias, 8)}`,
    output === undefined ? 'no model written (-o FILE keeps it)' : `model written to ${output}`,
    ...(flags.trace === undefined ? [] : [`trace written to ${flags.trace}`]),
  ])
  if (certificate.stopReason === 'aborted') process.exitCode = EXIT_FAILED
}

async function trainModel(
  estimator: SVC,
  dataset: VectorDataset,
  flags: TrainFlags,
): Promise<Fitted<SvcModel>> {
  const bar = new LateBar()
  const every = flags.traceEvery ?? traceInterval(flags.solver ?? 'smo', dataset.samples.rows)
  try {
    return await untilInterrupted((signal) => {
      remark(flags, `training on ${counted(dataset.samples.rows, 'sample')}`)
      return estimator.fit(dataset, {
        signal,
        onProgress: trainingProgress(bar, flags),
        ...(flags.trace !== undefined && { trace: { every } }),
      })
    })
  } finally {
    bar.stop()
  }
}

/** Writes the model; when LIBSVM's format cannot hold it, it is kept as JSON before the error is passed on. */
async function saveModel(path: string, model: SvcModel, format: TrainFlags['format']): Promise<void> {
  try {
    await writeModel(path, model, format && { format })
  } catch (error) {
    const kept = `${path}.json`
    await writeModel(kept, model, { format: 'json' })
    throw new DataError(`${(error as Error).message}; the model is kept in ${kept}`, { cause: error })
  }
}

/** A few dozen points: about as many pairs as samples lead to the optimum, or a thousand times that at random. */
function traceInterval(solver: SolverName, samples: number): number {
  if (solvers[solver].unit !== 'pair') return 1
  return solver === 'smo-random' ? 20 * samples : Math.ceil(samples / 20)
}
