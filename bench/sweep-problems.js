// Random problems for the sweep: of all types and kernels, drawn from a seed, each the same whenever it is drawn.
import { Random } from 'hyperplane'
import { clouds, counts, surface } from './generated-sets.js'

/** Draws the k-th problem of a seed: a name, flags of svm-train, and `make`, its data. */
export function sweepProblem(k, seed = 1) {
  const random = new Random(1000 * seed + k)
  // Types take turns, so that any part of the sweep has all of them.
  const s = k % 5
  const n = Math.round(between(200, 5000, random))
  const features = Math.round(between(2, 200, random))
  const regression = s === 3 || s === 4
  const { data, classes } = regression
    ? { data: surfaceOf(n, features, random), classes: 0 }
    : cloudsOf(n, features, s, random)
  const t = [2, 2, 2, 2, 2, 0, 1, 3][random.int(8)]
  const rounded = (value) => Number(value.toPrecision(4))
  const flags = {
    s,
    t,
    ...((s === 0 || regression) && { c: rounded(2 ** (-5 + 20 * random.uniform())) }),
    ...(t !== 0 && { g: rounded(2 ** (-15 + 18 * random.uniform())) }),
    ...((t === 1 || t === 3) && { r: random.int(2) }),
    ...(t === 1 && { d: 2 + random.int(2) }),
    ...((s === 1 || s === 2 || s === 4) && { n: rounded(between(0.02, 0.8, random)) }),
    ...(s === 3 && { p: rounded(between(0.001, 1, random)) }),
  }
  return { name: seed === 1 ? `sweep-${k}` : `sweep-${seed}-${k}`, n, features, classes, flags, ...data }
}

/**
 * The smallest problem of the kind of another, of the same type and kernel, and with three classes if that has more: what a
 * command takes on it is start-up.
 */
export function smallestLike({ classes, flags: { s, t } }) {
  const options = { n: 200, features: 2, seed: 1, ...(classes > 2 && { classes: 3 }) }
  const kind = s === 3 || s === 4 ? surface : clouds
  return {
    name: `sweep-smallest-${s}-${t}${classes > 2 ? '-many' : ''}`,
    flags: { s, t, c: 1, g: 0.5, ...(s !== 0 && s !== 3 && { n: 0.2 }) },
    ...recipe(kind, options),
  }
}

/** Evenly on a logarithmic scale. */
function between(low, high, random) {
  return low * (high / low) ** random.uniform()
}

function surfaceOf(n, features, random) {
  const options = {
    n,
    features,
    latent: latentOf(features, random),
    noise: Number(random.uniform().toFixed(3)),
    seed: random.int(1e6),
  }
  return recipe(surface, options)
}

/** Two classes or up to ten; nu-SVC needs classes of the same size for any nu. */
function cloudsOf(n, features, s, random) {
  const classes = random.uniform() < 0.6 || s === 2 ? 2 : 3 + random.int(8)
  if (classes === 2 && random.uniform() < 0.2) {
    const flips = Number((0.3 * random.uniform()).toFixed(3))
    return { data: recipe(counts, { n, features, flips, seed: random.int(1e6) }), classes }
  }
  const uneven = s !== 1 && random.uniform() < 0.3
  const options = {
    n,
    features,
    latent: latentOf(features, random),
    classes,
    perClass: 1 + random.int(5),
    spread: Number(between(0.1, 2, random).toFixed(3)),
    flips: random.uniform() < 0.5 ? 0 : Number((0.4 * random.uniform()).toFixed(3)),
    ...(uneven && { shares: unevenShares(classes) }),
    seed: random.int(1e6),
  }
  return { data: recipe(clouds, options), classes }
}

/** Real columns are correlated: half of the sets lie near a space of fewer dimensions. */
function latentOf(features, random) {
  return features > 4 && random.uniform() < 0.5 ? 2 + random.int(Math.min(features - 2, 20)) : features
}

/** Each class half as large as the one before. */
function unevenShares(classes) {
  const total = 2 - 2 ** (1 - classes)
  return Array.from({ length: classes }, (_, c) => 2 ** -c / total)
}

function recipe(generator, options) {
  return { make: () => generator(options), recipe: `${generator.name} ${JSON.stringify(options)}` }
}
