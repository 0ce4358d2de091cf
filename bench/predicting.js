// Predicts with our model, saved in LIBSVM's format, by our command and by svm-predict.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDataset, readModel, selectSamples } from 'hyperplane'
import { cached, hyperplane } from './places.js'
import { interleave, runCommand } from './run-command.js'
import { modelPath } from './training.js'

/** Decision values this close to 0 may go either way. */
const undecided = 1e-5

/** What both took, and how many labels differ; `decided` counts only those with |f| >= 1e-5. */
export async function comparePredicting(set, { runs, budget, timeLimit, libsvm, threads, oneThread }) {
  const model = modelPath(set, 'hyperplane')
  const out = (name) => cached('labels', `${set.name}.${name}`)
  const our = (name, more = []) => ({
    command: process.execPath,
    args: [hyperplane, 'predict', set.testPath, model, '-o', out(name), '--json', ...more],
  })
  const commands = {
    hyperplane: our('hyperplane', threads && oneThread ? ['--threads', String(threads)] : []),
    ...(oneThread && { 'hyperplane-1': our('hyperplane-1', ['--threads', '1']) }),
    ...(libsvm && {
      'svm-predict': {
        command: join(libsvm.folder, 'svm-predict'),
        args: [set.testPath, model, out('svm-predict')],
      },
    }),
  }
  const samples = await interleave(
    Object.entries(commands).map(([name, command]) => [name, () => runCommand(command, timeLimit)]),
    { runs, budget },
  )
  const tools = Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, summary(list)]))
  const result = { name: set.name, rows: set.testRows, tools }
  if (!libsvm || tools.hyperplane.failure || tools['svm-predict'].failure) return result
  const [mine, theirs] = ['hyperplane', 'svm-predict'].map((name) => lines(out(name)).map(Number))
  const differing = mine.flatMap((label, i) => (label === theirs[i] ? [] : [i]))
  return {
    ...result,
    labels: mine.length,
    differing: differing.length,
    decided: differing.length > 0 ? await countDecided(set, model, differing) : 0,
  }
}

/** How many of these rows no function of the model, for no pair of classes, is undecided about. */
async function countDecided(set, modelPath, rows) {
  const model = await readModel(modelPath)
  const { samples } = selectSamples(await readDataset(set.testPath), rows)
  const values = model.decisionFunction(samples, { decisionFunctionShape: 'ovo' })
  const pairs = values.length / rows.length
  return rows.filter((_, r) =>
    values.subarray(r * pairs, (r + 1) * pairs).every((value) => Math.abs(value) >= undecided),
  ).length
}

function summary(samples) {
  const failed = samples.find((sample) => sample.failure)
  if (failed) return { failure: failed.failure }
  const times = samples.map((sample) => sample.seconds)
  return {
    best: Math.min(...times),
    worst: Math.max(...times),
    runs: samples.length,
    peakBytes: Math.max(...samples.map((sample) => sample.peakBytes)),
  }
}

function lines(path) {
  return readFileSync(path, 'utf8').trim().split('\n')
}
