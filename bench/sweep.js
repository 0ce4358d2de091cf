// The sweep: random problems of all types by Debian's svm-train and by ours. Lists every one where ours is slower by more than
// its start-up, or does not end within the tolerance while LIBSVM ends. The list must be empty.
//
//   node bench/sweep.js [options]        after npm run build
//
// Start-up is what our command takes on the smallest problem of the same type and kernel, 200 points of the plane: the best of
// all runs so far, one before each problem. It is subtracted by two clocks, wall time and the CPU time of the main thread, which
// is what wall time would be if the machine did nothing else. A problem counts as slower if it is by both clocks, the
// second time too, where the best of several runs counts. docs/benchmarks.md says more.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sameOptimum, side, trainingWords, words } from './drop-in.js'
import { keepResults } from './keep-results.js'
import { describeMachine, load, versionsOf } from './machine.js'
import { remember } from './memory.js'
import { chosen, positive } from './options.js'
import { findPeers } from './peers.js'
import { benchFile, cached } from './places.js'
import { prepare } from './prepare.js'
import { interleave, runCommand } from './run-command.js'
import { smallestLike, sweepProblem } from './sweep-problems.js'
import { excessTime, faultsOf } from './sweep-verdict.js'

const help = `node bench/sweep.js [options]

  --count N           problems (default 200)
  --seed N            draw other problems, named sweep-N-… (default 1)
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
    seed: { type: 'string' },
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
  const seed = positive(flags, 'seed', 1)
  const all = Array.from({ length: count }, (_, k) => sweepProblem(k, seed))
  const { libsvm } = findPeers({ install: !flags['no-install'], libsvmFolder: flags.libsvm })
  if (!libsvm) throw new Error('the sweep needs LIBSVM: apt-get install libsvm-tools')
  const settings = { timeLimit, again, sides: { hyperplane: side({ threads }), libsvm: side(libsvm) } }
  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: versionsOf({ libsvm }),
    load: load(),
    timeLimit,
    seed,
    startUp: {},
    problems: [],
  }
  const out = flags.out ?? cached('results', 'sweep.json')
  for (const problem of chosen(flags, 'only', all, 'problem')) {
    const result = await compare(problem, await measureStart(problem, results.startUp, settings), settings)
    results.problems.push(result)
    say(result)
    keepResults(results, out)
    if (result.faults.length === 0 && !flags.only) forget(problem)
  }
  summarise(results)
  console.log(`\nwritten to ${out}`)
}

/** Start-up is measured again and again: a machine is not equally fast for an hour. */
async function measureStart(problem, startUp, settings) {
  const smallest = smallestLike(problem)
  const set = await prepare(smallest)
  const known = startUp[smallest.name]
  const runs = known ? [known] : []
  for (let k = known ? 2 : 0; k < 3; k++) runs.push(await runSide('hyperplane', smallest, set, settings))
  const least = (of) => Math.min(...runs.map((run) => run[of]))
  startUp[smallest.name] = { seconds: least('seconds'), mainSeconds: least('mainSeconds') }
  return startUp[smallest.name]
}

async function compare(problem, start, settings) {
  const set = await prepare(problem)
  const { flags: own, name, n, features, classes } = problem
  const peer = async () => {
    const key = [set.digest, ...words(own), settings.timeLimit].join(' ')
    const measure = async () => timesOf(await runSide('libsvm', problem, set, settings))
    return flags['keep-peers'] ? remember('sweep-times.json', key, measure) : measure()
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
      run.failure
        ? run
        : Object.fromEntries(['seconds', 'cpuSeconds', 'mainSeconds'].map((of) => [of, best(tool, of)])),
    ]),
  )
}

async function runSide(tool, { name, flags: own }, set, { sides, timeLimit }) {
  const call = sides[tool]('svm-train', trainingWords(set, own, modelPath(name, tool)))
  if (tool === 'libsvm') return oneThread(await runCommand(call, timeLimit))
  const note = cached(`main-thread-${process.pid}.txt`)
  const run = await runCommand(
    {
      ...call,
      args: ['--require', benchFile('main-thread-time.cjs'), ...call.args],
      env: { ...call.env, MAIN_THREAD_TIME: note },
    },
    timeLimit,
  )
  const mainSeconds = existsSync(note) ? Number(readFileSync(note, 'utf8')) : run.cpuSeconds
  rmSync(note, { force: true })
  return { ...run, mainSeconds }
}

/** LIBSVM has one thread. */
function oneThread(run) {
  return { ...run, mainSeconds: run.cpuSeconds }
}

function timesOf({ seconds, cpuSeconds, mainSeconds, failure }) {
  return failure ? { failure } : { seconds, cpuSeconds, mainSeconds }
}

function modelPath(name, tool) {
  return cached('models', `${name}.${tool}`)
}

/** Two hundred sets and their models would fill a disk. */
function forget({ name }) {
  for (const tool of ['hyperplane', 'libsvm']) rmSync(modelPath(name, tool), { force: true })
  for (const ending of ['', '.json']) rmSync(cached('data', `${name}.libsvm${ending}`), { force: true })
}

function say({ name, n, features, classes, flags: own, tools, faults }) {
  const what = [`${n} x ${features}`, ...(classes > 2 ? [`${classes} classes`] : []), words(own).join(' ')]
  const side = ({ seconds, mainSeconds, failure }) =>
    failure ?? `${seconds.toFixed(2)} (thread ${mainSeconds.toFixed(2)})`
  const bad = faults.length > 0 ? ` ← ${faults.join(', ')}` : ''
  console.log(
    `${name} ${what.join(', ')}: LIBSVM ${side(tools.libsvm)}, ours ${side(tools.hyperplane)}${bad}`,
  )
}

function summarise({ problems, startUp }) {
  const listed = problems.filter(({ faults }) => faults.length > 0)
  const ended = (tool) => problems.filter(({ tools }) => !tools[tool].failure).length
  const span = (of) => {
    const all = Object.values(startUp).map((start) => start[of])
    return `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)} s`
  }
  console.log(`\nstart-up by type and kernel: ${span('seconds')}, main thread ${span('mainSeconds')}`)
  console.log(
    `${problems.length} problems; LIBSVM ended ${ended('libsvm')}, Hyperplane ${ended('hyperplane')} of them`,
  )
  console.log(listed.length === 0 ? 'none is listed' : `${listed.length} are listed:`)
  for (const problem of listed) say(problem)
}
