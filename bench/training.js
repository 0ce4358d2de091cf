// Trains one data set with every tool, alternately, and checks that they did the same work.
import { readFileSync } from 'node:fs'
import { cached } from './places.js'
import { exactCertificate, exactDual } from './recompute.js'
import { referenceOptimum } from './reference.js'
import { interleave, runCommand } from './run-command.js'
import { ourTraining, readOurs, tolerance } from './tools.js'

/** How much worse than LIBSVM's our dual value may be, relative to the optimum, for the work to count as equal. */
export const allowedLoss = 1e-6

/** Everything about one data set: what each tool took and reached, and whether the comparison is fair. */
export async function compareTraining(set, tools, { runs, budget, timeLimit, libsvm }) {
  const certified = await certify(set)
  const runTool = (tool) => async () => {
    const run = await runCommand(tool.command(set, modelPath(set, tool.name)), timeLimit)
    return run.failure ? run : { ...run, ...tool.read(run.stdout) }
  }
  const able = tools.filter((tool) => tool.refuses(set) === undefined)
  const samples = await interleave(
    able.map((tool) => [tool.name, runTool(tool)]),
    { runs, budget },
  )
  const results = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      able.includes(tool) ? summary(tool, samples[tool.name]) : { refused: tool.refuses(set) },
    ]),
  )
  for (const tool of able.filter(({ savesLibsvm }) => savesLibsvm)) {
    const result = results[tool.name]
    if (!result.failure) result.dual = await exactDual(modelPath(set, tool.name))
  }
  const reference = await referenceOptimum(set, libsvm)
  return {
    ...description(set),
    tools: results,
    ...equalWork(results, reference),
    certified,
    ...sameBits(set, results),
  }
}

/** Where a tool leaves its model of a set. */
export const modelPath = (set, toolName) => cached('models', `${set.name}.${toolName}.model`)

/** Best and worst of all runs; memory is the most that any of them took. */
function summary(tool, samples) {
  const failed = samples.find((sample) => sample.failure)
  if (failed) return { failure: failed.failure }
  const timeOf = (sample) => (tool.compares === 'fit' ? sample.fitSeconds : sample.seconds)
  const best = samples.reduce((a, b) => (timeOf(b) < timeOf(a) ? b : a))
  const { stdout, stderr, certificate, ...figures } = best
  return {
    compares: tool.compares,
    ...figures,
    best: timeOf(best),
    worst: Math.max(...samples.map(timeOf)),
    runs: samples.length,
    peakBytes: Math.max(...samples.map((sample) => sample.peakBytes)),
    ...(certificate && { stopReason: certificate.stopReason }),
  }
}

function description({ name, about, kernel, C, gamma, judged, rows, cols, nonZeros, dataBytes, textBytes }) {
  return { name, about, kernel, C, gamma, judged, rows, cols, nonZeros, dataBytes, textBytes }
}

/**
 * How far each tool is from the optimum, relative to it, by the dual value of its model or else by what it says; fair
 * when ours is no further than svm-train is.
 */
function equalWork(results, reference) {
  const [ours, peer] = [results.hyperplane.dual, results['svm-train']?.dual]
  const scale = Math.abs(reference?.dual ?? peer ?? ours)
  const excess = Object.fromEntries(
    Object.entries(results)
      .map(([name, { dual, objective }]) => [name, dual ?? objective])
      .filter(([, value]) => reference && Number.isFinite(value))
      .map(([name, value]) => [name, (value - reference.dual) / scale]),
  )
  const loss = peer === undefined || ours === undefined ? undefined : (ours - peer) / scale
  return { reference, excess, loss, fair: loss === undefined ? undefined : loss <= allowedLoss }
}

/** Recomputes our certificate with the reference backend. This run also warms up the file system and is not timed. */
async function certify(set) {
  const path = cached('models', `${set.name}.json`)
  const trained = await runCommand(ourTraining(set, path))
  if (trained.failure) return { failure: trained.failure }
  const { certificate } = readOurs(trained.stdout)
  const { primal, dual, maxViolation } = await exactCertificate(set, path)
  const relative = (a, b) => Math.abs(a - b) / Math.abs(b)
  return {
    claimed: certificate.maxViolation,
    maxViolation,
    error: Math.max(relative(certificate.primal, primal), relative(certificate.dual, dual)),
    // The allowance is for the order of sums.
    reached: certificate.stopReason === 'converged' && maxViolation <= tolerance * (1 + 1e-6),
  }
}

/** Whether one thread and all of them wrote the same model. */
function sameBits(set, results) {
  if (results.hyperplane.failure || !results['hyperplane-1'] || results['hyperplane-1'].failure) return {}
  const [all, one] = ['hyperplane', 'hyperplane-1'].map((name) => readFileSync(modelPath(set, name)))
  return { sameBits: all.equals(one) }
}
