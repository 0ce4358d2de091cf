/** `hyperplane generate NAME`: makes a data set; each generator is a command of its own with its own options. */
import '../../parallel/platform.node.ts'
import type { Command } from 'commander'
import type { Generator } from '../../data/generators/generator.ts'
import { generators } from '../../data/generators/generators.ts'
import { checkFiles } from '../options/command-files.ts'
import { addCommonOptions, addNumberOption } from '../options/option-types.ts'
import {
  addDataOutputOptions,
  checkDataOutput,
  type DataOutputFlags,
  deliverDataset,
} from '../report/data-output.ts'

/** The options of the generator beside the flags that all of them have. */
type GenerateFlags = DataOutputFlags & Readonly<Record<string, unknown>>

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
  const command = parent.command(name).description(`${describe} (${task})`)
  for (const [option, { default: fallback, describe: meaning }] of Object.entries(options)) {
    addNumberOption(command, flagsOf(option), `${meaning} (default ${fallback})`)
  }
  addDataOutputOptions(command)
  addCommonOptions(command)
  command
    .addHelpText('after', `\nExample:\n  $ hyperplane generate ${name} --seed 7 -o ${name}.libsvm`)
    .action(async (flags: GenerateFlags) => {
      await checkFiles(`generate ${name}`, { writes: { '--output': flags.output } })
      checkDataOutput(flags)
      const given = Object.keys(options).filter((option) => flags[option] !== undefined)
      const chosen = Object.fromEntries(given.map((option) => [option, flags[option] as number]))
      await deliverDataset(generator.generate(chosen), flags, name, { name, task, options: chosen })
    })
}

/** `-n, --n <number>`, `--noise <number>`: one letter makes a short flag too, camelCase becomes kebab-case. */
function flagsOf(option: string): string {
  const long = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <number>`
  return option.length === 1 ? `-${option}, ${long}` : long
}
