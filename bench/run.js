// The benchmark: trains and predicts with Hyperplane and its peers, alternately, on the same files to the same optimum.
//
//   npm run bench -- [options]
//
// Writes results.json, results.md, training.svg and growth.svg: into bench/results/ when everything was run, else into
// .hyperplane/bench/results/. docs/benchmarks.md says what is measured, and how.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { growthChart, trainingChart } from './charts.js'
import { dataSets, growthSets } from './data-sets.js'
import { judge } from './goals.js'
import { measureGrowth } from './growth.js'
import { keepResults } from './keep-results.js'
import { describeMachine, load, versionsOf } from './machine.js'
import { chosen, positive } from './options.js'
import { findPeers } from './peers.js'
import { cached, dataFolder, resultsFolder } from './places.js'
import { comparePredicting } from './predicting.js'
import { prepare } from './prepare.js'
import { ratio } from './ratios.js'
import { report } from './report.js'
import { measuresResources } from './run-command.js'
import { measureSmall } from './small.js'
import { takesThreads, trainingTools } from './tools.js'
import { compareTraining } from './training.js'

const help = `npm run bench -- [options]

  --only a9a,mnist    only these data sets; growth and small problems are left out
  --quick             small sets, one run each
  --runs N            runs of each tool, the best counts (default 3)
  --budget SECONDS    no further run of a tool that took this long in total on a set (default 30)
  --time-limit S      a run of a peer that takes longer is given up (default 900)
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --libsvm DIR        folder with another build of svm-train and svm-predict
  --no-peers          Hyperplane alone
  --peers A,B         only these peers: svm-train, sklearn-dense, sklearn-sparse, libsvm-js, ml-svm
  --no-install        do not try to install Debian's packages of peers
  --threads N         threads of Hyperplane (default all cores)
  --out DIR           where the results go

Data sets: ${dataSets.map(({ name }) => name).join(', ')}`

/** What is there so far, should a run end early. */
const unfinished = cached('results', 'unfinished.json')

const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    only: { type: 'string' },
    quick: { type: 'boolean' },
    runs: { type: 'string' },
    budget: { type: 'string' },
    'time-limit': { type: 'string' },
    data: { type: 'string' },
    libsvm: { type: 'string' },
    'no-peers': { type: 'boolean' },
    peers: { type: 'string' },
    'no-install': { type: 'boolean' },
    threads: { type: 'string' },
    out: { type: 'string' },
  },
})

if (flags.help) {
  console.log(help)
} else {
  await run()
}

async function run() {
  const options = readOptions()
  const folder = dataFolder(flags.data)
  const peers = flags['no-peers']
    ? { missing: ['all of them: --no-peers'] }
    : findPeers({ install: !flags['no-install'], libsvmFolder: flags.libsvm })
  const tools = chosenTools(trainingTools(peers, options.threads))
  const oneThread = takesThreads('predict')
  const notes = remarks(peers, tools)
  for (const note of notes) console.warn(`! ${note}`)

  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: versionsOf(peers),
    options,
    notes,
    training: [],
    predicting: [],
    growth: [],
  }
  const settings = { ...options, libsvm: peers.libsvm, oneThread, folder }
  for (const wanted of chosenSets()) {
    const set = await prepare(wanted, folder)
    if (set.missing) {
      notes.push(`${set.name} was left out: ${set.missing}`)
      console.warn(`! ${notes.at(-1)}`)
      continue
    }
    results.training.push(await compareTraining(set, tools, settings))
    say('train', set.name, results.training.at(-1), 'svm-train')
    if (set.predicts || set.testFile) {
      results.predicting.push(await comparePredicting(set, settings))
      say('predict', set.name, results.predicting.at(-1), 'svm-predict')
    }
    if (set.name === 'blobs-270') results.small = await measureSmall(set)
    keepResults(results, unfinished)
  }
  if (!flags.only) await grow(results, tools, settings)
  results.goals = judge(results)
  write(results, outputFolder(results))
  rmSync(unfinished, { force: true })
}

function readOptions() {
  return {
    runs: positive(flags, 'runs', flags.quick ? 1 : 3),
    budget: positive(flags, 'budget', 30),
    timeLimit: positive(flags, 'time-limit', flags.quick ? 60 : 900),
    threads: positive(flags, 'threads', undefined),
  }
}

function chosenSets() {
  if (flags.only === undefined) return dataSets.filter(({ quick }) => quick || !flags.quick)
  return chosen(flags, 'only', dataSets, 'data set')
}

function chosenTools(tools) {
  if (flags.peers === undefined) return tools
  const wanted = flags.peers.split(',')
  return tools.filter(({ name }) => name.startsWith('hyperplane') || wanted.includes(name))
}

/** What a reader of the results must know. */
function remarks({ missing }, tools) {
  const busy = load()
  return [
    ...missing.map((line) => `missing peer: ${line}`),
    ...(tools.some(({ name }) => name === 'hyperplane-1')
      ? []
      : ['not measured on one thread: train has no --threads']),
    ...(measuresResources() ? [] : ['CPU time and memory are not measured: apt-get install time']),
    ...(busy > 0.5 ? [`the machine was busy when this began: load ${busy.toFixed(1)}`] : []),
    ...(flags.quick ? ['a quick run: too small and too few to conclude from'] : []),
  ]
}

async function grow(results, tools, settings) {
  for (const plan of growthSets) {
    const sizes = flags.quick ? plan.quickSizes : plan.sizes
    if (!sizes) continue
    const measured = await measureGrowth({ ...plan, sizes }, tools, settings)
    if (measured) {
      results.growth.push(measured)
      const slopes = Object.entries(measured.slopes).filter(([, slope]) => slope !== undefined)
      console.log(
        `growth ${plan.from}: ${slopes.map(([tool, slope]) => `${tool} n^${slope.toFixed(2)}`).join(', ')}`,
      )
    } else {
      results.notes.push(`growth on ${plan.from} was left out: it is not in the data folder`)
    }
    keepResults(results, unfinished)
  }
}

function say(what, name, result, peer) {
  const seconds = Object.entries(result.tools)
    .filter(([, { best, failure }]) => best || failure)
    .map(([tool, { best, failure }]) => `${tool} ${best ? best.toPrecision(3) : failure}`)
  const faster = ratio(result, peer)
  const unfair = result.fair === false ? ' UNFAIR' : ''
  console.log(
    `${what} ${name}: ${seconds.join(', ')}${faster ? ` → ${faster.toPrecision(3)}x` : ''}${unfair}`,
  )
}

/** Only complete runs become part of the repository. */
function outputFolder({ training, growth, versions }) {
  if (flags.out) return flags.out
  const complete = training.length === dataSets.length && growth.length === growthSets.length
  const { libsvm, sklearn } = versions
  return complete && libsvm && sklearn && !flags.peers ? resultsFolder : cached('results', '.')
}

function write(results, folder) {
  mkdirSync(folder, { recursive: true })
  keepResults(results, join(folder, 'results.json'))
  writeFileSync(join(folder, 'results.md'), report(results))
  if (results.training.length > 0) writeFileSync(join(folder, 'training.svg'), trainingChart(results))
  if (results.growth.length > 0) writeFileSync(join(folder, 'growth.svg'), growthChart(results))
  console.log()
  for (const { goal, measured, reached } of results.goals) {
    console.log(`${reached === undefined ? '  ?   ' : reached ? ' yes  ' : ' NO   '} ${goal}: ${measured}`)
  }
  console.log(`\nwritten to ${folder}`)
}
