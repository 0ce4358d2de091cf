#!/usr/bin/env node
/**
 * The `hyperplane` command. Only the subcommand that was asked for is loaded, so that it starts fast.
 * Exit codes: 0 done, 1 something went wrong while running (data, files, an interrupt), 2 the command was misused.
 */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { EXIT_USAGE, reportFailure, watchStdout } from './report/failure.ts'
import { startThreadForLongFile } from './thread-ahead.ts'

/** What a file of a subcommand exports: it adds arguments, options, examples and the action. */
interface Subcommand {
  configure(command: Command): void
}

/** `trains`: it trains models, and says so where that was without the engine. */
const SUBCOMMANDS: Record<string, { summary: string; load: () => Promise<Subcommand>; trains?: true }> = {
  demo: {
    summary: 'train, certify, evaluate and draw: a first look',
    load: () => import('./commands/demo.ts'),
  },
  train: {
    summary: 'train a classifier, a regression or a detector of outliers',
    load: () => import('./commands/train.ts'),
    trains: true,
  },
  predict: { summary: 'predict the labels of a data file', load: () => import('./commands/predict.ts') },
  evaluate: {
    summary: 'compare predictions with the labels of a data file',
    load: () => import('./commands/evaluate.ts'),
  },
  verify: {
    summary: 'recompute what a model claims, from its training data',
    load: () => import('./commands/verify.ts'),
  },
  tune: {
    summary: 'find C, gamma and others by cross-validation, train with them, and report',
    load: () => import('./commands/tune.ts'),
    trains: true,
  },
  cv: {
    summary: 'judge a classifier or a regression by cross-validation',
    load: () => import('./commands/cv.ts'),
    trains: true,
  },
  path: {
    summary: 'follow scores and support vectors along C',
    load: () => import('./commands/path.ts'),
    trains: true,
  },
  'learning-curve': {
    summary: 'scores by number of training samples: would more data help?',
    load: () => import('./commands/learning-curve.ts'),
    trains: true,
  },
  compare: {
    summary: 'run all solvers on the same data, side by side',
    load: () => import('./commands/compare.ts'),
  },
  scale: {
    summary: 'scale features to a range or to unit variance',
    load: () => import('./commands/scale.ts'),
  },
  info: { summary: 'describe a model, a scaler or a data file', load: () => import('./commands/info.ts') },
  generate: { summary: 'make a data set', load: () => import('./commands/generate.ts') },
  lab: {
    summary: 'open the Lab: points on a plane, solvers at work',
    load: () => import('./commands/lab.ts'),
  },
}

const EXAMPLES = `
Examples:
  $ hyperplane demo
  $ hyperplane generate moons -n 400 -o moons.libsvm
  $ hyperplane train moons.libsvm -o moons.json --C 10 --gamma 1
  $ hyperplane evaluate moons.libsvm moons.json

'hyperplane COMMAND --help' explains a command.
Exit codes: 0 done, 1 failed, interrupted or refuted (verify), 2 misused.`

async function main(words: readonly string[]): Promise<void> {
  watchStdout()
  const program = new Command('hyperplane')
    .description('Support vector machines: train, certify, evaluate and understand them.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain the command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  const chosen = words.find((word) => Object.hasOwn(SUBCOMMANDS, word))
  startThreadForLongFile(chosen, words)
  for (const [name, { summary, load }] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name).description(summary)
    if (name === chosen) (await load()).configure(command)
  }
  try {
    if (words.length === 0) {
      process.stderr.write(program.helpInformation())
      process.exitCode = EXIT_USAGE
    } else {
      await program.parseAsync(words, { from: 'user' })
      if (chosen && SUBCOMMANDS[chosen].trains)
        (await import('./report/engine-warning.ts')).warnWithoutEngine()
    }
  } catch (error) {
    process.exitCode = reportFailure(error, program, words)
  }
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

await main(process.argv.slice(2))
