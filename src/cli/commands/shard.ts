/** `hyperplane shard DATA -o FOLDER`: data of any size as a folder of blocks, which `train` then takes one at a time. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ParameterError } from '../../base/errors.ts'
import { MANIFEST_NAME } from '../../data/shards/shard-manifest.ts'
import { DATA_HELP, unlabelledDataOptions } from '../options/data-options.ts'
import {
  defined,
  type Flags,
  numberOption,
  subcommand,
  textOption,
  threadsOption,
} from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { CTRL_C_AND_TERM, Interrupted, untilInterrupted } from '../report/interrupt.ts'
import { counted, number, printResult } from '../report/output.ts'
import { makeShards } from '../shards/make-shards.ts'
import { shardProgress } from '../shards/shard-progress.ts'
import { columnOptions } from '../tables/table-options.ts'
import { LateBar } from '../terminal/late-bar.ts'

const options = {
  output: textOption('folder', 'where to write the blocks and manifest.json', { short: 'o' }),
  rows: numberOption('approximate number of rows per block (default: as many as take 32 MB)'),
  seed: numberOption('seed that determines which row goes to which block (default 0)'),
  memory: numberOption('approximate memory limit (default 256)', 'megabytes'),
  ...columnOptions,
  ...unlabelledDataOptions,
  ...threadsOption,
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  arguments: { '<data>': DATA_HELP },
  options,
  notes: `Example:
  $ hyperplane shard clicks.libsvm.gz -o clicks.shards
  $ hyperplane train clicks.shards --type linear-svc -o clicks.json

The rows of each class are distributed over all blocks in turn, so that every block has the class proportions of the whole.
The same command resumes after Ctrl-C or a crash.`,
  run,
})

async function run(flags: Flags<typeof options>, path: string): Promise<void> {
  const { output, rows, seed, memory } = flags
  if (output === undefined)
    throw new ParameterError(COMMAND, '--output', 'is required: the folder to write to')
  if (memory !== undefined && !(memory > 0)) throw new ParameterError(COMMAND, '--memory', '> 0', memory)
  const exists = await stat(join(output, MANIFEST_NAME)).then(
    () => true,
    () => false,
  )
  if (exists) throw new ParameterError(COMMAND, '--output', `already contains a sharded data set: ${output}`)
  const bar = new LateBar('reading', path)
  try {
    const manifest = await untilInterrupted(
      (signal) =>
        makeShards(path, output, flags, {
          ...defined({ rows, seed, memoryBytes: memory && memory * 1e6 }),
          signal,
          onProgress: shardProgress(bar),
        }),
      CTRL_C_AND_TERM,
    )
    const { blocks, columns, values, layout, classes } = manifest
    const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0)
    const facts = { folder: output, rows: manifest.rows, columns, values, layout, classes }
    printResult(flags, { ...facts, blocks: blocks.length, bytes }, () => [
      `${counted(manifest.rows, 'row')}, ${counted(columns, 'feature')}, ${counted(values, 'stored value')}` +
        `${classes ? `, ${counted(classes.length, 'class').replace(/classs$/, 'classes')}` : ''}`,
      `${counted(blocks.length, 'block')}, ${number(bytes / 1e6, 4)} MB in ${output}`,
    ])
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
    throw new Interrupted(
      `stopped: the data read so far are kept in ${output}; the same command resumes from there`,
    )
  } finally {
    bar.stop()
  }
}
