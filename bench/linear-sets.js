// The data sets of benchmarks of linear machines.

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

function divided(dataset, by) {
  const { samples } = dataset
  return { ...dataset, samples: { ...samples, values: samples.values.map((value) => value / by) } }
}
