/** What `hyperplane info` finds in a model beside its settings: certificates, support vectors, influence, weights. */
import type { Certificate } from '../../certify/certificate.ts'
import type { Label } from '../../data/table/dataset.ts'
import { isClassifier, type Model } from '../../models/model.ts'
import { groupStarts, pairCoefficients } from '../../models/pairs.ts'
import { SvcModel } from '../../models/svc-model.ts'
import { classPairs } from '../../problems/pairwise-problem.ts'
import { problemsOf } from './certificate-words.ts'

/** A function of a model, and what is known of the problem behind it. */
export interface FunctionDescription {
  /** Two classes with a stroke between, one class, or nothing where a model has one function. */
  readonly name: string
  readonly bias: number
  readonly certificate: Certificate | undefined
}

/** The support vectors of one class against another, or of the whole model. */
export interface SupportDescription {
  readonly function: string
  readonly class: Label | null
  readonly vectors: number
  /** How many are at their bound; null where the model cannot tell. */
  readonly bounded: number | null
}

/** A support vector that weighs much. */
export interface InfluentialSample {
  /** The training sample, counted from 0; null where the file does not say. */
  readonly sample: number | null
  /** Its place among the support vectors, counted from 0. */
  readonly vector: number
  readonly class: Label | null
  /** Σ |coefficient| over the functions that it is part of. */
  readonly influence: number
}

/** A weight of a linear model. */
export interface FeatureWeight {
  readonly feature: number
  readonly name: string
  readonly function: string
  readonly weight: number
}

/** All of it. */
export interface ModelDescription {
  readonly functions: readonly FunctionDescription[]
  readonly support: readonly SupportDescription[]
  readonly influential: readonly InfluentialSample[]
  readonly weights: readonly FeatureWeight[]
}

/** Describes a model; lists hold at most `top` entries. */
export function describeModel(model: Model, top: number): ModelDescription {
  const names = functionNames(model)
  const { biases, certificates } = model
  const each = certificates?.length === biases.length
  return {
    functions: Array.from(biases, (bias, p) => ({
      name: names[p],
      bias,
      // One problem may have given all functions together; of very many problems there is a summary alone.
      certificate: certificates?.[each ? p : problemsOf(model) === 1 ? 0 : -1],
    })),
    support: supportOf(model, names),
    influential: influentialOf(model).slice(0, top),
    weights: weightsOf(model, names).slice(0, top),
  }
}

function functionNames(model: Model): string[] {
  const { biases } = model
  if (!isClassifier(model) || biases.length === 1) return Array.from(biases, () => '')
  const { classes } = model
  if (!(model instanceof SvcModel)) return classes.map(String)
  return classes.flatMap((first, i) => classes.slice(i + 1).map((second) => `${first} / ${second}`))
}

function supportOf(model: Model, names: readonly string[]): SupportDescription[] {
  if (!('dualCoef' in model)) return []
  const { certificates, dualCoef } = model
  if (!(model instanceof SvcModel)) {
    const counts = boundedCounts([dualCoef], certificates?.[0])
    return [{ function: '', class: null, vectors: dualCoef.length, bounded: counts?.[0] ?? null }]
  }
  const { classes, supportCounts } = model
  const starts = groupStarts(supportCounts)
  return Array.from(classPairs(classes.length), ([i, j], pair) => {
    const own = pairCoefficients(dualCoef, starts, i, j)
    const sides = [own.subarray(0, supportCounts[i]), own.subarray(supportCounts[i])].map((side) =>
      side.filter((coefficient) => coefficient !== 0),
    )
    const counts = boundedCounts(sides, certificates?.[pair])
    return sides.map(({ length }, side) => ({
      function: names[pair],
      class: classes[side === 0 ? i : j],
      vectors: length,
      bounded: counts?.[side] ?? null,
    }))
  }).flat()
}

function influentialOf(model: Model): InfluentialSample[] {
  if (!('dualCoef' in model)) return []
  const { dualCoef, supportIndices, supportCount } = model
  const influence = new Float64Array(supportCount)
  dualCoef.forEach((coefficient, k) => {
    influence[k % supportCount] += Math.abs(coefficient)
  })
  const classOf =
    model instanceof SvcModel
      ? model.classes.flatMap((label, c) => Array.from({ length: model.supportCounts[c] }, () => label))
      : []
  return Array.from(influence.keys())
    .sort((a, b) => influence[b] - influence[a] || a - b)
    .map((vector) => ({
      sample: supportIndices?.[vector] ?? null,
      vector,
      class: classOf[vector] ?? null,
      influence: influence[vector],
    }))
}

function weightsOf(model: Model, names: readonly string[]): FeatureWeight[] {
  const { coef, featureNames } = model
  if (coef === undefined) return []
  const features = coef.length / names.length
  return Array.from(coef.keys())
    .sort((a, b) => Math.abs(coef[b]) - Math.abs(coef[a]) || a - b)
    .map((k) => {
      const feature = k % features
      return {
        feature,
        name: featureNames?.[feature] ?? String(feature + 1),
        function: names[Math.floor(k / features)],
        weight: coef[k],
      }
    })
}

/**
 * How many coefficients of each side are at their upper bound. Models do not keep their bounds, but the certificate says how
 * many coefficients were there, and those that are share one value: C of both sides, or C of each. Where that does not add
 * up, as with weights of single samples, undefined.
 */
function boundedCounts(
  sides: readonly Float64Array[],
  certificate: Certificate | undefined,
): number[] | undefined {
  const total = certificate?.boundedSupportVectors
  if (total === undefined) return undefined
  const largest = sides.map((side) => side.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
  const counts = (bounds: readonly number[]): number[] =>
    sides.map((side, s) =>
      side.reduce((count, value) => (Math.abs(value) === bounds[s] ? count + 1 : count), 0),
    )
  const nothing = Number.NaN
  const guesses = [
    sides.map(() => nothing),
    sides.map(() => Math.max(...largest)),
    largest,
    ...sides.map((_, own) => largest.map((bound, s) => (s === own ? bound : nothing))),
  ]
  return guesses.map(counts).find((found) => found.reduce((a, b) => a + b, 0) === total)
}
