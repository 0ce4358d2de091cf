/** `--checkpoint`: work that can be killed at any moment and gone on with by the same command. */
import { rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import { checkpointFile } from '../../estimators/fitting/checkpoint-file.node.ts'
import type { CheckpointStore } from '../../estimators/fitting/kept-work.ts'
import { type OutputOptions, remark } from '../report/output.ts'
import { addNumberOption } from './option-types.ts'

/** The flags of {@link addCheckpointOptions}, as commander hands them over. */
export interface CheckpointFlags extends OutputOptions {
  readonly checkpoint?: string
  readonly checkpointEvery?: number
}

/** Adds `--checkpoint` and `--checkpoint-every`. */
export function addCheckpointOptions(command: Command): void {
  command.option(
    '--checkpoint <file>',
    'keep the state here every so often: the same command goes on from there, whatever ended it; removed at the end',
  )
  addNumberOption(command, '--checkpoint-every <seconds>', 'seconds between two states (default 10)')
}

/** Where the flags say to keep the state. */
export function checkpointFrom(command: string, flags: CheckpointFlags): { checkpoint?: CheckpointStore } {
  const { checkpoint: path, checkpointEvery: every } = flags
  if (every !== undefined && !(every >= 0 && every < Number.POSITIVE_INFINITY)) {
    throw new ParameterError(command, '--checkpoint-every', '>= 0', every)
  }
  if (path !== undefined) return { checkpoint: checkpointFile(path, every === undefined ? {} : { every }) }
  if (every === undefined) return {}
  throw new ParameterError(command, '--checkpoint-every', 'absent without --checkpoint', every)
}

/** When all is written: removes the state, or says that it is kept where the work was cut short. */
export async function leaveCheckpoint({ checkpoint: path, ...flags }: CheckpointFlags, isComplete: boolean) {
  if (path === undefined) return
  if (isComplete) {
    await rm(path, { force: true })
    remark(flags, `checkpoint ${path} removed`)
  } else {
    process.stderr.write(`checkpoint kept in ${path}: the same command goes on from there\n`)
  }
}
