/** `hyperplane generate NAME`: makes a data set; each generator is its own command with its own options. */
import type { Command } from 'commander'
import type { Generator } from '../../data/generators/generator.ts'
import { generators } from '../../data/generators/generators.ts'
import { checkFiles } from '../options/command-files.ts'
import { defined, numberOption, type OptionTable, subcommand } from '../options/options.ts'
import { checkDataOutput, dataOutputOptions, deliverDataset } from '../report/data-output.ts'

/** Adds one subcommand for each generator. */
export function configure(command: Command): void {
  command.usage('NAME [options]').addHelpText(
    'after',
    `
Example:
  $ hyperplane generate moons -n 400 --noise 0.2 --seed 7 -o moons.libsvm

'hyperplane generate NAME --help' lists the options of a generator.`,
  )
  for (const generator of Object.values<Generator>(generators)) addGenerator(command, generator)
}

function addGenerator(parent: Command, generator: Generator): void {
  const { name, describe, options, task } = generator
  const own: OptionTable = Object.fromEntries(
    Object.entries(options).map(([option, { default: fallback, describe: meaning }]) => [
      option,
      // A name of one letter is a short flag too: -n.
      { ...numberOption(`${meaning} (default ${fallback})`), ...(option.length === 1 && { short: option }) },
    ]),
  )
  subcommand({
    options: { ...own, ...dataOutputOptions },
    notes: `Example:\n  $ hyperplane generate ${name} --seed 7 -o ${name}.libsvm`,
    async run(flags) {
      const given = flags as Readonly<Record<string, unknown>>
      await checkFiles({}, { '--output': flags.output })
      checkDataOutput(flags)
      const chosen = defined(
        Object.fromEntries(Object.keys(options).map((name) => [name, given[name] as number])),
      )
      await deliverDataset(generator.generate(chosen), flags, name, { name, task, options: chosen })
    },
  })(parent.command(name).description(`${describe} (${task})`))
}
