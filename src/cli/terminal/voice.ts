/** How a command speaks: to which stream, how much, and in which colours. Set once, before a command runs. */
import { styleText } from 'node:util'
import { slot } from '../../base/slot.ts'

/** What `-o -` stands for: the stream that a command writes to. */
export const STDOUT = '/dev/stdout'

interface Voice {
  /** Where results go, as lines or as JSON. */
  readonly results: NodeJS.WriteStream
  /** No progress, no remarks. */
  readonly isQuiet: boolean
  /** No lines about what was done: the requested files say it. */
  readonly isSilent: boolean
}

const voice = slot<Voice>({
  // Made when it is first asked for: see `watchStdout`.
  get results() {
    return process.stdout
  },
  isQuiet: false,
  isSilent: false,
})

/**
 * Chooses the voice: quiet or not, and where the outputs of the command go. What it writes to stdout must not be mixed with its
 * words, which then go to stderr.
 */
export function chooseVoice(isQuiet: boolean, outputs: readonly string[]): void {
  voice.install({
    results: outputs.includes(STDOUT) ? process.stderr : process.stdout,
    isQuiet,
    isSilent: isQuiet && outputs.length > 0,
  })
}

/** The voice that was chosen. */
export function currentVoice(): Voice {
  return voice.current
}

/** Whether a stream shows colours: FORCE_COLOR and NO_COLOR decide, then whether it is a terminal that can. */
export function hasColours(stream: { readonly isTTY?: boolean }, env = process.env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none } = env
  if (force) return force !== '0' && force !== 'false'
  if (none) return false
  return isTerminal(stream, env)
}

/** Whether a stream is a terminal on which lines can be written over. */
export function isTerminal(stream: { readonly isTTY?: boolean }, env = process.env): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** The text in a style, where the stream shows colours. */
export function painted(
  style: 'bold' | 'red' | 'yellow',
  text: string,
  stream: NodeJS.WriteStream = voice.current.results,
): string {
  return hasColours(stream) ? styleText(style, text) : text
}
