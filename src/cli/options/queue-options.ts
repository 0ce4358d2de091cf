/** `--queue`, and what stands for it in the environment. */
import { ParameterError } from '../../base/errors.ts'
import { COMMAND } from '../report/failure.ts'
import { type OptionSpec, textOption } from './options.ts'

/** The variable with the address, for those who do not want it on a command line. */
const VARIABLE = 'HYPERPLANE_QUEUE'

/** The option with help of its own. */
export function queueOption(help: string): { readonly queue: OptionSpec<string> } {
  return { queue: textOption('address', help) }
}

/** The address of the flag, or of the environment. */
export function queueFrom({ queue = process.env[VARIABLE] }: { readonly queue?: string }): string {
  if (queue === undefined || queue === '')
    throw new ParameterError(
      COMMAND,
      '--queue',
      `is required: the address of the queue; the environment variable ${VARIABLE} can hold it too`,
    )
  return queue
}
