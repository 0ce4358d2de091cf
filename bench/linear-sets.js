// The data sets of benchmarks of linear machines.
import { sparse } from './sparse-sets.js'

/** Sets for `prepare`: mnist as it is and divided by 255, one of regression, the others of classes. */
export const linearSets = [
  ...['a9a', 'w8a', 'covtype.20k.binary.scale', 'cod-rna.scale', 'skin_nonskin.scale'],
  ...['splice', 'madelon.scale', 'connect-4', 'news20.scale', 'imdb_tfidf', 'gisette_like', 'mnist'],
]
  .map((name) => ({ name, file: name }))
  .concat([
    { name: 'mnist.scale', file: 'mnist', change: (dataset) => divided(dataset, 255) },
    { name: 'cadata_scale', file: 'cadata_scale', isRegression: true },
  ])

/** Random sparse sets: more features than samples and fewer, words of texts, hashed words, many classes, targets. */
export const randomLinearSets = [
  ['wide', { n: 30000, features: 60000, perRow: 30, skew: 0, values: 'normal', seed: 1 }],
  ['tall', { n: 50000, features: 5000, perRow: 20, skew: 0, values: 'ones', seed: 2 }],
  ['words', { n: 100000, features: 20000, perRow: 20, seed: 3 }],
  ['hashed', { n: 40000, features: 1000003, perRow: 60, seed: 4 }],
  ['words-20', { n: 15000, features: 30000, perRow: 50, classes: 20, seed: 5 }],
  ['words-targets', { n: 40000, features: 40000, perRow: 30, classes: 0, flips: 0.3, seed: 10 }],
].map(([name, options]) => ({
  name: `random-${name}`,
  recipe: `sparse ${JSON.stringify(options)}`,
  make: () => sparse(options),
  isRegression: options.classes === 0,
}))

function divided(dataset, by) {
  const { samples } = dataset
  return { ...dataset, samples: { ...samples, values: samples.values.map((value) => value / by) } }
}
