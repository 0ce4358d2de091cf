/** A model in lines for people. */

import type { Label } from '../../data/table/dataset.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import type { Model } from '../../models/model.ts'
import type { LaplaceNoise } from '../../models/model-parts.ts'
import { conformalWords } from '../options/conformal-option.ts'
import { kernelWords } from '../options/kernel-options.ts'
import { certificateLines, problemsOf } from './certificate-words.ts'
import type { ModelDescription } from './model-description.ts'
import { aligned, count, number, table } from './output.ts'

/** Functions that are listed for people: those of 45 classes. */
const MOST_LISTED = 1000

/** What the model is, how well it was solved, and what it is made of. */
export function modelLines(model: Model, description: ModelDescription): string[] {
  const {
    type,
    classes,
    kernel,
    features,
    supportVectors,
    biases,
    scaler,
    probability,
    threshold,
    conformal,
    certificate,
  } = model.info()
  const lines = aligned([
    ['model', type],
    ...(classes ? [['classes', classWords(classes)] as const] : []),
    ['kernel', kernelWords(kernel as KernelSpec)],
    ['features', features === undefined ? 'not recorded' : count(features)],
    ['support vectors', supportVectors === undefined ? 'not kept' : count(supportVectors)],
    ...(biases.length === 1 ? [['bias', number(biases[0], 8)] as const] : []),
    ['scaler', scaler ?? 'none'],
    ...(probability ? [probabilityWords(model, probability)] : []),
    ...(threshold === undefined
      ? []
      : [['threshold', `${number(threshold)}: ${classes?.[1]} from this value`] as const]),
    ...(conformal ? [['conformal', conformalWords(conformal)] as const] : []),
  ])
  return [
    ...lines,
    ...(certificate
      ? ['', ...certificateLines(certificate, undefined, problemsOf(model))]
      : ['no certificate in this file']),
    ...functionLines(description),
    ...supportLines(description),
    ...influenceLines(description),
    ...weightLines(description),
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
function functionLines({ functions }: ModelDescription): string[] {
  if (functions.length === 1) return []
  if (functions.length > MOST_LISTED) return ['', `${count(functions.length)} functions: --json lists them`]
  const known = functions.some(({ certificate }) => certificate !== undefined)
  const headings = [
    'function',
    'bias',
    ...(known ? ['primal', 'gap', 'violation', 'iterations', 'stopped'] : []),
  ]
  const rows = functions.map(({ name, bias, certificate }) => [
    name,
    number(bias),
    ...(certificate
      ? [
          number(certificate.primal),
          number(certificate.gap, 3),
          number(certificate.maxViolation, 3),
          count(certificate.iterations),
          certificate.stopReason,
        ]
      : headings.slice(2).map(() => '')),
  ])
  return ['', ...table(headings, rows, ['function', 'stopped'])]
}

function supportLines({ support, functions }: ModelDescription): string[] {
  if (support.length === 0 || functions.length > MOST_LISTED) return []
  const several = functions.length > 1
  const classes = support.some((one) => one.class !== null)
  const headings = [
    ...(several ? ['function'] : []),
    ...(classes ? ['class'] : []),
    'support vectors',
    'free',
    'at the bound',
  ]
  const rows = support.map((one) => [
    ...(several ? [one.function] : []),
    ...(classes ? [String(one.class)] : []),
    count(one.vectors),
    ...(one.bounded === null ? ['?', '?'] : [count(one.vectors - one.bounded), count(one.bounded)]),
  ])
  return ['', ...table(headings, rows, ['function', 'class'])]
}

function influenceLines({ influential }: ModelDescription): string[] {
  if (influential.length === 0) return []
  const sampled = influential.some(({ sample }) => sample !== null)
  const classes = influential.some((one) => one.class !== null)
  const first = sampled ? 'influential sample (from 0)' : 'influential vector (from 0)'
  const rows = influential.map((one) => [
    String(sampled ? one.sample : one.vector),
    ...(classes ? [String(one.class)] : []),
    number(one.influence),
  ])
  return ['', ...table([first, ...(classes ? ['class'] : []), 'sum of |coefficients|'], rows)]
}

function weightLines({ weights, functions }: ModelDescription): string[] {
  if (weights.length === 0) return []
  const several = functions.length > 1
  const rows = weights.map(({ name, function: of, weight }) => [
    name,
    ...(several ? [of] : []),
    number(weight),
  ])
  return [
    '',
    ...table(['feature', ...(several ? ['function'] : []), 'weight'], rows, ['feature', 'function']),
  ]
}
