// What share of the processor's SIMD peak the blocks of kernel rows reach, on one thread.
//
//   npm run build && node bench/peak.js
//
// The peak is what WebAssembly can get from this processor: a loop of nothing but multiplications and additions in
// registers, six chains of either kind, four f32 lanes each. Rows are made 16 at a time, as solvers want them; two operations
// are counted for every stored value of the samples and every row (of dense samples: for every column). Best of many.
import assemblyscript from 'assemblyscript/asc'
import { generate, readDataset } from 'hyperplane'
import { uploadKernel } from '../dist/engine/matrix/engine-kernel.js'
import { uploadMatrix } from '../dist/engine/matrix/engine-matrix.js'
import '../dist/engine/memory/all-builds.js'
import { Engine } from '../dist/engine/memory/engine.js'
import { dataSets } from './data-sets.js'
import { dataFolder } from './places.js'
import { prepare } from './prepare.js'

const CHAINS = 6
const STEPS = 8
const TURNS = 5e4
const ROUNDS = 300
const QUERIES = 16
const linear = { kind: 'linear', gamma: 1, coef0: 0, degree: 0 }
const rbf = { kind: 'rbf', gamma: 0.02, coef0: 0, degree: 0 }

const peak = best(await peakLoop(), (4 * 2 * CHAINS * STEPS * TURNS) / 1e9)
const digits = (await dataOf('mnist')).samples
const points = generate('blobs', { n: 2000, features: 500 }).samples
const table = [
  ['the peak: multiplications and additions alone', peak],
  ['digits, whole numbers', rowsOf(digits, linear)],
  ['digits, f32', rowsOf(times(digits, Math.PI), linear)],
  ['2,000 points of 500 features, dense', rowsOf(points, linear)],
  ['the same, with the exponentials of rbf', rowsOf(points, rbf)],
]
console.log(`${new Engine().build} build\n`)
for (const [what, gflops] of table) {
  console.log(`${what.padEnd(48)} ${gflops.toFixed(1).padStart(6)} Gflop/s ${percent(gflops / peak)}`)
}

/** A function that runs the loop once. */
async function peakLoop() {
  const chains = Array.from({ length: CHAINS }, (_, k) => k)
  const step = chains.map((k) => `p${k} = f32x4.mul(p${k}, a); s${k} = f32x4.add(s${k}, b)\n`).join('')
  // Factor and term come from outside: constants would be made again in every turn.
  const text = `export function loop(turns: i32, factor: f32, term: f32): f32 {
    const a = f32x4.splat(factor)
    const b = f32x4.splat(term)
    ${chains.map((k) => `let p${k} = f32x4.splat(factor + ${k}), s${k} = f32x4.splat(term + ${k})`).join('\n')}
    for (let t = 0; t < turns; t++) {
      ${step.repeat(STEPS)}
    }
    return f32x4.extract_lane(${chains.reduce((sum, k) => `f32x4.add(${sum}, f32x4.add(p${k}, s${k}))`, 'a')}, 0)
  }`
  const { binary, stderr } = await assemblyscript.compileString(text, {
    optimizeLevel: 3,
    runtime: 'stub',
    enable: ['simd'],
  })
  if (!binary) throw new Error(stderr.toString())
  const { instance } = await WebAssembly.instantiate(binary, { env: { abort: () => {} } })
  return () => instance.exports.loop(TURNS, 1, 0.001)
}

/** Gflop/s of 16 rows at a time over all samples. */
function rowsOf(samples, kernel) {
  const engine = new Engine()
  engine.useThreads(1)
  engine.reserveScratch(samples.cols)
  const matrix = uploadMatrix(engine, samples, kernel)
  const queries = engine.array(Uint32Array, QUERIES)
  const rows = engine.array(Uint32Array, QUERIES)
  for (let q = 0; q < QUERIES; q++) {
    queries[q] = Math.floor((q * samples.rows) / QUERIES)
    rows[q] = engine.allocate(4 * samples.rows)
  }
  const job = {
    kind: 'kernel-rows',
    matrix: matrix.pointer,
    kernel: uploadKernel(engine, kernel),
    from: 0,
    to: samples.rows,
    queryMatrix: matrix.pointer,
    queries: queries.pointer,
    count: QUERIES,
    rows: rows.pointer,
    parts: 1,
  }
  return best(() => engine.run(job), (2 * QUERIES * matrix.exact.length) / 1e9)
}

function best(run, work) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return (1000 * work) / least
}

/** The same samples in numbers that are no decimals of a few digits. */
function times(samples, factor) {
  return { ...samples, values: samples.values.map((value) => value * factor) }
}

async function dataOf(name) {
  const { path } = await prepare(
    dataSets.find((set) => set.name === name),
    dataFolder(),
  )
  return readDataset(path)
}

function percent(share) {
  return `${Math.round(100 * share)} %`.padStart(6)
}
