/** A helper thread takes as long to start as the code of a command to load: for long files both happen at the same time. */
import { statSync } from 'node:fs'
import { startThreadAhead } from '../engine/threads/spawn-thread.node.ts'

/** Commands that read a data file and compute on all threads. */
const COMMANDS = ['train', 'predict', 'evaluate', 'tune', 'cv', 'path', 'learning-curve']
/** A file of this many bytes is hardly ever done with before the thread is there. */
const LONG_FILE = 1 << 20

/** Starts a thread if the words of a command name a long file and do not ask for one thread only. */
export function startThreadForLongFile(command: string | undefined, words: readonly string[]): void {
  const isAlone = /--threads[= ]1(?!\d)/.test(words.join(' '))
  if (command === undefined || !COMMANDS.includes(command) || isAlone) return
  if (words.some((word) => sizeOf(word) >= LONG_FILE)) startThreadAhead()
}

/** Of a file; 0 for what is none. Who reads it says what is wrong with it. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
