/** `hyperplane compare DATA`: every solver on the same data, side by side. */
import { notOneOf } from '../../base/check.ts'
import { DataError, ParameterError } from '../../base/errors.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { isTable } from '../../data/table/table.ts'
import type { TableDataset } from '../../data/table/table-builder.ts'
import { SVC } from '../../estimators/svc.ts'
import { type SolverName, solverNames, solvers } from '../../solve/methods/registry.ts'
import { checkFiles } from '../options/command-files.ts'
import { DATA_HELP, dataOptions, readMatchingData, readVectors } from '../options/data-options.ts'
import { kernelFrom, kernelWords } from '../options/kernel-options.ts'
import { defined, type Flags, numberOption, subcommand, textOption } from '../options/options.ts'
import { fitSettings, svcOptions } from '../options/training-options.ts'
import { comparisonTable, type SolverRun, solverRun } from '../report/comparison.ts'
import { COMMAND, EXIT_FAILED } from '../report/failure.ts'
import { untilInterrupted } from '../report/interrupt.ts'
import { cellLines, counted, type Lines, printResult } from '../report/output.ts'
import { LateBar } from '../terminal/late-bar.ts'
import { trainingProgress } from '../terminal/training-progress.ts'

/** Seconds each solver may take when nothing else is said. */
const TIME_LIMIT = 10

const options = {
  solvers: textOption('names', `comma-separated solvers (default: all): ${solverNames.join(',')}`, {
    choices: solverNames,
  }),
  test: textOption('file', 'measure accuracy on this data instead of the training data'),
  ...svcOptions,
  timeLimit: numberOption(`time limit of each solver (default ${TIME_LIMIT})`, 'seconds'),
  ...dataOptions,
}

type CompareFlags = Flags<typeof options>

/** A solver that could not be asked, and why. */
interface NotApplicable {
  readonly solver: SolverName
  readonly notApplicable: string
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: 'Example:\n  $ hyperplane compare heart.libsvm --kernel linear --C 0.1 --time-limit 5',
  run,
})

/** Solvers are compared on numbers alone. */
function vectorsOf(path: string, dataset: TableDataset): VectorDataset {
  const { samples } = dataset
  if (isTable(samples)) throw new DataError(`${path}: compare needs numeric data without missing cells`)
  return { ...dataset, samples }
}

async function run(flags: CompareFlags, path: string): Promise<void> {
  const chosen = parseSolvers(flags.solvers)
  const { spec } = kernelFrom(flags)
  await checkFiles({ '<data>': path, '--test': flags.test })
  const train = await readVectors(path, flags)
  const wanted = { features: train.samples.cols, featureNames: train.featureNames }
  const test =
    flags.test === undefined
      ? train
      : vectorsOf(flags.test, await readMatchingData(flags.test, flags, wanted))
  const results: (SolverRun | NotApplicable)[] = []
  await untilInterrupted(async (signal) => {
    for (const solver of chosen) {
      if (!signal.aborted) results.push(await runSolver(solver, train, test, flags, signal))
    }
  })
  const { rows: samples, cols: features } = train.samples
  const { C = 1 } = flags
  const accuracyOn = flags.test ?? path
  const kernel = results.find((result) => 'kernel' in result)?.kernel ?? spec
  printResult(flags, { samples, features, kernel, C, accuracyOn, solvers: results }, () => [
    `${counted(samples, 'sample')}, ${counted(features, 'feature')}, kernel ${kernelWords(kernel)}, C ${C}`,
    '',
    comparisonLines(results),
  ])
  if (
    results.length < chosen.length ||
    results.some((result) => 'stopReason' in result && result.stopReason === 'aborted')
  ) {
    process.exitCode = EXIT_FAILED
  }
}

async function runSolver(
  solver: SolverName,
  train: VectorDataset,
  test: VectorDataset,
  flags: CompareFlags,
  signal: AbortSignal,
): Promise<SolverRun | NotApplicable> {
  const kernel = kernelFrom(flags)
  if (solvers[solver].linearOnly && kernel.spec.kind !== 'linear') {
    return { solver, notApplicable: 'needs --kernel linear' }
  }
  const bar = new LateBar(solver, '0 iterations')
  const limits = { timeLimit: TIME_LIMIT, ...defined({ timeLimit: flags.timeLimit, maxIter: flags.maxIter }) }
  try {
    const estimator = new SVC({
      kernel,
      solver,
      ...defined({ C: flags.C }),
      ...fitSettings(flags),
      ...limits,
    })
    const model = await estimator.fit(train, { signal, onProgress: trainingProgress(bar, limits) })
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
      throw notOneOf(COMMAND, '--solvers', name, solverNames)
    }
    return found
  })
}

function comparisonLines(results: readonly (SolverRun | NotApplicable)[]): Lines {
  const runs = results.filter((result): result is SolverRun => !('notApplicable' in result))
  const others = results.filter((result): result is NotApplicable => 'notApplicable' in result)
  return [
    runs.length > 0 && cellLines(comparisonTable(runs)),
    others.map(({ solver, notApplicable }) => `${solver}: not applicable (${notApplicable})`),
    new Set(runs.map((run) => run.biasForm)).size > 1 && [
      '',
      "A free bias is LIBSVM's problem; a regularised one is part of the norm, so its values differ slightly.",
    ],
  ]
}
