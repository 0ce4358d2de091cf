/** Two-class shapes, most of them in the plane, where one can see what a kernel does. */
import { ParameterError } from '../../base/errors.ts'
import type { Random } from '../../base/random.ts'
import { makeDataset, type NumericDataset } from '../table/dataset.ts'
import { defineGenerator, type GeneratorOption, option, sampleOption, shuffledIndices } from './generator.ts'

function noiseOption(fallback: number): GeneratorOption {
  return option(fallback, { min: 0 }, 'standard deviation of the noise on each coordinate')
}

type LabelledPoint = readonly [x: number, y: number, label: number]

/** n points in random order; `place(i)` says where point i stands before noise is added. */
function scatter(
  n: number,
  noise: number,
  random: Random,
  place: (i: number) => LabelledPoint,
): NumericDataset {
  const values = new Float64Array(2 * n)
  const labels = new Float64Array(n)
  shuffledIndices(n, random).forEach((i, k) => {
    const [x, y, label] = place(i)
    values[2 * k] = x + noise * random.normal()
    values[2 * k + 1] = y + noise * random.normal()
    labels[k] = label
  })
  return makeDataset({ values, shape: [n, 2] }, labels)
}

/** Splits n points into two halves; says which half point i is in and how far along, from 0 to 1. */
function alongHalf(i: number, n: number): { first: boolean; at: number } {
  const firstSize = Math.ceil(n / 2)
  const first = i < firstSize
  const size = first ? firstSize : n - firstSize
  return { first, at: (first ? i : i - firstSize) / Math.max(1, size - 1) }
}

/** Gaussian clouds around random centres; centre c has class c mod `classes`. */
export const blobs = defineGenerator(
  { name: 'blobs', task: 'classification', describe: 'Gaussian clouds around random centres' },
  {
    n: sampleOption(200, 1),
    centers: option(2, { integer: true, min: 2 }, 'number of clouds'),
    features: option(2, { integer: true, min: 1 }, 'number of features'),
    spread: option(1, { min: 0 }, 'standard deviation of each cloud'),
    box: option(10, { above: 0 }, 'centres are uniform in [-box, box] in each feature'),
    classes: option(
      2,
      { integer: true, min: 2 },
      'number of classes; labels are -1 and +1 when 2, else 1, 2, …',
    ),
  },
  ({ n, centers, features, spread, box, classes }, random) => {
    if (classes > centers)
      throw new ParameterError('generate blobs', 'classes', `<= centers (${centers})`, classes)
    if (n < centers) throw new ParameterError('generate blobs', 'n', `>= centers (${centers})`, n)
    const middles = Float64Array.from({ length: centers * features }, () => box * (2 * random.uniform() - 1))
    const values = new Float64Array(n * features)
    const labels = new Float64Array(n)
    shuffledIndices(n, random).forEach((i, k) => {
      const center = i % centers
      const label = center % classes
      labels[k] = classes === 2 ? 2 * label - 1 : label + 1
      for (let j = 0; j < features; j++) {
        values[k * features + j] = middles[center * features + j] + spread * random.normal()
      }
    })
    return makeDataset({ values, shape: [n, features] }, labels)
  },
)

/** Two half circles that reach into each other. */
export const moons = defineGenerator(
  { name: 'moons', task: 'classification', describe: 'two interleaving half circles' },
  { n: sampleOption(200), noise: noiseOption(0.1) },
  ({ n, noise }, random) =>
    scatter(n, noise, random, (i) => {
      const { first, at } = alongHalf(i, n)
      const angle = Math.PI * at
      if (first) return [Math.cos(angle), Math.sin(angle), -1]
      return [1 - Math.cos(angle), 0.5 - Math.sin(angle), 1]
    }),
)

/** A circle inside a circle. */
export const circles = defineGenerator(
  { name: 'circles', task: 'classification', describe: 'a circle (+1) inside a circle (-1)' },
  {
    n: sampleOption(200),
    noise: noiseOption(0.05),
    factor: option(0.5, { min: 0, below: 1 }, 'radius of the inner circle; the outer has 1'),
  },
  ({ n, noise, factor }, random) => {
    const outer = Math.ceil(n / 2)
    return scatter(n, noise, random, (i) => {
      const inside = i >= outer
      const angle = (2 * Math.PI * (inside ? i - outer : i)) / (inside ? n - outer : outer)
      const radius = inside ? factor : 1
      return [radius * Math.cos(angle), radius * Math.sin(angle), inside ? 1 : -1]
    })
  },
)

/** Exclusive or: +1 where exactly one coordinate is positive. */
export const xor = defineGenerator(
  { name: 'xor', task: 'classification', describe: '+1 where exactly one of two coordinates is positive' },
  { n: sampleOption(200), noise: noiseOption(0) },
  ({ n, noise }, random) =>
    scatter(n, noise, random, (i) => {
      const right = (i & 1) === 1
      const top = (i & 2) === 2
      // 1 - uniform lies in (0, 1], so that no point stands on an axis.
      const x = 1 - random.uniform()
      const y = 1 - random.uniform()
      return [right ? x : -x, top ? y : -y, right === top ? -1 : 1]
    }),
)

/** A board of `cells` by `cells` fields with alternating classes, over [-1, 1]². */
export const checkerboard = defineGenerator(
  { name: 'checkerboard', task: 'classification', describe: 'fields of alternating classes over [-1, 1]²' },
  {
    n: sampleOption(400),
    noise: noiseOption(0),
    cells: option(4, { integer: true, min: 2 }, 'fields along each side'),
  },
  ({ n, noise, cells }, random) =>
    scatter(n, noise, random, (i) => {
      const column = i % cells
      const row = Math.floor(i / cells) % cells
      const x = (2 * (column + random.uniform())) / cells - 1
      const y = (2 * (row + random.uniform())) / cells - 1
      return [x, y, (row + column) % 2 === 0 ? -1 : 1]
    }),
)

/** Two spiral arms, one turned by half a circle against the other. */
export const spirals = defineGenerator(
  { name: 'spirals', task: 'classification', describe: 'two spiral arms wound around each other' },
  {
    n: sampleOption(400),
    noise: noiseOption(0.02),
    turns: option(1.5, { above: 0 }, 'how often each arm goes round'),
  },
  ({ n, noise, turns }, random) =>
    scatter(n, noise, random, (i) => {
      const { first, at } = alongHalf(i, n)
      // Arms start away from the centre, where they would meet; the root spaces points evenly along the arm.
      const radius = 0.1 + 0.9 * Math.sqrt(at)
      const angle = 2 * Math.PI * turns * radius + (first ? 0 : Math.PI)
      return [radius * Math.cos(angle), radius * Math.sin(angle), first ? -1 : 1]
    }),
)

/**
 * Three points on a line, x = -1, 0, 1 with labels +1, -1, +1: no line separates them, but (x, x²) ↦ x² - ½ does.
 * The textbook example (3.7) of why kernels exist.
 */
export const example37 = defineGenerator(
  {
    name: 'example37',
    task: 'classification',
    describe: 'three points: x = -1, 0, 1 with labels +1, -1, +1',
  },
  {},
  () => makeDataset([[-1], [0], [1]], [1, -1, 1]),
)
