import type { Positives } from '../../src/calibration/labelled-values.ts'

/** What Platt's sigmoid minimises, from its definition; the targets are those of the source. */
export function crossEntropy(
  values: ArrayLike<number>,
  positives: Positives,
  weights: ArrayLike<number> | undefined,
  a: number,
  b: number,
): number {
  return sumOver(values, positives, weights, (value, target) => {
    const p = 1 / (1 + Math.exp(a * value + b))
    return -target * Math.log(p) - (1 - target) * Math.log1p(-p)
  })
}

/** Its derivatives by a and b. */
export function crossEntropyGradient(
  values: ArrayLike<number>,
  positives: Positives,
  weights: ArrayLike<number> | undefined,
  a: number,
  b: number,
): [byA: number, byB: number] {
  const slope = (value: number, target: number) => target - 1 / (1 + Math.exp(a * value + b))
  return [
    sumOver(values, positives, weights, (value, target) => slope(value, target) * value),
    sumOver(values, positives, weights, slope),
  ]
}

function sumOver(
  values: ArrayLike<number>,
  positives: Positives,
  weights: ArrayLike<number> | undefined,
  term: (value: number, target: number) => number,
): number {
  const count = { positive: 0, negative: 0 }
  for (let i = 0; i < values.length; i++) count[positives[i] ? 'positive' : 'negative'] += weights?.[i] ?? 1
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const target = positives[i] ? (count.positive + 1) / (count.positive + 2) : 1 / (count.negative + 2)
    sum += (weights?.[i] ?? 1) * term(values[i], target)
  }
  return sum
}
