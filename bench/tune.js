// Tuning: grid.py's default grid (110 cells, 5 folds) by Hyperplane, by Debian's svm-grid and by scikit-learn.
//
//   node bench/tune.js [options]        after npm run build
//
// Whole commands: read, search, train the best on all the data. Prints a table, and writes tune.json beside the other
// results. docs/benchmarks.md says more.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, load } from './machine.js'
import { benchmarkFlags } from './options.js'
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
]

const help = `node bench/tune.js [options]

  --only A,B          only these data sets: ${sets.map(({ name }) => name).join(', ')}
  --runs N            runs of Hyperplane, the best counts (default 3)
  --budget SECONDS    no further run of a tool that took this long in total on a set (default 60)
  --time-limit S      a run of a peer that takes longer is given up (default 1800)
  --data DIR          folder with data sets (default $HYPERPLANE_DATA, or ../shared/data where that exists)
  --threads N         threads of Hyperplane (default all cores)
  --no-peers          Hyperplane alone
  --no-install        do not try to install Debian's packages of peers
  --out FILE          where the results go`

const { values: flags } = parseArgs({
  options: {
    ...benchmarkFlags,
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

async function compare({ name, path, rows, cols }, { libsvm, sklearn }) {
  const limit = Number(flags['time-limit'] ?? 1800)
  const grid = libsvm && ['svm-grid', 'grid.py'].map((tool) => join(libsvm.folder, tool)).find(existsSync)
  const threads = flags.threads ? ['--threads', flags.threads] : []
  const entries = [
    [
      'hyperplane',
      () => searchOf(process.execPath, [hyperplane, 'tune', path, '--json', ...threads], limit, ours),
    ],
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
  const loadBefore = load()
  const all = await interleave(entries, {
    runs: Number(flags.runs ?? 3),
    budget: Number(flags.budget ?? 60),
  })
  const tools = Object.fromEntries(Object.entries(all).map(([tool, list]) => [tool, bestOf(list)]))
  return { name, rows, cols, loadBefore, tools }
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
    '| set | rows x features | tool | seconds | CPU seconds | times slower | best score |',
    '| --- | --------------- | ---- | ------- | ----------- | ------------ | ---------- |',
  ]
  for (const { name, rows, cols, tools } of results) {
    for (const [tool, { seconds, cpuSeconds, bestScore, failure }] of Object.entries(tools)) {
      const ratio = failure ? failure : (seconds / tools.hyperplane.seconds).toFixed(1)
      const score = failure ? '' : `${(100 * bestScore).toFixed(2)}%`
      const size = `${rows} x ${cols}`
      lines.push(
        `| ${name} | ${size} | ${tool} | ${seconds.toFixed(2)} | ${cpuSeconds?.toFixed(2) ?? ''} | ${ratio} | ${score} |`,
      )
    }
  }
  return lines.join('\n')
}
