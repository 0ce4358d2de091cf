/** `hyperplane path DATA`: scores and support vectors along C, each solution the start of the next. */
import type { Command } from 'commander'
import { cPath, htmlReport, pathFigure, SVC, writeFileAtomically } from '../index.node.ts'
import { addDataOptions, DATA_HELP, type DataFlags, readClasses } from './data-options.ts'
import { type GridFlags, gridFrom } from './grid-options.ts'
import { untilInterrupted } from './interrupt.ts'
import { addKernelOptions, type KernelFlags, kernelFrom } from './kernel-options.ts'
import { LateBar } from './late-bar.ts'
import { addCommonOptions } from './option-types.ts'
import { count, counted, number, type OutputOptions, printResult, table } from './output.ts'
import {
  addFoldsOption,
  addScoringOption,
  meanWords,
  oneScoringFrom,
  scoreWords,
} from './selection-options.ts'
import { addFitOptions, type FitFlags, fitOptionsFrom } from './training-options.ts'
import { checkFolder } from './writable-folder.ts'

interface PathFlags extends OutputOptions, DataFlags, KernelFlags, FitFlags {
  readonly log2c?: string
  readonly C?: string
  readonly folds?: number
  readonly scoring?: string
  readonly html?: string
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<data>', DATA_HELP)
    .option('--log2c <begin,end,step>', 'exponents of C, as grid.py takes them (default -5,15,2)')
    .option('--C <list>', 'values of C with commas between, instead of --log2c')
  addScoringOption(command, false)
  addFoldsOption(command)
  command.option('--html <file>', 'write a page with the path')
  addKernelOptions(command)
  addFitOptions(command)
  addDataOptions(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      '\nExample:\n  $ hyperplane path heart.libsvm --C 0.1,1,10,100 --gamma 0.1 --scale range --html path.html',
    )
    .action(run)
}

async function run(path: string, flags: PathFlags): Promise<void> {
  const { html, seed, folds = 5 } = flags
  const { C } = gridFrom('path', { kernel: 'linear', log2c: flags.log2c, C: flags.C } as GridFlags)
  const scoring = oneScoringFrom('path', flags.scoring)
  const estimator = new SVC({ kernel: kernelFrom('path', flags), ...fitOptionsFrom('path', flags) })
  if (html !== undefined) await checkFolder(html)
  const data = await readClasses(path, flags)
  const bar = new LateBar()
  try {
    const found = await untilInterrupted((signal) =>
      cPath(estimator, data, {
        C,
        protocol: { kind: 'k-fold', folds },
        signal,
        onProgress: (done, total) => bar.update('path', done / total, `${done} of ${total} solutions`),
        ...(seed !== undefined && { seed }),
        ...(scoring && { scoring }),
      }),
    )
    bar.stop()
    const { points, bestC, scoring: name } = found
    const columns = ['C', `${name}, not seen`, `${name}, learned from`, 'support vectors', 'steps']
    const rows = points.map(({ C: price, train, test, supportVectors, iterations }) => [
      number(price),
      meanWords(name, test),
      scoreWords(name, train.mean),
      supportVectors === undefined ? '' : number(supportVectors, 4),
      iterations === undefined ? '' : count(iterations),
    ])
    if (html !== undefined) {
      const figure = await pathFigure(points, { scoring: name, best: bestC, subtitle: path })
      await writeFileAtomically(
        html,
        htmlReport('Path over C', [{ heading: path, table: { columns, left: [], rows }, figures: [figure] }]),
      )
    }
    printResult(flags, { ...found, folds, html: html ?? null }, () => [
      `${counted(data.samples.rows, 'sample')}, ${folds} folds`,
      '',
      ...table(columns, rows, []),
      '',
      `best C: ${number(bestC)}`,
      ...(html === undefined ? [] : [`path written to ${html}`]),
    ])
  } finally {
    bar.stop()
  }
}
