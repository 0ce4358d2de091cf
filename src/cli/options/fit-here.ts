/** On which thread a command fits. */
import type { Matrix } from '../../data/matrix/matrix.ts'
import { isTable, type Table } from '../../data/table/table.ts'
import { runInSlices, setFitRunner } from '../../estimators/fitting/fit-runner.ts'

/**
 * Up to this many values a solver notices Ctrl-C at least once a second, and works on this thread: another one takes time to
 * start, a copy of the data, and engine its own threads.
 */
const MOST_VALUES_HERE = 1e7

/** Has all fits from now on done on the calling thread, if those of these samples are short enough; others keep theirs. */
export function fitHereIfShort(samples: Matrix | Table): void {
  const values = isTable(samples) ? samples.rows * samples.columns.length : samples.values.length
  if (values <= MOST_VALUES_HERE) setFitRunner(runInSlices)
}
