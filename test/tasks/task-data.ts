/** Data of tasks, of numbers that Python computes alike: scripts/golden-tasks.py has the same functions. */
import { makeDataset } from '../../src/data/table/dataset.ts'

/** Lehmer's generator: products below 2^53, so that doubles hold them. */
export class Numbers {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  uniform(): number {
    this.state = (this.state * 48271) % 2147483647
    return this.state / 2147483647
  }

  below(count: number): number {
    return Math.floor(this.uniform() * count)
  }

  normal(): number {
    let total = 0
    for (let k = 0; k < 12; k++) total += this.uniform()
    return total - 6
  }
}

/** A list of this many values. */
export const times = <T>(count: number, make: (k: number) => T): T[] =>
  Array.from({ length: count }, (_, k) => make(k))

const alternating = (rows: number, classes = 2): number[] => times(rows, (i) => i % classes)

/** Sample i is near the centre of class i mod classes. */
export function clouds(seed: number, rows: number, width: number, classes: number, spread: number) {
  const numbers = new Numbers(seed)
  const centres = times(classes, () => times(width, () => 10 * numbers.uniform() - 5))
  const x = times(rows, (i) => times(width, (j) => centres[i % classes][j] + spread * numbers.normal()))
  return { x, y: alternating(rows, classes) }
}

/** One sample of 20 is of class 1, and not far from the others. */
export function rare(seed: number, rows: number) {
  const numbers = new Numbers(seed)
  const y = times(rows, (i) => Number(i % 20 === 0))
  return { x: y.map((label) => times(2, () => 1.5 * label + numbers.normal())), y }
}

export function documents(seed: number, rows: number) {
  const numbers = new Numbers(seed)
  const common = 'the a of and to in is it for on with as this that we'.split(' ')
  const topics = [
    'goal match team player league score win coach'.split(' '),
    'market stock price trade bank profit share fund'.split(' '),
  ]
  const texts = times(rows, (i) =>
    times(6 + numbers.below(10), () => {
      const own = numbers.uniform() < 0.8 ? topics[i % 2] : topics[1 - (i % 2)]
      const source = numbers.uniform() < 0.35 ? own : common
      return source[numbers.below(source.length)]
    }).join(' '),
  )
  return { texts, y: alternating(rows) }
}

export function embeddings(seed: number, rows: number, width: number) {
  const numbers = new Numbers(seed)
  const direction = times(width, () => numbers.normal())
  const values = new Float32Array(rows * width)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < width; j++) values[i * width + j] = numbers.normal() + 0.1 * (i % 2) * direction[j]
  }
  return { values, y: alternating(rows) }
}

/** Samples of a group share an offset: a model that has seen the group does too well. */
export function grouped(seed: number, groups: number, size: number, width: number) {
  const numbers = new Numbers(seed)
  const [x, y, owner]: [number[][], number[], number[]] = [[], [], []]
  for (let g = 0; g < groups; g++) {
    const offset = times(width, () => 2 * numbers.normal())
    for (let k = 0; k < size; k++) {
      const row = times(width, (j) => offset[j] + numbers.normal())
      y.push(Number(row[0] + row[1] + 1.5 * numbers.normal() > 0))
      x.push(row)
      owner.push(g)
    }
  }
  return { x, y, owner }
}

export function curve(seed: number, rows: number, width: number) {
  const numbers = new Numbers(seed)
  const x = times(rows, () => times(width, () => 4 * numbers.uniform() - 2))
  return { x, y: x.map((row) => row[0] * row[1] + row[2] * row[2] + 0.2 * numbers.normal()) }
}

/** A wave without sines: the values before are the features of the next one. */
export function series(seed: number, rows: number, lags: number) {
  const numbers = new Numbers(seed)
  const values = [1, 0.8]
  while (values.length < rows + lags) {
    const [before, last] = values.slice(-2)
    values.push(1.8 * last - 0.95 * before + 0.2 * numbers.normal())
  }
  return { x: times(rows, (i) => values.slice(i, i + lags)), y: times(rows, (i) => values[i + lags]) }
}

export function strings(seed: number, rows: number, length: number) {
  const numbers = new Numbers(seed)
  const texts = times(rows, (i) => {
    const letters = times(length, () => 'ACGT'[numbers.below(4)])
    letters.splice(numbers.below(length - 4), 4, ...(i % 2 === 0 ? 'GATA' : 'CCGG'))
    return letters.join('')
  })
  return { texts, y: alternating(rows) }
}

export function histograms(seed: number, rows: number, width: number) {
  const numbers = new Numbers(seed)
  const x = times(rows, (i) =>
    times(width, (j) => numbers.uniform() + (j % 2 === i % 2 ? 1 : 0.6) * numbers.uniform()),
  )
  return { x, y: alternating(rows) }
}

/** Many rows, each from its own number. */
export function large(seed: number, rows: number, width: number) {
  const values = new Float64Array(rows * width)
  const labels = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const numbers = new Numbers(((i + 1) * 7919 + seed) % 2147483647)
    let total = 0
    for (let j = 0; j < width; j++) {
      const value = 2 * numbers.uniform() - 1
      values[i * width + j] = value
      total += (j % 2 === 0 ? 1 : -0.5) * value
    }
    labels[i] = total + 2 * numbers.uniform() - 1 > 0.25 ? 1 : -1
  }
  return makeDataset({ values, shape: [rows, width] }, labels)
}

/** The folds that the number of each sample's fold describes. */
export function foldsOf(owner: readonly number[]) {
  const all = Uint32Array.from(owner.keys())
  return times(Math.max(...owner) + 1, (f) => ({
    train: all.filter((i) => owner[i] !== f),
    test: all.filter((i) => owner[i] === f),
  }))
}

/** Folds of neighbours, as scikit-learn's KFold makes them: the first n mod folds have one sample more. */
export function neighbourFolds(count: number, folds: number) {
  const sizes = times(folds, (f) => Math.floor(count / folds) + Number(f < count % folds))
  return foldsOf(sizes.flatMap((size, f) => times(size, () => f)))
}

/** The largest difference between two lists of equal length. */
export function distance(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  if (found.length !== wanted.length) return Number.POSITIVE_INFINITY
  return times(found.length, (i) => Math.abs(found[i] - wanted[i])).reduce((a, b) => Math.max(a, b), 0)
}
