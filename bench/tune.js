// Tuning: grid.py's default grid (110 cells, 5 folds) by Hyperplane, by Debian's svm-grid and by scikit-learn; and for
// regression a grid over C, gamma and epsilon (300 cells, 5 folds) by Hyperplane and by as many runs of svm-train -v 5.
//
//   node bench/tune.js [options]        after npm run build
//
// Whole commands: read, search, train the best on all the data. Prints a table, and writes tune.json beside the other
// results. docs/benchmarks.md says more.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from 'hyperplane'
import { describeMachine, load } from './machine.js'
import { benchmarkFlags, positive } from './options.js'
import { findPeers } from './peers.js'
import { benchFile, cached, dataFolder, hyperplane } from './places.js'
import { prepare } from './prepare.js'
import { interleave, runCommand } from './run-command.js'

const sets = [
  { name: 'svmguide1.raw', file: 'svmguide1' },
  { name: 'splice_scale', file: 'splice_scale' },
  { name: 'dna.scale', file: 'dna.scale' },
  { name: 'segment.scale', file: 'segment.scale' },
  { name: 'diabetes_scale', file: 'diabetes_scale' },
  { name: 'housing_scale', file: 'housing_scale', regression: true },
  { name: 'abalone_scale', file: 'abalone_scale', regression: true },
]

/** Exponents of the grid of regression, first to last and step: 10 x 10 x 3 values of C, gamma and epsilon. */
const exponents = { c: [-1, 8, 1], g: [0, -9, -1], p: [-4, 0, 2] }

const help = `node bench/tune.js [options]

  --only A,B          only these data sets: ${sets.map(({ name }) => name).join(', ')}
  --runs N            runs of Hyperplane, the best counts (default 3)
  --budget SECONDS    no further run of a tool that took this long in total on a set (default 60)
  --cells N           cells of a regression that svm-train runs on, drawn of 300; its time is extrapolated (default 30)
  --time-limit S      a run of a peer that takes longer is given up (default 1800)
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --threads N         threads of Hyperplane (default all cores)
  --no-peers          Hyperplane alone
  --no-install        do not try to install Debian's packages of peers
  --out FILE          where the results go`

const { values: flags } = parseArgs({
  options: {
    ...benchmarkFlags,
    cells: { type: 'string' },
  },
})

if (flags.help) console.log(help)
else await run()

async function run() {
  const wanted = flags.only?.split(',')
  const folder = dataFolder(flags.data)
  const peers = flags['no-peers'] ? {} : findPeers({ install: !flags['no-install'] })
  const results = []
  for (const set of sets.filter(({ name }) => !wanted || wanted.includes(name))) {
    const ready = await prepare(set, folder)
    if (ready.missing) console.log(`${set.name}: ${ready.missing}`)
    else results.push(await compare(ready, peers))
  }
  const out = flags.out ?? cached('results', 'tune.json')
  mkdirSync(join(out, '..'), { recursive: true })
  writeFileSync(out, `${JSON.stringify({ machine: describeMachine(), results }, undefined, 2)}\n`)
  console.log(markdown(results))
}

async function compare({ name, path, rows, cols, regression }, peers) {
  const limit = Number(flags['time-limit'] ?? 1800)
  const threads = flags.threads ? ['--threads', flags.threads] : []
  const words = [hyperplane, 'tune', path, '--json', ...threads, ...(regression ? regressionFlags() : [])]
  const entries = [
    ['hyperplane', () => searchOf(process.execPath, words, limit, ours)],
    ...(regression ? regressionPeers(peers, path, limit) : classifierPeers(peers, path, limit)),
  ]
  const loadBefore = load()
  const all = await interleave(entries, {
    runs: Number(flags.runs ?? 3),
    budget: Number(flags.budget ?? 60),
  })
  const tools = Object.fromEntries(Object.entries(all).map(([tool, list]) => [tool, bestOf(list)]))
  return { name, rows, cols, loadBefore, tools }
}

function classifierPeers({ libsvm, sklearn }, path, limit) {
  const grid = libsvm && ['svm-grid', 'grid.py'].map((tool) => join(libsvm.folder, tool)).find(existsSync)
  return [
    ...(grid ? [['svm-grid', () => searchOf(grid, gridFlags(libsvm, path), limit, lastLine)]] : []),
    ...(sklearn
      ? [
          [
            'sklearn',
            () => searchOf(sklearn.python, [benchFile('sklearn-grid.py'), path, '2'], limit, lastJson),
          ],
        ]
      : []),
  ]
}

function regressionFlags() {
  const { c, g, p } = exponents
  const words = { '--type': ['svr'], '--log2c': c, '--log2g': g, '--log2p': p }
  return Object.entries(words).map(([flag, values]) => `${flag}=${values.join(',')}`)
}

function regressionPeers({ libsvm }, path, limit) {
  return libsvm ? [['svm-train', () => trainOnCells(join(libsvm.folder, 'svm-train'), path, limit)]] : []
}

/** Cross-validates some cells of the grid one after the other; the times of all of them are those times how many more there are. */
async function trainOnCells(command, path, limit) {
  const all = powersOf(exponents.c).flatMap((c) =>
    powersOf(exponents.g).flatMap((g) => powersOf(exponents.p).map((p) => ({ c, g, p }))),
  )
  const count = Math.min(all.length, positive(flags, 'cells', 30))
  const drawn = new Random(1).shuffle(Uint32Array.from(all.keys())).subarray(0, count)
  const sum = { seconds: 0, cpuSeconds: 0, peakBytes: 0 }
  for (const cell of drawn) {
    const { c, g, p } = all[cell]
    const args = `-q -s 3 -v 5 -c ${c} -g ${g} -p ${p}`.split(' ')
    const run = await runCommand({ command, args: [...args, path] }, limit)
    if (run.failure) return { ...sum, failure: run.failure }
    sum.seconds += run.seconds
    sum.cpuSeconds += run.cpuSeconds
    sum.peakBytes = Math.max(sum.peakBytes, run.peakBytes)
  }
  const factor = all.length / count
  return {
    ...{ seconds: factor * sum.seconds, cpuSeconds: factor * sum.cpuSeconds, peakBytes: sum.peakBytes },
    ...(count < all.length && { cells: `${count} of ${all.length}` }),
  }
}

function powersOf([first, last, step]) {
  return Array.from({ length: (last - first) / step + 1 }, (_, k) => 2 ** (first + k * step))
}

/** Without a picture or a file; Debian's svm-train as it runs by default. */
function gridFlags({ folder }, path) {
  return ['-svmtrain', join(folder, 'svm-train'), '-gnuplot', 'null', '-out', 'null', path]
}

async function searchOf(command, args, limit, read) {
  const { stdout, seconds, cpuSeconds, peakBytes, failure } = await runCommand({ command, args }, limit)
  return { seconds, cpuSeconds, peakBytes, ...(failure ? { failure } : read(stdout)) }
}

function ours(text) {
  const { bestScore, bestParams, seconds } = JSON.parse(text)
  return { bestScore, bestParams, searchSeconds: seconds }
}

/** grid.py ends with C, gamma and the rate in per cent. */
function lastLine(text) {
  const [C, gamma, rate] = text.trim().split('\n').at(-1).split(' ').map(Number)
  return { bestScore: rate / 100, bestParams: { C, gamma } }
}

function lastJson(text) {
  return JSON.parse(text.trim().split('\n').at(-1))
}

function bestOf(list) {
  const well = list.filter(({ failure }) => !failure)
  if (well.length === 0) return list[0]
  const best = well.reduce((first, run) => (run.seconds < first.seconds ? run : first))
  return { ...best, runs: well.map(({ seconds }) => seconds) }
}

function markdown(results) {
  const lines = [
    '| set | rows x features | tool | seconds | CPU seconds | times slower | by CPU time | best score |',
    '| --- | --------------- | ---- | ------- | ----------- | ------------ | ----------- | ---------- |',
  ]
  for (const { name, rows, cols, tools } of results) {
    for (const [tool, { seconds, cpuSeconds, bestScore, cells, failure }] of Object.entries(tools)) {
      const { hyperplane: own } = tools
      const ratio = failure ? failure : (seconds / own.seconds).toFixed(1)
      const ofCpu = failure || !cpuSeconds ? '' : (cpuSeconds / own.cpuSeconds).toFixed(1)
      const score = bestScore === undefined ? '' : `${(100 * bestScore).toFixed(2)}%`
      const what = cells ? `${tool} (${cells} cells, extrapolated)` : tool
      lines.push(
        `| ${name} | ${rows} x ${cols} | ${what} | ${seconds.toFixed(2)} | ${cpuSeconds?.toFixed(2) ?? ''} | ${ratio} | ${ofCpu} | ${score} |`,
      )
    }
  }
  return lines.join('\n')
}
