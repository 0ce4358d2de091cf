import { exp, product, scale, shift, sum } from '../../src/kernels/combinators.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { custom, featureMap, rankOne } from '../../src/kernels/user-kernels.ts'
import { type KernelCase, kernelSuite } from '../suites/kernel-suite.ts'

type Vector = readonly number[]
const dot = (x: Vector, z: Vector): number => x.reduce((total, value, k) => total + value * z[k], 0)
const distance = (x: Vector, z: Vector): number =>
  x.reduce((total, value, k) => total + (value - z[k]) ** 2, 0)

const cityBlock = (x: ArrayLike<number>, z: ArrayLike<number>): number => {
  let total = 0
  for (let k = 0; k < x.length; k++) total += Math.abs(x[k] - z[k])
  return Math.exp(-total)
}
const size = (x: ArrayLike<number>): number => 1 + Array.from(x).reduce((total, value) => total + value, 0)
const squares = (x: ArrayLike<number>): number[] => Array.from(x, (value) => value * value)

const cases: KernelCase[] = [
  { name: 'linear', kernel: linear(), formula: dot },
  ...[0, 1, 2, 3, 7].map((degree) => ({
    name: `polynomial of degree ${degree}`,
    kernel: polynomial({ gamma: 0.5, coef0: 1.25, degree }),
    formula: (x: Vector, z: Vector) => (0.5 * dot(x, z) + 1.25) ** degree,
  })),
  { name: 'rbf', kernel: rbf({ gamma: 0.3 }), formula: (x, z) => Math.exp(-0.3 * distance(x, z)) },
  { name: 'rbf of no width', kernel: rbf({ gamma: 0 }), formula: () => 1 },
  {
    name: 'sigmoid',
    kernel: sigmoid({ gamma: 0.2, coef0: -0.5 }),
    formula: (x, z) => Math.tanh(0.2 * dot(x, z) - 0.5),
  },
  {
    name: 'custom',
    kernel: custom(cityBlock),
    formula: cityBlock,
    functions: { cityBlock },
  },
  {
    name: 'featureMap',
    kernel: featureMap(squares),
    formula: (x, z) => dot(squares(x), squares(z)),
    functions: { squares },
  },
  {
    name: 'rankOne',
    kernel: rankOne(size, { name: 'how large' }),
    formula: (x, z) => size(x) * size(z),
    functions: { 'how large': size },
  },
  {
    name: 'sum of three',
    kernel: sum(linear(), rbf({ gamma: 1 }), polynomial({ gamma: 1, degree: 2 })),
    formula: (x, z) => dot(x, z) + Math.exp(-distance(x, z)) + dot(x, z) ** 2,
  },
  {
    name: 'product with a custom part',
    kernel: product(shift(linear(), 2), custom(cityBlock)),
    formula: (x, z) => (dot(x, z) + 2) * cityBlock(x, z),
    functions: { cityBlock },
  },
  { name: 'scale', kernel: scale(linear(), 2.5), formula: (x, z) => 2.5 * dot(x, z) },
  { name: 'shift', kernel: shift(linear(), 1), formula: (x, z) => dot(x, z) + 1 },
  { name: 'exp', kernel: exp(scale(linear(), 0.1)), formula: (x, z) => Math.exp(0.1 * dot(x, z)) },
  {
    name: 'combinators in one another',
    kernel: sum(exp(scale(rbf({ gamma: 0.5 }), 0.5)), product(sum(linear(), rankOne(size)))),
    formula: (x, z) => Math.exp(0.5 * Math.exp(-0.5 * distance(x, z))) + dot(x, z) + size(x) * size(z),
    functions: { size },
  },
]

for (const each of cases) kernelSuite(each)
