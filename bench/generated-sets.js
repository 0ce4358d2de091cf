// Data like those that users bring, from a seed: clouds of classes, noisy labels, surfaces to regress on, signals in the
// first few of many columns. Columns are scaled to [-1, 1], values have four digits.
import { makeDataset, Random } from 'hyperplane'
import { rounded, scaleColumns } from './sample-sets.js'

/**
 * Classes of several Gaussian clouds each, in `latent` dimensions that a random matrix turns into `features` correlated
 * columns. `spread` is that of a cloud where centres have 1, `flips` the share of labels drawn anew, `shares` how
 * much of the samples each class has.
 */
export function clouds({
  n,
  features,
  latent = features,
  classes = 2,
  perClass = 4,
  spread = 0.5,
  flips = 0,
  shares = Array.from({ length: classes }, () => 1 / classes),
  seed,
}) {
  const random = new Random(seed)
  const centres = Float64Array.from({ length: classes * perClass * latent }, () => random.normal())
  const column = columnsOf({ features, latent, random })
  const values = new Float64Array(n * features)
  const labels = new Float64Array(n)
  const point = new Float64Array(latent)
  for (let i = 0; i < n; i++) {
    const own = draw(shares, random)
    const cloud = own * perClass + random.int(perClass)
    for (let j = 0; j < latent; j++) point[j] = centres[cloud * latent + j] + spread * random.normal()
    column(point, values.subarray(i * features, (i + 1) * features))
    const label = random.uniform() < flips ? draw(shares, random) : own
    labels[i] = classes === 2 ? 1 - 2 * label : label + 1
  }
  return finish(values, n, features, labels)
}

/** Targets that are a smooth function of `latent` dimensions, of standard deviation 1, with noise on them. */
export function surface({ n, features, latent = features, bumps = 20, noise = 0.1, seed }) {
  const random = new Random(seed)
  const centres = Float64Array.from({ length: bumps * latent }, () => random.normal())
  const heights = Float64Array.from({ length: bumps }, () => random.normal())
  const column = columnsOf({ features, latent, random })
  const values = new Float64Array(n * features)
  const point = new Float64Array(latent)
  const clean = Float64Array.from({ length: n }, (_, i) => {
    for (let j = 0; j < latent; j++) point[j] = random.normal()
    column(point, values.subarray(i * features, (i + 1) * features))
    return heights.reduce((sum, height, b) => {
      const square = point.reduce((total, x, j) => total + (x - centres[b * latent + j]) ** 2, 0)
      return sum + height * Math.exp(-square / latent)
    }, 0)
  })
  const mean = clean.reduce((sum, y) => sum + y, 0) / n
  const deviation = Math.sqrt(clean.reduce((sum, y) => sum + (y - mean) ** 2, 0) / n)
  const targets = clean.map((y) => Number(((y - mean) / deviation + noise * random.normal()).toFixed(4)))
  return finish(values, n, features, targets)
}

/** Counts of words, most of them 0: rows of few large values beside many small ones, as of spam filters. */
export function counts({ n, features, density = 0.2, flips = 0.05, seed }) {
  const random = new Random(seed)
  const lean = Float64Array.from({ length: features }, () => random.normal())
  const values = new Float64Array(n * features)
  const labels = Float64Array.from({ length: n }, (_, i) => {
    const label = random.uniform() < 0.4 ? 1 : -1
    for (let j = 0; j < features; j++) {
      const chance = density * Math.exp(0.7 * label * lean[j])
      if (random.uniform() < chance) values[i * features + j] = -Math.log(1 - random.uniform())
    }
    return random.uniform() < flips ? -label : label
  })
  return finish(values, n, features, labels)
}

/** Writes the columns of a point: itself, or random mixtures of it with a little noise of their own. */
function columnsOf({ features, latent, random }) {
  if (latent === features) return (point, out) => out.set(point)
  const mixture = Float64Array.from({ length: features * latent }, () => random.normal() / Math.sqrt(latent))
  return (point, out) => {
    for (let k = 0; k < features; k++) {
      let sum = 0.1 * random.normal()
      for (let j = 0; j < latent; j++) sum += mixture[k * latent + j] * point[j]
      out[k] = sum
    }
  }
}

function draw(shares, random) {
  let left = random.uniform()
  for (let c = 0; c < shares.length - 1; c++) {
    left -= shares[c]
    if (left < 0) return c
  }
  return shares.length - 1
}

function finish(values, n, features, labels) {
  return rounded(scaleColumns(makeDataset({ values, shape: [n, features] }, labels)))
}
