#!/usr/bin/env node
/**
 * The `hyperplane` command. Only the requested subcommand is loaded, so that it starts fast.
 * Exit codes: 0 done, 1 something went wrong while running (data, files, an interrupt), 2 the command was misused.
 */
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { Command } from 'commander'
import { EXIT_USAGE, watchStdout } from './report/failure.ts'
import { reportFailure } from './report/report-failure.ts'
import { hasColours } from './terminal/voice.ts'
import { startThreadForLongFile } from './thread-ahead.ts'

/** What a file of a subcommand exports: it adds arguments, options, examples and the action. */
interface Subcommand {
  configure(command: Command): void
}

/** Each subcommand with its summary and the file it is in. */
const SUBCOMMANDS: Record<string, readonly [summary: string, load: () => Promise<Subcommand>]> = {
  demo: ['a first look: train, certify, evaluate and draw', () => import('./commands/demo.ts')],
  train: ['train a classifier, a regression or an outlier detector', () => import('./commands/train.ts')],
  predict: ['predict the labels of a data file', () => import('./commands/predict.ts')],
  evaluate: ['compare predictions with the labels of a data file', () => import('./commands/evaluate.ts')],
  verify: [
    'recompute the certificate of a model from its training data',
    () => import('./commands/verify.ts'),
  ],
  tune: [
    'choose C, gamma and others by cross-validation, then train and report',
    () => import('./commands/tune.ts'),
  ],
  cv: ['evaluate a classifier or a regression by cross-validation', () => import('./commands/cv.ts')],
  path: ['show scores and support vectors as functions of C', () => import('./commands/path.ts')],
  'learning-curve': [
    'show scores by number of training samples: would more data help?',
    () => import('./commands/learning-curve.ts'),
  ],
  compare: ['run all solvers on the same data, side by side', () => import('./commands/compare.ts')],
  shard: ['convert data of any size into blocks that fit into memory', () => import('./commands/shard.ts')],
  worker: ['process the jobs of a queue', () => import('./commands/worker.ts')],
  queue: ['show the status of a queue, or clear it', () => import('./commands/queue.ts')],
  journal: [
    'merge the journals of a search that was divided with tune --shard',
    () => import('./commands/journal.ts'),
  ],
  scale: ['scale features to a range or to unit variance', () => import('./commands/scale.ts')],
  info: ['describe a model, a scaler or a data file', () => import('./commands/info.ts')],
  generate: ['generate a data set', () => import('./commands/generate.ts')],
  lab: ['open the Lab, an interactive page for support vector machines', () => import('./commands/lab.ts')],
  completion: [
    'print a script for shell completion of commands, flags and values',
    () => import('./completion/completion.ts'),
  ],
}

/** Subcommands that train models, and warn where that was without the engine. */
const TRAINING = ['train', 'tune', 'cv', 'path', 'learning-curve']

const EXAMPLES = `
Examples:
  $ hyperplane demo
  $ hyperplane generate moons -n 400 -o moons.libsvm
  $ hyperplane train moons.libsvm -o moons.json --C 10 --gamma 1
  $ hyperplane evaluate moons.libsvm moons.json

'hyperplane COMMAND --help' explains a command.
Exit codes: 0 success, 1 failure, interrupt or refuted claim (verify), 2 incorrect usage.`

async function main(words: readonly string[]): Promise<void> {
  watchStdout()
  const program = new Command('hyperplane')
    .description('Support vector machines: train, certify, evaluate and understand them.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain the command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp({ styleTitle: (text) => styleText('bold', text) })
    .configureOutput({
      outputError: () => undefined,
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
    })
  const chosen = words.find((word) => Object.hasOwn(SUBCOMMANDS, word))
  startThreadForLongFile(chosen, words)
  for (const [name, [summary, load]] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name).description(summary)
    if (name === chosen || chosen === 'completion') (await load()).configure(command)
  }
  try {
    if (words.length === 0) {
      process.stderr.write(program.helpInformation({ error: true }))
      process.exitCode = EXIT_USAGE
    } else {
      await program.parseAsync(words, { from: 'user' })
      if (chosen && TRAINING.includes(chosen))
        (await import('./report/engine-warning.ts')).warnWithoutEngine()
    }
  } catch (error) {
    process.exitCode = reportFailure(error, program, words)
  }
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

void main(process.argv.slice(2))
