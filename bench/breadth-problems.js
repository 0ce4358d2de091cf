// The problems of the benchmark of breadth: all types, kernels and tasks of LIBSVM's commands on data of many kinds, none
// of which the engine was tuned on. Each takes Debian's svm-train between 0.2 s and 150 s.
//
//   family   what the geometric means are taken over
//   data     a name in `sources`
//   flags    of svm-train, for both sides; of svm-predict where the problem predicts
//   model    for a problem that predicts: the flags of the training, which Debian's svm-train does beforehand
import { generate, makeDataset } from 'hyperplane'
import { clouds, counts, surface } from './generated-sets.js'
import { firstSamples, rounded, scaleColumns, shuffle } from './sample-sets.js'

/** `file` in the data folder, with `change` applied; or `make`, a generator with its seed. */
export const sources = {
  covtype: { file: 'covtype.20k.binary.scale' },
  'covtype-7000': {
    file: 'covtype.20k.binary.scale',
    change: (dataset) => firstSamples(shuffle(dataset), 7000),
  },
  mushrooms: { file: 'mushrooms' },
  a1a: { file: 'a1a' },
  w8a: { file: 'w8a' },
  'skin-60000': {
    file: 'skin_nonskin.scale',
    change: (dataset) => firstSamples(shuffle(dataset), 60_000),
  },
  letter: { file: 'letter.scale', testFile: 'letter.scale.t' },
  dna: { file: 'dna.scale' },
  'connect-8000': { file: 'connect-4', change: (dataset) => firstSamples(shuffle(dataset), 8000) },
  'digits-256': { file: 'mnist', change: (dataset) => smallDigits(firstSamples(shuffle(dataset), 7291)) },
  'digits-784': {
    file: 'mnist',
    change: (dataset) => pixels(firstSamples(shuffle(dataset), 4000)),
  },
  'news20-8000': {
    file: 'news20.scale',
    testFile: 'news20.scale.t',
    change: (dataset) => firstSamples(shuffle(dataset), 8000),
  },
  reuters: { file: 'reuters_svmlight' },
  'imdb-4000': { file: 'imdb_tfidf', change: (dataset) => firstSamples(shuffle(dataset), 4000) },
  'cadata-10000': {
    file: 'cadata_scale',
    change: (dataset) => scaleTargets(firstSamples(shuffle(dataset), 10_000), 1e5),
  },
  'cadata-5000': {
    file: 'cadata_scale',
    change: (dataset) => scaleTargets(firstSamples(shuffle(dataset), 5000), 1e5),
  },
  cpusmall: { file: 'cpusmall_scale' },
  abalone: { file: 'abalone_scale' },
  space_ga: { file: 'space_ga', change: (dataset) => rounded(scaleColumns(dataset)) },
  housing: { file: 'housing_scale' },
  'noisy-10': {
    make: () => clouds({ n: 10_000, features: 10, perClass: 6, spread: 0.8, flips: 0.1, seed: 1 }),
  },
  'noisy-12': {
    make: () => clouds({ n: 2000, features: 12, perClass: 3, spread: 0.9, flips: 0.15, seed: 12 }),
  },
  'latent-60': {
    make: () =>
      clouds({
        n: 3000,
        features: 60,
        latent: 12,
        classes: 5,
        perClass: 6,
        spread: 0.7,
        flips: 0.05,
        seed: 13,
      }),
  },
  'weak-28': { make: () => clouds({ n: 7000, features: 28, perClass: 3, spread: 2, flips: 0.2, seed: 2 }) },
  'counts-57': { make: () => counts({ n: 4601, features: 57, seed: 3 }) },
  'checkerboard-2': { make: () => rounded(generate('checkerboard', { n: 20_000, noise: 0.05, seed: 4 })) },
  'bands-36': {
    make: () =>
      clouds({
        ...{ n: 4435, features: 36, latent: 5, classes: 6, perClass: 2, spread: 0.35, flips: 0.03, seed: 5 },
        shares: [0.24, 0.11, 0.22, 0.09, 0.11, 0.23],
      }),
  },
  'strokes-16': {
    make: () => clouds({ n: 7494, features: 16, latent: 8, classes: 10, perClass: 8, spread: 0.5, seed: 6 }),
  },
  'rare-9': {
    make: () =>
      clouds({
        ...{ n: 43_500, features: 9, classes: 7, perClass: 2, spread: 0.35, flips: 0.003, seed: 7 },
        shares: [0.784, 0.001, 0.003, 0.155, 0.055, 0.001, 0.001],
      }),
  },
  'surface-9': { make: () => surface({ n: 10_000, features: 9, noise: 0.2, seed: 8 }) },
  friedman: { make: () => rounded(generate('friedman', { n: 4000, features: 10, noise: 1, seed: 9 })) },
  'wide-2000': {
    make: () => clouds({ n: 1000, features: 2000, latent: 30, perClass: 3, spread: 0.8, seed: 10 }),
  },
}

const two = 'two-classes'
const many = 'many-classes'
const kernels = 'other-kernels'
const sparse = 'sparse-text'
const regression = 'regression'
const nu = 'nu-and-one-class'
const folds = 'cross-validation'
const probabilities = 'probabilities'
const predicting = 'predicting'

/** All problems, family by family. */
export const problems = [
  { name: 'covtype-c10', family: two, data: 'covtype', flags: { c: 10, g: 2 } },
  { name: 'covtype-c0.1', family: two, data: 'covtype', flags: { c: 0.1, g: 0.5 } },
  { name: 'noisy-10-c10', family: two, data: 'noisy-10', flags: { c: 10, g: 0.5 } },
  { name: 'noisy-10-c1000', family: two, data: 'noisy-10', flags: { c: 1000, g: 2 } },
  { name: 'weak-28', family: two, data: 'weak-28', flags: { c: 1, g: 0.1 } },
  { name: 'counts-57-c100', family: two, data: 'counts-57', flags: { c: 100, g: 0.02 } },
  { name: 'checkerboard-2', family: two, data: 'checkerboard-2', flags: { c: 100, g: 10 } },
  { name: 'skin-60000', family: two, data: 'skin-60000', flags: { c: 100, g: 1 } },
  { name: 'w8a-weighted', family: two, data: 'w8a', flags: { c: 1, g: 0.05, w1: 10 } },
  { name: 'noisy-12-c1000', family: two, data: 'noisy-12', flags: { c: 1000, g: 0.1 } },
  { name: 'wide-2000', family: two, data: 'wide-2000', flags: { c: 10, g: 0.0005 } },

  { name: 'digits-256', family: many, data: 'digits-256', flags: { c: 10, g: 0.0078125 } },
  { name: 'bands-36', family: many, data: 'bands-36', flags: { c: 10, g: 0.5 } },
  { name: 'letter', family: many, data: 'letter', flags: { c: 10, g: 1 } },
  { name: 'strokes-16', family: many, data: 'strokes-16', flags: { c: 10, g: 0.5 } },
  { name: 'rare-9', family: many, data: 'rare-9', flags: { c: 10, g: 1 } },
  { name: 'latent-60-c100', family: many, data: 'latent-60', flags: { c: 100, g: 0.1 } },
  { name: 'dna', family: many, data: 'dna', flags: { c: 10, g: 0.02 } },
  { name: 'connect-8000', family: many, data: 'connect-8000', flags: { c: 1, g: 0.1 } },

  { name: 'covtype-linear', family: kernels, data: 'covtype-7000', flags: { t: 0, c: 1 } },
  { name: 'wide-2000-linear', family: kernels, data: 'wide-2000', flags: { t: 0, c: 0.1 } },
  {
    name: 'digits-256-poly',
    family: kernels,
    data: 'digits-256',
    flags: { t: 1, d: 3, g: 0.02, r: 1, c: 1 },
  },
  { name: 'noisy-10-poly', family: kernels, data: 'noisy-10', flags: { t: 1, d: 3, g: 1, r: 1, c: 1 } },
  { name: 'mushrooms-sigmoid', family: kernels, data: 'mushrooms', flags: { t: 3, g: 0.001, r: 0, c: 10 } },
  { name: 'weak-28-sigmoid', family: kernels, data: 'weak-28', flags: { t: 3, g: 0.005, r: 0, c: 1 } },

  { name: 'news20-linear', family: sparse, data: 'news20-8000', flags: { t: 0, c: 1 } },
  { name: 'reuters-rbf', family: sparse, data: 'reuters', flags: { c: 10, g: 0.5 } },
  { name: 'imdb-4000-linear', family: sparse, data: 'imdb-4000', flags: { t: 0, c: 1 } },
  { name: 'imdb-4000-rbf', family: sparse, data: 'imdb-4000', flags: { c: 10, g: 0.5 } },

  { name: 'cadata-svr', family: regression, data: 'cadata-10000', flags: { s: 3, c: 10, p: 0.05, g: 2 } },
  { name: 'cadata-nu-svr', family: regression, data: 'cadata-5000', flags: { s: 4, c: 10, n: 0.5, g: 2 } },
  { name: 'cpusmall-svr', family: regression, data: 'cpusmall', flags: { s: 3, c: 10, p: 0.5, g: 0.5 } },
  { name: 'surface-9-svr', family: regression, data: 'surface-9', flags: { s: 3, c: 1, p: 0.1, g: 0.5 } },
  { name: 'abalone-svr-c100', family: regression, data: 'abalone', flags: { s: 3, c: 100, p: 0.1, g: 1 } },
  { name: 'abalone-nu-svr', family: regression, data: 'abalone', flags: { s: 4, c: 1, n: 0.3, g: 0.5 } },
  {
    name: 'housing-svr-c1000',
    family: regression,
    data: 'housing',
    flags: { s: 3, c: 1000, p: 0.1, g: 0.5 },
  },
  {
    name: 'friedman-svr-poly',
    family: regression,
    data: 'friedman',
    flags: { s: 3, t: 1, d: 3, g: 0.2, r: 1, c: 1, p: 0.5 },
  },
  {
    name: 'space_ga-svr-linear',
    family: regression,
    data: 'space_ga',
    flags: { s: 3, t: 0, c: 10, p: 0.01 },
  },

  { name: 'covtype-nu-svc', family: nu, data: 'covtype-7000', flags: { s: 1, n: 0.3, g: 1 } },
  { name: 'noisy-10-nu-svc', family: nu, data: 'noisy-10', flags: { s: 1, n: 0.4, g: 0.5 } },
  { name: 'letter-nu-svc', family: nu, data: 'letter', flags: { s: 1, n: 0.05, g: 1 } },
  { name: 'covtype-one-class', family: nu, data: 'covtype', flags: { s: 2, n: 0.1, g: 1 } },
  { name: 'digits-784-one-class', family: nu, data: 'digits-784', flags: { s: 2, n: 0.2, g: 0.02 } },

  { name: 'digits-256-v5', family: folds, data: 'digits-256', flags: { c: 10, g: 0.0078125, v: 5 } },
  { name: 'noisy-10-v5', family: folds, data: 'noisy-10', flags: { c: 10, g: 0.5, v: 5 } },
  { name: 'covtype-7000-v5', family: folds, data: 'covtype-7000', flags: { c: 10, g: 1, v: 5 } },
  { name: 'abalone-svr-v5', family: folds, data: 'abalone', flags: { s: 3, c: 10, p: 0.1, g: 0.5, v: 5 } },
  { name: 'bands-36-nu-svc-v5', family: folds, data: 'bands-36', flags: { s: 1, n: 0.3, g: 0.5, v: 5 } },

  { name: 'covtype-7000-b1', family: probabilities, data: 'covtype-7000', flags: { c: 10, g: 1, b: 1 } },
  { name: 'strokes-16-b1', family: probabilities, data: 'strokes-16', flags: { c: 10, g: 0.5, b: 1 } },
  { name: 'a1a-b1', family: probabilities, data: 'a1a', flags: { c: 10, g: 0.05, b: 1 } },
  {
    name: 'abalone-svr-b1',
    family: probabilities,
    data: 'abalone',
    flags: { s: 3, c: 1, p: 0.1, g: 0.5, b: 1 },
  },

  { name: 'letter-predict', family: predicting, data: 'letter', flags: {}, model: { c: 10, g: 1 } },
  { name: 'covtype-predict', family: predicting, data: 'covtype', flags: {}, model: { c: 10, g: 2 } },
  { name: 'news20-predict', family: predicting, data: 'news20-8000', flags: {}, model: { t: 0, c: 1 } },
  {
    name: 'abalone-svr-predict',
    family: predicting,
    data: 'abalone',
    flags: {},
    model: { s: 3, c: 10, p: 0.1, g: 0.5 },
  },
  {
    name: 'letter-predict-b1',
    family: predicting,
    data: 'letter',
    flags: { b: 1 },
    model: { c: 10, g: 1, b: 1 },
  },
]

/** What an svm-train with these flags does: the family of problems, the kernel. */
export const typeOf = ({ s = 0 }) => ['C-SVC', 'nu-SVC', 'one-class', 'epsilon-SVR', 'nu-SVR'][s]
/** The kernel of these flags. */
export const kernelOf = ({ t = 2 }) => ['linear', 'poly', 'rbf', 'sigmoid'][t]

function pixels({ samples, labels }) {
  return rounded({ samples: { ...samples, values: samples.values.map((value) => value / 255) }, labels })
}

/** 16 x 16 pixels in [-1, 1], each the mean of those that it covers in the middle 28 x 28. */
function smallDigits({ samples, labels }) {
  const { rows, indptr, indices, values } = samples
  const small = new Float64Array(rows * 256)
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const [y, x] = [Math.floor(indices[k] / 28), indices[k] % 28]
      small[i * 256 + 16 * Math.floor((y * 16) / 28) + Math.floor((x * 16) / 28)] += values[k] / 255 / 3
    }
  }
  const scaled = small.map((value) => 2 * Math.min(1, value) - 1)
  return rounded(makeDataset({ values: scaled, shape: [rows, 256] }, labels))
}

function scaleTargets({ samples, labels }, unit) {
  return { samples, labels: labels.map((target) => target / unit) }
}
