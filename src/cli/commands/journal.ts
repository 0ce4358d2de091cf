/** `hyperplane journal merge -o FILE PARTS`: the journals of `tune --shard` as one, which `tune --journal` continues with. */

import { ParameterError } from '../../base/errors.ts'
import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { mergeJournals } from '../../selection/search/journal.node.ts'
import { checkFiles } from '../options/command-files.ts'
import { type Flags, outputOption, subcommand } from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { counted, printResult } from '../report/output.ts'

const options = { output: outputOption('where to write the merged journal') }

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: {
    '<what>': { help: 'merge', choices: ['merge'] },
    '<journals...>': 'the journals of all shares, in any order',
  },
  options,
  notes: `Example for a cluster that starts 20 processes:
  $ hyperplane tune data.libsvm --shard 3/20 --journal part-3.journal
  $ hyperplane journal merge -o all.journal part-*.journal
  $ hyperplane tune data.libsvm --journal all.journal -o model.json

The last command computes the scores that are in no part.`,
  run,
})

async function run(flags: Flags<typeof options>, _what: string, ...rest: unknown[]): Promise<void> {
  const { output } = flags
  if (output === undefined) throw new ParameterError(COMMAND, '--output', 'is required: the journal to write')
  const paths = rest.flat() as string[]
  await checkFiles({}, { '--output': output })
  refuseOtherEndings(output, 'journals', ['jsonl', 'ndjson'], 'allowed: .journal')
  const { text, scores } = mergeJournals(paths)
  await writeFileAtomically(output, text)
  printResult(flags, { journals: paths.length, scores, journal: output }, () => [
    `${counted(scores, 'score')} of ${counted(paths.length, 'journal')} written to ${output}`,
  ])
}
