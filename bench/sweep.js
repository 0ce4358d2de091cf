// The sweep: random problems of all types by Debian's svm-train and by ours. Lists every one where ours is slower by more than
// its start-up, or does not end within the tolerance while LIBSVM ends. The list must be empty.
//
//   node bench/sweep.js [options]        after npm run build
//
// Start-up is what our command takes on the smallest problem of the same type, 200 points of the plane: the best of several
// runs, spread over the sweep. It is subtracted in wall time and in CPU time alike. A problem counts as slower if it is by
// both clocks, the second time too, where the best of several runs counts: CPU time does not depend on what else the machine
// does, and wall time is what a user waits for. docs/benchmarks.md says more.
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sameOptimum, side, trainingWords, words } from './drop-in.js'
import { keepResults } from './keep-results.js'
import { describeMachine, load, versionsOf } from './machine.js'
import { remember } from './memory.js'
import { chosen, positive } from './options.js'
import { findPeers } from './peers.js'
import { cached } from './places.js'
import { prepare } from './prepare.js'
import { interleave, runCommand } from './run-command.js'
import { smallestProblem, sweepProblem } from './sweep-problems.js'
import { excessTime, faultsOf } from './sweep-verdict.js'

const help = `node bench/sweep.js [options]

  --count N           problems (default 200)
  --only sweep-3,…    only these; their data stay in .hyperplane/bench/data/
  --time-limit S      a run that takes longer is given up (default 20)
  --again N           further runs of both sides of a problem that seems slower (default 3)
  --threads N         threads of Hyperplane (default all cores)
  --keep-peers        take times of LIBSVM from an earlier run where there are any: for development
  --libsvm DIR        folder with another build of svm-train
  --no-install        do not try to install Debian's package of LIBSVM
  --out FILE          where the results go (default .hyperplane/bench/results/sweep.json)`

const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    count: { type: 'string' },
    only: { type: 'string' },
    'time-limit': { type: 'string' },
    again: { type: 'string' },
    threads: { type: 'string' },
    'keep-peers': { type: 'boolean' },
    libsvm: { type: 'string' },
    'no-install': { type: 'boolean' },
    out: { type: 'string' },
  },
})

if (flags.help) console.log(help)
else await run()

async function run() {
  const count = positive(flags, 'count', 200)
  const timeLimit = positive(flags, 'time-limit', 20)
  const again = positive(flags, 'again', 3)
  const threads = positive(flags, 'threads', undefined)
  const all = Array.from({ length: count }, (_, k) => sweepProblem(k))
  const { libsvm } = findPeers({ install: !flags['no-install'], libsvmFolder: flags.libsvm })
  if (!libsvm) throw new Error('the sweep needs LIBSVM: apt-get install libsvm-tools')
  const settings = { timeLimit, again, sides: { hyperplane: side({ threads }), libsvm: side(libsvm) } }
  const starts = [0, 1, 2, 3, 4].map(() => ({ seconds: Infinity, cpuSeconds: Infinity }))
  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: versionsOf({ libsvm }),
    load: load(),
    timeLimit,
    startUp: starts,
    problems: [],
  }
  const out = flags.out ?? cached('results', 'sweep.json')
  for (const [k, problem] of chosen(flags, 'only', all, 'problem').entries()) {
    // Start-up is measured again and again: a machine is not equally fast for an hour.
    if (k % 10 === 0) for (const s of starts.keys()) await measureStart(s, starts, settings)
    const result = await compare(problem, starts, settings)
    results.problems.push(result)
    say(result)
    keepResults(results, out)
    if (result.faults.length === 0 && !flags.only) forget(problem)
  }
  summarise(results)
  console.log(`\nwritten to ${out}`)
}

async function measureStart(s, starts, { sides }) {
  const problem = smallestProblem(s)
  const set = await prepare(problem)
  for (let k = 0; k < 2; k++) {
    const { seconds, cpuSeconds } = await runSide('hyperplane', problem, set, { sides })
    starts[s] = {
      seconds: Math.min(seconds, starts[s].seconds),
      cpuSeconds: Math.min(cpuSeconds, starts[s].cpuSeconds),
    }
  }
}

async function compare(problem, starts, settings) {
  const set = await prepare(problem)
  const { flags: own, name, n, features, classes } = problem
  const start = starts[own.s]
  const peer = async () => {
    const key = [set.digest, ...words(own), settings.timeLimit].join(' ')
    const measure = async () => timesOf(await runSide('libsvm', problem, set, settings))
    return flags['keep-peers'] ? remember('sweep-peers.json', key, measure) : measure()
  }
  let tools = {
    libsvm: await peer(),
    hyperplane: timesOf(await runSide('hyperplane', problem, set, settings)),
  }
  if (excessTime(tools, start) > 0) tools = await measureAgain(problem, set, tools, settings)
  const check = tools.hyperplane.failure
    ? {}
    : await sameOptimum(set, own, modelPath(name, 'hyperplane'), undefined)
  const faults = faultsOf(tools, start, check)
  return { name, n, features, classes, recipe: problem.recipe, flags: own, tools, ...check, faults }
}

async function measureAgain(problem, set, first, settings) {
  const entries = Object.keys(settings.sides)
    .filter((tool) => !first[tool].failure)
    .map((tool) => [tool, () => runSide(tool, problem, set, settings)])
  const more = await interleave(entries, { runs: settings.again, budget: 3 * settings.timeLimit })
  const best = (tool, of) =>
    Math.min(...[first[tool], ...(more[tool] ?? [])].filter((run) => !run.failure).map((run) => run[of]))
  return Object.fromEntries(
    Object.entries(first).map(([tool, run]) => [
      tool,
      run.failure ? run : { seconds: best(tool, 'seconds'), cpuSeconds: best(tool, 'cpuSeconds') },
    ]),
  )
}

function runSide(tool, { name, flags: own }, set, { sides, timeLimit }) {
  return runCommand(sides[tool]('svm-train', trainingWords(set, own, modelPath(name, tool))), timeLimit)
}

const timesOf = ({ seconds, cpuSeconds, failure }) => (failure ? { failure } : { seconds, cpuSeconds })

const modelPath = (name, tool) => cached('models', `${name}.${tool}`)

/** Two hundred sets and their models would fill a disk. */
function forget({ name }) {
  for (const tool of ['hyperplane', 'libsvm']) rmSync(modelPath(name, tool), { force: true })
  for (const ending of ['', '.json']) rmSync(cached('data', `${name}.libsvm${ending}`), { force: true })
}

function say({ name, n, features, classes, flags: own, tools, faults }) {
  const what = [`${n} x ${features}`, ...(classes > 2 ? [`${classes} classes`] : []), words(own).join(' ')]
  const side = ({ seconds, cpuSeconds, failure }) =>
    failure ?? `${seconds.toFixed(2)} (CPU ${cpuSeconds.toFixed(2)})`
  const bad = faults.length > 0 ? ` ← ${faults.join(', ')}` : ''
  console.log(
    `${name} ${what.join(', ')}: LIBSVM ${side(tools.libsvm)}, ours ${side(tools.hyperplane)}${bad}`,
  )
}

function summarise({ problems, startUp }) {
  const listed = problems.filter(({ faults }) => faults.length > 0)
  const ended = (tool) => problems.filter(({ tools }) => !tools[tool].failure).length
  const starts = startUp.map(({ seconds, cpuSeconds }) => `${seconds.toFixed(2)} (${cpuSeconds.toFixed(2)})`)
  console.log(`\nstart-up by type, wall (CPU): ${starts.join(', ')} s`)
  console.log(
    `${problems.length} problems; LIBSVM ended ${ended('libsvm')}, Hyperplane ${ended('hyperplane')} of them`,
  )
  console.log(listed.length === 0 ? 'none is listed' : `${listed.length} are listed:`)
  for (const problem of listed) say(problem)
}
