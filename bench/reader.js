// How fast LIBSVM text is read, and how much memory that takes.
//
//   npm run build && node bench/reader.js [FILE...]
//
// Without files it makes three seeded texts. Every file is read in processes of their own: once for the peak memory
// (beyond what Node itself holds, as a multiple of the matrix that comes out), and again, warmed up, for the time: by
// the engine on all threads, by the engine on one, by the parser that needs no engine, and by the peer, which is what
// one would write by hand: split lines, split pairs, Number. Beside the rate by the clock stands the rate by the time
// that all threads together spent on processors: on a busy machine, that is the one to look at.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random, readDataset } from 'hyperplane/node'

const repeats = 5

const ways = {
  'engine, all threads': (path) => readDataset(path),
  'engine, one thread': (path) => readDataset(path, { threads: 1 }),
  parser: (path) => readDataset(path),
  'by hand': readByHand,
}

/** Reads `path` and measures; runs in a child process. */
async function measure(way, path) {
  if (way === 'memory') {
    const before = process.memoryUsage().rss
    const { samples } = await readDataset(path)
    const matrix = 12 * samples.values.length + 4 * samples.indptr.length + 8 * samples.rows
    return { ratio: (process.resourceUsage().maxRSS * 1024 - before) / matrix, matrix }
  }
  if (way === 'parser') {
    // Where memory cannot be shared, there is no engine.
    WebAssembly.Memory = function noMemory() {
      throw new RangeError('no shared memory')
    }
  }
  const clock = []
  const processors = []
  for (let k = 0; k <= repeats; k++) {
    const start = performance.now()
    const before = process.cpuUsage()
    await ways[way](path)
    clock.push((performance.now() - start) / 1e3)
    const { user, system } = process.cpuUsage(before)
    processors.push((user + system) / 1e6)
  }
  const [cold, ...warm] = clock
  return {
    cold,
    best: Math.min(...warm),
    worst: Math.max(...warm),
    processors: Math.min(...processors.slice(1)),
  }
}

function readByHand(path) {
  const labels = []
  const indptr = [0]
  const indices = []
  const values = []
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    if (line === '') continue
    const [label, ...pairs] = line.trim().split(' ')
    labels.push(Number(label))
    for (const pair of pairs) {
      const colon = pair.indexOf(':')
      indices.push(Number(pair.slice(0, colon)) - 1)
      values.push(Number(pair.slice(colon + 1)))
    }
    indptr.push(indices.length)
  }
  return { labels, indptr, indices, values }
}

/** Texts like those that are read in practice: pixels, short decimals over a large vocabulary, full doubles. */
const texts = {
  pixels: { rows: 30_000, columns: 780, density: 0.19, value: (random) => random.int(255) + 1 },
  words: {
    rows: 20_000,
    columns: 36_000,
    density: 0.004,
    value: (random) => random.uniform().toPrecision(4),
  },
  doubles: { rows: 20_000, columns: 50, density: 1, value: (random) => random.normal() },
}

function writeText(path, { rows, columns, density, value }) {
  const random = new Random(1)
  const lines = []
  for (let i = 0; i < rows; i++) {
    let line = i % 2 ? '+1' : '-1'
    // Gaps between columns have the mean 1 / density.
    for (let j = 1; j <= columns; j += 1 + random.int(2 / density - 1)) line += ` ${j}:${value(random)}`
    lines.push(line)
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function report(path) {
  const child = (way) =>
    JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), `--${way}`, path], {
        encoding: 'utf8',
      }),
    )
  const megabytes = statSync(path).size / 1e6
  const rate = (seconds) => `${(megabytes / seconds).toFixed(0).padStart(5)} MB/s`
  const { ratio, matrix } = child('memory')
  console.log(
    `\n${basename(path)}: ${megabytes.toFixed(1)} MB, peak ${ratio.toFixed(2)} x the matrix of`,
    `${(matrix / 1e6).toFixed(1)} MB`,
  )
  for (const way of Object.keys(ways)) {
    const { best, worst, cold, processors } = child(way)
    const spread = `worst ${rate(worst)}, cold ${rate(cold)}`
    console.log(`  ${way.padEnd(20)} ${rate(best)} (${spread}), by processor time ${rate(processors)}`)
  }
}

const [mode, ...rest] = process.argv.slice(2)
if (mode?.startsWith('--')) {
  console.log(JSON.stringify(await measure(mode.slice(2), rest[0])))
} else {
  const machine = `${cpus()[0].model}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`
  console.log(`${machine}, Node ${process.version}: best and worst of ${repeats} after one cold run`)
  const files = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'hyperplane-bench-'))
  try {
    for (const [name, text] of files.length > 0 ? [] : Object.entries(texts)) {
      files.push(join(folder, name))
      writeText(files.at(-1), text)
    }
    for (const file of files) report(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
