// Whether linear machines converge: every loss on every set, all classes, to the default gap of 1e-6 of the primal value.
//
//   node bench/linear-convergence.js [options]        after npm run build
//
// Models are fitted as the library does it, classes on several threads. A busy machine makes wall times long, so the limit and the column
// "CPU" are CPU seconds of all threads: a limit of 120 is a minute on two cores that do nothing else. A machine of several classes has
// converged if each of its functions has; the gap is the widest, with its error bar.
import { parseArgs } from 'node:util'
import { LinearSVC, LinearSVR, LogisticRegression, readDataset } from 'hyperplane'
import { keepResults } from './keep-results.js'
import { linearSets } from './linear-sets.js'
import { describeMachine, load } from './machine.js'
import { seconds, table } from './markdown.js'
import { chosen, positive } from './options.js'
import { cached, dataFolder } from './places.js'
import { prepare } from './prepare.js'

const classifiers = [
  { name: 'squared hinge', make: (options) => new LinearSVC(options) },
  { name: 'hinge', make: (options) => new LinearSVC({ ...options, loss: 'hinge' }) },
  { name: 'logistic', make: (options) => new LogisticRegression(options) },
  { name: 'L1 squared hinge', make: (options) => new LinearSVC({ ...options, penalty: 'l1' }) },
  { name: 'L1 logistic', make: (options) => new LogisticRegression({ ...options, penalty: 'l1' }) },
  { name: 'Crammer-Singer', make: (options) => new LinearSVC({ ...options, multiClass: 'crammer-singer' }) },
]
const regressors = ['epsilon-insensitive', 'squared-epsilon-insensitive'].map((loss) => ({
  name: loss,
  make: (options) => new LinearSVR({ ...options, loss, epsilon: 0.1 }),
}))
const losses = [...classifiers, ...regressors]

const help = `node bench/linear-convergence.js [options]

  --only A,B          only these data sets: ${linearSets.map(({ name }) => name).join(', ')}
  --losses A,B        only these losses: ${losses.map(({ name }) => name).join(', ')}
  --costs 0.01,1      values of C (default 0.01,1,100)
  --bias free         the form of the bias (default regularised; Crammer-Singer has no free one)
  --cpu-limit S       a fit that takes more CPU seconds is stopped (default 120)
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --out FILE          where the results go`

const names = ['only', 'losses', 'costs', 'bias', 'cpu-limit', 'data', 'out']
const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  },
})

/** Milliseconds between two looks at the CPU time of a fit. */
const LOOK = 200

if (flags.help) console.log(help)
else await run()

async function run() {
  const costs = (flags.costs ?? '0.01,1,100').split(',').map(Number)
  const results = []
  for (const set of chosen(flags, 'only', linearSets, 'data set')) {
    const ready = await prepare(set, dataFolder(flags.data))
    if (ready.missing) {
      console.log(`${set.name}: ${ready.missing}`)
      continue
    }
    const data = await readDataset(ready.path, { format: 'libsvm', indexBase: 1, labels: 'number' })
    const own = set.isRegression ? regressors : classifiers
    for (const loss of chosen(flags, 'losses', losses, 'loss').filter((one) => own.includes(one))) {
      for (const C of costs) {
        const options = { C, ...(flags.bias ? { bias: flags.bias } : {}) }
        const result = {
          name: set.name,
          loss: loss.name,
          C,
          load: load(),
          ...(await measure(loss, options, data)),
        }
        results.push(result)
        console.log(cellsOf(result).join('  '))
      }
    }
  }
  keepResults(
    { machine: describeMachine(), results },
    flags.out ?? cached('results', 'linear-convergence.json'),
  )
  const missed = results.filter(({ isConverged }) => !isConverged)
  console.log(`\n${table(['set', 'loss', 'C', 'gap', 'CPU', 'wall', 'finished by'], results.map(cellsOf))}`)
  console.log(`\n${results.length - missed.length} of ${results.length} have converged.`)
}

async function measure({ make }, options, data) {
  const limit = positive(flags, 'cpu-limit', 120)
  const controller = new AbortController()
  const since = process.cpuUsage()
  const begin = performance.now()
  const spent = () => {
    const { user, system } = process.cpuUsage(since)
    return (user + system) / 1e6
  }
  const timer = setInterval(() => spent() > limit && controller.abort(), LOOK)
  try {
    const model = await make(options).fit(data, { signal: controller.signal })
    const figures = { cpuSeconds: spent(), seconds: (performance.now() - begin) / 1000 }
    const parts = model.certificates ?? [model.certificate]
    return {
      ...figures,
      isConverged: parts.every(({ stopReason }) => stopReason === 'converged'),
      gap: Math.max(...parts.map(relativeGap)),
      methods: [
        ...new Set(
          parts.map(
            ({ solver, stopReason }) => `${solver}${stopReason === 'converged' ? '' : ` (${stopReason})`}`,
          ),
        ),
      ],
    }
  } finally {
    clearInterval(timer)
  }
}

function relativeGap({ primal, gap, evidence }) {
  return (gap + (evidence?.gapError ?? 0)) / Math.abs(primal)
}

function cellsOf({ name, loss, C, gap, cpuSeconds, seconds: wall, methods }) {
  return [name, loss, C, gap.toExponential(1), seconds(cpuSeconds), seconds(wall), methods.join(', ')]
}
