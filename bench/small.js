// Small problems: what starting up costs.
import { benchFile, cached } from './places.js'
import { runCommand } from './run-command.js'
import { ourTraining } from './tools.js'

const coldStarts = 7

/** `fitSync` once warm, in milliseconds, and the whole command from a cold start, in seconds. */
export async function measureSmall(set) {
  const args = [benchFile('small-problem.js'), set.path, set.kernel, set.C, set.gamma].map(String)
  const warm = await runCommand({ command: process.execPath, args })
  if (warm.failure) throw new Error(`small problem: ${warm.failure}`)
  const seconds = []
  for (let k = 0; k < coldStarts; k++) {
    const run = await runCommand(ourTraining(set, cached('models', 'small.model')))
    if (run.failure) throw new Error(`small problem: ${run.failure}`)
    seconds.push(run.seconds)
  }
  return {
    name: set.name,
    rows: set.rows,
    cols: set.cols,
    fitSyncMilliseconds: JSON.parse(warm.stdout),
    coldStartSeconds: { best: Math.min(...seconds), worst: Math.max(...seconds), runs: coldStarts },
  }
}
