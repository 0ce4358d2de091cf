// How time grows with the number of samples.
import { subset } from './data-sets.js'
import { cached } from './places.js'
import { prepare } from './prepare.js'
import { runCommand } from './run-command.js'
import { logLogSlope } from './statistics.js'

/**
 * Trains on more and more of a data set. A peer runs once a size; ours is the best of `runs`. Undefined when there
 * is no such data set here.
 */
export async function measureGrowth({ from, sizes, peers }, tools, { folder, runs, timeLimit }) {
  const taking = tools.filter(({ name }) => name === 'hyperplane' || (peers && name === 'svm-train'))
  const points = []
  for (const size of sizes) {
    const set = await prepare(subset(from, size), folder)
    if (set.missing) return undefined
    for (const tool of taking) {
      const samples = []
      for (let k = 0; k < (tool.name === 'hyperplane' ? runs : 1); k++) {
        const run = await runCommand(tool.command(set, cached('models', 'growth.model')), timeLimit)
        samples.push(run.failure ? run : { ...run, ...tool.read(run.stdout) })
      }
      const failed = samples.find((sample) => sample.failure)
      const { seconds, fitSeconds, supportVectors, peakBytes } = samples.reduce((a, b) =>
        b.seconds < a.seconds ? b : a,
      )
      points.push({
        tool: tool.name,
        rows: set.rows,
        ...(failed ? { failure: failed.failure } : { seconds, fitSeconds, supportVectors, peakBytes }),
      })
    }
  }
  return { from, points, slopes: slopesOf(points) }
}

/** The slope of whole commands, and of our solver alone: small sets are mostly start-up. */
function slopesOf(points) {
  const slope = (tool, field) => {
    const pairs = points.filter((p) => p.tool === tool && p[field] > 0).map((p) => [p.rows, p[field]])
    return pairs.length > 1 ? logLogSlope(pairs) : undefined
  }
  return {
    hyperplane: slope('hyperplane', 'seconds'),
    solver: slope('hyperplane', 'fitSeconds'),
    'svm-train': slope('svm-train', 'seconds'),
  }
}
