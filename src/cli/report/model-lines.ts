/** A model in lines for people. */

import type { Label } from '../../data/table/dataset.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import type { Model } from '../../models/model.ts'
import type { LaplaceNoise } from '../../models/model-parts.ts'
import { conformalWords } from '../options/decision-options.ts'
import { kernelWords } from '../options/kernel-options.ts'
import { certificateLines, problemsOf } from './certificate-words.ts'
import type { ModelDescription } from './model-description.ts'
import { aligned, count, type Lines, number, paragraph, table } from './output.ts'

/** Functions that are listed for people: those of 45 classes. */
const MOST_LISTED = 1000

/** What the model is, how well it was solved, and what it is made of. */
export function modelLines(model: Model, description: ModelDescription): Lines {
  const { functions } = description
  const info = model.info()
  const { classes, features, supportVectors, biases, probability, threshold, conformal, certificate } = info
  return [
    aligned([
      ['model', info.type],
      classes && ['classes', classWords(classes)],
      ['kernel', kernelWords(info.kernel as KernelSpec)],
      ['features', features === undefined ? 'not recorded' : count(features)],
      ['support vectors', supportVectors === undefined ? 'not kept' : count(supportVectors)],
      biases.length === 1 && ['bias', number(biases[0], 8)],
      ['scaler', info.scaler ?? 'none'],
      probability !== undefined && probabilityWords(model, probability),
      threshold !== undefined && ['threshold', `${number(threshold)}: ${classes?.[1]} from this value`],
      conformal && ['conformal', conformalWords(conformal)],
    ]),
    certificate
      ? ['', ...certificateLines(certificate, undefined, problemsOf(model))]
      : 'no certificate in this file',
    functions.length > MOST_LISTED
      ? ['', `${count(functions.length)} functions: --json lists them`]
      : [functionLines(description), supportLines(description)],
    influenceLines(description),
    weightLines(description),
  ]
}

function probabilityWords(model: Model, method: string): readonly [string, string] {
  if (!('predictInterval' in model)) return ['probabilities', method]
  const { sigma } = model.probability as LaplaceNoise
  return ['noise', `${method}, sigma ${number(sigma)}`]
}

function classWords(classes: readonly Label[]): string {
  if (classes.length !== 2) return classes.join(', ')
  return `${classes[0]} (negative), ${classes[1]} (positive)`
}

/** Biases and certificates of models that have several functions. */
function functionLines({ functions }: ModelDescription): Lines {
  if (functions.length === 1) return []
  const isCertified = functions.some(({ certificate }) => certificate !== undefined)
  type One = (typeof functions)[number]
  const known = (words: (certificate: NonNullable<One['certificate']>) => string) => (one: One) =>
    one.certificate ? words(one.certificate) : ''
  return paragraph(
    table(functions, [
      ['function', ({ name }) => name, 'left'],
      ['bias', ({ bias }) => number(bias)],
      isCertified && ['primal', known(({ primal }) => number(primal))],
      isCertified && ['gap', known(({ gap }) => number(gap, 3))],
      isCertified && ['violation', known(({ maxViolation }) => number(maxViolation, 3))],
      isCertified && ['iterations', known(({ iterations }) => count(iterations))],
      isCertified && ['stopped', known(({ stopReason }) => stopReason), 'left'],
    ]),
  )
}

function supportLines({ support, functions }: ModelDescription): Lines {
  if (support.length === 0) return []
  return paragraph(
    table(support, [
      functions.length > 1 && ['function', (one) => one.function, 'left'],
      support.some((one) => one.class !== null) && ['class', (one) => String(one.class), 'left'],
      ['support vectors', ({ vectors }) => count(vectors)],
      ['free', ({ vectors, bounded }) => (bounded === null ? '?' : count(vectors - bounded))],
      ['at the bound', ({ bounded }) => (bounded === null ? '?' : count(bounded))],
    ]),
  )
}

function influenceLines({ influential }: ModelDescription): Lines {
  if (influential.length === 0) return []
  const sampled = influential.some(({ sample }) => sample !== null)
  const what = sampled ? 'influential sample (from 0)' : 'influential vector (from 0)'
  return paragraph(
    table(influential, [
      [what, (one) => String(sampled ? one.sample : one.vector), 'left'],
      influential.some((one) => one.class !== null) && ['class', (one) => String(one.class)],
      ['sum of |coefficients|', ({ influence }) => number(influence)],
    ]),
  )
}

function weightLines({ weights, functions }: ModelDescription): Lines {
  if (weights.length === 0) return []
  return paragraph(
    table(weights, [
      ['feature', ({ name }) => name, 'left'],
      functions.length > 1 && ['function', (one) => one.function, 'left'],
      ['weight', ({ weight }) => number(weight)],
    ]),
  )
}
