// The data sets and settings of the parity suite, for the generator of the golden file and for the tests alike.

/** Kernels by name: as plain data, with their parameters. */
export const parityKernels = {
  linear: { kind: 'linear' },
  polynomial: { kind: 'polynomial', gamma: 0.5, coef0: 1, degree: 3 },
  rbf: { kind: 'rbf', gamma: 0.7 },
  sigmoid: { kind: 'sigmoid', gamma: 0.03, coef0: -0.1 },
  precomputed: { kind: 'precomputed' },
}

/** The precomputed kernel is this one, computed by each side for itself. */
export const precomputedOf = { kind: 'rbf', gamma: 0.4 }

/** Prices and shares, the same everywhere. */
export const paritySettings = { C: 1.7, nuSvc: 0.57, nuOneClass: 0.25, nuSvr: 0.43, epsilon: 0.1 }

/**
 * Five data sets: rows, class labels, targets for regression, weights of samples, and rows to predict for. `generate` is
 * our generators', `iris` Fisher's data.
 */
export function parityData(generate, iris) {
  const generated = (name, options) => {
    const { samples, labels } = generate(name, options)
    return { rows: denseRows(samples), labels: Array.from(labels) }
  }
  const names = [...new Set(iris.classes)]
  const sets = {
    moons: generated('moons', { n: 80, noise: 0.25, seed: 11 }),
    blobs: generated('blobs', { n: 90, features: 3, spread: 2, box: 4, classes: 4, centers: 4, seed: 5 }),
    clouds: generated('blobs', { n: 80, features: 5, spread: 2.5, box: 4, seed: 9 }),
    iris: { rows: iris.rows, labels: iris.classes.map((name) => names.indexOf(name) + 1) },
    text: generated('text', { n: 60, seed: 2 }),
  }
  return Object.fromEntries(Object.entries(sets).map(([name, set]) => [name, completed(set)]))
}

function completed({ rows: raw, labels }) {
  // Every column in [0, 2]: polynomials of larger numbers would take either side hours, and what surrounds the origin is
  // no one class for a linear kernel.
  const low = raw[0].map((_, j) => Math.min(...raw.map((row) => row[j])))
  const high = raw[0].map((_, j) => Math.max(...raw.map((row) => row[j])))
  const rows = raw.map((row) => row.map((value, j) => (2 * (value - low[j])) / (high[j] - low[j] || 1)))
  // Middles of neighbours: new points of the same kind.
  const test = rows.slice(0, 24).map((row, i) => row.map((value, j) => (value + 2 * rows[i + 1][j]) / 3))
  const targets = rows.map((row, i) => Math.sin(2 * row[0]) + 0.5 * row[1] + 0.1 * ((i * 7) % 5))
  const weights = rows.map((_, i) => [1, 0.5, 2, 1.25][i % 4])
  return { rows, labels, targets, weights, test }
}

function denseRows({ kind, rows, cols, values, indptr, indices }) {
  return Array.from({ length: rows }, (_, i) => {
    if (kind === 'dense') return Array.from(values.subarray(i * cols, (i + 1) * cols))
    const row = new Array(cols).fill(0)
    for (let k = indptr[i]; k < indptr[i + 1]; k++) row[indices[k]] = values[k]
    return row
  })
}
