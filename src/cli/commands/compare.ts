/** `hyperplane compare DATA`: every solver on the same data, side by side. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { SVC } from '../../estimators/svc.ts'
import { type SolverName, solverNames, solvers } from '../../solve/methods/registry.ts'
import { checkFiles } from '../options/command-files.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readData } from '../options/data-options.ts'
import { kernelFrom, kernelWords } from '../options/kernel-options.ts'
import { readMatchingData } from '../options/matching-data.ts'
import { addCommonOptions } from '../options/option-types.ts'
import { addTrainingOptions, svcOptionsFrom, type TrainingFlags } from '../options/training-options.ts'
import { comparisonTable, type SolverRun, solverRun } from '../report/comparison.ts'
import { EXIT_FAILED } from '../report/failure.ts'
import { untilInterrupted } from '../report/interrupt.ts'
import { LateBar } from '../report/late-bar.ts'
import { counted, type OutputOptions, printResult, table } from '../report/output.ts'
import { trainingProgress } from '../report/training-progress.ts'

/** Seconds each solver may take when nothing else is said. */
const TIME_LIMIT = 10

interface CompareFlags extends OutputOptions, DataFlags, TrainingFlags {
  readonly solvers?: string
  readonly test?: string
}

/** A solver that could not be asked, and why. */
interface NotApplicable {
  readonly solver: SolverName
  readonly notApplicable: string
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .option('--solvers <names>', `only these, with commas between: ${solverNames.join(',')}`)
    .option('--test <file>', 'measure accuracy on this data instead of the training data')
  addTrainingOptions(command, `${TIME_LIMIT}, for each solver`)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      '\nExample:\n  $ hyperplane compare heart.libsvm --kernel linear --C 0.1 --time-limit 5',
    )
    .action(run)
}

async function run(path: string, flags: CompareFlags): Promise<void> {
  const chosen = parseSolvers(flags.solvers)
  const { spec } = kernelFrom('compare', flags)
  await checkFiles('compare', { reads: { '<data>': path, '--test': flags.test } })
  const train = await readData(path, flags)
  const test = flags.test === undefined ? train : await readTest(flags.test, flags, train)
  const results = await untilInterrupted((signal) => runAll(chosen, train, test, flags, signal))
  const { rows: samples, cols: features } = train.samples
  const { C = 1 } = flags
  const accuracyOn = flags.test ?? path
  const kernel = results.find((result) => 'kernel' in result)?.kernel ?? spec
  printResult(flags, { samples, features, kernel, C, accuracyOn, solvers: results }, () => [
    `${counted(samples, 'sample')}, ${counted(features, 'feature')}, kernel ${kernelWords(kernel)}, C ${C}`,
    '',
    ...comparisonLines(results),
  ])
  if (
    results.length < chosen.length ||
    results.some((result) => 'stopReason' in result && result.stopReason === 'aborted')
  ) {
    process.exitCode = EXIT_FAILED
  }
}

function readTest(path: string, flags: CompareFlags, train: VectorDataset): Promise<VectorDataset> {
  const { samples, featureNames } = train
  return readMatchingData(path, flags, { features: samples.cols, featureNames })
}

async function runAll(
  chosen: readonly SolverName[],
  train: VectorDataset,
  test: VectorDataset,
  flags: CompareFlags,
  signal: AbortSignal,
): Promise<(SolverRun | NotApplicable)[]> {
  const results: (SolverRun | NotApplicable)[] = []
  for (const solver of chosen) {
    if (signal.aborted) break
    results.push(
      await runSolver(solver, train, test, { ...flags, timeLimit: flags.timeLimit ?? TIME_LIMIT }, signal),
    )
  }
  return results
}

async function runSolver(
  solver: SolverName,
  train: VectorDataset,
  test: VectorDataset,
  flags: TrainingFlags,
  signal: AbortSignal,
): Promise<SolverRun | NotApplicable> {
  const options = svcOptionsFrom('compare', flags, solver)
  if (solvers[solver].linearOnly && options.kernel?.spec.kind !== 'linear') {
    return { solver, notApplicable: 'needs --kernel linear' }
  }
  const bar = new LateBar()
  try {
    const model = await new SVC(options).fit(train, { signal, onProgress: trainingProgress(bar, flags) })
    return solverRun(solver, model, test)
  } catch (error) {
    // A setting that this method cannot take (a hard margin, say).
    if (error instanceof ParameterError && error.who === solver)
      return { solver, notApplicable: error.message }
    throw error
  } finally {
    bar.stop()
  }
}

function parseSolvers(text: string | undefined): readonly SolverName[] {
  if (text === undefined) return solverNames
  return text.split(',').map((name) => {
    const found = solverNames.find((one) => one === name.trim())
    if (found === undefined) {
      throw new ParameterError('compare', '--solvers', `among ${solverNames.join(', ')}`, name)
    }
    return found
  })
}

function comparisonLines(results: readonly (SolverRun | NotApplicable)[]): string[] {
  const runs = results.filter((result): result is SolverRun => !('notApplicable' in result))
  const others = results.filter((result): result is NotApplicable => 'notApplicable' in result)
  const { columns, rows, left } = comparisonTable(runs)
  const lines = [
    ...(rows.length > 0 ? table(columns, rows, left) : []),
    ...others.map(({ solver, notApplicable }) => `${solver}: not applicable (${notApplicable})`),
  ]
  if (new Set(runs.map((run) => run.biasForm)).size > 1) {
    lines.push(
      '',
      "A free bias is LIBSVM's problem; a regularised one is part of the norm, so its values differ a little.",
    )
  }
  return lines
}
