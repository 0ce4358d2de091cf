// A file larger than the memory that a linear machine may use: peak memory, certificates, and what `kill -9` costs.
//
//   node bench/larger-than-memory.js [options]        after npm run build; needs GNU time
//
// Makes a LIBSVM file of sparse rows with the labels of a planted model and noise, and a file of its first tenth. Then it trains on the large
// one with --memory, first from the file (which becomes shards), then with half of C on the shards, then once more with that C: that run is
// killed when it has had half of the time, and started again. Last, the same command trains on the tenth in memory. The model of the run that
// was killed must have the bits of the one that was not. docs/benchmarks.md uses the numbers.
import { createWriteStream, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { Random } from 'hyperplane'
import { describeMachine, load } from './machine.js'
import { seconds, table } from './markdown.js'
import { positive } from './options.js'
import { cached, hyperplane } from './places.js'
import { measuresResources, runCommand } from './run-command.js'

const FEATURES = 100_000
const VALUES_PER_ROW = 40
const NOISE = 2
/** Rows that are written together. */
const TOGETHER = 2000

const help = `node bench/larger-than-memory.js [options]

  --rows N      rows of the large file (default 5000000: 3 GB)
  --memory MB   memory that training may use (default 512)
  --threads N   threads of training (default: all cores)`

const { values: flags } = parseArgs({
  options: {
    help: { type: 'boolean' },
    ...Object.fromEntries(['rows', 'memory', 'threads'].map((name) => [name, { type: 'string' }])),
  },
})

if (flags.help) console.log(help)
else await run()

async function run() {
  if (!measuresResources()) throw new Error('/usr/bin/time is not there: apt-get install time')
  const rows = positive(flags, 'rows', 5_000_000)
  const memory = String(positive(flags, 'memory', 512))
  const large = await dataOf(rows)
  const tenth = await dataOf(Math.ceil(rows / 10))
  const folder = cached('larger', 'shards')
  const model = cached('larger', 'model.json')
  rmSync(folder, { recursive: true, force: true })
  console.log(`${(statSync(large).size / 1e9).toFixed(2)} GB, ${describeMachine().cpu}, load ${load()}`)
  const threads = flags.threads ? ['--threads', flags.threads] : []
  const lines = []
  const report = (name, ran) => {
    lines.push(cellsOf(name, ran))
    console.log(lines.at(-1).join('  '))
  }
  const train = (path, C, words, limit) => {
    const args = [hyperplane, 'train', path, '--type', 'linear-svc', '--C', C, '--json', '-o', model]
    return runCommand({ command: process.execPath, args: [...args, ...threads, ...words] }, limit)
  }
  const onShards = ['--memory', memory, '--shards', folder]
  const first = await train(large, '1', onShards)
  report('the file becomes shards, then C = 1', first)
  const whole = await train(large, '0.5', onShards)
  report('C = 0.5, on the shards', whole)
  const bits = bitsOf(model)
  const killed = await train(large, '0.5', onShards, Math.ceil(whole.seconds / 2))
  report('the same, killed after half of that time', killed)
  const resumed = await train(large, '0.5', onShards)
  report('and run again', resumed)
  const isSame = !resumed.failure && bitsOf(model) === bits
  report('a tenth of the rows in memory, C = 1', await train(tenth, '1', []))
  console.log(`\n${table(['run', 'CPU seconds', 'seconds', 'peak MB', 'gap / primal', 'end'], lines)}`)
  console.log(
    `\nThe model of the run that was killed ${isSame ? 'has' : 'DOES NOT HAVE'} the bits of the other.`,
  )
  if (!isSame) process.exitCode = 1
}

function cellsOf(name, { stdout, cpuSeconds, seconds: wall, peakBytes, failure }) {
  const { gap, primal, evidence, stopReason } = failure ? {} : JSON.parse(stdout)
  return [
    name,
    cpuSeconds ? seconds(cpuSeconds) : '',
    seconds(wall),
    peakBytes ? (peakBytes / 1e6).toFixed(0) : '',
    failure ? '' : ((gap + (evidence?.gapError ?? 0)) / primal).toExponential(1),
    stopReason ?? failure,
  ]
}

/** What a model says, but for how long it took. */
function bitsOf(path) {
  return JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), (key, value) =>
    key === 'seconds' ? undefined : value,
  )
}

/** The file of so many rows; more rows begin with the same ones. */
async function dataOf(rows) {
  const path = cached('larger', `${rows}.libsvm`)
  if (existsSync(path)) return path
  const random = new Random(1)
  const planted = Float64Array.from({ length: FEATURES }, () => random.normal())
  const out = createWriteStream(`${path}.part`)
  let text = ''
  for (let i = 1; i <= rows; i++) {
    text += rowOf(random, planted)
    if (i % TOGETHER > 0 && i < rows) continue
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve))
    text = ''
  }
  await finished(out.end())
  renameSync(`${path}.part`, path)
  return path
}

function rowOf(random, planted) {
  const features = new Set()
  while (features.size < VALUES_PER_ROW) features.add(random.int(FEATURES))
  let score = NOISE * random.normal()
  let text = ''
  for (const j of [...features].sort((a, b) => a - b)) {
    const value = Number(random.normal().toFixed(6))
    score += value * planted[j]
    text += ` ${j + 1}:${value}`
  }
  return `${score > 0 ? '+1' : '-1'}${text}\n`
}
