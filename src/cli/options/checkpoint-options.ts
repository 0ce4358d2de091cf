/** `--checkpoint`: work that can be killed at any moment and continued by the same command. */

import { rm } from 'node:fs/promises'
import { ParameterError } from '../../base/errors.ts'
import { checkpointFile } from '../../estimators/fitting/checkpoint-file.node.ts'
import type { CheckpointStore } from '../../estimators/fitting/kept-work.ts'
import { COMMAND } from '../report/failure.ts'
import { Interrupted } from '../report/interrupt.ts'
import { notice, remark } from '../report/output.ts'
import { defined, type Flags, numberOption, textOption } from './options.ts'

/** Where and how often to keep the state. */
export const checkpointOptions = {
  checkpoint: textOption(
    'file',
    'save the state in this file regularly; the same command resumes from it; deleted at the end',
  ),
  checkpointEvery: numberOption('interval between checkpoints (default 10)', 'seconds'),
}

type CheckpointFlags = Flags<typeof checkpointOptions>

/** Where the flags say to keep the state. */
export function checkpointFrom(flags: CheckpointFlags): { checkpoint?: CheckpointStore } {
  const { checkpoint: path, checkpointEvery: every } = flags
  if (every !== undefined && !(every >= 0 && every < Infinity)) {
    throw new ParameterError(COMMAND, '--checkpoint-every', '>= 0', every)
  }
  if (path !== undefined) return { checkpoint: checkpointFile(path, defined({ every })) }
  if (every === undefined) return {}
  throw new ParameterError(COMMAND, '--checkpoint-every', 'needs --checkpoint')
}

/** When everything is written: removes the state, or says that it is kept because the work was interrupted. */
export async function settleCheckpoint(flags: CheckpointFlags, isComplete: boolean): Promise<void> {
  const { checkpoint: path } = flags
  if (path === undefined) return
  if (isComplete) {
    await rm(path, { force: true })
    remark(flags, `checkpoint ${path} removed`)
  } else {
    notice(`checkpoint kept in ${path}: the same command resumes from there`)
  }
}

/** What {@link settleCheckpoint} says, where work ended before there was a result. */
export async function settleInterrupted(flags: CheckpointFlags, error: unknown): Promise<never> {
  if (error instanceof Interrupted) await settleCheckpoint(flags, false)
  throw error
}
