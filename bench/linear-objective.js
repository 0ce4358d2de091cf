// The objective of a LIBLINEAR model file, from the data by plain loops: the same code for all tools.
import { readFileSync } from 'node:fs'

/** What each -s minimises: the loss and the norm of w, and what -e is by default. */
export const linearTypes = {
  0: { loss: 'logistic', eps: 0.01 },
  1: { loss: 'squared-hinge', eps: 0.1 },
  2: { loss: 'squared-hinge', eps: 0.01 },
  3: { loss: 'hinge', eps: 0.1 },
  4: { loss: 'crammer-singer', eps: 0.1 },
  5: { loss: 'squared-hinge', norm: 1, eps: 0.01 },
  6: { loss: 'logistic', norm: 1, eps: 0.01 },
  7: { loss: 'logistic', eps: 0.1 },
  11: { loss: 'squared-epsilon', eps: 0.0001 },
  12: { loss: 'squared-epsilon', eps: 0.1 },
  13: { loss: 'epsilon', eps: 0.1 },
}

/** The half-width of the tube: liblinear-train's default. */
const TUBE = 0.1

const losses = {
  hinge: (y, f) => Math.max(0, 1 - y * f),
  'squared-hinge': (y, f) => Math.max(0, 1 - y * f) ** 2,
  logistic: (y, f) => Math.max(0, -y * f) + Math.log1p(Math.exp(-Math.abs(f))),
  epsilon: (y, f) => Math.max(0, Math.abs(y - f) - TUBE),
  'squared-epsilon': (y, f) => Math.max(0, Math.abs(y - f) - TUBE) ** 2,
}

/** Labels and weights of a model file; `w` has the weights of every function, feature by feature. */
function parseModel(path) {
  const [head, body] = readFileSync(path, 'utf8').split('\nw\n')
  const field = (name) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1]
  const labels = field('label')?.trim().split(' ').map(Number)
  const w = Float64Array.from(body.trim().split(/\s+/), Number)
  const isTogether = field('solver_type') === 'MCSVM_CS'
  const functions = labels && (labels.length > 2 || isTogether) ? labels.length : 1
  return { labels, w, functions }
}

/** The sum of the objectives of all functions of a model without a bias, on sparse samples. */
export function objectiveOf(path, { samples, labels: targets }, type, C) {
  const { loss, norm = 2 } = linearTypes[type]
  const { labels, w, functions } = parseModel(path)
  const { rows, indptr, indices, values } = samples
  const features = w.length / functions
  let total = 0
  for (const weight of w) total += norm === 1 ? Math.abs(weight) : 0.5 * weight * weight
  const f = new Float64Array(functions)
  for (let i = 0; i < rows; i++) {
    f.fill(0)
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      if (indices[k] >= features) continue
      for (let m = 0; m < functions; m++) f[m] += values[k] * w[indices[k] * functions + m]
    }
    if (loss === 'crammer-singer') total += C * largestExcess(f, labels.indexOf(targets[i]))
    else for (let m = 0; m < functions; m++) total += C * losses[loss](goal(labels, m, targets[i]), f[m])
  }
  return total
}

/** +1 for the class of a function and -1 for the others; of regression, the target. */
function goal(labels, m, target) {
  if (!labels) return target
  return target === labels[m] ? 1 : -1
}

/** Crammer and Singer's loss: how far another class is above the own one, or less than 1 below it, at most. */
function largestExcess(f, own) {
  let most = 0
  for (let m = 0; m < f.length; m++) if (m !== own) most = Math.max(most, 1 + f[m] - f[own])
  return most
}
