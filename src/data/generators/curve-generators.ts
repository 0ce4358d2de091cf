/** Noisy functions to regress on. The labels are the targets. */
import { makeDataset } from '../table/dataset.ts'
import { defineGenerator, type Generator, option, sampleOption } from './generator.ts'

const noise = option(0.1, { min: 0 }, 'standard deviation of the noise on the target')

/** y = f(x) + noise for x uniform in [from, to]. */
function curve(
  name: string,
  describe: string,
  [from, to]: readonly [number, number],
  f: (x: number) => number,
): Generator<'n' | 'noise'> {
  return defineGenerator(
    { name, task: 'regression', describe },
    { n: sampleOption(200, 1), noise },
    (options, random) => {
      const values = Float64Array.from({ length: options.n }, () => from + (to - from) * random.uniform())
      const targets = values.map((x) => f(x) + options.noise * random.normal())
      return makeDataset({ values, shape: [options.n, 1] }, targets)
    },
  )
}

/** sin(x) / x over [-10, 10], the classic of support vector regression. */
export const sinc = curve('sinc', 'sin(x) / x over [-10, 10]', [-10, 10], (x) =>
  x === 0 ? 1 : Math.sin(x) / x,
)

/** sin(x) over two periods. */
export const sine = curve('sine', 'sin(x) over [-2π, 2π]', [-2 * Math.PI, 2 * Math.PI], Math.sin)

/** A jump from -1 to 1 at 0. */
export const step = curve('step', 'a jump from -1 to 1 at x = 0, over [-1, 1]', [-1, 1], (x) =>
  x < 0 ? -1 : 1,
)

/** Friedman's first function (1991): five features matter, the others do not. */
export const friedman = defineGenerator(
  {
    name: 'friedman',
    task: 'regression',
    describe: '10 sin(π x1 x2) + 20 (x3 - 1/2)² + 10 x4 + 5 x5, other features irrelevant',
  },
  {
    n: sampleOption(200, 1),
    noise: { ...noise, default: 1 },
    features: option(10, { integer: true, min: 5 }, 'number of features, uniform in [0, 1)'),
  },
  ({ n, features, noise: deviation }, random) => {
    const values = Float64Array.from({ length: n * features }, () => random.uniform())
    const targets = Float64Array.from({ length: n }, (_, i) => {
      const [a, b, c, d, e] = values.subarray(i * features)
      const target = 10 * Math.sin(Math.PI * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e
      return target + deviation * random.normal()
    })
    return makeDataset({ values, shape: [n, features] }, targets)
  },
)
