/** `hyperplane verify MODEL DATA`: recomputes what a model claims, from the data it was trained on. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import { readModel } from '../../models/files/read-model.node.ts'
import type { BiasForm } from '../../problems/problem.ts'
import { type VerifyOptions, verify } from '../../verify/verify.ts'
import { addDataOptions, DATA_HELP, type DataFlags } from '../options/data-options.ts'
import { readMatchingData } from '../options/matching-data.ts'
import {
  addChoiceOption,
  addCommonOptions,
  addNumberOption,
  addThreadsOption,
  type ThreadsFlag,
} from '../options/option-types.ts'
import { fitOptionsFrom } from '../options/training-options.ts'
import { EXIT_FAILED } from '../report/failure.ts'
import { untilInterrupted } from '../report/interrupt.ts'
import { type OutputOptions, printResult } from '../report/output.ts'
import { verificationLines } from '../report/verification-lines.ts'

interface VerifyFlags extends OutputOptions, DataFlags, ThreadsFlag {
  readonly C?: number
  readonly nu?: number
  readonly epsilon?: number
  readonly classWeight?: string
  readonly loss?: NonNullable<VerifyOptions['loss']>
  readonly bias?: BiasForm
  readonly interceptScaling?: number
  readonly tol?: number
  readonly maxGap?: number
  readonly timeLimit?: number
}

/** Adds arguments, options and action. */
export function configure(command: Command): void {
  command
    .argument('<model>', "a model file: Hyperplane's JSON, LIBSVM's or LIBLINEAR's text")
    .argument('<data>', `the data it was trained on: ${DATA_HELP}`)
  const unsaid = 'where the model does not say it'
  addNumberOption(command, '--C <number>', `price of a violation that the model was trained with, ${unsaid}`)
  addNumberOption(command, '--nu <number>', `nu that it was trained with, ${unsaid}`)
  addNumberOption(command, '--epsilon <number>', `half-width of the tube that it was trained with, ${unsaid}`)
  command.option(
    '--class-weight <weights>',
    `what multiplied C, ${unsaid}: balanced, or LABEL=WEIGHT,LABEL=WEIGHT`,
  )
  addChoiceOption(command, '--loss <name>', `loss of a linear machine, ${unsaid}`, [
    ...['hinge', 'squared-hinge', 'epsilon-insensitive', 'squared-epsilon-insensitive'],
  ])
  addChoiceOption(command, '--bias <form>', `how the bias entered the problem, ${unsaid}`, [
    ...['free', 'regularised', 'none'],
  ])
  addNumberOption(
    command,
    '--intercept-scaling <number>',
    `constant that carried a regularised bias, ${unsaid}`,
  )
  const uncertified = 'to accept of a model without a certificate'
  addNumberOption(command, '--tol <number>', `largest violation ${uncertified} (default 0.001, as svm-train)`)
  addNumberOption(
    command,
    '--max-gap <share>',
    `largest gap, as a part of the value, ${uncertified} that keeps w alone (default 0.1, as LIBLINEAR); given, of any model`,
  )
  addNumberOption(
    command,
    '--time-limit <seconds>',
    'seconds for finding a bound, of models that keep no dual variables (default none)',
  )
  addDataOptions(command, 'optional')
  addThreadsOption(command)
  addCommonOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  $ hyperplane verify heart.json heart.libsvm
  $ hyperplane verify heart.model heart.scaled.libsvm --C 10

Exit code 0: everything that can be checked holds; 1: something does not, and the last line says what.`,
    )
    .action(run)
}

async function run(modelPath: string, dataPath: string, flags: VerifyFlags): Promise<void> {
  const model = await readModel(modelPath)
  const dataset = await readMatchingData(dataPath, flags, model)
  const { C, nu, epsilon, loss, bias, interceptScaling, tol, maxGap, timeLimit, threads } = flags
  const { classWeight } = fitOptionsFrom('verify', flags)
  const given = { C, nu, epsilon, classWeight, loss, bias, interceptScaling, tol, maxGap, timeLimit, threads }
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const result = await untilInterrupted((signal) => verify(model, dataset, { ...options, signal }))
  printResult(flags, { model: modelPath, data: dataPath, ...result }, () => verificationLines(result))
  if (!result.holds) process.exitCode = EXIT_FAILED
}
