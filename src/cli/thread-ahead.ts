/** A helper thread takes as long to start as the code of a command to load: for long files both happen at once. */
import { statSync } from 'node:fs'
import { startThreadAhead } from '../compute/spawn-thread.node.ts'

/** Commands that read a data file and compute on all threads. */
const COMMANDS = ['train', 'predict', 'evaluate', 'tune', 'cv', 'path', 'learning-curve']
/** A file of so many bytes is hardly ever done with before the thread is there. */
const LONG_FILE = 1 << 20

/** Starts a thread if the words of a command name a long file and do not ask for one thread only. */
export function startThreadForLongFile(command: string | undefined, words: readonly string[]): void {
  if (command === undefined || !COMMANDS.includes(command) || /--threads[= ]1(?!\d)/.test(words.join(' ')))
    return
  if (words.some((word) => (statSync(word, { throwIfNoEntry: false })?.size ?? 0) >= LONG_FILE))
    startThreadAhead()
}
