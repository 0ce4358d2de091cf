/** Random samples of every kind that has brought a solver or a certificate into trouble, or could. */
import { Random } from '../../src/base/random.ts'
import type { Points } from './true-expansion.ts'

/** Uniform between two numbers on a logarithmic scale. */
export function logUniform(random: Random, least: number, most: number): number {
  return least * (most / least) ** random.uniform()
}

/** One of several. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.int(choices.length)]
}

/** The stream of one case of a campaign: cases do not depend on each other. */
export function caseRandom(seed: number, index: number): Random {
  const stream = new Random(seed)
  const first = stream.uint32()
  return new Random((first ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0)
}

type Maker = (random: Random, rows: number, cols: number) => Float64Array

function fill(rows: number, cols: number, value: (i: number, k: number) => number): Float64Array {
  const values = new Float64Array(rows * cols)
  for (let i = 0; i < rows; i++) for (let k = 0; k < cols; k++) values[i * cols + k] = value(i, k)
  return values
}

const gaussian: Maker = (random, rows, cols) => fill(rows, cols, () => random.normal())

function cauchyNumber(random: Random): number {
  return Math.tan(Math.PI * (random.uniform() - 0.5))
}

/** Every kind of data, by name. */
export const families: Readonly<Record<string, Maker>> = {
  gaussian,
  outliers(random, rows, cols) {
    const values = gaussian(random, rows, cols)
    const far = logUniform(random, 1e2, 1e6)
    const count = Math.max(1, Math.round(rows * pick(random, [0.0005, 0.005, 0.05])))
    for (let o = 0; o < count; o++) {
      const i = random.int(rows)
      for (let k = 0; k < cols; k++) values[i * cols + k] += far * random.normal()
    }
    return values
  },
  'far cluster'(random, rows, cols) {
    const values = gaussian(random, rows, cols)
    const far = logUniform(random, 1e2, 1e6)
    const members = 2 + random.int(8)
    for (let i = 0; i < Math.min(members, rows); i++) {
      for (let k = 0; k < cols; k++) values[i * cols + k] = far + random.normal() / 3
    }
    return values
  },
  cauchy: (random, rows, cols) => fill(rows, cols, () => cauchyNumber(random)),
  'log-normal'(random, rows, cols) {
    const spread = 1 + 2 * random.uniform()
    return fill(rows, cols, () => Math.exp(spread * random.normal()))
  },
  clusters(random, rows, cols) {
    const count = 2 + random.int(8)
    const apart = logUniform(random, 10, 1e5)
    const centres = fill(count, cols, () => apart * random.normal())
    const owner = Uint32Array.from({ length: rows }, () => random.int(count))
    return fill(rows, cols, (i, k) => centres[owner[i] * cols + k] + random.normal())
  },
  duplicates(random, rows, cols) {
    const distinct = Math.max(2, Math.round(rows * pick(random, [0.01, 0.1, 0.5])))
    const values = gaussian(random, distinct, cols)
    const source = Uint32Array.from({ length: rows }, () => random.int(distinct))
    return fill(rows, cols, (i, k) => values[source[i] * cols + k])
  },
  shifted(random, rows, cols) {
    const shift = logUniform(random, 1e3, 1e6)
    return fill(rows, cols, () => shift + random.normal())
  },
  scaled(random, rows, cols) {
    const scales = Float64Array.from({ length: cols }, () => logUniform(random, 1e-6, 1e6))
    return fill(rows, cols, (_, k) => scales[k] * random.normal())
  },
  text(random, rows, cols) {
    const values = new Float64Array(rows * cols)
    for (let i = 0; i < rows; i++) {
      const words = 1 + random.int(Math.min(30, cols))
      for (let w = 0; w < words; w++) values[i * cols + Math.floor(cols * random.uniform() ** 3)] += 1
      let norm = 0
      for (let k = 0; k < cols; k++) norm += values[i * cols + k] ** 2
      for (let k = 0; k < cols; k++) values[i * cols + k] /= Math.sqrt(norm)
    }
    return values
  },
  integers(random, rows, cols) {
    const most = pick(random, [2, 5, 100])
    return fill(rows, cols, () => random.int(most))
  },
  'constant features'(random, rows, cols) {
    const constants = Float64Array.from({ length: cols }, () => pick(random, [0, 1, 1e4]))
    return fill(rows, cols, (_, k) => (k % 2 === 0 ? random.normal() : constants[k]))
  },
}

/** The names of {@link families}. */
export const familyNames = Object.keys(families)

/** Samples of a family; text has many features. */
export function randomPoints(random: Random, family: string, rows: number, cols: number): Points {
  const width = family === 'text' ? 20 * cols : cols
  return { rows, cols: width, values: families[family](random, rows, width) }
}

/** A number for each sample that depends on it: a random direction, with noise of this size. */
function noisyLine(random: Random, { rows, cols, values }: Points, noise: number): Float64Array {
  const mean = new Float64Array(cols)
  const scale = new Float64Array(cols)
  for (let i = 0; i < rows; i++) for (let k = 0; k < cols; k++) mean[k] += values[i * cols + k] / rows
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < cols; k++) scale[k] += Math.abs(values[i * cols + k] - mean[k]) / rows
  }
  const direction = Float64Array.from({ length: cols }, (_, k) =>
    scale[k] > 0 ? random.normal() / scale[k] : 0,
  )
  return Float64Array.from({ length: rows }, (_, i) => {
    let sum = noise * random.normal()
    for (let k = 0; k < cols; k++) sum += direction[k] * (values[i * cols + k] - mean[k])
    return sum
  })
}

/** ±1 for each sample, both present: by a line with noise, or by chance; balanced or not. */
export function randomSigns(random: Random, points: Points): Float64Array {
  const noise = pick(random, [0, 0.5, 2, 20])
  const line = noisyLine(random, points, noise)
  const share = pick(random, [0.5, 0.5, 0.3, 0.1])
  const sorted = Float64Array.from(line).sort()
  const cut = sorted[Math.floor(share * (points.rows - 1))]
  const y = line.map((value) => (value > cut ? 1 : -1))
  y[0] = 1
  y[points.rows - 1] = -1
  return y
}

/** One of `classes` classes for each sample, all present. */
export function randomClasses(random: Random, points: Points, classes: number): Uint32Array {
  const line = noisyLine(random, points, 1)
  const order = Uint32Array.from(line.keys()).sort((a, b) => line[a] - line[b])
  const found = new Uint32Array(points.rows)
  order.forEach((i, rank) => {
    found[i] = Math.floor((rank * classes) / points.rows)
  })
  return found
}

/** Targets of regression: a line, a wave or noise with heavy tails; of any size. */
export function randomTargets(random: Random, points: Points): Float64Array {
  const line = noisyLine(random, points, pick(random, [0.01, 0.3, 3]))
  const size = pick(random, [1, 1, 1, 1e-2, 1e3])
  const kind = pick(random, ['line', 'wave', 'heavy'] as const)
  return line.map((value) => {
    if (kind === 'line') return size * value
    return size * (kind === 'wave' ? Math.sin(value) : cauchyNumber(random))
  })
}

/** What multiplies C for each sample: 1 for all, or of several sizes, some 0. */
export function randomFactors(random: Random, rows: number): Float64Array {
  if (random.uniform() < 0.7) return new Float64Array(rows).fill(1)
  const factors = Float64Array.from({ length: rows }, () => pick(random, [1, 0.1, 3, 0]))
  factors[0] = 1
  factors[rows - 1] = 1
  return factors
}
