// Linear machines: this package's liblinear-train against LIBLINEAR's, to the same accuracy of the objective.
//
//   node bench/linear.js [options]        after npm run build
//
// Whole commands with the same -s and -c on the same files. LIBLINEAR's -e is lowered by tens until its objective is within the
// accuracy of the optimum, which is the lowest of all objectives, that of a run of ours to a gap of 1e-8 among them; only its last run
// counts. Where it ends at its iteration limit instead, or is given up, what it took by then is less than the accuracy takes.
// Prints a table, and writes linear.json beside the other results. docs/benchmarks.md says more.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { readDataset, toSparse } from 'hyperplane'
import { keepResults } from './keep-results.js'
import { linearTypes, objectiveOf } from './linear-objective.js'
import { linearSets, randomLinearSets } from './linear-sets.js'
import { describeMachine, load } from './machine.js'
import { seconds, table, times } from './markdown.js'
import { chosen, positive } from './options.js'
import { cached, dataFolder, dropIn } from './places.js'
import { prepare } from './prepare.js'
import { runCommand } from './run-command.js'
import { geometricMean } from './statistics.js'

const sets = [...linearSets, ...randomLinearSets]

const help = `node bench/linear.js [options]

  --only A,B          only these data sets: ${sets.map(({ name }) => name).join(', ')}
  --types 2,3         only these values of -s: ${Object.keys(linearTypes).join(', ')}
  --costs 0.01,1      values of -c (default 0.01,1,100)
  --accuracy A        how far above the optimum an objective may be, as a part of it (default 1e-6)
  --runs N            runs of each command that counts, the best counts (default 3)
  --cpu               compare CPU time, and limit it: on a busy machine
  --time-limit S      a run that takes longer is given up (default 120)
  --peer-limit S      the same for LIBLINEAR (default: as long)
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --peer PATH         LIBLINEAR's command (default liblinear-train)
  --out FILE          where the results go`

const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    cpu: { type: 'boolean' },
    ...Object.fromEntries(
      ['only', 'types', 'costs', 'accuracy', 'runs', 'time-limit', 'peer-limit', 'data', 'peer', 'out'].map(
        (name) => [name, { type: 'string' }],
      ),
    ),
  },
})

/** LIBLINEAR's -e is lowered so often: 1e-6 of the default leaves rounding alone. */
const MOST_TENTHS = 6
/** Ours is lowered to this part for the optimum: a gap of 1e-8 bounds what an accuracy of 1e-6 may be off by a hundredth. */
const FOR_OPTIMUM = 1e-2
/** Results are shown by LIBLINEAR's time between these seconds: where it takes less, the start of a process is what is measured. */
const TIME_CLASSES = [0, 0.1, 0.3, Number.POSITIVE_INFINITY]

if (flags.help) console.log(help)
else await run()

async function run() {
  const peer = flags.peer ?? 'liblinear-train'
  if (spawnSync(peer).error) throw new Error(`${peer} is not there: apt-get install liblinear-tools`)
  const accuracy = positive(flags, 'accuracy', 1e-6)
  const costs = (flags.costs ?? '0.01,1,100').split(',')
  const types = flags.types?.split(',') ?? Object.keys(linearTypes)
  const results = []
  for (const set of chosen(flags, 'only', sets, 'data set')) {
    const ready = await prepare(set, dataFolder(flags.data))
    if (ready.missing) {
      console.log(`${set.name}: ${ready.missing}`)
      continue
    }
    const dataset = await readDataset(ready.path, { format: 'libsvm', indexBase: 1, labels: 'number' })
    const data = { labels: dataset.labels, samples: toSparse(dataset.samples) }
    for (const type of types.filter((one) => Number(one) > 7 === (set.isRegression ?? false))) {
      for (const cost of costs) {
        const result = {
          name: set.name,
          type,
          cost,
          load: load(),
          ...(await compare(peer, ready, data, type, cost, accuracy)),
        }
        results.push(result)
        console.log(lineOf(result))
      }
    }
  }
  keepResults(
    { machine: describeMachine(), accuracy, results },
    flags.out ?? cached('results', 'linear.json'),
  )
  console.log(`\n${summary(results)}`)
}

async function compare(peer, { path }, data, type, cost, accuracy) {
  const ownLimit = positive(flags, 'time-limit', 120)
  const peerLimit = positive(flags, 'peer-limit', ownLimit)
  const runs = positive(flags, 'runs', 3)
  const model = cached('models', 'linear.model')
  const { eps } = linearTypes[type]
  const train = async (words, own) => {
    const args = [...words, '-q', '-s', type, '-c', cost, '-e', String(own), path, model]
    const command = { command: args[0], args: args.slice(1) }
    const limit = words[0] === peer ? peerLimit : ownLimit
    const ran = await (flags.cpu ? runCommand({ ...command, cpuLimit: limit }) : runCommand(command, limit))
    return ran.failure ? ran : { ...ran, objective: objectiveOf(model, data, type, Number(cost)) }
  }
  const again = async (first, words, own) => {
    const all = [first]
    while (all.length < runs && !first.failure) all.push(await train(words, own))
    return all.reduce((best, one) => (taken(one) < taken(best) ? one : best))
  }
  const ours = [process.execPath, dropIn('liblinear-train')]
  const { objective: tight, failure } = await train(ours, eps * FOR_OPTIMUM)
  if (failure) return { failure }
  const own = await again(await train(ours, eps), ours, eps)
  let optimum = Math.min(tight, own.objective ?? tight)
  const off = (objective) => (objective - optimum) / Math.abs(optimum)
  let theirs
  let theirEps
  let atLimit = false
  for (let tenths = 0; tenths <= MOST_TENTHS && !atLimit; tenths++) {
    theirEps = eps / 10 ** tenths
    const ran = await train([peer], theirEps)
    // A smaller -e that changes nothing: both runs have ended at the iteration limit.
    atLimit = ran.objective !== undefined && ran.objective === theirs?.objective
    theirs = ran
    optimum = Math.min(optimum, theirs.objective ?? optimum)
    if (theirs.failure || off(theirs.objective) <= accuracy) break
  }
  if (!atLimit) theirs = await again(theirs, [peer], theirEps)
  const figures = (ran) => ({
    seconds: ran.seconds,
    cpuSeconds: ran.cpuSeconds,
    ...(ran.failure
      ? { failure: ran.failure }
      : { off: off(ran.objective), reached: off(ran.objective) <= accuracy }),
  })
  return { ours: figures(own), theirs: { ...figures(theirs), eps: theirEps } }
}

/** Wall time, or with --cpu the CPU time of all threads. */
function taken({ seconds: wall, cpuSeconds }) {
  return flags.cpu ? cpuSeconds : wall
}

/** How many times sooner ours has ended, or at least, where LIBLINEAR never came near enough. */
function ratioOf({ ours, theirs }) {
  return ours?.reached ? taken(theirs) / taken(ours) : undefined
}

function cellsOf(result) {
  const { name, type, cost, ours, theirs, failure } = result
  if (failure) return [name, `-s ${type}`, cost, failure, '', '', '']
  const shown = (ran) =>
    `${ran.reached ? '' : '> '}${seconds(taken(ran))}${ran.failure ? ` (${ran.failure})` : ''}`
  return [
    ...[name, `-s ${type}`, cost, shown(ours), shown(theirs)],
    ...[theirs.eps.toPrecision(1), `${theirs.reached ? '' : '> '}${times(ratioOf(result))}`],
  ]
}

function lineOf(result) {
  return cellsOf(result).join('  ')
}

function summary(results) {
  const measured = results.filter((result) => ratioOf(result) !== undefined)
  const between = (from, to) => measured.filter(({ theirs }) => taken(theirs) > from && taken(theirs) <= to)
  const classes = TIME_CLASSES.slice(1).map((to, k) => {
    const from = TIME_CLASSES[k]
    return [to === Number.POSITIVE_INFINITY ? `over ${from} s` : `${from} to ${to} s`, between(from, to)]
  })
  const rows = [...classes, ['all', measured]].map(([name, those]) => {
    const ratios = those.map(ratioOf)
    const shown = (value) => times(those.length > 0 ? value : undefined)
    const both = those.filter(({ theirs }) => theirs.reached)
    const least = Math.min(...both.map(ratioOf))
    return [
      ...[name, those.length, shown(geometricMean(ratios)), times(both.length > 0 ? least : undefined)],
      ...[both.filter((result) => ratioOf(result) < 1).length, those.length - both.length],
    ]
  })
  const missed = (who) => results.filter((result) => !result[who]?.reached).length
  return [
    table(['set', 'type', 'C', 'Hyperplane', 'LIBLINEAR', 'its -e', 'times faster'], results.map(cellsOf)),
    table(['LIBLINEAR takes', 'problems', 'geometric mean', 'least', 'slower', 'LIBLINEAR never'], rows),
    `Where LIBLINEAR never reached the accuracy, the ratio is at least what is counted. It was never reached by Hyperplane on ` +
      `${missed('ours')}, by LIBLINEAR, whatever its -e, on ${missed('theirs')} of ${results.length}: "> ".`,
  ].join('\n')
}
