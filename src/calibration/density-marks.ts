/**
 * How normal a sample is for a one-class machine, by binning: the decision values of the training samples are cut into
 * five bins of equal count below 0 and five above, and a sample gets the probability of the bin it falls into. The marks
 * are the middles of the bins: with m_0 … m_4 the values at the start of each fifth of the negative ones, m_5 = 0, and
 * m_6 … m_10 those at the end of each fifth of the others, mark i is (m_i + m_{i+1}) / 2.
 *
 * Source    Que, Lin, "One-class SVM probabilistic outputs", as in LIBSVM since 3.25.
 */
import { checkFiniteValues } from './labelled-values.ts'

/** Marks in a model, and how many values each side of 0 needs. */
export const DENSITY_MARKS = 10
const HALF = DENSITY_MARKS / 2
/** Beyond the first and the last mark, as in LIBSVM. */
const LEAST = 0.001
const MOST = 0.999

/**
 * The ten marks, ascending, from the decision values of the training samples; undefined where fewer than five of them are
 * negative or fewer than five are not: too few for an estimate (LIBSVM then warns).
 */
export function fitDensityMarks(values: ArrayLike<number>): Float64Array | undefined {
  checkFiniteValues('fitDensityMarks', 'value', values)
  const sorted = Float64Array.from(values).sort()
  let negative = 0
  while (negative < sorted.length && sorted[negative] < 0) negative++
  const others = sorted.length - negative
  if (negative < HALF || others < HALF) return undefined
  const edge = (i: number): number => {
    if (i === HALF) return 0
    if (i < HALF) return sorted[Math.floor((i * negative) / HALF)]
    return sorted[negative - 1 + Math.floor(((i - HALF) * others) / HALF)]
  }
  return Float64Array.from({ length: DENSITY_MARKS }, (_, i) => (edge(i) + edge(i + 1)) / 2)
}

/**
 * The probability that a sample of decision value f is normal: 0.001 below the first mark, 0.999 from the last one on (at
 * the last mark itself, where LIBSVM says 0, too), i/10 between mark i − 1 and mark i.
 */
export function oneClassProbability(f: number, marks: ArrayLike<number>): number {
  const count = marks.length
  if (f < marks[0]) return LEAST
  for (let i = 1; i < count; i++) if (f < marks[i]) return i / count
  return MOST
}
