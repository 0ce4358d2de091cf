// The benchmark of breadth: problems of all types, kernels and tasks that nobody tuned for, by Debian's svm-train and
// svm-predict and by this package's commands of the same names with the same flags.
//
//   node bench/breadth.js [options]        after npm run build
//
// Whole commands alternately. Writes breadth.json, breadth.md and breadth.svg: into bench/results/ when everything was run,
// else into .hyperplane/bench/results/. docs/benchmarks.md says what is measured, and how.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeBreadth } from './breadth-goals.js'
import { problems, sources } from './breadth-problems.js'
import { breadthReport } from './breadth-report.js'
import { secondsChart } from './charts.js'
import { sameOptimum, samePredictions, sameScore, side, trainingWords, words } from './drop-in.js'
import { keepResults } from './keep-results.js'
import { describeMachine, load, versionsOf } from './machine.js'
import { remember } from './memory.js'
import { benchmarkFlags, chosen, positive } from './options.js'
import { findPeers } from './peers.js'
import { cached, dataFolder, resultsFolder } from './places.js'
import { prepare } from './prepare.js'
import { ratio } from './ratios.js'
import { interleave, runCommand } from './run-command.js'

const families = [...new Set(problems.map(({ family }) => family))]

const help = `node bench/breadth.js [options]

  --only A,B          only these problems
  --family A,B        only these families: ${families.join(', ')}
  --runs N            runs of each side, the best counts (default 3)
  --budget SECONDS    no further run of a side that took this long in total on a problem (default 20)
  --time-limit S      a run that takes longer is given up (default 200)
  --threads N         threads of Hyperplane (default all cores)
  --keep-peers        take times of LIBSVM from an earlier run where there are any: for development
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --libsvm DIR        folder with another build of svm-train and svm-predict
  --no-peers          Hyperplane alone
  --no-install        do not try to install Debian's packages of peers
  --out DIR           where the results go

Problems: ${problems.map(({ name }) => name).join(', ')}`

/** What is there so far, should a run end early. */
const unfinished = cached('results', 'unfinished-breadth.json')

const { values: flags } = parseArgs({
  options: {
    ...benchmarkFlags,
    family: { type: 'string' },
    'keep-peers': { type: 'boolean' },
    libsvm: { type: 'string' },
  },
})

if (flags.help) console.log(help)
else await run()

async function run() {
  const options = {
    runs: positive(flags, 'runs', 3),
    budget: positive(flags, 'budget', 20),
    timeLimit: positive(flags, 'time-limit', 200),
    threads: positive(flags, 'threads', undefined),
  }
  const wanted = chosenProblems()
  const folder = dataFolder(flags.data)
  const peers = flags['no-peers']
    ? { missing: ['all of them: --no-peers'] }
    : findPeers({ install: !flags['no-install'], libsvmFolder: flags.libsvm })
  const busy = load()
  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: versionsOf({ libsvm: peers.libsvm }),
    options,
    notes: [
      ...(peers.libsvm ? [] : ['LIBSVM is missing: apt-get install libsvm-tools']),
      ...(busy > 0.5 ? [`the machine was busy when this began: load ${busy.toFixed(1)}`] : []),
      ...(flags['keep-peers'] ? ['times of LIBSVM are from earlier runs'] : []),
    ],
    problems: [],
  }
  for (const problem of wanted) {
    const set = await prepare({ name: `breadth-${problem.data}`, ...sources[problem.data] }, folder)
    if (set.missing) {
      results.notes.push(`${problem.name} was left out: ${set.missing}`)
      console.warn(`! ${results.notes.at(-1)}`)
      continue
    }
    results.problems.push(await compare(problem, set, { ...options, libsvm: peers.libsvm }))
    say(results.problems.at(-1))
    keepResults(results, unfinished)
  }
  results.goals = judgeBreadth(results, wanted.length === problems.length)
  write(results)
  rmSync(unfinished, { force: true })
}

function chosenProblems() {
  const named = chosen(flags, 'only', problems, 'problem')
  const inFamilies = chosen(
    flags,
    'family',
    families.map((name) => ({ name })),
    'family',
  )
  return named.filter(({ family }) => inFamilies.some(({ name }) => name === family))
}

/** Everything about one problem: what each side took, and whether they did the same work. */
async function compare(problem, set, { runs, budget, timeLimit, threads, libsvm }) {
  const { name, family, data, flags: own, model } = problem
  const sides = {
    hyperplane: side({ threads }),
    ...(libsvm && { libsvm: side(libsvm) }),
  }
  const outputs = Object.fromEntries(
    Object.keys(sides).map((tool) => [tool, cached('models', `${name}.${tool}`)]),
  )
  if (model) await trainForPredicting(problem, set, libsvm)
  const runSide = (tool, call) => async () =>
    runCommand(
      model
        ? call('svm-predict', [...words(own), set.testPath, modelOf(problem), outputs[tool]])
        : call('svm-train', trainingWords(set, own, outputs[tool])),
      timeLimit,
    )
  const measure = async (chosenSides) => {
    const samples = await interleave(
      chosenSides.map(([tool, call]) => [tool, runSide(tool, call)]),
      { runs, budget },
    )
    return Object.fromEntries(Object.entries(samples).map(([tool, list]) => [tool, summary(list)]))
  }
  const [ours, ...others] = Object.entries(sides)
  const key = [set.digest, ...words({ ...own, ...model }), model ? 'predict' : '', libsvm?.version].join(' ')
  const measured = flags['keep-peers']
    ? {
        ...(await measure([ours])),
        ...(await keptTimes(key, () => measure(others))),
      }
    : await measure([ours, ...others])
  const tools = Object.fromEntries(
    Object.entries(measured).map(([tool, { stdout, ...rest }]) => [tool, rest]),
  )
  const described = { name, family, data, flags: own, model, rows: set.rows, cols: set.cols, tools }
  if (Object.values(tools).some(({ failure }) => failure)) return described
  return { ...described, ...(await sameWork(problem, set, outputs, measured)) }
}

/** Times of an earlier run; a run that failed is not kept. */
async function keptTimes(key, measure) {
  let fresh
  const known = await remember('peer-times.json', key, async () => {
    fresh = await measure()
    return Object.values(fresh).some(({ failure }) => failure) ? undefined : fresh
  })
  return known ?? fresh
}

/** Both sides predict with the same model, which LIBSVM has trained. */
async function trainForPredicting(problem, set, libsvm) {
  const train = side(libsvm ?? {})
  await remember('prediction-models.json', `${modelOf(problem)} ${set.digest}`, async () => {
    const { failure } = await runCommand(
      train('svm-train', trainingWords(set, problem.model, modelOf(problem))),
    )
    if (failure) throw new Error(`${problem.name}: ${failure}`)
    return { model: problem.model }
  })
}

function modelOf({ data, model }) {
  return cached('models', `${data}${words(model).join('')}.model`)
}

function sameWork({ flags: own, model }, set, outputs, measured) {
  const { hyperplane, libsvm } = measured
  if (own.v) return libsvm && sameScore(hyperplane.stdout, libsvm.stdout)
  if (model) return libsvm && samePredictions(outputs.hyperplane, outputs.libsvm)
  return sameOptimum(set, own, outputs.hyperplane, outputs.libsvm)
}

/** Best and worst of all runs; what the last one printed. */
function summary(samples) {
  const failed = samples.find((sample) => sample.failure)
  if (failed) return { failure: failed.failure }
  const best = samples.reduce((a, b) => (b.seconds < a.seconds ? b : a))
  return {
    best: best.seconds,
    worst: Math.max(...samples.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...samples.map(({ cpuSeconds }) => cpuSeconds)),
    peakBytes: Math.max(...samples.map(({ peakBytes }) => peakBytes)),
    runs: samples.length,
    stdout: best.stdout,
  }
}

function say(problem) {
  const { name, family, tools, same, certified, loss, verdict } = problem
  const seconds = Object.entries(tools).map(
    ([tool, { best, cpuSeconds, failure }]) =>
      `${tool} ${best ? `${best.toPrecision(3)} (CPU ${cpuSeconds.toPrecision(3)})` : failure}`,
  )
  const faster = ratio(problem, 'libsvm')
  const work = tools.libsvm?.cpuSeconds / tools.hyperplane.cpuSeconds
  const remarks = [
    faster ? `→ ${faster.toPrecision(3)}x (CPU ${work.toPrecision(3)}x)` : '',
    same === false ? `NOT THE SAME${loss === undefined ? '' : ` (${loss.toExponential(1)})`}` : '',
    certified === false ? `NOT PROVEN: ${verdict}` : '',
  ]
  console.log(`${family} ${name}: ${seconds.join(', ')} ${remarks.filter(Boolean).join(' ')}`)
}

/** Only complete runs become part of the repository. */
function write(results) {
  const complete =
    results.problems.length === problems.length && results.versions.libsvm && !flags['keep-peers']
  const folder = flags.out ?? (complete ? resultsFolder : cached('results', '.'))
  mkdirSync(folder, { recursive: true })
  keepResults(results, join(folder, 'breadth.json'))
  writeFileSync(join(folder, 'breadth.md'), breadthReport(results))
  const chart = secondsChart({
    title: 'Seconds of problems of all kinds',
    subtitle: `Whole commands with the same flags. In grey: LIBSVM by Hyperplane. ${results.machine.cpu}, ${results.machine.cores} cores`,
    sets: results.problems,
    peer: 'libsvm',
    rowHeight: 18,
  })
  if (results.problems.length > 0) writeFileSync(join(folder, 'breadth.svg'), chart)
  console.log()
  for (const { goal, measured, reached } of results.goals) {
    console.log(`${reached === undefined ? '  ?   ' : reached ? ' yes  ' : ' NO   '} ${goal}: ${measured}`)
  }
  console.log(`\nwritten to ${folder}`)
}
